// The sources of a new check: files are uploaded at once and read while the user fills in the form, each with a row.

import { UNREACHABLE } from "./connection.js";
import { connectRichPaste } from "./rich-paste.js";
import { gettext, interpolate } from "./words.js";

const POLL_MS = 1_000;

const field = document.getElementById("source-field");
const rows = document.getElementById("source-rows");
const problem = document.getElementById("source-problem");
const token = () => document.querySelector("#check-form [name=csrfmiddlewaretoken]").value;

let sending = 0;
/** Uploads one after the other: the first answer sets the session cookie, which makes the others belong to one owner. */
let lastSent = Promise.resolve();
let waitingForm = null;
let timer = null;

/** @param {() => void} onChange Called when the chosen sources have changed. */
export function connectSourceField(onChange) {
  const files = document.getElementById("id_files");
  const page = document.getElementById("id_page");
  const addPage = document.getElementById("add-page");
  files.addEventListener("change", () => {
    sendFiles([...files.files]);
    files.value = ""; // they are uploaded separately, not with the form
  });
  field.classList.add("has-script");
  addPage.hidden = false;
  addPage.addEventListener("click", () => sendPage(page));
  page.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    sendPage(page);
  });
  connectRichPaste(document.getElementById("id_source"));
  connectDrop();
  connectLibrary();
  rows.addEventListener("click", (event) => {
    const button = event.target.closest("[data-remove-source]");
    if (button) remove(button);
  });
  field.addEventListener("change", onChange);
  field.form.addEventListener("submit", (event) => {
    if (!sending) return;
    event.preventDefault();
    waitingForm = field.form;
    say(gettext("Some files are still uploading. The check starts when they have arrived."));
  });
  new MutationObserver(() => {
    for (const button of rows.querySelectorAll("[data-remove-source][hidden]")) button.hidden = false;
    onChange();
    poll();
  }).observe(rows, { childList: true, subtree: true });
  for (const button of rows.querySelectorAll("[data-remove-source]")) button.hidden = false;
  poll();
}

export function chosenSources() {
  return [...field.querySelectorAll("[name=sources]:checked")].map((box) => box.value);
}

/** Restore the chosen sources after the page was left. */
export function chooseSources(ids) {
  const missing = [];
  for (const id of ids) {
    const box = field.querySelector(`[name=sources][value="${CSS.escape(id)}"]`);
    if (box) box.checked = !box.disabled;
    else missing.push(id);
  }
  if (missing.length) fetchRows(missing);
}

// --- Sending

function sendFiles(files) {
  say("");
  const count = field.querySelectorAll("[name=sources]:checked").length + files.length;
  if (count > Number(field.dataset.limitCount)) {
    return say(interpolate(gettext("%(count)s sources are too many: a check accepts up to %(most)s."), {
        count,
        most: field.dataset.limitCount,
      }));
  }
  for (const file of files) sendFile(file);
}

function sendFile(file) {
  const row = document.createElement("li");
  row.className = "source-row is-sending";
  row.append(element("bdi", "source-row__name", file.name), element("span", "source-row__state", "sending"));
  rows.append(row);
  if (file.size > Number(field.dataset.limitBytes)) {
    return refuse(row, interpolate(gettext("It is larger than %(limit)s. Take the part that matters, or split it."), {
        limit: field.dataset.limitText,
      }));
  }
  const bar = element("progress", "source-row__progress");
  bar.max = 1;
  bar.setAttribute("aria-label", `${file.name}: sent`);
  row.append(bar);
  const data = new FormData();
  data.append("uploads", file);
  send(data, row, (share) => (bar.value = share));
}

function sendPage(input) {
  const url = input.value.trim();
  if (!url) return input.focus();
  say("");
  const row = document.createElement("li");
  row.className = "source-row is-sending";
  row.append(element("bdi", "source-row__name", url), element("span", "source-row__state", "sending"));
  rows.append(row);
  const data = new FormData();
  data.append("page", url);
  send(data, row, () => {});
  input.value = "";
}

function send(data, row, onShare) {
  sending += 1;
  lastSent = lastSent.then(() => new Promise((done) => sendNow(data, row, onShare, done)));
}

