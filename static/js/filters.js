// Filters of warnings and sentences. The choice is stored in the address, so that a reload shows the same.

const NAMES = ["state", "by", "label"];
const chosen = Object.fromEntries(NAMES.map((name) => [name, new URLSearchParams(location.search).get(name) ?? ""]));
let onChange = () => {};
/** There may be many "not in your source" cards: they are folded until the reader opens them. */
let isSilentFolded = true;
let isUnsureMarked = false;

/** @param {() => void} changed Called after the choice has changed. */
export function connectFilters(changed) {
  onChange = changed;
  document.addEventListener("click", (event) => {
    const state = event.target.closest("[data-state-filter]");
    if (state) choose({ state: state.dataset.stateFilter });
    const label = event.target.closest("[data-label-filter]");
    if (label) choose({ label: chosen.label === label.dataset.labelFilter ? "" : label.dataset.labelFilter });
    if (event.target.closest("[data-filters-clear]")) clearFilters();
    if (event.target.closest("[data-silent]")) foldSilent(!isSilentFolded);
  });
  document.addEventListener("change", (event) => {
    if (event.target.id === "filter-by") choose({ by: event.target.value });
    if (event.target.matches("[data-mark-unsure]")) {
      isUnsureMarked = event.target.checked;
      onChange();
    }
  });
}

/** @returns {boolean} Whether folded cards were opened. */
export function unfoldSilent() {
  const isNews = isSilentFolded && document.querySelector(".card.is-open[data-is-silent]") !== null;
  if (isNews) foldSilent(false);
  return isNews;
}

function foldSilent(isFolded) {
  isSilentFolded = isFolded;
  onChange();
}

export function clearFilters() {
  choose({ state: "", by: "", label: "" });
}

/** Apply the choice after it has changed or parts of the page were replaced. */
export function showFiltered() {
  const sentences = [...document.querySelectorAll(".text .sentence")];
  const known = new Set(sentences.map((sentence) => sentence.dataset.label));
  const label = known.has(chosen.label) ? chosen.label : "";
  for (const sentence of sentences) {
    sentence.classList.toggle("is-dimmed", Boolean(label) && sentence.dataset.label !== label);
  }
  const cards = [...document.querySelectorAll(".card")];
  for (const card of cards) card.hidden = !isChosen(card, label);
  const isFolded = cards.some((card) => card.hidden && isFoldedAway(card));
  document.querySelector("[data-filters-none]").hidden = !cards.length || isFolded || cards.some((card) => !card.hidden);
  document.querySelector("[data-silent]")?.setAttribute("aria-expanded", !isSilentFolded);
  document.getElementById("main").toggleAttribute("data-unsure", isUnsureMarked);
  const unsure = document.querySelector("[data-mark-unsure]");
  if (unsure) unsure.checked = isUnsureMarked;
  for (const button of document.querySelectorAll("[data-state-filter]")) {
    button.setAttribute("aria-pressed", button.dataset.stateFilter === chosen.state);
  }
  for (const button of document.querySelectorAll("[data-label-filter]")) {
    button.setAttribute("aria-pressed", button.dataset.labelFilter === label);
  }
  const by = document.getElementById("filter-by");
  if (by) by.value = [...by.options].some((option) => option.value === chosen.by) ? chosen.by : "";
}

function choose(values) {
  Object.assign(chosen, values);
  const address = new URL(location.href);
  for (const name of NAMES) {
    if (chosen[name]) address.searchParams.set(name, chosen[name]);
    else address.searchParams.delete(name);
  }
  history.replaceState(history.state, "", address);
  onChange();
}

/** @returns {boolean} Whether the card is hidden only because its group is folded, and not by a filter. */
export function isFoldedAway(card) {
  return isSilentFolded && card.matches(".is-open[data-is-silent]") && NAMES.every((name) => !chosen[name]);
}

function isChosen(card, label) {
  if (isFoldedAway(card)) return false;
  const isOpen = card.classList.contains("is-open");
  if (chosen.state === "open" && !isOpen) return false;
  if (chosen.state === "decided" && isOpen) return false;
  const [type, name] = chosen.by.split(":");
  if (name && !card.dataset[`${type}s`]?.split(" ").includes(name)) return false;
  if (!label) return true;
  const about = card.dataset.sentences.trim().split(" ");
  return about.some((index) => document.getElementById(`sentence-${index}`)?.dataset.label === label);
}
