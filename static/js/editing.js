// Editing in place: a paragraph of the revised view is edited where it stands, and checked again after a pause.
//
// While the user edits a paragraph it contains plain text, so that no update of the server moves the caret. The server's
// version of it is kept as its twin and replaces it when the focus leaves. Unsaved words are never replaced.

import { sayReachable, sayUnreachable } from "./connection.js";
import { gettext } from "./words.js";

const PAUSE_MS = 600;
const TRY_AGAIN_MS = 3_000;
/** Time to wait for the first results of an edited text, so that the page does not flicker after every pause. */
const HOLD_MS = 600;
const PAGE_CHECK_HEADER = "X-Page-Check";
const NOT_SHOWN = ".visually-hidden, del, .block__marker";
const MARKS = ["contradiction", "conflict", "missing"];

const page = document.getElementById("main");
const state = document.getElementById("edit-state");

/** @type {Map<string, {live: HTMLElement, twin: HTMLElement, before: string, refused: string | null}>} By their numbers. */
const entered = new Map();
let connection = null;
let timer = null;
let isSending = false;
/** The check that the page continues with, until enough of it can be shown. */
let coming = null;

/** @returns {(html: string) => void} Receives the HTML of the stream. */
export function connectEditing(options) {
  connection = options;
  if (!page.dataset.editUrl) return options.apply;
  for (const type of ["click", "keydown", "beforeinput"]) {
    document.addEventListener(type, (event) => {
      const block = event.target.closest?.("#text [data-block]");
      if (block?.isContentEditable && event.key !== "Tab") enter(block);
    });
  }
  document.addEventListener("beforeinput", keepOneParagraph);
  document.addEventListener("input", (event) => {
    if (entryOf(event.target)) sendSoon();
  });
  document.addEventListener("focusout", (event) => {
    if (entryOf(event.target)) setTimeout(leaveThoseWithoutFocus);
  });
  addEventListener("beforeunload", (event) => {
    if (unsent().length) event.preventDefault();
  });
  addEventListener("popstate", () => {
    if (!location.pathname.includes(page.dataset.check)) location.reload();
  });
  return takeBatch;
}

/** In the revised view paragraphs are editable, and the sentences in them are no buttons. */
export function showEditable() {
  if (!page.dataset.editUrl) return;
  const isOn = page.dataset.view === "revised";
  for (const block of document.querySelectorAll("#text [data-block]")) setEditable(block, isOn);
  if (!isOn) send();
}

/** After parts of the page were replaced. */
export function editedApplied() {
  if (!page.dataset.editUrl) return;
  showChangedTwins();
  leaveThoseWithoutFocus();
  showEditable();
  showMarks();
  if (unsent().length) sendSoon();
  else if (!connection.isBusy() && !coming) state.textContent = state.textContent && gettext("Checked again.");
}

/** The part of the page with this id; for a paragraph that is being edited, its twin. */
export function inEditor(id) {
  for (const { twin } of entered.values()) {
    const part = id && twin.querySelector(`#${CSS.escape(id)}`);
    if (part) return part;
  }
  return null;
}

/** Replace the text around the paragraphs that are being edited. @returns {boolean} Whether there were any. */
export function keepsEditor(present, incoming) {
  if (incoming.id !== "text" || !entered.size) return false;
  const twins = new Map([...entered.keys()].map((number) => [number, incoming.querySelector(`[data-block="${number}"]`)]));
  // The text is not split yet, or a paragraph with unsaved words is missing in it: keep the present text.
  if ([...entered].some(([number, entry]) => !twins.get(number) && isUnsent(entry))) return true;
  if (!incoming.querySelector(".sentence")) return true;
  for (const [number, entry] of [...entered]) {
    const twin = twins.get(number);
    if (twin) Object.assign(entry, { twin, before: wordsOf(twin) });
    if (!twin || !(isUnsent(entry) || hasFocus(entry))) entered.delete(number);
  }
  if (!entered.size) return false;
  const byTwin = new Map([...entered.values()].map(({ twin, live }) => [twin, live]));
  const lives = new Set(byTwin.values());
  for (const child of [...present.childNodes]) if (!lives.has(child)) child.remove();
  let next = present.firstChild;
  for (const child of [...incoming.childNodes]) {
    if (byTwin.has(child)) {
      next = byTwin.get(child).nextSibling;
      child.remove();
    } else {
      present.insertBefore(child, next);
    }
  }
  return true;
}

// --- Paragraphs

