// A file instead of the text: chosen, or dropped on the field. Its text is shown in the field and can be edited.

import { gettext, interpolate } from "./words.js";

const field = document.getElementById("id_text");
const input = document.getElementById("id_text_file");
const box = document.getElementById("text-file");
const state = document.getElementById("text-file-state");
const back = document.getElementById("text-file-back");

/** The content of the field before the file, which the user can restore. */
let before = "";
let newest = 0;

export function connectTextFile() {
  input.addEventListener("change", () => {
    readOne([...input.files]);
    input.value = ""; // the form sends its text, not the file
  });
  for (const type of ["dragover", "dragleave", "drop"]) {
    field.addEventListener(type, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      field.classList.toggle("is-dropping", type === "dragover");
      if (type === "drop") readOne([...event.dataTransfer.files]);
    });
  }
  back.addEventListener("click", () => {
    write(before);
    say("");
    field.focus();
  });
}

async function readOne(files) {
  if (files.length !== 1) return say(gettext("One file at a time: a check is about one text."));
  const number = ++newest;
  const name = files[0].name;
  say(interpolate(gettext("Reading “%(name)s” …"), { name }));
  const body = new FormData();
  body.append("text_file", files[0]);
  const headers = { "HX-Request": "true", "X-CSRFToken": field.form.elements.csrfmiddlewaretoken.value };
  let answer = null;
  let words = "";
  try {
    answer = await fetch(box.dataset.readUrl, { method: "POST", headers, body });
    words = await answer.text();
  } catch {
    answer = null;
  }
  if (number !== newest) return; // another file was chosen meanwhile
  if (answer?.status === 422) return say(words);
  if (!answer?.ok) return say(gettext("The file could not be read: the server does not answer, or not now. Try again in a moment."));
  before = field.value;
  write(words);
  say(interpolate(gettext("The text of “%(name)s”."), { name }), { hasMore: before.trim() !== "" });
}

function write(words) {
  field.value = words;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function say(words, { hasMore = false } = {}) {
  state.textContent = words;
  back.hidden = !hasMore;
}
