// The details of a selected sentence without a warning: its supporting sources, and how much was read for it.

import { UNREACHABLE } from "./connection.js";
import { isPanelShown, select } from "./selection.js";

const report = document.getElementById("report");
let chosen = null;

export function connectSentenceReport() {
  document.addEventListener("click", (event) => {
    const sentence = event.target.closest("[data-ask]");
    // A mouse selection is for copying.
    if (sentence && !sentence.isContentEditable && getSelection().isCollapsed) return ask(sentence);
    if (event.target.closest("[data-close-report]")) close();
  });
  document.addEventListener("keydown", (event) => {
    const sentence = event.target.closest?.("[data-ask]");
    if (sentence && (event.key === "Enter" || event.key === " ") && !event.altKey) {
      event.preventDefault();
      ask(sentence);
    } else if (event.key === "Escape" && report.contains(event.target)) {
      close();
    }
  });
}

async function ask(sentence) {
  if (!isPanelShown()) return; // the source beside the text shows the passage
  const index = sentence.dataset.ask;
  let answer;
  try {
    answer = await fetch(report.dataset.url.replace(/0\/$/, `${index}/`));
  } catch {
    answer = null;
  }
  if (answer?.ok) report.innerHTML = await answer.text();
  else report.textContent = UNREACHABLE;
  select(null);
  mark(index);
  report.hidden = false;
  report.closest(".panel").scrollTop = 0;
  report.querySelector("#report-title")?.focus({ preventScroll: true });
}

function close() {
  report.hidden = true;
  const sentence = document.querySelector(`[data-ask="${chosen}"]`);
  mark(null);
  sentence?.focus({ preventScroll: true });
}

function mark(index) {
  chosen = index;
  for (const other of document.querySelectorAll("[data-ask]")) {
    other.classList.toggle("is-current", other.dataset.ask === index);
  }
}
