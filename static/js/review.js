// The review page: follows the check, sends decisions, keeps text and cards in sync.

import { announce, announceProgress } from "./announcer.js";
import { connectBeside, refreshBeside } from "./beside.js";
import { followCheck } from "./check-stream.js";
import { sayReachable, sayUnreachable } from "./connection.js";
import { answered, connectDecisions, dropAll, isShown, refreshSeen } from "./decisions.js";
import { restoreKeptFocus, showAgain, revertShown } from "./decisions.js";
import { connectDialogs } from "./dialogs.js";
import { dropSentDraft } from "./draft.js";
import { connectEditing, editedApplied, showEditable } from "./editing.js";
import { connectFilters } from "./filters.js";
import { connectFirstUse } from "./first-use.js";
import { acknowledge, applyFragments } from "./fragments.js";
import { connectKeyboard } from "./keyboard.js";
import { connectMenus } from "./menu.js";
import { connectSentenceReport } from "./sentence-report.js";
import { cardNamed, connectSelection, currentCard, openCards, refresh, select } from "./selection.js";
import { selectNextAfter, showAll, step } from "./selection.js";
import { connectPane, refreshPane } from "./pane.js";
import { connectQuickCard, goToMark, isInText, refreshQuickCard } from "./quick-card.js";
import { connectSourcePane } from "./source-pane.js";
import { gettext } from "./words.js";

const PAGE_SEQ_HEADER = "X-Page-Seq";
const PAGE_HEADER = "X-Page";

const page = document.getElementById("main");

/** Order of the card whose decision is being sent: the focus then moves to the next card. */
let decidedOrder = null;
/** Whether the decision was made in the text: the focus then moves to the next mark. */
let isDecidedInText = false;

/** The card of an undo or redo that is being sent. */
let steppedTo = null;

const isBusy = () => document.querySelector("#progress[aria-busy]") !== null;
let isAtWork = isBusy();

function apply(html, { isOwn = false } = {}) {
  revertShown();
  const restoreFocus = applyFragments(html);
  if (isOwn) refreshSeen(html);
  showAgain();
  refresh();
  const decided = decidedOrder !== null && !currentCard()?.classList.contains("is-open");
  if (decided) {
    selectNextAfter(decidedOrder, { focus: !isDecidedInText });
    if (isDecidedInText) goToMark();
    decidedOrder = null;
  } else {
    restoreFocus();
  }
  restoreKeptFocus();
  if (steppedTo !== null) showStep();
  if (isAtWork && !isBusy()) selectFirst();
  isAtWork = isBusy();
  refreshQuickCard();
  refreshBeside();
  refreshPane();
  announceProgress();
  startClock();
  editedApplied();
}

/** Show the warning that the address names, for users who come from a mark or from "Show all". */
function selectAsked() {
  const card = cardNamed(`card-${new URLSearchParams(location.search).get("card")}`);
  if (card?.hidden) showAll();
  if (card) select(card, { focus: true, showText: true });
}

/** On a wide screen, open the first card. */
function selectFirst() {
  if (matchMedia("(min-width: 60rem)").matches && !currentCard() && openCards().length) select(openCards()[0]);
}

/** A user who undoes a decision wants to see its card. The focus moves there from a card, and stays on a button. */
function showStep() {
  const card = cardNamed(steppedTo);
  if (!card || card.hidden) return;
  const isInCards = document.getElementById("cards").contains(document.activeElement);
  if (card.classList.contains("is-open")) select(card, { focus: isInCards, showText: true });
}

// --- Decisions: htmx sends the forms; their answers are applied like all updates.

/** Show a decision before it is answered, and move to the next card or mark. */
function goOnFrom(decision, show) {
  const card = document.getElementById(decision.cardId);
  const isInWords = isInText();
  const isInCards = document.getElementById("cards").contains(document.activeElement);
  const { order } = card?.dataset ?? {};
  if (!show()) return;
  refresh();
  const shown = document.getElementById(decision.cardId);
  if (shown.classList.contains("is-open")) {
    select(shown, { focus: isInCards, showText: true });
  } else {
    selectNextAfter(Number(order), { focus: !isInWords });
    if (isInWords) goToMark();
  }
  refreshQuickCard();
  announceProgress();
}

/** Move the user back to a decision that was not saved, unless the user is typing. */
function goBackTo(decision) {
  const card = document.getElementById(decision?.cardId);
  const isWriting = document.activeElement.matches("textarea, input, select, [contenteditable]");
  if (!decision?.wasShown || !card || card.hidden || isWriting) return;
  const isInWords = isInText();
  select(card, { focus: !isInWords, showCard: true, showText: true });
  if (isInWords) goToMark();
}

document.addEventListener("htmx:beforeRequest", (event) => {
  const button = event.detail.elt;
  if (isShown(button)) return;
  steppedTo = button.dataset.about ?? null;
  if (button.matches("[data-decide]")) {
    const card = button.closest(".card");
    isDecidedInText = isInText();
    select(card);
    decidedOrder = Number(card.dataset.order);
  }
});
document.addEventListener("htmx:beforeSwap", (event) => {
  event.detail.shouldSwap = false;
  takeAnswer(event.detail.xhr, event.detail.requestConfig.elt);
});

