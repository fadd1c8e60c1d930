// The estimate for the edited text, requested shortly after the last key press.

const form = document.getElementById("again-form");
const PAUSE_MS = 500;
let timer = null;
let request = new AbortController();

async function showEstimate() {
  request.abort(); // a late answer about an earlier text must not replace a later one
  request = new AbortController();
  const { signal } = request;
  const body = new URLSearchParams({ text: form.elements.text.value });
  const headers = { "X-CSRFToken": form.elements.csrfmiddlewaretoken.value };
  try {
    const answer = await fetch(form.dataset.estimateUrl, { method: "POST", headers, body, signal });
    if (!answer.ok) return;
    const template = document.createElement("template");
    template.innerHTML = await answer.text();
    document.getElementById("again-estimate").textContent = template.content.textContent.trim();
  } catch {
    // Superseded, or not reached: keep the last estimate; the check itself reports a lost connection.
  }
}

form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(showEstimate, PAUSE_MS);
});
// Whoever types before this script is loaded sees an estimate, too.
if (form.elements.text.value !== form.elements.text.defaultValue) showEstimate();
document.getElementById("form-errors")?.focus();
