"""Scenario ``page``: the latency of the review page of a long text, from key to paint and from event to paint.

It needs the test tools and Chromium. Times are taken in the browser: a paint is over when the next task runs.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...core.errors import DetectionError
from .page_check import SENTENCES, WARNINGS
from .server import ROOT, Server, running_server

if TYPE_CHECKING:
    from playwright.sync_api import Page

STEPS = 30
DECISIONS = 15
HOVERS = 15

#: Notes when a key went down, when a batch of the log came, and when what they changed was on the screen. A decision is
#: noted twice: when it is shown, and when what the server answered is.
_STOPWATCH = """
(() => {
  const painted = (then) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => then(performance.now());
    channel.port2.postMessage(null);
  });
  window.stopwatch = { keys: [], decisions: [], answers: [], events: [], hovers: [] };
  let moved = null;
  addEventListener("mousemove", () => (moved = performance.now()), true);
  let pressed = null;
  addEventListener("keydown", (event) => {
    if (!["ArrowDown", "Enter"].includes(event.key)) return;
    const now = performance.now();
    // Where none is current, the keys decide on the first.
    const { id: card, dataset } = document.querySelector(".card.is-current") ?? document.querySelector(".card.is-open");
    pressed = { at: now, isDecision: event.key === "Enter", card, finding: dataset.finding };
    if (!pressed.isDecision) {
      const { at } = pressed;
      painted((now) => stopwatch.keys.push(now - at));
    }
  }, true);
  const Original = WebSocket;
  window.WebSocket = class extends Original {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", () => {
        const at = performance.now();
        painted((now) => stopwatch.events.push(now - at));
      });
    }
  };
  addEventListener("DOMContentLoaded", () => {
    const cards = document.getElementById("cards");
    if (!cards) return;
    const quick = document.getElementById("quick-card");
    new MutationObserver(() => {
      if (quick.hidden || moved === null) return;
      const at = moved;
      moved = null;
      painted((now) => stopwatch.hovers.push(now - at));
    }).observe(quick, { attributeFilter: ["hidden"] });
    // Decided is what the card says and what the text shows: the card is closed, and no mark speaks of it.
    const isShown = ({ card, finding }) =>
      !document.getElementById(card).classList.contains("is-open") &&
      ![...document.querySelectorAll(".text .mark")].some((mark) => mark.dataset.findings.split(" ").includes(finding));
    const isAnswered = ({ card }) => !document.getElementById(card).matches(".is-open, .is-sent");
    let shown = [];
    new MutationObserver(() => {
      if (pressed?.isDecision && isShown(pressed)) {
        const { at } = pressed;
        shown.push(pressed);
        pressed = null;
        painted((now) => stopwatch.decisions.push(now - at));
      }
      for (const { at } of shown.filter(isAnswered)) painted((now) => stopwatch.answers.push(now - at));
      shown = shown.filter((decision) => !isAnswered(decision));
    }).observe(cards, { childList: true, subtree: true, attributeFilter: ["class"] });
  });
})();
"""

_SCROLL = """
async () => {
  const frames = [];
  let last = performance.now();
  for (let top = 0; top < document.documentElement.scrollHeight; top += 120) {
    scrollTo({ top, behavior: "instant" });
    await new Promise(requestAnimationFrame);
    frames.push(performance.now() - last);
    last = performance.now();
  }
  return frames;
}
"""


def run() -> dict[str, Any]:
    """Start a server and a browser, open a long check in two tabs, and decide in one of them by the keyboard.

    Raises:
        DetectionError: the test tools or Chromium are missing.
    """
    try:
        import playwright.sync_api  # noqa: F401  # a test tool, which is not installed everywhere
    except ImportError:
        raise DetectionError("This benchmark needs the test tools. Run 'make test' once.") from None
    # The whole browser first, as readers have it.
    names = ("chromium", "google-chrome", "chromium-headless-shell")
    chromium = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        raise DetectionError("This benchmark needs Chromium. Install it, or set CHROMIUM to its path.")
    with running_server() as server:
        return _measure(server, chromium)


def _measure(server: Server, chromium: str) -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 860})
        page, other = context.new_page(), context.new_page()
        for tab in (page, other):
            tab.set_default_timeout(60_000)
            tab.add_init_script(_STOPWATCH)
        address = f"/checks/{_large_check(server, page)}/"
        page.goto(address)
        other.goto(address)
        page.bring_to_front()
        loaded: float = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
        frames: list[float] = page.evaluate(_SCROLL)
        for _ in range(STEPS):
            page.keyboard.press("Alt+ArrowDown")
            page.wait_for_timeout(100)
        for position in range(HOVERS):
            _hover(page, position)
        for _ in range(DECISIONS):
            _decide(page)
        page.locator(".card.is-sent").first.wait_for(state="detached")
        page.wait_for_timeout(150)
        times = {name: page.evaluate(f"stopwatch.{name}") for name in ("keys", "decisions", "answers", "hovers")}
        # The decisions of one tab reach the other one as events; only the tab in front paints.
        other.bring_to_front()
        other.wait_for_timeout(1_000)
        other.evaluate("stopwatch.events.length = 0")
        for _ in range(DECISIONS):
            page.evaluate("document.querySelector('.card.is-open [data-reject]').click()")
            other.wait_for_timeout(600)
        events = other.evaluate("stopwatch.events")
        browser.close()
    return {
        "scenario": "page",
        "cores": os.cpu_count(),
        "sentences": SENTENCES,
        "warnings": WARNINGS,
        "page_loaded_ms": round(loaded, 1),
        "key_to_paint_ms": _distribution(times["keys"]),
        "hover_to_paint_ms": _distribution(times["hovers"]),
        "decision_to_paint_ms": _distribution(times["decisions"]),
        "decision_to_answer_ms": _distribution(times["answers"]),
        "event_to_paint_ms": _distribution(events),
        "frame_while_scrolling_ms": _distribution(frames),
    }


def _hover(page: Page, position: int) -> None:
    """Point at a mark, and take the pointer away again."""
    x, y = page.evaluate(
        """(position) => {
             const mark = document.querySelectorAll(".text .mark")[position];
             mark.scrollIntoView({ block: "center", behavior: "instant" });
             const line = mark.getClientRects()[0];
             return [line.x + 20, line.y + line.height / 2];
           }""",
        position,
    )
    page.mouse.move(x, y)
    page.wait_for_timeout(200)
    page.keyboard.press("Escape")
    page.mouse.move(2, 2)
    page.wait_for_timeout(300)


def _large_check(server: Server, page: Page) -> str:
    """Store the check for the session of this browser, and return its id."""
    page.goto("/")
    page.get_by_label("Text", exact=True).fill("It was founded in 1894.")
    page.get_by_role("button", name="Check", exact=True).click()
    page.wait_for_url("**/checks/*-*/")
    ((owner,),) = server.rows("SELECT owner FROM detection_check")
    command = [sys.executable, "-m", "detection.lab.benchmarks.page_check", str(owner)]
    environment = {**os.environ, "CHATPROTECT_DATA_DIR": str(server.data_dir)}
    stored = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    return stored.stdout.strip()


def _decide(page: Page) -> None:
    """Keep the original of the current warning, and wait until that is shown."""
    rejected = page.locator(".card.is-rejected")
    count = rejected.count()
    page.keyboard.press("Alt+Shift+Enter")
    rejected.nth(count).wait_for()
    page.wait_for_timeout(150)


def _distribution(milliseconds: Sequence[float]) -> dict[str, float]:
    ordered = sorted(milliseconds)
    return {
        "median": round(statistics.median(ordered), 1),
        "p95": round(ordered[int(len(ordered) * 0.95)], 1),
        "most": round(ordered[-1], 1),
        "times": len(ordered),
    }
