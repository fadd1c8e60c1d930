// The current warning. A card and its words are always marked together.

import { clearFilters, isFoldedAway, showFiltered, unfoldSilent } from "./filters.js";
import { gettext, interpolate, ngettext } from "./words.js";

const page = document.getElementById("main");
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
/** Where the cards are a sheet at the bottom of the page (css/components/panel.css). */
const sheet = matchMedia("(max-width: 60rem)");

/** The containers of cards and marks: searching the whole page would take a large part of a key press. */
const cardsOfPage = document.getElementById("cards");
const textOfPage = () => document.getElementById("text");

let currentId = null;

export function openCards() {
  return [...cardsOfPage.children].filter((card) => card.matches(".card.is-open") && !card.hidden);
}

/** @returns {HTMLElement | null} The card with this id; for a warning that another card shows, that card. */
export function cardNamed(id) {
  const finding = CSS.escape(id.replace("card-", ""));
  return document.getElementById(id) ?? cardsOfPage.querySelector(`[data-joined~="${finding}"]`);
}

export function currentCard() {
  return currentId === null ? null : document.getElementById(currentId);
}

/** Make ``card`` the current one. ``focus`` moves the focus there; ``showText`` scrolls to its sentence. */
export function select(card, { focus = false, showText = false, showCard = false } = {}) {
  // Keep this card under the pointer while the card above it closes.
  const staysInPlace = card && card.id !== currentId && !sheet.matches && !(showCard || focus);
  const before = staysInPlace ? card.getBoundingClientRect().top : 0;
  currentId = card?.id ?? null;
  showCurrent();
  if (staysInPlace) card.closest(".panel").scrollTop += card.getBoundingClientRect().top - before;
  if (!card) return;
  document.getElementById("report").hidden = true;
  if (focus) card.focus({ preventScroll: true });
  if (showCard || focus) bringIntoView(card, sheet.matches ? "start" : "nearest");
  // An opening sheet covers a part of the text.
  if (showText || sheet.matches) bringIntoView(marksOf(card)[0], "center");
}

export function step(direction, { focus = true } = {}) {
  const cards = openCards();
  if (!cards.length) {
    if (unfoldSilent()) step(direction, { focus });
    return;
  }
  const position = cards.indexOf(currentCard());
  if (direction > 0 && position === cards.length - 1 && unfoldSilent()) return step(direction, { focus });
  const next = position === -1 ? (direction > 0 ? 0 : cards.length - 1) : position + direction;
  select(cards[Math.max(0, Math.min(cards.length - 1, next))], { focus, showCard: true, showText: true });
}

/** After a decision: the next open card below, else the last one above. */
export function selectNextAfter(order, { focus = true } = {}) {
  const cards = openCards();
  const next = cards.find((card) => Number(card.dataset.order) > order) ?? cards.at(-1);
  select(next ?? null, { focus, showCard: true, showText: true });
  if (!next) document.getElementById("undo")?.focus();
}

/** Restore the selection after parts of the page were replaced. */
export function refresh() {
  showFiltered();
  const all = [...document.querySelectorAll(".card")];
  const count = document.querySelector("#progress[aria-busy]") ? -1 : all.length;
  for (const [position, card] of all.entries()) {
    card.setAttribute("aria-posinset", position + 1);
    card.setAttribute("aria-setsize", count);
  }
  showCurrent();
}

/** The open cards that a step reaches: those in a folded group too, since it opens them. */
function reachableCards() {
  return [...cardsOfPage.children].filter((card) => card.matches(".card.is-open") && (!card.hidden || isFoldedAway(card)));
}

function showCurrent() {
  const card = currentCard();
  for (const other of cardsOfPage.children) if (other !== card) other.classList.remove("is-current");
  card?.classList.add("is-current");
  const marks = new Set(card ? marksOf(card) : []);
  for (const mark of textOfPage().querySelectorAll(".mark.is-current")) if (!marks.has(mark)) mark.classList.remove("is-current");
  for (const mark of marks) mark.classList.add("is-current");
  page.classList.toggle("has-current", Boolean(card?.classList.contains("is-open")));
  showPosition(card);
}

function showPosition(card) {
  const cards = reachableCards();
  document.getElementById("panel-bar").hidden = !cards.length;
  document.getElementById("panel-position").textContent = positionWords(cards.indexOf(card) + 1, cards.length);
}

