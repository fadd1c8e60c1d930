// Follows the event log of a check by websocket. After every break it asks for what came since the last event it saw.

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;
const OFFLINE_AFTER_MS = 4_000;
const NO_SUCH_CHECK = 4404;

/**
 * @param {{checkId: string, seq: number, onBatch: (html: string) => void, onOffline: (offline: boolean) => void}} options
 */
export function followCheck({ checkId, seq, onBatch, onOffline }) {
  let failures = 0;
  let offlineTimer = null;
  let leaving = false;

  function connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/ws/checks/${checkId}/?since=${seq}`);
    socket.addEventListener("open", () => {
      failures = 0;
      clearTimeout(offlineTimer);
      offlineTimer = null;
      onOffline(false);
    });
    socket.addEventListener("message", (event) => {
      const batch = JSON.parse(event.data);
      if (batch.seq <= seq) return;
      seq = batch.seq;
      onBatch(batch.html);
    });
    socket.addEventListener("close", (event) => {
      // Any code may follow a restart of the server, also a normal one; only a private one is final.
      if (leaving || event.code === NO_SUCH_CHECK) return;
      offlineTimer ??= setTimeout(() => onOffline(true), OFFLINE_AFTER_MS);
      setTimeout(connect, retryDelay(failures++));
    });
  }

  addEventListener("pagehide", () => (leaving = true));
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  connect();
}

/** Doubling, with jitter, so that the pages do not all come back at the same moment. */
function retryDelay(failures) {
  const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** failures);
  return ceiling / 2 + (Math.random() * ceiling) / 2;
}
