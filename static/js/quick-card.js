// The small card beside the words: the two quotes and the offer of a warning, on hover or focus of its mark.

import { currentCard, isPanelShown, marksOf, select } from "./selection.js";
import { gettext, interpolate } from "./words.js";

/** Time to move the pointer from the words to the card. */
const HIDE_AFTER_MS = 250;
const GAP_PX = 6;
/** On a narrow screen the sheet at the bottom shows the warning of a mark. */
const hasRoom = matchMedia("(min-width: 60rem)");

const quick = document.getElementById("quick-card");
const parts = Object.fromEntries(
  ["title", "message", "body", "keep", "next"].map((name) => [name, document.getElementById(`quick-${name}`)]),
);

/** The mark of the small card, and the card of the panel that it copies. */
let mark = null;
let card = null;
let hiding = null;
/** The mark whose small card was dismissed: the card returns after the pointer has left the mark. */
let dismissed = null;
/** Whether it came up after a decision: it then waits for the reader, wherever the pointer rests. */
let isKept = false;

export function connectQuickCard() {
  // Not mouseover, which also fires when the page moves under a resting pointer.
  document.addEventListener("mousemove", (event) => {
    const hovered = event.target.closest(".text .mark");
    if (hovered || quick.contains(event.target)) clearTimeout(hiding);
    if (hovered && hovered !== mark && hovered !== dismissed && !isUsed()) show(hovered);
  });
  document.addEventListener("mouseout", (event) => {
    const left = event.target.closest(".text .mark") ?? (quick.contains(event.target) ? quick : null);
    if (!left || left.contains(event.relatedTarget)) return;
    if (left === dismissed) dismissed = null;
    hideSoon();
  });
  document.addEventListener("focusin", (event) => {
    const focused = event.target.closest(".text .mark");
    if (focused?.matches(":focus-visible")) enter(focused);
    else if (!quick.contains(event.target)) hide();
  });
  // The card of the panel is open instead.
  document.addEventListener("click", (event) => {
    const chosen = event.target.closest(".text .mark");
    if (!chosen) return;
    if (!isPanelShown()) return enter(chosen, currentCard());
    dismissed = chosen;
    hide();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!isKept || quick.contains(event.target)) return;
    isKept = false;
    hideSoon();
  });
  document.addEventListener("keydown", onKey);
  quick.addEventListener("click", onClick);
}

/** @returns {boolean} Whether the user reviews in the text and not in the panel. */
export function isInText() {
  return !isPanelShown() || quick.contains(document.activeElement) || document.activeElement.matches(".text .mark");
}

/** Move the focus to the words that the current card is about, which shows the small card beside them. */
export function goToMark() {
  const current = currentCard();
  const first = current ? marksOf(current)[0] : null;
  if (!first || !hasRoom.matches) return current?.focus({ preventScroll: true });
  first.focus({ preventScroll: true });
  enter(first, current);
  isKept = !quick.hidden;
}

/** Update the small card after parts of the page were replaced. */
export function refreshQuickCard() {
  if (quick.hidden) return;
  if (mark.isConnected && openCardsOf(mark).includes(card)) return;
  const focused = document.activeElement;
  const wasKept = isKept;
  hide();
  if (focused.matches(".text .mark")) enter(focused);
  isKept = wasKept && !quick.hidden;
}

function enter(focused, preferred = null) {
  if (!show(focused, preferred)) return;
  if (card !== currentCard()) select(card, { showCard: true });
}

/** @returns {boolean} Whether the mark has an open warning to show. */
function show(wanted, preferred = null) {
  const cards = hasRoom.matches ? openCardsOf(wanted) : [];
  if (!cards.length) return false;
  hide();
  mark = wanted;
  mark.setAttribute("aria-describedby", "quick-message");
  fill([preferred, currentCard()].find((one) => cards.includes(one)) ?? cards[0], cards);
  place();
  return true;
}

