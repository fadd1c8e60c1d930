// The source beside the text: a sentence leads to its passage, and a passage to its sentences.

import { UNREACHABLE } from "./connection.js";
import { showSentence } from "./selection.js";
import { gettext } from "./words.js";

const page = document.getElementById("main");
const beside = document.getElementById("beside");
const body = document.getElementById("beside-body");
const toggle = document.getElementById("beside-toggle");
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** Number of the newest request: the answer of an older one may arrive later. */
let asked = 0;
/** Indices of the sentences that are marked as linked. */
let linked = [];

export function connectBeside() {
  toggle.addEventListener("click", () => (isOpen() ? close() : open()));
  document.addEventListener("click", (event) => {
    const passage = event.target.closest(".passage");
    if (passage) {
      event.preventDefault();
      showSentence(strongestOf(passage)[0]);
      link(strongestOf(passage));
    }
    const more = event.target.closest("[data-beside-show]");
    if (more) showMore(more);
    if (event.target.closest("[data-close-beside]")) close();
    const sentence = sentenceOf(event.target);
    if (sentence) showPassage(sentence);
  });
  document.addEventListener("focusin", (event) => {
    const sentence = sentenceOf(event.target);
    if (sentence && event.target.matches(":focus-visible")) showPassage(sentence);
  });
  document.addEventListener("keydown", (event) => {
    const sentence = sentenceOf(event.target);
    if (sentence && ["Enter", " "].includes(event.key) && !event.altKey) showPassage(sentence);
  });
  document.addEventListener("mouseover", (event) => {
    if (!isOpen()) return;
    const passage = event.target.closest(".passage");
    const sentence = sentenceOf(event.target);
    if (passage) link(strongestOf(passage));
    else if (sentence && passagesOf(sentence).length) link([sentence]);
  });
  beside.addEventListener("change", (event) => {
    if (event.target.id === "beside-source") load({ source: event.target.value });
    if (event.target.matches("[data-colour-support]")) page.toggleAttribute("data-support", event.target.checked);
  });
}

/** The button exists once a source has been read. A sentence that was rendered anew keeps its link. */
export function refreshBeside() {
  toggle.hidden = !document.querySelector("#sources [data-show-source]");
  if (linked.length) link(linked);
}

/** @returns {boolean} Whether a source is shown beside the text, which needs a wide screen. */
export function isOpen() {
  return beside.checkVisibility();
}

async function open() {
  beside.hidden = false;
  page.toggleAttribute("data-beside", true);
  toggle.setAttribute("aria-pressed", "true");
  const current = document.querySelector(".text .mark.is-current");
  if (current) await showPassage(sentenceOf(current));
  if (!body.childElementCount) await load({});
}

function close() {
  beside.hidden = true;
  page.removeAttribute("data-beside");
  page.removeAttribute("data-support");
  toggle.setAttribute("aria-pressed", "false");
  link([]);
  toggle.focus();
}

/** Index of the sentence of the text that an element belongs to, while the source is open. */
function sentenceOf(element) {
  const sentence = element.closest?.(".text .sentence"); // first: isOpen forces a layout of the page
  return sentence && isOpen() ? sentence.id.replace("sentence-", "") : undefined;
}

function passagesOf(sentence) {
  return [...body.querySelectorAll(".passage")].filter((one) => one.dataset.sentences.split(" ").includes(sentence));
}

/** The sentences on which a passage bears most: those that it conflicts with, or else bears out, or else is nearest to. */
const strongestOf = (passage) => passage.dataset.strongest.split(" ");

/** Scroll to the passage that a sentence was compared with, in another source if necessary. */
export async function showPassage(sentence) {
  if (!passagesOf(sentence).length && !(await load({ sentence }))) return link([]);
  link([sentence]);
  const found = passagesOf(sentence);
  const bears = (bearing) => found.find((one) => one.matches(`.passage--${bearing}:not(.is-nearest)`));
  const passage = bears("conflict") ?? bears("support") ?? found[0];
  const text = document.getElementById("beside-text");
  if (!passage) return;
  const distance = passage.getBoundingClientRect().top - text.getBoundingClientRect().top;
  const top = text.scrollTop + distance - text.clientHeight / 3;
  text.scrollTo({ top, behavior: reducedMotion.matches ? "auto" : "smooth" });
}

/** Mark these sentences, and the passages that bear on them. */
function link(sentences) {
  linked = sentences;
  for (const sentence of document.querySelectorAll(".text .sentence")) {
    sentence.classList.toggle("is-linked", sentences.includes(sentence.id.replace("sentence-", "")));
  }
  for (const passage of body.querySelectorAll(".passage")) {
    const isLinked = passage.dataset.sentences.split(" ").some((one) => sentences.includes(one));
    passage.classList.toggle("is-linked", isLinked);
    passage.classList.toggle("is-nearest", isLinked && !strongestOf(passage).some((one) => sentences.includes(one)));
  }
}

/** Keep the scroll position when text is inserted above the view. */
async function showMore(button) {
  const before = document.getElementById("beside-text");
  const { scrollTop, scrollHeight } = before;
  const { besideShow: show, source } = button.dataset;
  if (!(await load({ source, show }))) return;
  const text = document.getElementById("beside-text");
  text.scrollTop = "before" in button.dataset ? text.scrollHeight - scrollHeight + scrollTop : scrollTop;
  text.focus({ preventScroll: true });
}

/** @returns {Promise<boolean>} Whether there is such a passage; it is then shown. */
async function load(query) {
  const request = ++asked;
  let answer;
  try {
    answer = await fetch(`${beside.dataset.url}?${new URLSearchParams(query)}`);
  } catch {
    answer = null;
  }
  if (request !== asked) return false;
  if (answer?.status === 204) return false;
  const colours = page.hasAttribute("data-support");
  if (answer?.ok) body.innerHTML = await answer.text();
  else body.textContent = answer?.status === 404 ? gettext("No source can be shown.") : UNREACHABLE;
  const support = body.querySelector("[data-colour-support]");
  if (support) support.checked = colours;
  return Boolean(answer?.ok);
}
