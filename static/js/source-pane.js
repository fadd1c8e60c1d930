// The pane beside the text: a source, open at a quote. Only the part around the quote is fetched, on demand.

import { isOpen, showPassage } from "./beside.js";
import { UNREACHABLE } from "./connection.js";
import { gettext } from "./words.js";

const GONE = gettext("This source was deleted. Only the quote on the card is left.");

export function connectSourcePane() {
  const dialog = document.getElementById("source-dialog");
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-show-source]");
    // With a modifier key, a link opens a new tab, as everywhere.
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const sentence = link.closest(".quotes")?.querySelector("[data-show-sentence]");
    if (sentence && isOpen()) showPassage(sentence.dataset.showSentence);
    else open(dialog, link);
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
    const more = event.target.closest("[data-more]");
    if (!more) return;
    event.preventDefault();
    showMore(more);
  });
}

async function open(dialog, link) {
  document.getElementById("source-title").textContent = link.textContent.trim();
  document.getElementById("source-page").href = link.href;
  const body = document.getElementById("source-body");
  body.textContent = gettext("Opening …");
  dialog.showModal();
  if (await load(body, link.href)) {
    document.getElementById("source-title").textContent = body.querySelector(".excerpt").dataset.name;
    body.querySelector(".quoted")?.scrollIntoView({ block: "center" });
  }
  body.focus({ preventScroll: true });
}

/** Keep the scroll position when text is inserted above the view. */
async function showMore(link) {
  const body = document.getElementById("source-body");
  const fromEnd = body.scrollHeight - body.scrollTop;
  const fromStart = body.scrollTop;
  if (!(await load(body, link.href))) return;
  body.scrollTop = link.dataset.more === "before" ? body.scrollHeight - fromEnd : fromStart;
  body.focus({ preventScroll: true });
}

async function load(body, href) {
  try {
    const answer = await fetch(href, { headers: { "HX-Request": "true" } });
    if (answer.ok) {
      body.innerHTML = await answer.text();
      return true;
    }
    body.textContent = answer.status === 404 ? GONE : UNREACHABLE;
  } catch {
    body.textContent = UNREACHABLE;
  }
  return false;
}