function fill(shown, cards) {
  card = shown;
  quick.className = `quick ${[...card.classList].find((name) => name.startsWith("card--"))}`;
  parts.title.replaceChildren(...card.querySelector(".card__head h2").cloneNode(true).childNodes);
  parts.message.textContent = card.querySelector(".card__message").textContent;
  const copies = [...card.querySelectorAll(".quotes, .options")].map((part) => part.cloneNode(true));
  parts.body.replaceChildren(...copies);
  for (const [position, button] of offersIn(parts.body).entries()) {
    // The copy only forwards to the button of the card, which acts.
    for (const { name } of [...button.attributes]) if (name !== "class") button.removeAttribute(name);
    button.type = "button";
    button.dataset.offer = position;
  }
  parts.keep.textContent = card.querySelector("[data-reject]").textContent;
  parts.next.hidden = cards.length < 2;
  parts.next.textContent = interpolate(gettext("Next (%(position)s of %(count)s)"), {
    position: cards.indexOf(card) + 1,
    count: cards.length,
  });
  quick.hidden = false;
}

/** Place the card below the words, or above them if there is no room below. */
function place() {
  const lines = [...mark.getClientRects()];
  const line = lines.at(-1);
  const base = quick.offsetParent.getBoundingClientRect();
  const size = quick.getBoundingClientRect();
  const above = lines[0].top - GAP_PX - size.height;
  const isAbove = line.bottom + GAP_PX + size.height > innerHeight && above > 0;
  const top = isAbove ? above : line.bottom + GAP_PX;
  const start = Math.max(0, Math.min(line.left - base.left, base.width - size.width));
  quick.style.insetBlockStart = `${top - base.top}px`;
  quick.style.left = `${start}px`;
}

function hideSoon() {
  clearTimeout(hiding);
  hiding = setTimeout(() => {
    if (!isUsed() && !isKept) hide();
  }, HIDE_AFTER_MS);
}

function hide() {
  clearTimeout(hiding);
  mark?.removeAttribute("aria-describedby");
  mark = card = null;
  isKept = false;
  quick.hidden = true;
  parts.body.replaceChildren();
}

/** Whether the focus is in the card or on its words: the pointer does not hide it then. */
function isUsed() {
  return !quick.hidden && (quick.contains(document.activeElement) || mark.matches(":focus-visible"));
}

function onClick(event) {
  const button = event.target.closest("button");
  if (!button) return;
  if (button === parts.next) {
    const cards = openCardsOf(mark);
    fill(cards[(cards.indexOf(card) + 1) % cards.length], cards);
    place();
    select(card, { showCard: true });
  } else if (button === parts.keep) {
    card.querySelector("[data-reject]").click();
  } else if (button.dataset.offer) {
    offersIn(card)[Number(button.dataset.offer)].click();
  } else if (button.matches("[data-quick-open]")) {
    select(card, { focus: true });
  }
}

/** Tab moves from the words into the card, and from there to the next words. */
function onKey(event) {
  if (quick.hidden) return;
  if (event.key === "Escape") {
    event.stopImmediatePropagation(); // the next Escape leaves the card of the panel
    const left = mark;
    if (quick.contains(event.target)) left.focus({ preventScroll: true });
    dismissed = left;
    hide();
  } else if (event.key === "Tab" && !event.altKey && !event.ctrlKey && !event.metaKey) {
    const target = neighbourOf(event.target, event.shiftKey);
    if (!target) return;
    event.preventDefault();
    target.focus();
  }
}

function neighbourOf(element, isBack) {
  const inside = [...quick.querySelectorAll("a[href], button")].filter((control) => !control.hidden);
  if (element === mark) return isBack ? null : inside[0];
  if (!quick.contains(element)) return null;
  const position = inside.indexOf(element) + (isBack ? -1 : 1);
  if (position < 0) return mark;
  if (position < inside.length) return inside[position];
  const inText = [...document.querySelectorAll(".text :is([tabindex='0'], a[href], button, summary)")];
  return inText[inText.indexOf(mark) + 1] ?? null;
}

function openCardsOf(wanted) {
  const cards = wanted.dataset.findings.split(" ").map((id) => document.getElementById(`card-${id}`));
  return cards.filter((one) => one?.classList.contains("is-open"));
}

function offersIn(element) {
  return [...element.querySelectorAll(".option button")];
}
