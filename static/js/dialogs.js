// Opens and closes the dialogs of the review page. Closing a dialog returns the focus to the button that opened it.

export function connectDialogs() {
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-open-dialog]");
    if (opener) document.getElementById(opener.dataset.openDialog).showModal();
    const closer = event.target.closest("[data-close-dialog], [data-close-after]");
    const dialog = closer?.closest("dialog");
    if (!dialog) return;
    if (closer.matches("a")) event.preventDefault(); // on a separate page the link leads back
    dialog.close();
  });
}