function setEditable(block, isOn) {
  if (block.hasAttribute("contenteditable") === isOn) return;
  if (!isOn) {
    for (const name of ["contenteditable", "role", "aria-multiline", "aria-label"]) block.removeAttribute(name);
  } else {
    block.setAttribute("contenteditable", "plaintext-only");
    if (!block.isContentEditable) block.setAttribute("contenteditable", "true"); // for browsers before 2025
    block.setAttribute("role", "textbox");
    block.setAttribute("aria-multiline", "true");
    block.setAttribute("aria-label", gettext("Paragraph, editable"));
  }
  block.querySelector(".block__marker")?.setAttribute("contenteditable", "false");
  for (const button of block.querySelectorAll(".mark, .asked")) {
    if (isOn) {
      button.removeAttribute("tabindex");
      button.removeAttribute("role");
    } else {
      Object.assign(button, { tabIndex: 0, role: "button" });
    }
  }
}

function entryOf(element) {
  const number = element.closest?.("[data-block]")?.dataset.block;
  return number === undefined ? undefined : entered.get(number);
}

function enter(block) {
  const number = block.dataset.block;
  if (entered.has(number)) return;
  const words = wordsOf(block);
  const twin = block.cloneNode(true);
  const places = placesOfSelection(block);
  block.replaceChildren(...block.querySelectorAll(".block__marker"), document.createTextNode(words));
  // Hard-wrapped lines are shown as one line, as everywhere.
  block.classList.toggle("is-spaced", !words.includes("\n"));
  if (places) getSelection().setBaseAndExtent(block.lastChild, places[0], block.lastChild, places[1]);
  entered.set(number, { live: block, twin, before: words, refused: null });
  showMarks();
}

function leaveThoseWithoutFocus() {
  for (const [number, entry] of [...entered]) {
    if (hasFocus(entry)) continue;
    if (isUnsent(entry)) {
      sendSoon(); // not at once: the click may be a decision, which is sent first
    } else if (!isSending && !coming) {
      entered.delete(number);
      const isOn = entry.live.hasAttribute("contenteditable");
      entry.live.replaceWith(entry.twin);
      setEditable(entry.twin, isOn);
    }
  }
}

/** A decision may have changed a paragraph that is being edited. Its unsaved words take precedence. */
function showChangedTwins() {
  for (const entry of entered.values()) {
    const words = wordsOf(entry.twin);
    if (folded(words) === folded(entry.before) || isUnsent(entry)) continue;
    const places = placesOfSelection(entry.live);
    const text = document.createTextNode(words);
    entry.live.replaceChildren(...entry.live.querySelectorAll(".block__marker"), text);
    if (places) getSelection().setBaseAndExtent(...places.flatMap((place) => [text, Math.min(place, text.length)]));
    entry.before = words;
  }
}

const hasFocus = (entry) => entry.live === document.activeElement;
const isUnsent = (entry) => folded(wordsOf(entry.live)) !== folded(entry.before);
const unsent = () => [...entered.values()].filter(isUnsent);
const folded = (words) => words.replace(/\s+/g, " ").trim();

function textNodesOf(block) {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(NOT_SHOWN)) nodes.push(walker.currentNode);
  return nodes;
}

/** The text of a paragraph in the revised view. */
function wordsOf(block) {
  return textNodesOf(block)
    .map((node) => node.data)
    .join("");
}

/** The start and end of the selection within a paragraph; null if it is elsewhere. */
function placesOfSelection(block) {
  const { anchorNode, anchorOffset, focusNode, focusOffset } = getSelection();
  if (!block.contains(anchorNode) || !block.contains(focusNode)) return null;
  return [placeOf(block, anchorNode, anchorOffset), placeOf(block, focusNode, focusOffset)];
}

function placeOf(block, node, offset) {
  const range = document.createRange();
  range.setStart(block, 0);
  range.setEnd(node, offset);
  let place = 0;
  for (const text of textNodesOf(block)) {
    if (text === node) return place + offset;
    if (range.comparePoint(text, text.length) <= 0) place += text.length;
  }
  return place;
}

/** A new paragraph would change the numbers of later ones; a list marker is not part of the text. */
function keepOneParagraph(event) {
  const entry = entryOf(event.target);
  if (!entry) return;
  if (["insertParagraph", "insertLineBreak"].includes(event.inputType)) {
    event.preventDefault();
    send();
  }
  const places = placesOfSelection(entry.live);
  if (event.inputType === "deleteContentBackward" && places?.[0] === 0 && places[1] === 0) event.preventDefault();
}

