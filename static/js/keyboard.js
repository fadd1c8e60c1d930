// Keyboard shortcuts: next, accept, keep, undo. Every action also has a button that names its key.

import { announce } from "./announcer.js";
import { whenSaved, whenShown } from "./decisions.js";
import { goToMark, isInText } from "./quick-card.js";
import { currentCard, openCards, select, step } from "./selection.js";
import { gettext } from "./words.js";

export function connectKeyboard() {
  document.addEventListener("keydown", (event) => {
    const action = actionOf(event);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function actionOf(event) {
  if (document.querySelector("dialog[open]")) return null;
  const writing = event.target.closest("textarea, input, select, [contenteditable]");
  if (event.altKey && !event.ctrlKey && !event.metaKey) {
    if (event.key === "ArrowDown") return () => go(1);
    if (event.key === "ArrowUp") return () => go(-1);
    if (event.key === "Enter" && !writing) return () => whenShown(() => press(event.shiftKey ? "[data-reject]" : "[data-accept]"));
    return null;
  }
  if ((event.ctrlKey || event.metaKey) && !writing) {
    const key = event.key.toLowerCase();
    if (key === "z") return () => whenSaved(() => document.getElementById(event.shiftKey ? "redo" : "undo")?.click());
    if (key === "y") return () => whenSaved(() => document.getElementById("redo")?.click());
  }
  if (event.key === "Escape") return leave(event.target);
  if (writing || event.ctrlKey || event.metaKey) return null;
  if (event.key === "?") return () => document.getElementById("keys-dialog").showModal();
  // A single letter acts only while a card has the focus, so that dictation does not trigger it.
  if (!event.target.classList.contains("card")) return null;
  if (event.key.toLowerCase() === "e") return () => press("[data-edit-open]");
  if (event.key.toLowerCase() === "d") return dismiss;
  return null;
}

/** The focus stays in the text or in the cards, wherever the user reviews. */
function go(direction) {
  const inText = isInText();
  step(direction, { focus: !inText });
  if (inText) goToMark();
}

function press(selector) {
  const card = currentCard() ?? openCards()[0];
  const button = card?.querySelector(selector);
  if (button) button.click();
  else if (card && selector === "[data-accept]") announce(gettext("This warning has nothing to accept."));
}

function dismiss() {
  const details = currentCard()?.querySelector("[data-writing]");
  if (!details) return;
  details.open = true;
  details.querySelector("textarea").focus();
}

function leave(target) {
  if (target.isContentEditable) return () => target.blur();
  const writing = target.closest("[data-writing][open]");
  if (writing) {
    return () => {
      writing.open = false;
      writing.querySelector("summary").focus();
    };
  }
  const editing = target.closest("[data-edit]");
  if (editing) return () => editing.querySelector("[data-edit-cancel]").click();
  const card = target.closest(".card");
  if (!card) return null;
  return () => {
    const mark = document.querySelector(".text .mark.is-current");
    select(null);
    (mark ?? document.querySelector(".text .mark"))?.focus();
  };
}