/** XMLHttpRequest, because fetch() does not report the progress of an upload. */
function sendNow(data, row, onShare, done) {
  const request = new XMLHttpRequest();
  request.upload.addEventListener("progress", (event) => event.total && onShare(event.loaded / event.total));
  request.addEventListener("load", () => {
    if (request.status === 200) return place(request.responseText, row);
    refuse(row, request.status === 422 ? request.responseText : refusalOf(request.status));
  });
  request.addEventListener("error", () => refuse(row, UNREACHABLE));
  request.addEventListener("loadend", () => {
    done();
    sending -= 1;
    if (sending || !waitingForm) return;
    say("");
    waitingForm.requestSubmit();
  });
  request.open("POST", field.dataset.addUrl);
  request.setRequestHeader("HX-Request", "true");
  request.setRequestHeader("X-CSRFToken", token());
  request.send(data);
}

function refusalOf(status) {
  if (status === 413) return interpolate(gettext("It is larger than %(limit)s."), { limit: field.dataset.limitText });
  if (status === 403) return gettext("This page is no longer current. Reload it and add the file again.");
  return gettext("It was not accepted. Add it again in a moment.");
}

function refuse(row, message) {
  row.className = "source-row is-failed";
  row.querySelector("progress")?.remove();
  row.querySelector(".source-row__state").textContent = gettext("not added");
  row.append(element("p", "source-row__error", message));
  const button = element("button", "button button--quiet source-row__remove", gettext("Remove"));
  button.type = "button";
  button.dataset.removeSource = "";
  row.append(button);
  button.setAttribute("aria-label", interpolate(gettext("Remove “%(name)s”"), { name: row.querySelector("bdi").textContent }));
  waitingForm = null;
}

// --- Rows

/** Replace ``row``, or existing rows of the same sources, by rows from the server. */
function place(html, row = null) {
  const template = document.createElement("template");
  template.innerHTML = html;
  for (const incoming of [...template.content.children]) {
    document.querySelector(`.from-library [value="${incoming.dataset.source}"]`)?.closest("li").remove();
    const present = document.getElementById(incoming.id);
    if (present) {
      const box = present.querySelector("[name=sources]");
      if (!row && !box.disabled) incoming.querySelector("[name=sources]").checked &&= box.checked;
      const hasFocus = present.contains(document.activeElement);
      present.replaceWith(incoming);
      if (hasFocus) incoming.querySelector("[name=sources]").focus();
    } else if (row) row.before(incoming);
    else rows.append(incoming);
  }
  row?.remove();
}

function poll() {
  clearTimeout(timer);
  const unsettled = [...rows.querySelectorAll("[data-unsettled]")].map((row) => row.dataset.source);
  if (unsettled.length) timer = setTimeout(() => fetchRows(unsettled), POLL_MS);
}

async function fetchRows(ids) {
  const query = new URLSearchParams(ids.map((id) => ["id", id]));
  try {
    const answer = await fetch(`${field.dataset.rowsUrl}?${query}`);
    if (answer.ok) place(await answer.text());
  } catch {
    // the next attempt may succeed
  }
  poll();
}

function remove(button) {
  const row = button.closest("li");
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  (next?.querySelector("[data-remove-source]") ?? document.getElementById("id_files")).focus();
  if (!button.dataset.discardUrl) return;
  fetch(button.dataset.discardUrl, { method: "POST", headers: { "X-CSRFToken": token() } }).catch(() => {});
}

// --- Drag and drop, the library

function connectDrop() {
  for (const type of ["dragover", "dragleave", "drop"]) {
    field.addEventListener(type, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      field.classList.toggle("is-dropping", type === "dragover");
      if (type === "drop") sendFiles([...event.dataTransfer.files]);
    });
  }
}

function connectLibrary() {
  const search = document.getElementById("library-search");
  if (!search) return;
  const items = [...document.getElementById("library-list").children];
  search.hidden = items.length <= 8;
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase();
    for (const item of items) item.hidden = !item.dataset.name.toLowerCase().includes(words);
  });
  search.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
}

function say(text) {
  problem.textContent = text;
  problem.hidden = !text;
}

function element(name, className, text = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}