/** The number is that of the button "Open": what a filter or another page hides is said, and never left out. */
function positionWords(position, reachable) {
  const total = openWarnings() ?? reachable;
  const warnings = interpolate(ngettext("%(total)s open warning", "%(total)s open warnings", total), { total });
  if (reachable !== total) {
    const values = { position, reachable, warnings };
    if (!position) return interpolate(gettext("%(reachable)s of %(warnings)s shown"), values);
    return interpolate(gettext("%(position)s of %(reachable)s shown, %(warnings)s"), values);
  }
  return position ? interpolate(gettext("%(position)s of %(warnings)s"), { position, warnings }) : warnings;
}

/** The number of open warnings of the whole check; null where the page does not tell it, since there is one at most. */
function openWarnings() {
  const number = document.querySelector('[data-state-filter="open"] [data-number]');
  return number && Number(number.textContent);
}

export function connectSelection() {
  document.addEventListener("click", (event) => {
    const mark = event.target.closest(".text .mark");
    if (mark?.isContentEditable) return; // a click there means typing
    if (mark) return selectOfMark(mark);
    const cell = event.target.closest(".overview__cell");
    if (cell) return showSentence(cell.dataset.sentence);
    const link = event.target.closest("[data-show-sentence]");
    if (link) {
      event.preventDefault();
      return showSentence(link.dataset.showSentence);
    }
    const cardLink = event.target.closest("[data-show-card]");
    if (cardLink) {
      event.preventDefault();
      const card = cardNamed(cardLink.dataset.showCard);
      if (!card) return showPageOf(cardLink.dataset.showCard);
      if (card.hidden) showAll();
      return select(card, { focus: true, showText: true });
    }
    const card = event.target.closest(".card.is-open");
    if (card && card !== currentCard()) select(card, { showText: true });
  });
  document.addEventListener("keydown", (event) => {
    const mark = event.target.closest?.(".text .mark");
    if (mark && !mark.isContentEditable && (event.key === "Enter" || event.key === " ") && !event.altKey) {
      event.preventDefault();
      selectOfMark(mark);
    }
  });
  document.addEventListener("focusin", (event) => {
    const card = event.target.closest(".card.is-open");
    if (card && card !== currentCard()) select(card, { showText: true });
  });
  for (const type of ["mouseover", "mouseout"]) {
    document.addEventListener(type, (event) => {
      const card = event.target.closest(".card.is-open");
      if (card) for (const mark of marksOf(card)) mark.classList.toggle("is-hinted", type === "mouseover");
    });
  }
}

function selectOfMark(mark) {
  const isShown = (id) => !document.getElementById(id).hidden;
  const named = mark.dataset.findings.split(" ").map((id) => `card-${id}`);
  const all = named.filter((id) => document.getElementById(id));
  if (!all.length) return showPageOf(named[0]);
  // Choosing a mark shows its warning even if the filters hide it.
  if (!all.some(isShown)) showAll();
  const ids = all.filter(isShown);
  // A second click on a sentence with several warnings selects the next warning.
  const next = ids[(ids.indexOf(currentId) + 1) % ids.length];
  select(document.getElementById(next), { focus: true });
}

/** Load the warning by its link: a page has at most fifty cards, and a few of each sentence. */
function showPageOf(cardId) {
  location.search = new URLSearchParams({ card: cardId.replace("card-", "") });
}

/** Clear the filters and open the folded cards. */
export function showAll() {
  clearFilters();
  unfoldSilent();
}

export function showSentence(index) {
  const sentence = document.getElementById(`sentence-${index}`);
  bringIntoView(sentence, "center");
  sentence?.querySelector(".mark, .asked")?.focus({ preventScroll: true });
}

export function marksOf(card) {
  return [...textOfPage().querySelectorAll(`.mark[data-findings~="${card.dataset.finding}"]`)];
}

function bringIntoView(element, block) {
  if (!element) return;
  const box = element.getBoundingClientRect();
  const top = document.querySelector(".status").getBoundingClientRect().bottom;
  const isVisible = block === "center" && box.top >= top && box.bottom <= visibleBottom();
  if (!isVisible) element.scrollIntoView({ block, behavior: reducedMotion.matches ? "auto" : "smooth" });
}

/** On a narrow screen the sheet with the cards covers the lower part of the text. */
function visibleBottom() {
  return sheet.matches ? document.querySelector(".panel").getBoundingClientRect().top : innerHeight;
}

/** @returns {boolean} Whether the cards are shown and the source does not replace them. */
export function isPanelShown() {
  return getComputedStyle(document.querySelector(".panel")).display !== "none";
}
