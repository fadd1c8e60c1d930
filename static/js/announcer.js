// Announces the progress of the check to screen readers: one polite line, at most every two seconds.

const PAUSE_MS = 2_000;

let last = "";
let timer = null;

export function announceProgress() {
  timer ??= setTimeout(() => {
    timer = null;
    const parts = [...document.querySelectorAll("#progress [data-announce]")].map((part) => part.textContent.trim());
    announce(parts.filter(Boolean).join(", "));
  }, PAUSE_MS);
}

export function announce(text) {
  if (text === last) return;
  last = text;
  document.getElementById("announcer").textContent = text;
}
