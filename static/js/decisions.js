// The queue of decisions. Each is shown at once and sent when the decisions before it are answered, so that the last
// answer is the state of the server. If the server refuses or is unreachable, the page is reverted.

import { showDecided, showUndone } from "./optimism.js";
import { cardNamed } from "./selection.js";

/** A server that takes longer counts as unreachable. */
const PATIENCE_MS = 60_000;

/**
 * @typedef {object} Decision
 * @property {HTMLElement} element The button or form that sends it.
 * @property {string} path
 * @property {string} cardId
 * @property {string | undefined} seen What its card showed when it was made.
 * @property {(isConfirmed: boolean) => void} issue
 * @property {boolean} isSent
 * @property {boolean} wasShown Whether it was shown before the answer.
 * @property {{revert: () => void, before: HTMLElement[] | null} | null} shown Null where the page cannot know the outcome.
 */

/** @type {Decision[]} The request of the first one is in progress. */
let queue = [];
/** Callbacks that run when everything is saved. */
let actions = [];
/** @type {Map<string, HTMLElement[]>} The card and the sentences before a decision, which undo shows again. */
const befores = new Map();
let hooks = null;
/** @type {{element: Element, id: string | undefined} | null} The focused element before the page was reverted. */
let keptFocus = null;

/**
 * @param {{onMade: (decision: Decision, show: () => boolean) => void, onLost: (request: XMLHttpRequest, element: HTMLElement) => void}} options
 *   Shows a new decision and moves on; handles an answer whose element no longer exists for htmx.
 */
export function connectDecisions(options) {
  hooks = options;
  document.addEventListener("click", waitToLeave, true);
  document.addEventListener("htmx:confirm", takeInLine);
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (!isInFlight(detail.elt)) return;
    detail.timeout = PATIENCE_MS;
    if (queue[0].seen) detail.parameters.seen = queue[0].seen;
  });
  addEventListener("beforeunload", (event) => {
    if (queue.some((decision) => !decision.isSent)) event.preventDefault();
  });
  document.addEventListener("htmx:beforeRequest", ({ detail: { elt: element, xhr: request } }) => {
    // The stream may replace the card meanwhile: htmx sends no events for a removed element.
    const decision = isInFlight(element) ? queue[0] : null;
    request.addEventListener("loadend", () => {
      if (decision && decision === queue[0]) hooks.onLost(request, element);
      goOn();
    });
  });
}

/** Links to the server's version of the text wait until the page shows the same version. */
function waitToLeave(event) {
  const link = event.target.closest("#tools a[href], .masthead a[href]");
  if (!link || !queue.length || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  // The link may be replaced meanwhile. "Copy" and a file of the same text differ only by one attribute.
  const kind = link.hasAttribute("download") ? "[download]" : ":not([download])";
  const successor = `a[href="${CSS.escape(link.getAttribute("href"))}"]${kind}`;
  whenSaved(() => document.querySelector(successor)?.click());
}

/** @returns {boolean} Whether the page already shows the outcome of this request. */
export function isShown(element) {
  return isInFlight(element) && queue[0].shown !== null;
}

/** Call it when everything is saved. After a refusal it is not called, because it was about the refused state. */
export function whenSaved(action) {
  if (isBusy()) actions.push(action);
  else action();
}

/** Call it as soon as it can only be about the next decision. */
export function whenShown(action) {
  const others = [...document.querySelectorAll(".htmx-request")].filter((element) => !isInFlight(element));
  if (!others.length && queue.every((decision) => decision.shown)) action();
  else whenSaved(action);
}

/** Revert the page to the state of the server. */
export function revertShown() {
  keptFocus ??= { element: document.activeElement, id: document.activeElement.closest(".card, .sentence")?.id };
  for (const decision of [...queue].reverse()) decision.shown?.revert();
  for (const decision of queue) decision.shown = null;
}

/** Show the unanswered decisions again on top of the state of the server. */
export function showAgain() {
  for (const decision of queue) show(decision);
}

/** Restore the focus from before `revertShown`, or focus the element that replaced it. */
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
  if (!isInFlight(element)) return null;
  const before = queue[0].shown?.before;
  revertShown();
  const decision = queue.shift();
  if (isRefused) actions = [];
  else if (before) befores.set(decision.cardId, before);
  else befores.delete(decision.cardId);
  return decision;
}

/** Update the `seen` marks of queued decisions, whose user saw the effect of the decisions before them. */
export function refreshSeen(html) {
  for (const decision of queue.filter(({ cardId }) => html.includes(`id="${cardId}"`))) {
    decision.seen = seenOf(document.getElementById(decision.cardId)) ?? decision.seen;
  }
}

/** @returns {Decision[]} The decisions of the queue, none of which is known to be saved. */
export function dropAll() {
  revertShown();
  const dropped = queue;
  queue = [];
  actions = [];
  return dropped;
}

function takeInLine(event) {
  const { elt: element, path, issueRequest: issue } = event.detail;
  const card = element.closest(".card");
  const step = element.querySelector("#undo, #redo");
  if (!(card || step) || isInFlight(element)) return;
  event.preventDefault();
  // The answer to this step names the decision of the next one.
  if (step && isBusy()) return whenSaved(() => document.getElementById(step.id)?.click());
  const { about } = element.dataset;
  const cardId = card?.id ?? (about && cardNamed(about)?.id) ?? about;
  if (card && queue.some((decision) => decision.element.closest(".card")?.id === cardId)) return; // pressed twice
  const decision = { element, path, cardId, issue, seen: seenOf(card), isSent: false, wasShown: false, shown: null };
  queue.push(decision);
  hooks.onMade(decision, () => show(decision));
  if (decision === queue[0]) send(decision);
}

function send(decision) {
  decision.isSent = true;
  if (decision.element.isConnected) return decision.issue(true);
  // Its card was replaced meanwhile; if the card is no longer open, the server refuses the decision.
  const card = document.getElementById(decision.cardId);
  decision.element = buttonOf(decision, card) ?? card ?? document.body;
  window.htmx.ajax("POST", decision.path, { source: decision.element, swap: "none", values: { seen: decision.seen } });
}

function goOn() {
  if (queue.length && !queue[0].isSent) send(queue[0]);
  if (isBusy()) return;
  const due = actions;
  actions = [];
  for (const action of due) whenSaved(action);
}

/** @returns {boolean} Whether it is shown: the outcome of an own wording, for example, is known to the server only. */
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
const isInFlight = (element) => Boolean(queue[0]?.isSent) && queue[0].element === element;
const isBusy = () => queue.length > 0 || document.querySelector(".htmx-request") !== null;