/** Underline the words of warnings in a paragraph that is being edited; plain text has no elements for it. */
function showMarks() {
  if (!CSS.highlights) return;
  for (const name of MARKS) {
    const ranges = [];
    for (const { live, twin, before } of entered.values()) {
      live.normalize();
      // During typing the ranges would be outdated.
      if (live.lastChild?.nodeType !== Node.TEXT_NODE || live.lastChild.data !== before) continue;
      for (const mark of twin.querySelectorAll(`.mark--${name}`)) ranges.push(rangeOf(mark, twin, live.lastChild));
    }
    CSS.highlights.set(`edit-${name}`, new Highlight(...ranges));
  }
}

function rangeOf(mark, twin, words) {
  const nodes = textNodesOf(twin);
  const lengthOf = (some) => some.reduce((sum, node) => sum + node.length, 0);
  const start = lengthOf(nodes.slice(0, nodes.findIndex((node) => mark.contains(node))));
  const range = document.createRange();
  range.setStart(words, start);
  range.setEnd(words, start + lengthOf(nodes.filter((node) => mark.contains(node))));
  return range;
}

// --- Checking

function sendSoon(delay = PAUSE_MS) {
  clearTimeout(timer);
  timer = setTimeout(send, delay);
}

async function send() {
  clearTimeout(timer);
  const entry = unsent().find((one) => one.refused !== wordsOf(one.live));
  // A waiting edit is sent when the check has ended, a decision is stored, or the new check is shown.
  if (!entry || isSending || coming || connection.isBusy()) return;
  if (document.querySelector(".htmx-request")) return sendSoon();
  const wording = wordsOf(entry.live);
  state.textContent = gettext("Checking what you changed …");
  isSending = true;
  holdDecisions(true);
  let answer = null;
  let html = "";
  try {
    answer = await fetch(page.dataset.editUrl.replace(/0\/$/, `${entry.live.dataset.block}/`), {
      method: "POST",
      headers: { "HX-Request": "true", ...JSON.parse(document.body.getAttribute("hx-headers")) },
      body: new URLSearchParams({ before: entry.before, wording: entry.before.includes("\u00a0") ? wording : wording.replaceAll("\u00a0", " ") }),
    });
    html = await answer.text();
  } catch {
    answer = null;
  }
  isSending = false;
  const checkId = answer?.headers.get(PAGE_CHECK_HEADER);
  if (answer && answer.status < 500) sayReachable();
  if (checkId) return continueWith(checkId, html);
  holdDecisions(false);
  state.textContent = gettext("Not checked yet. Your words are still here.");
  if (answer && answer.status < 500) {
    entry.refused = wording; // sent again only after another change
    connection.apply(html);
  } else {
    sayUnreachable();
    sendSoon(TRY_AGAIN_MS);
  }
}

/** Disable decisions between two checks: the page would decide on one check and show the other. */
function holdDecisions(isHeld) {
  for (const part of document.querySelectorAll(".status, .panel")) part.inert = isHeld;
}

function continueWith(checkId, html) {
  coming = { checkId, html, isSplit: false, timer: null };
  connection.stream.continueWith(checkId);
}

function takeBatch(html) {
  if (!coming) return connection.apply(html);
  coming.html += html;
  const batch = document.createElement("template");
  batch.innerHTML = html;
  coming.isSplit ||= batch.content.querySelector("#text .sentence") !== null;
  if (batch.content.querySelector("#progress:not([aria-busy])")) showComing();
  else if (coming.isSplit) coming.timer ??= setTimeout(showComing, HOLD_MS);
}

function showComing() {
  if (!coming) return;
  const { checkId, html } = coming;
  clearTimeout(coming.timer);
  const before = page.dataset.check;
  page.dataset.check = checkId;
  page.dataset.editUrl = page.dataset.editUrl.replace(before, checkId);
  const report = document.getElementById("report");
  report.dataset.url = report.dataset.url.replace(before, checkId);
  const address = new URL(location.href);
  address.pathname = address.pathname.replace(before, checkId);
  address.searchParams.delete("card");
  // One step of undo restores the text before the first keystroke, even if several pauses made several checks.
  if (history.state?.isEdit) history.replaceState({ isEdit: true }, "", address);
  else history.pushState({ isEdit: true }, "", address);
  for (const card of document.querySelectorAll("#cards > :not(#silent-group)")) card.remove();
  coming = null;
  holdDecisions(false);
  connection.apply(html);
}
