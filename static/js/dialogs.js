// The dialogs of the review page: what accept all would do, the keys, and the source opened at a quote.

export function connectDialogs() {
  document.addEventListener("submit", (event) => {
    const dialogId = event.target.dataset.confirm;
    if (!dialogId) return;
    event.preventDefault();
    const dialog = document.getElementById(dialogId);
    const summary = document.getElementById("accept-all-summary").content.cloneNode(true);
    dialog.querySelector("[data-summary]").replaceChildren(summary);
    dialog.showModal();
  });
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-open-dialog]");
    if (opener) document.getElementById(opener.dataset.openDialog).showModal();
    if (event.target.closest("[data-close-dialog], [data-close-after]")) event.target.closest("dialog").close();
    const quote = event.target.closest("[data-show-source]");
    if (quote) {
      event.preventDefault();
      showSource(quote);
    }
  });
}

function showSource(link) {
  const source = document.getElementById(`source-${link.dataset.showSource}`);
  if (!source) return;
  for (const other of document.querySelectorAll(".source")) other.hidden = other !== source;
  const quote = link.closest(".quote").querySelector("span").textContent;
  const passage = highlight(source, Number(link.dataset.sourceStart), quote);
  document.getElementById("source-title").textContent = source.dataset.name;
  document.getElementById("source-dialog").showModal();
  passage.scrollIntoView({ block: "center" });
}

/** Mark the quote. ``start`` counts code points, as the server does; a string of JavaScript counts otherwise. */
function highlight(source, start, quote) {
  source.textContent = source.textContent;
  const codePoints = Array.from(source.textContent);
  const mark = document.createElement("mark");
  mark.textContent = quote;
  const end = start + Array.from(quote).length;
  source.replaceChildren(codePoints.slice(0, start).join(""), mark, codePoints.slice(end).join(""));
  return mark;
}
