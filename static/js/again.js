// The estimate for the edited text, requested shortly after the last key press.

const form = document.getElementById("again-form");
const PAUSE_MS = 500;
let timer = null;

async function showEstimate() {
  const body = new URLSearchParams({ text: form.elements.text.value });
  const headers = { "X-CSRFToken": form.elements.csrfmiddlewaretoken.value };
  try {
    const answer = await fetch(form.dataset.estimateUrl, { method: "POST", headers, body });
    if (!answer.ok) return;
    const template = document.createElement("template");
    template.innerHTML = await answer.text();
    document.getElementById("again-estimate").textContent = template.content.textContent.trim();
  } catch {
    // Keep the last estimate; the check itself reports a lost connection.
  }
}

form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(showEstimate, PAUSE_MS);
});
document.getElementById("form-errors")?.focus();
