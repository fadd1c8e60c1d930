// The form: counts characters, and keeps what was typed in this tab until it has been sent.

const form = document.getElementById("check-form");
const restore = document.getElementById("restore-draft");
const KEY = "chatprotect.draft";
const FIELDS = ["text", "source", "topic"];

function readForm() {
  return Object.fromEntries(FIELDS.map((name) => [name, form.elements[name].value]));
}

function writeForm(values) {
  for (const name of FIELDS) form.elements[name].value = values[name] ?? "";
  count();
}

function readDraft() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null; // storage is switched off, or holds something else
  }
}

function saveDraft() {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(readForm()));
  } catch {
    // full or switched off: the form still works, only the safety net is missing
  }
}

function count() {
  for (const output of document.querySelectorAll("[data-count-for]")) {
    const field = document.getElementById(output.dataset.countFor);
    const length = Array.from(field.value).length;
    output.textContent = length ? ` · ${length.toLocaleString("en")} now` : "";
    output.toggleAttribute("data-over", length > Number(field.dataset.limit));
  }
}

form.addEventListener("input", () => {
  saveDraft();
  count();
});
// A text that was sent is kept by the server, in the list of checks.
form.addEventListener("submit", () => sessionStorage.removeItem(KEY));
restore.addEventListener("click", () => {
  writeForm(readDraft());
  restore.hidden = true;
});

const draft = readDraft();
if (draft && FIELDS.some((name) => draft[name]) && FIELDS.some((name) => draft[name] !== form.elements[name].value)) {
  const isEmpty = FIELDS.every((name) => !form.elements[name].value);
  if (isEmpty) writeForm(draft);
  else restore.hidden = document.getElementById("form-errors") !== null;
}
document.getElementById("form-errors")?.focus();
count();
