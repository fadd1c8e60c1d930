// Follows the event log of a check by websocket. After every break it asks for what came since the last event it saw.

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;
const OFFLINE_AFTER_MS = 4_000;
const NO_SUCH_CHECK = 4404;

/**
 * @param {{checkId: string, seq: number, onBatch: (html: string) => void, onOffline: (offline: boolean) => void}} options
 * @returns {{page: string, seq: () => number, answered: (to: number) => boolean, goOnWith: (checkId: string) => void}}
 *   What the page calls itself; the newest event that it shows; what takes note of a newer one that came with an answer,
 *   and says whether it is newer; and what follows another check from its beginning.
 */
export function followCheck({ checkId, seq, onBatch, onOffline }) {
  let failures = 0;
  let offlineTimer = null;
  let leaving = false;
  let socket = null;
  // Not randomUUID: browsers have that on secure addresses only.
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

  function goOnWith(otherId) {
    const before = socket;
    checkId = otherId;
    seq = 0;
    connect();
    before.close();
  }

  function connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const query = new URLSearchParams(location.search); // which warnings the page shows
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
      if (own !== socket) return; // of the check before
      const batch = JSON.parse(event.data);
      if (advance(batch.seq)) onBatch(batch.html);
    });
    own.addEventListener("close", (event) => {
      // Any code may follow a restart of the server, also a normal one; only a private one is final.
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
  return { page, seq: () => seq, answered, goOnWith };
}

/** Doubling, with jitter, so that the pages do not all come back at the same moment. */
function retryDelay(failures) {
  const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** failures);
  return ceiling / 2 + (Math.random() * ceiling) / 2;
}
