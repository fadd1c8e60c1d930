"""Takes pictures that are small enough to be kept with the source."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page

_QUALITY = 40
WIDE = {"width": 1280, "height": 860}
TALL = {"width": 1280, "height": 1500}
NARROW = {"width": 390, "height": 844}


@dataclass
class Camera:
    """Writes pictures into a folder, and remembers what they show."""

    folder: Path
    taken: list[tuple[str, str]] = field(default_factory=list)
    """Names and captions, in order."""

    def take(self, page: Page, name: str, caption: str) -> None:
        """What the window shows, as WebP: Playwright itself writes PNG, which is ten times as large."""
        page.evaluate("document.fonts.ready")
        session = page.context.new_cdp_session(page)
        shot = session.send("Page.captureScreenshot", {"format": "webp", "quality": _QUALITY})
        session.detach()
        (self.folder / f"{name}.webp").write_bytes(base64.b64decode(shot["data"]))
        self.taken.append((name, caption))
