// The dialogs of the review page: what accept all would do, and the keys.

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
  });
}
