// A file instead of the text: chosen, or dropped on the field. Its text is shown in the field and can be edited.

import { connectRichPaste } from "./rich-paste.js";
import { textOfFile } from "./text-of-file.js";
import { gettext, interpolate } from "./words.js";

const field = document.getElementById("id_text");
const input = document.getElementById("id_text_file");
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
  connectRichPaste(field, (plain) => {
    before = plain;
    say(gettext("Lists and tables of the pasted text were kept."), { hasMore: true });
  });
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
  const read = await textOfFile(files[0]);
  if (number !== newest) return; // another file was chosen meanwhile
  if (!read) return say(gettext("The file could not be read: the server does not answer, or not now. Try again in a moment."));
  if (read.refusal) return say(read.refusal);
  before = field.value;
  write(read.words);
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
