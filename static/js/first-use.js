// A hint for the first check of a browser, until it was closed once.

const KEY = "chatprotect.hint-read";

export function connectFirstUse() {
  const hint = document.getElementById("first-use");
  if (wasRead()) return;
  hint.hidden = false;
  hint.querySelector("button").addEventListener("click", () => {
    hint.hidden = true;
    document.getElementById("main").focus({ preventScroll: true });
    try {
      localStorage.setItem(KEY, "1");
    } catch {
      // storage is disabled: the hint appears again
    }
  });
}

function wasRead() {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
