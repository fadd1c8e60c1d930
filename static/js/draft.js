// What was typed into the form, kept in this tab until the server has it.

const KEY = "chatprotect.draft";

export function readDraft() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY))?.fields ?? null;
  } catch {
    return null; // storage is switched off, or holds something else
  }
}

export function saveDraft(fields, { sent = false } = {}) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ fields, sent }));
  } catch {
    // full or switched off: the form still works, only the safety net is missing
  }
}

/** The page of a check is there, so what was sent has arrived. A draft that was not sent stays. */
export function dropSentDraft() {
  try {
    if (JSON.parse(sessionStorage.getItem(KEY))?.sent) sessionStorage.removeItem(KEY);
  } catch {
    // nothing to drop
  }
}
