// Puts the parts of the page that the server sent in the place of the old ones. Applying one twice does no harm.

import { inEditor, keepsEditor } from "./editing.js";

/**
 * @param {string} html Elements that carry the ids they have in the page.
 * @returns {() => void} Puts the focus back where it was. Not done here: each move of the focus lays the page out.
 */
export function applyFragments(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  let restoreFocus = () => {};
  for (const incoming of focusedFirst([...template.content.children])) {
    addTokens(incoming);
    const present = document.getElementById(incoming.id) ?? inEditor(incoming.id);
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

/** To take away what has the focus lays the page out: soonest done while nothing else has changed. */
function focusedFirst(incoming) {
  const hasFocus = (one) => document.getElementById(one.id)?.contains(document.activeElement) ?? false;
  const focused = incoming.find(hasFocus);
  return focused ? [focused, ...incoming.filter((one) => one !== focused)] : incoming;
}

/** What comes by the socket has no token of the session: a form that is sent without htmx would be refused. */
function addTokens(incoming) {
  const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
  for (const form of incoming.querySelectorAll("form[method=post]:not(:has([name=csrfmiddlewaretoken]))")) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: "csrfmiddlewaretoken", value: token });
    form.prepend(field);
  }
}

/** A card whose editing field is open keeps what the person is writing, as long as it is still to be decided. */
function isBeingEdited(present, incoming) {
  const editing = present.querySelector("[data-edit]:not([hidden]), [data-writing][open]");
  return Boolean(editing && incoming.querySelector("[data-edit]"));
}

/** What the card would say now. It counts once the person was told that the sentence has changed meanwhile. */
function holdBack(present, incoming) {
  present.dataset.seenLater = incoming.querySelector("[name=seen]").value;
}

/** After a refusal: what is decided next is decided on what is known now. */
export function acknowledge(card) {
  if (card?.dataset.seenLater) card.querySelector("[name=seen]").value = card.dataset.seenLater;
}

/** @returns {(() => void) | null} Puts the focus back, if it was in it. */
function replaceKeepingFocus(present, incoming) {
  const focused = present.contains(document.activeElement) ? document.activeElement : null;
  const path = focused && focused !== present ? pathOf(focused, present) : null;
  for (const details of present.querySelectorAll("details[id]")) {
    const successor = incoming.querySelector(`#${details.id}`);
    if (successor) successor.open = details.open; // as the reader left it
  }
  present.replaceWith(incoming);
  return focused && (() => focusSuccessor(focused, path, incoming));
}

function focusSuccessor(focused, path, incoming) {
  const target = (focused.id && document.getElementById(focused.id)) || (path ? follow(path, incoming) : incoming);
  if (target && !target.disabled) target.focus({ preventScroll: true });
  if (incoming.contains(document.activeElement)) return;
  // What had the focus is gone, or can no longer be pressed: its neighbour gets it, so that it is never lost.
  const near = incoming.matches("[tabindex]") ? incoming : incoming.querySelector("button:enabled, a[href], [tabindex]");
  (near ?? document.getElementById("main")).focus({ preventScroll: true });
}

/** Cards stand in the order of the text, whatever the order in which they were found. */
function insertInOrder(container, incoming) {
  const order = Number(incoming.dataset.order);
  const next = [...container.children].find((card) => Number(card.dataset.order) > order);
  container.insertBefore(incoming, next ?? null);
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