function takeAnswer(request, element) {
  sayReachable();
  const isRefused = request.status >= 400;
  if (isRefused) decidedOrder = null;
  else closeEditor(element);
  const decision = answered(element, { isRefused });
  const news = newsOf(request);
  apply(news, { isOwn: !isRefused });
  steppedTo = null;
  if (!isRefused) return;
  acknowledge(document.getElementById(decision?.cardId) ?? element.closest(".card"));
  if (!news.includes('id="notice"')) sayFailed();
  goBackTo(decision);
}

function takeFailure() {
  decidedOrder = steppedTo = null;
  const [first] = dropAll();
  apply("");
  sayUnreachable();
  goBackTo(first);
}

/** The answer of a failed server has no message for this page. */
function sayFailed() {
  const words = gettext("The server failed to answer, so this may not be saved. Look at it again.");
  const notice = document.getElementById("notice");
  notice.replaceChildren(Object.assign(document.createElement("p"), { textContent: words }));
  notice.hidden = false;
}

document.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers[PAGE_SEQ_HEADER] = stream.seq();
  event.detail.headers[PAGE_HEADER] = stream.page;
});

/** Apply an answer unless the page already shows it, because the stream was faster. */
function newsOf(request) {
  const seq = request.getResponseHeader(PAGE_SEQ_HEADER);
  if (seq === null || stream.answered(Number(seq))) return request.responseText;
  const answer = document.createElement("template");
  answer.innerHTML = request.responseText;
  return answer.content.getElementById("notice")?.outerHTML ?? "";
}

for (const type of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(type, takeFailure);

// --- Editing in place

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-edit-open]");
  if (opener) openEditor(opener.closest(".card"));
  const cancel = event.target.closest("[data-edit-cancel]");
  if (cancel) {
    const card = cancel.closest(".card");
    card.querySelector("[data-edit]").hidden = true;
    card.querySelector("[data-edit-open]").focus();
  }
  if (event.target.closest("[data-close-notice]")) document.getElementById("notice").hidden = true;
});

function openEditor(card) {
  select(card);
  const editor = card.querySelector("[data-edit]");
  editor.hidden = false;
  const field = editor.querySelector("textarea");
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}

/** After a wording is stored its field may be replaced; after a refusal it stays open with the typed words. */
function closeEditor(element) {
  const card = element.closest(".card");
  if (!card || !element.matches("[data-decide]")) return;
  for (const editor of card.querySelectorAll("[data-edit]")) editor.hidden = true;
  for (const details of card.querySelectorAll("[data-writing]")) details.open = false;
}

// --- Views, steps, copy

const views = document.getElementById("views");
views.hidden = false;
views.addEventListener("click", (event) => {
  const button = event.target.closest("[data-view-button]");
  if (!button) return;
  page.dataset.view = button.dataset.viewButton;
  for (const other of views.children) other.setAttribute("aria-pressed", other === button);
  showEditable();
});

document.addEventListener("click", async (event) => {
  const stepper = event.target.closest("[data-step]");
  if (stepper) step(Number(stepper.dataset.step));
  if (event.target.closest("[data-close-panel]")) select(null);
  const copy = event.target.closest("#copy, [data-copy], [data-copy-link]");
  if (copy && navigator.clipboard) {
    event.preventDefault();
    await navigator.clipboard.writeText(wordsToCopy(copy));
    showCopied(copy);
  }
});

function wordsToCopy(button) {
  const { copy, copyLink } = button.dataset;
  return copy ?? document.getElementById(copyLink)?.href ?? document.getElementById("revised").value;
}

// A copied link needs the host name, which only the browser knows for certain.
document.addEventListener(
  "toggle",
  (event) => {
    for (const link of event.target.querySelectorAll?.("[data-full-link]") ?? []) link.textContent = link.href;
  },
  true,
);

function showCopied(button) {
  announce(button.dataset.copied ?? gettext("The revised text was copied."));
  button.classList.add("is-done");
  const label = button.querySelector("[data-label]");
  const before = label.cloneNode(true);
  label.textContent = gettext("Copied");
  setTimeout(() => label.replaceWith(before), 2_000);
}

// --- The clock of a running check

let clock = null;

function startClock() {
  clearInterval(clock);
  const time = document.querySelector("[data-ticking]");
  if (!time) return;
  const begun = performance.now() - Number(time.dataset.elapsed) * 1000;
  clock = setInterval(() => (time.textContent = `${((performance.now() - begun) / 1000).toFixed(1)} s`), 200);
}

// --- Start

document.documentElement.classList.add("has-script");
dropSentDraft();
connectDecisions({
  onMade: goOnFrom,
  onLost: (request, element) => (request.status ? takeAnswer(request, element) : takeFailure()),
});
connectSelection();
connectQuickCard();
connectFilters(refresh);
connectKeyboard();
connectDialogs();
connectMenus();
connectPane();
connectFirstUse();
connectSourcePane();
connectSentenceReport();
connectBeside();
refresh();
refreshBeside();
startClock();
new ResizeObserver(([entry]) => {
  document.documentElement.style.setProperty("--status-height", `${entry.borderBoxSize[0].blockSize}px`);
}).observe(document.querySelector(".status"));
const stream = followCheck({
  onBatch: (html) => takeBatch(html),
  checkId: page.dataset.check,
  seq: Number(page.dataset.seq),
  onOffline: (isOffline) => (isOffline ? sayUnreachable() : sayReachable()),
});
const takeBatch = connectEditing({ stream, apply, isBusy });
selectAsked();
selectFirst();
