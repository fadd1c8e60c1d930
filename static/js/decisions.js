// The line of decisions. Each is shown at once, and sent when those before it are answered, so that the last answer is
// what the server has. Where it refuses, or cannot be reached, the page is put back.

import { showDecided, showUndone } from "./optimism.js";

/** A server that takes longer counts as one that cannot be reached. */
const PATIENCE_MS = 60_000;

/**
 * @typedef {object} Decision
 * @property {HTMLElement} element The button or form that it is sent from.
 * @property {string} path
 * @property {string} cardId
 * @property {string | undefined} seen What its card showed when it was made.
 * @property {(isConfirmed: boolean) => void} issue
 * @property {boolean} isSent
 * @property {boolean} wasShown Whether its reader went on without the answer.
 * @property {{takeBack: () => void, before: HTMLElement[] | null} | null} shown Null where the page cannot know the outcome.
 */

/** @type {Decision[]} The first one is on its way. */
let line = [];
/** What waits until everything is saved. */
let actions = [];
/** @type {Map<string, HTMLElement[]>} The card and the sentences before the decision on a card: what undo leads back to. */
const befores = new Map();
let hooks = null;
/** @type {{element: Element, id: string | undefined} | null} What had the focus before the page was put back. */
let keptFocus = null;

/**
 * @param {{onMade: (decision: Decision, show: () => boolean) => void, onLost: (request: XMLHttpRequest, element: HTMLElement) => void}} options
 *   What shows a decision that was made and goes on from it, and what takes an answer that htmx has nobody for.
 */
export function connectDecisions(options) {
  hooks = options;
  document.addEventListener("click", waitToLeave, true);
  document.addEventListener("htmx:confirm", takeInLine);
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (!isOnItsWay(detail.elt)) return;
    detail.timeout = PATIENCE_MS;
    if (line[0].seen) detail.parameters.seen = line[0].seen;
  });
  addEventListener("beforeunload", (event) => {
    if (line.some((decision) => !decision.isSent)) event.preventDefault();
  });
  document.addEventListener("htmx:beforeRequest", ({ detail: { elt: element, xhr: request } }) => {
    // The stream may replace the card meanwhile: no event of htmx comes from an element that is gone.
    const decision = isOnItsWay(element) ? line[0] : null;
    request.addEventListener("loadend", () => {
      if (decision && decision === line[0]) hooks.onLost(request, element);
      goOn();
    });
  });
}

