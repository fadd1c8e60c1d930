// Replaces parts of the page by those that the server sent. Applying one twice is harmless.

import { inEditor, keepsEditor } from "./editing.js";

/**
 * @param {string} html Elements with the ids that they have in the page.
 * @returns {() => void} Restores the focus. Not done here, because each move of the focus forces a layout.
 */
export function applyFragments(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  let restoreFocus = () => {};
  for (const incoming of focusedFirst([...template.content.children])) {
    addTokens(incoming);
    const present = document.getElementById(incoming.id) ?? inEditor(incoming.id);
    if (incoming.dataset.gone !== undefined) {
      restoreFocus = takeAway(present, incoming) ?? restoreFocus;
      continue;
    }
    if (present) {
      if (keepsEditor(present, incoming)) continue;
      if (isBeingEdited(present, incoming)) {
        holdBack(present, incoming);
        continue;
      }
      restoreFocus = replaceKeepingFocus(present, incoming) ?? restoreFocus;
    } else if (incoming.dataset.order !== undefined && incoming.dataset.elsewhere === undefined) {
      insertInOrder(document.getElementById("cards"), incoming);
    } else {
      continue;
    }
    window.htmx?.process(incoming);
  }
  return restoreFocus;
}

/** Another card shows this warning now. Words that are being typed into it stay. */
function takeAway(present, incoming) {
  if (!present || isOpenForWords(present)) return null;
  const hadFocus = present.contains(document.activeElement);
  present.remove();
  return hadFocus ? () => document.getElementById(incoming.dataset.gone)?.focus({ preventScroll: true }) : null;
}

/** Removing the focused element forces a layout, which is cheapest before anything else changes. */
function focusedFirst(incoming) {
  const hasFocus = (one) => document.getElementById(one.id)?.contains(document.activeElement) ?? false;
  const focused = incoming.find(hasFocus);
  return focused ? [focused, ...incoming.filter((one) => one !== focused)] : incoming;
}

/** HTML from the websocket has no CSRF token: without one, a form that is sent without htmx would be refused. */
function addTokens(incoming) {
  const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
  for (const form of incoming.querySelectorAll("form[method=post]:not(:has([name=csrfmiddlewaretoken]))")) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: "csrfmiddlewaretoken", value: token });
    form.prepend(field);
  }
}

/** A card with an open editing field keeps the typed words while it is undecided. */
function isBeingEdited(present, incoming) {
  return isOpenForWords(present) && incoming.querySelector("[data-edit]") !== null;
}

function isOpenForWords(card) {
  return card.querySelector("[data-edit]:not([hidden]), [data-writing][open]") !== null;
}

/** The current mark of the card. It counts once the user has been told that the sentence has changed. */
function holdBack(present, incoming) {
  present.dataset.seenLater = incoming.querySelector("[name=seen]").value;
}

/** After a refusal, the next decision is based on the current state. */
export function acknowledge(card) {
  if (card?.dataset.seenLater) card.querySelector("[name=seen]").value = card.dataset.seenLater;
}

/** @returns {(() => void) | null} Restores the focus if the element contained it. */
function replaceKeepingFocus(present, incoming) {
  const focused = present.contains(document.activeElement) ? document.activeElement : null;
  const path = focused && focused !== present ? pathOf(focused, present) : null;
  for (const details of present.querySelectorAll("details[id]")) {
    const successor = incoming.querySelector(`#${details.id}`);
    if (successor) successor.open = details.open; // keep the reader's choice
  }
  present.replaceWith(incoming);
  return focused && (() => focusSuccessor(focused, path, incoming));
}

function focusSuccessor(focused, path, incoming) {
  const target = (focused.id && document.getElementById(focused.id)) || (path ? follow(path, incoming) : incoming);
  if (target && !target.disabled) target.focus({ preventScroll: true });
  if (incoming.contains(document.activeElement)) return;
  // The focused element was removed or disabled: focus its neighbour, so that the focus is never lost.
  const near = incoming.matches("[tabindex]") ? incoming : incoming.querySelector("button:enabled, a[href], [tabindex]");
  (near ?? document.getElementById("main")).focus({ preventScroll: true });
}

/** Cards are in the order of the text, those of one place in the order of finding. */
function insertInOrder(container, incoming) {
  const next = [...container.children].find((card) => isAfter(card, incoming));
  container.insertBefore(incoming, next ?? null);
}

function isAfter(card, incoming) {
  const difference = Number(card.dataset.order) - Number(incoming.dataset.order);
  return difference > 0 || (difference === 0 && Number(card.dataset.finding) > Number(incoming.dataset.finding));
}

function pathOf(element, ancestor) {
  const path = [];
  for (let node = element; node !== ancestor; node = node.parentElement) {
    path.unshift([...node.parentElement.children].indexOf(node));
  }
  return path;
}

function follow(path, ancestor) {
  return path.reduce((node, index) => node?.children[index] ?? null, ancestor);
}
