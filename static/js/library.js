// The list of sources: find by name; refuse files that are too large before they are sent.

import { gettext, interpolate } from "./words.js";

const form = document.getElementById("add-form");
const errors = document.getElementById("add-errors");
const search = document.getElementById("search");

form.addEventListener("submit", (event) => {
  const tooLarge = [...form.elements.uploads.files].filter((file) => file.size > Number(form.dataset.limitBytes));
  if (!tooLarge.length) return;
  event.preventDefault();
  errors.replaceChildren(
    ...tooLarge.map((file) => {
      const line = document.createElement("p");
      line.textContent = interpolate(gettext("%(name)s is too large. Take the part that matters, or split it. Nothing was sent."), file);
      return line;
    }),
  );
  errors.hidden = false;
});

function filter() {
  const words = search.value.toLowerCase();
  for (const item of document.querySelectorAll(".library__item")) {
    item.hidden = !item.dataset.name.toLowerCase().includes(words);
  }
}

if (search) {
  document.getElementById("search-field").hidden = false;
  search.addEventListener("input", filter);
  document.addEventListener("htmx:afterSettle", filter);
}

// The list is refreshed while a source is being read, but not while it has the keyboard focus.
document.addEventListener("htmx:beforeRequest", (event) => {
  const list = document.getElementById("source-list");
  if (list.contains(document.activeElement) || list.querySelector(".rename[open]")) event.preventDefault();
});
