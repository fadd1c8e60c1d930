// The form: counts characters, and keeps what was typed in this tab until the server has it.

import { readDraft, saveDraft } from "./draft.js";

const form = document.getElementById("check-form");
const restore = document.getElementById("restore-draft");
const FIELDS = ["text", "prompt", "source", "topic"].filter((name) => form.elements[name]);

function readForm() {
  return Object.fromEntries(FIELDS.map((name) => [name, form.elements[name].value]));
}

function writeForm(values) {
  for (const name of FIELDS) form.elements[name].value = values[name] ?? "";
  count();
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
  saveDraft(readForm());
  count();
});
form.addEventListener("submit", () => saveDraft(readForm(), { sent: true }));
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
