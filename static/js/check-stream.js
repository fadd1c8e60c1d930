// Follows the event log of a check by websocket. After every reconnect it requests the events since the last one seen.

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;
const OFFLINE_AFTER_MS = 4_000;
const NO_SUCH_CHECK = 4404;

/**
 * @param {{checkId: string, seq: number, onBatch: (html: string) => void, onOffline: (offline: boolean) => void}} options
 * @returns {{page: string, seq: () => number, answered: (to: number) => boolean, continueWith: (checkId: string) => void}}
 *   The id of the page; the newest event that it shows; a function that records the event of an answer and returns
 *   whether it is newer; and a function that follows another check from its beginning.
 */
export function followCheck({ checkId, seq, onBatch, onOffline }) {
  let failures = 0;
  let offlineTimer = null;
  let leaving = false;
  let socket = null;
  // Not randomUUID: browsers only have it on secure origins.
  const page = crypto.getRandomValues(new Uint32Array(2)).join("-");

  function advance(to) {
    if (to <= seq) return false;
    seq = to;
    return true;
  }

  function answered(to) {
    const isNews = advance(to);
    if (isNews && socket.readyState === WebSocket.OPEN) socket.send(seq);
    return isNews;
  }

  function continueWith(otherId) {
    const before = socket;
    checkId = otherId;
    seq = 0;
    connect();
    before.close();
  }

  function connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const query = new URLSearchParams(location.search); // the page of warnings
    for (const [name, value] of Object.entries({ since: seq, language: document.documentElement.lang, page })) {
      query.set(name, value);
    }
    const own = new WebSocket(`${scheme}//${location.host}/ws/checks/${checkId}/?${query}`);
    socket = own;
    own.addEventListener("open", () => {
      failures = 0;
      clearTimeout(offlineTimer);
      offlineTimer = null;
      onOffline(false);
    });
    own.addEventListener("message", (event) => {
      if (own !== socket) return; // belongs to the previous check
      const batch = JSON.parse(event.data);
      if (advance(batch.seq)) onBatch(batch.html);
    });
    own.addEventListener("close", (event) => {
      // A restart of the server may cause any close code, even a normal one; only private codes are final.
      if (own !== socket || leaving || event.code === NO_SUCH_CHECK) return;
      offlineTimer ??= setTimeout(() => onOffline(true), OFFLINE_AFTER_MS);
      setTimeout(connect, retryDelay(failures++));
    });
  }

  addEventListener("pagehide", () => (leaving = true));
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  connect();
  return { page, seq: () => seq, answered, continueWith };
}

/** Exponential backoff with jitter, so that the pages do not all reconnect at the same moment. */
function retryDelay(failures) {
  const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** failures);
  return ceiling / 2 + (Math.random() * ceiling) / 2;
}
