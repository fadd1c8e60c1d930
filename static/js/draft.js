// Keeps the typed input of the form in this tab until the server has it.

const KEY = "chatprotect.draft";

export function readDraft() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY))?.fields ?? null;
  } catch {
    return null; // storage is disabled, or contains something else
  }
}

export function saveDraft(fields, { sent = false } = {}) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ fields, sent }));
  } catch {
    // storage is full or disabled: the form works without a draft
  }
}

/** Delete a sent draft: the page of its check exists, so it has arrived. A draft that was not sent stays. */
export function dropSentDraft() {
  try {
    if (JSON.parse(sessionStorage.getItem(KEY))?.sent) sessionStorage.removeItem(KEY);
  } catch {
    // nothing to drop
  }
}
