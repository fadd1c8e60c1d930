// The dialog for content that is fetched on demand: the decisions, and the preview of accept all.

import { UNREACHABLE } from "./connection.js";

const dialog = document.getElementById("pane-dialog");
const body = document.getElementById("pane-body");
let shown = null;

export function connectPane() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-pane]");
    // With a modifier key, a link opens a new tab, as everywhere.
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(link.href);
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}

/** The open list of decisions is kept up to date; the form of accept all is not replaced. */
export function refreshPane() {
  if (dialog.open && body.querySelector(".decisions")) load(shown);
}

async function show(href) {
  await load(href);
  if (!dialog.open) dialog.showModal();
  body.querySelector("[aria-current]")?.focus();
}

async function load(href) {
  shown = href;
  try {
    const answer = await fetch(href, { headers: { "HX-Request": "true" } });
    if (!answer.ok) throw new Error(answer.statusText);
    body.innerHTML = await answer.text();
    window.htmx?.process(body);
  } catch {
    body.textContent = UNREACHABLE;
  }
}
