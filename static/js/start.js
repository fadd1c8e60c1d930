// The form: counts characters, and keeps the typed input in this tab until the server has it.

import { UNREACHABLE } from "./connection.js";
import { readDraft, saveDraft } from "./draft.js";
import { chooseSources, chosenSources, connectSourceField } from "./source-field.js";
import { connectTextFile } from "./text-file.js";
import { gettext, interpolate } from "./words.js";

const form = document.getElementById("check-form");
const restore = document.getElementById("restore-draft");
const FIELDS = ["text", "prompt", "source", "topic"].filter((name) => form.elements[name]);

function readForm() {
  return { ...Object.fromEntries(FIELDS.map((name) => [name, form.elements[name].value])), sources: chosenSources() };
}

function writeForm(values) {
  for (const name of FIELDS) form.elements[name].value = values[name] ?? "";
  chooseSources(values.sources ?? []);
  count();
}

function count() {
  for (const output of document.querySelectorAll("[data-count-for]")) {
    const field = document.getElementById(output.dataset.countFor);
    const length = Array.from(field.value).length;
    output.textContent = length ? ` · ${interpolate(gettext("%(count)s now"), { count: length.toLocaleString("en") })}` : "";
    output.toggleAttribute("data-over", length > Number(field.dataset.limit));
  }
}

function isWorthBringingBack({ sources = [], ...fields }) {
  const chosen = chosenSources();
  const differs = FIELDS.some((name) => (fields[name] ?? "") !== form.elements[name].value);
  const isEmpty = FIELDS.every((name) => !fields[name]) && !sources.length;
  return !isEmpty && (differs || sources.some((id) => !chosen.includes(id)));
}

const draft = readDraft();
/** After the form is sent, a source that is still read changes its row; that must not make the draft an unsent one. */
let isSent = false;
connectSourceField(() => {
  if (!isSent) saveDraft(readForm());
  showEstimate();
});
connectTextFile();
form.addEventListener("input", () => {
  isSent = false;
  saveDraft(readForm());
  count();
});
form.addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  isSent = true;
  saveDraft(readForm(), { sent: true });
});
restore.addEventListener("click", () => {
  writeForm(readDraft());
  restore.hidden = true;
});

if (draft && isWorthBringingBack(draft)) {
  const isEmpty = FIELDS.every((name) => !form.elements[name].value) && !chosenSources().length;
  if (isEmpty) writeForm(draft);
  else restore.hidden = document.getElementById("form-errors") !== null;
}

// --- The language model

const estimate = document.getElementById("estimate");
const testButton = document.getElementById("test-connection");

function showEstimate() {
  if (!estimate) return;
  // Match a single character: a pattern over the sentence would take minutes for a long text without an end.
  const sentences = (form.elements.text.value.match(/[.!?](?=\s|$)/g) ?? []).length;
  if (!sentences) return;
  const { calls, tokens, usd, sourceTokens, sourceUsd } = estimate.dataset;
  const count = (each) => (sentences * Number(each)).toLocaleString("en");
  const price = (each) => (each ? `$${(sentences * Number(each)).toPrecision(2)}` : gettext("cost unknown"));
  const hasSource = form.elements.source.value.trim() || chosenSources().length;
  const more = hasSource ? ` ${interpolate(gettext("With the sources at most %(tokens)s tokens more, %(price)s."), {
        tokens: count(sourceTokens),
        price: price(sourceUsd),
      })}` : "";
  estimate.textContent = `${interpolate(
    gettext("For this text about %(calls)s calls and %(tokens)s tokens, %(price)s."),
    { calls: count(calls), tokens: count(tokens), price: price(usd) },
  )}${more}`;
}

async function testConnection() {
  const state = document.getElementById("connection-state");
  state.textContent = gettext("Asking …");
  testButton.disabled = true;
  try {
    const token = form.elements.csrfmiddlewaretoken.value;
    const body = new URLSearchParams({ api_key: form.elements.api_key?.value ?? "", model: form.elements.model?.value ?? "" });
    const answer = await fetch(testButton.dataset.url, { method: "POST", headers: { "X-CSRFToken": token }, body });
    state.textContent = answer.ok ? await answer.text() : gettext("The test failed. Reload the page and try again.");
  } catch {
    state.textContent = UNREACHABLE;
  }
  testButton.disabled = false;
}

// The list of models is requested when the field gets the focus, and again after the endpoint or key has changed.
function offerModels({ elements }, names) {
  const field = elements.model;
  let known = "";
  field.addEventListener("focus", async () => {
    const body = new URLSearchParams(names.map((name) => [name, elements[name]?.value ?? ""]));
    if (known === String(body)) return;
    known = String(body);
    const headers = { "X-CSRFToken": elements.csrfmiddlewaretoken.value };
    try {
      const answer = await fetch(field.dataset.url, { method: "POST", headers, body });
      const { models } = answer.ok ? await answer.json() : { models: [] };
      if (known === String(body)) field.list.replaceChildren(...models.map((name) => new Option(name, name)));
    } catch {
      known = ""; // no connection: request it again next time
    }
  });
}

if (form.elements.model) offerModels(form, ["api_key"]);

const presetForm = document.getElementById("preset-form");

function showPreset() {
  const { preset, api_key: key } = presetForm.elements;
  const { dataset } = preset.selectedOptions[0];
  document.getElementById("resource-field").hidden = !("resource" in dataset);
  document.getElementById("preset-address").textContent = dataset.address;
  key.placeholder = "key" in dataset ? "" : gettext("not needed");
}

if (presetForm) {
  offerModels(presetForm, ["preset", "resource", "api_key"]);
  presetForm.elements.preset.addEventListener("change", showPreset);
  showPreset();
}

if (testButton) {
  testButton.hidden = false;
  testButton.addEventListener("click", testConnection);
}
// "Check while writing" is shown only if the model is to write the text.
const writingField = document.getElementById("writing-field");

function showWritingField() {
  if (!writingField) return;
  writingField.hidden = Boolean(form.elements.text.value.trim()) || !form.elements.prompt.value.trim();
}

form.addEventListener("input", showWritingField);
showWritingField();
form.addEventListener("input", showEstimate);
showEstimate();
document.getElementById("form-errors")?.focus();
count();
