// The loop without a mouse: next, accept, keep, undo. Every action also has a button that says its key.

import { currentCard, openCards, select, step } from "./selection.js";

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
  const writing = event.target.closest("textarea, input, select");
  if (event.altKey && !event.ctrlKey && !event.metaKey) {
    if (event.key === "ArrowDown") return () => step(1);
    if (event.key === "ArrowUp") return () => step(-1);
    if (event.key === "Enter" && !writing) return () => press(event.shiftKey ? "[data-reject]" : "[data-accept]");
    return null;
  }
  if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z" && !writing) {
    return () => document.getElementById("undo")?.click();
  }
  if (event.key === "Escape") return leave(event.target);
  if (writing || event.ctrlKey || event.metaKey) return null;
  if (event.key === "?") return () => document.getElementById("keys-dialog").showModal();
  // A single letter acts only while a card has the focus, so that it cannot surprise those who dictate.
  if (event.key.toLowerCase() === "e" && event.target.classList.contains("card")) return () => press("[data-edit-open]");
  return null;
}

function press(selector) {
  const card = currentCard() ?? openCards()[0];
  card?.querySelector(selector)?.click();
}

function leave(target) {
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
