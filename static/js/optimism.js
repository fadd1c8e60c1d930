// Shows the effect of a decision, as far as the page knows it, before the server has answered, and reverts it.

import { marksOf } from "./selection.js";
import { gettext, interpolate, ngettext } from "./words.js";

/** Elements of a sentence that are not part of its original text. */
const NOT_ORIGINAL = ".visually-hidden, ins";

/** @typedef {() => void} Revert Reverts a part of the page. */

/**
 * Show a decision on a card that is still open.
 *
 * @param {HTMLElement} card
 * @param {HTMLButtonElement} button Has the new state, its words and the changes as attributes.
 * @returns {{revert: Revert, before: HTMLElement[]}} `before` are the earlier parts of the page.
 */
export function showDecided(card, button) {
  const marks = countMarks();
  const { sentences, revert } = showWords(card, button);
  const steps = [revert, closeCard(card, button.dataset), ...count({ opened: -1, marks: countMarks() - marks })];
  return { before: [card, ...sentences], revert: () => steps.reverse().forEach((step) => step()) };
}

/**
 * Show the state before a decision, which is undone.
 *
 * @param {HTMLElement[]} before The card and the sentences.
 * @returns {{revert: Revert, before: null}}
 */
export function showUndone(before) {
  const marks = countMarks();
  const swaps = before.map((part) => [document.getElementById(part.id), part]).filter(([present]) => present);
  for (const [present, part] of swaps) present.replaceWith(part);
  const steps = count({ opened: 1, marks: countMarks() - marks });
  const revert = () => {
    for (const step of steps) step();
    for (const [present, part] of swaps) part.replaceWith(present);
  };
  return { revert, before: null };
}

const countMarks = () => document.querySelectorAll("#text .mark").length;

// --- The card. Its form stays in the page: the request comes from one of its buttons.

function closeCard(card, { decide: state, done }) {
  const line = document.createElement("p");
  line.className = "card__done";
  const words = document.createElement("span");
  const name = document.createElement("strong");
  Object.assign(name, { id: `${card.id}-sent`, textContent: card.dataset.name });
  const outcome = document.createElement("span");
  Object.assign(outcome, { id: `${card.id}-outcome`, textContent: done });
  words.append(name, " · ", outcome);
  line.append(words);
  card.classList.remove("is-current");
  const before = { class: card.className };
  for (const attribute of ["aria-labelledby", "aria-describedby"]) before[attribute] = card.getAttribute(attribute);
  card.classList.remove("is-open");
  card.classList.add(`is-${state}`, "is-sent");
  card.setAttribute("aria-labelledby", name.id);
  card.setAttribute("aria-describedby", outcome.id);
  card.querySelector(".card__form").append(line);
  return () => {
    line.remove();
    for (const [attribute, value] of Object.entries(before)) card.setAttribute(attribute, value);
  };
}

// --- The text

function showWords(card, button) {
  const changes = button.dataset.decide === "accepted" ? changesOf(button) : new Map();
  const { finding } = card.dataset;
  const ids = new Set([...marksOf(card).map((mark) => mark.closest(".sentence").id), ...changes.keys()]);
  const sentences = [...ids].map((id) => document.getElementById(id)).filter(Boolean);
  const shown = sentences.map((sentence) => {
    const copy = sentence.cloneNode(true);
    takeOffMark(copy, finding);
    if (changes.has(copy.id)) changeWords(copy, changes.get(copy.id));
    sentence.replaceWith(copy);
    return copy;
  });
  return { sentences, revert: () => shown.forEach((copy, position) => copy.replaceWith(sentences[position])) };
}

function takeOffMark(sentence, finding) {
  const mark = sentence.querySelector(".mark");
  if (!mark) return;
  const others = mark.dataset.findings.split(" ").filter((id) => id !== finding);
  if (others.length) {
    mark.dataset.findings = others.join(" ");
    return;
  }
  for (const hidden of mark.querySelectorAll(".visually-hidden")) hidden.remove();
  for (const strong of mark.querySelectorAll("b")) strong.replaceWith(...strong.childNodes);
  mark.replaceWith(...mark.childNodes);
}

/** The sentences that an offer changes, by their ids; null for a removed one. */
function changesOf(button) {
  const { changes, absorbs } = button.dataset;
  const diff = button.closest(".option")?.querySelector(".diff");
  const parts = diff && [...diff.childNodes].map((part) => ({ kind: part.nodeName, text: part.textContent }));
  const found = new Map([[`sentence-${changes}`, parts ?? null]]);
  if (absorbs) found.set(`sentence-${absorbs}`, null);
  return found;
}

/** Only if the words are still those of the offer; otherwise the page waits for the server. */
function changeWords(sentence, parts) {
  const nodes = originalNodesOf(sentence);
  const words = nodes.map((node) => node.data).join("");
  const change = parts ?? [{ kind: "DEL", text: words }];
  const isAboutThem = words === change.map(({ kind, text }) => (kind === "INS" ? "" : text)).join("");
  if (!isAboutThem || !words) return;
  const take = taker(nodes);
  let last = null;
  for (const { kind, text } of change) {
    if (kind === "INS") {
      const inserted = Object.assign(document.createElement("ins"), { textContent: text });
      if (last) last.after(inserted);
      else nodes[0].before(inserted);
      last = inserted;
    } else {
      for (const node of take(text.length)) last = kind === "DEL" ? strike(node) : node;
    }
  }
  sentence.classList.add(parts ? "is-changed" : "is-removed");
}

function originalNodesOf(sentence) {
  const walker = document.createTreeWalker(sentence, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(NOT_ORIGINAL)) nodes.push(walker.currentNode);
  return nodes;
}

/** @returns {(length: number) => Text[]} The nodes with the next characters, split off from the others. */
function taker(nodes) {
  const left = [...nodes];
  return (length) => {
    const taken = [];
    for (let missing = length; missing > 0; missing -= taken.at(-1).length) {
      const node = left.shift();
      if (node.length > missing) left.unshift(node.splitText(missing));
      taken.push(node);
    }
    return taken;
  };
}

function strike(node) {
  const deleted = document.createElement("del");
  node.replaceWith(deleted);
  deleted.append(node);
  return deleted;
}

// --- The counts

function count({ opened, marks }) {
  const steps = [];
  const write = (element, text) => {
    const before = element.textContent;
    element.textContent = text;
    steps.push(() => (element.textContent = before));
  };
  for (const [state, more] of [["open", opened], ["decided", -opened]]) {
    const number = document.querySelector(`[data-state-filter="${state}"] [data-number]`);
    if (number) write(number, Number(number.textContent) + more);
  }
  const flagged = document.querySelector("#progress [data-flagged]");
  if (flagged && marks) {
    const before = flagged.dataset.flagged;
    flagged.dataset.flagged = Number(before) + marks;
    write(flagged, flaggedWords(Number(flagged.dataset.flagged)));
    steps.push(() => (flagged.dataset.flagged = before));
  }
  return steps;
}

function flaggedWords(flagged) {
  if (!flagged && !document.querySelector("#progress[aria-busy]")) return gettext("none to review");
  const words = ngettext("%(flagged)s sentence to review", "%(flagged)s sentences to review", flagged);
  return interpolate(words, { flagged });
}