/** What leads to the text as the server has it waits until that is what the page shows. */
function waitToLeave(event) {
  const link = event.target.closest("#tools a[href], .masthead a[href]");
  if (!link || !line.length || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  // The link may be made anew meanwhile. "Copy" and a file of the same text differ by one attribute alone.
  const kind = link.hasAttribute("download") ? "[download]" : ":not([download])";
  const successor = `a[href="${CSS.escape(link.getAttribute("href"))}"]${kind}`;
  whenSaved(() => document.querySelector(successor)?.click());
}

/** @returns {boolean} Whether the page shows already what comes of this request. */
export function isShown(element) {
  return isOnItsWay(element) && line[0].shown !== null;
}

/** Do it when everything is saved. After a refusal it is not done: it was about what was refused. */
export function whenSaved(action) {
  if (isBusy()) actions.push(action);
  else action();
}

/** Do it as soon as it can only be about the next decision. */
export function whenShown(action) {
  const others = [...document.querySelectorAll(".htmx-request")].filter((element) => !isOnItsWay(element));
  if (!others.length && line.every((decision) => decision.shown)) action();
  else whenSaved(action);
}

/** Put the page back as the server knows it. */
export function takeBackShown() {
  keptFocus ??= { element: document.activeElement, id: document.activeElement.closest(".card, .sentence")?.id };
  for (const decision of [...line].reverse()) decision.shown?.takeBack();
  for (const decision of line) decision.shown = null;
}

/** Show what is not answered yet on top of what the server has sent. */
export function showAgain() {
  for (const decision of line) show(decision);
}

/** Put the focus back where it was before `takeBackShown`, if that is gone, to what stands in its place. */
export function restoreKeptFocus() {
  const { element, id } = keptFocus;
  keptFocus = null;
  if (document.activeElement !== document.body || !id) return;
  const part = document.getElementById(id);
  const target = part?.matches(".sentence") ? part.querySelector(".mark, .asked") : part;
  (element.isConnected ? element : target)?.focus({ preventScroll: true });
}

/** @returns {Decision | null} The decision that an answer is about; null where it is about none. */
export function answered(element, { isRefused }) {
  if (!isOnItsWay(element)) return null;
  const before = line[0].shown?.before;
  takeBackShown();
  const decision = line.shift();
  if (isRefused) actions = [];
  else if (before) befores.set(decision.cardId, before);
  else befores.delete(decision.cardId);
  return decision;
}

/** What an own decision did to the cards of those in line was seen by whoever made them. */
export function acknowledgeOwn(html) {
  for (const decision of line.filter(({ cardId }) => html.includes(`id="${cardId}"`))) {
    decision.seen = seenOf(document.getElementById(decision.cardId)) ?? decision.seen;
  }
}

/** @returns {Decision[]} What was in line, of which nothing is known to be saved. */
export function dropAll() {
  takeBackShown();
  const dropped = line;
  line = [];
  actions = [];
  return dropped;
}

function takeInLine(event) {
  const { elt: element, path, issueRequest: issue } = event.detail;
  const card = element.closest(".card");
  const step = element.querySelector("#undo, #redo");
  if (!(card || step) || isOnItsWay(element)) return;
  event.preventDefault();
  // Which decision the next step is about comes with the answer to this one.
  if (step && isBusy()) return whenSaved(() => document.getElementById(step.id)?.click());
  const cardId = card?.id ?? element.dataset.about;
  if (card && line.some((decision) => decision.element.closest(".card")?.id === cardId)) return; // pressed twice
  const decision = { element, path, cardId, issue, seen: seenOf(card), isSent: false, wasShown: false, shown: null };
  line.push(decision);
  hooks.onMade(decision, () => show(decision));
  if (decision === line[0]) send(decision);
}

function send(decision) {
  decision.isSent = true;
  if (decision.element.isConnected) return decision.issue(true);
  // Its card was made anew meanwhile; where it is no longer open, the server says so.
  const card = document.getElementById(decision.cardId);
  decision.element = buttonOf(decision, card) ?? card ?? document.body;
  window.htmx.ajax("POST", decision.path, { source: decision.element, swap: "none", values: { seen: decision.seen } });
}

function goOn() {
  if (line.length && !line[0].isSent) send(line[0]);
  if (isBusy()) return;
  const due = actions;
  actions = [];
  for (const action of due) whenSaved(action);
}

/** @returns {boolean} Whether it is shown: of an own wording, for one, only the server knows what comes of it. */
function show(decision) {
  const card = document.getElementById(decision.cardId);
  const isOpen = card?.classList.contains("is-open");
  const button = buttonOf(decision, card);
  if (isOpen && button?.dataset.decide) {
    decision.shown = showDecided(card, button);
  } else if (card && !isOpen && decision.element.querySelector("#undo") && befores.has(card.id)) {
    decision.shown = showUndone(befores.get(card.id));
  }
  decision.wasShown ||= decision.shown !== null;
  return decision.shown !== null;
}

function buttonOf(decision, card) {
  return card?.contains(decision.element) ? decision.element : card?.querySelector(`[hx-post="${decision.path}"]`);
}

const seenOf = (card) => card?.querySelector("[name=seen]")?.value;
const isOnItsWay = (element) => Boolean(line[0]?.isSent) && line[0].element === element;
const isBusy = () => line.length > 0 || document.querySelector(".htmx-request") !== null;
