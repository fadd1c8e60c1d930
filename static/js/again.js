// The revised text as it is edited: what it would take to check it, told a moment after the last key.

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
    // The estimate of before stays; the check itself will tell that there is no connection.
  }
}

form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(showEstimate, PAUSE_MS);
});
document.getElementById("form-errors")?.focus();
