"""Scenario ``grounding``: a long PDF as the source of a short text, sent to a running server by a form."""

from __future__ import annotations

import re
import tempfile
import time
from pathlib import Path
from typing import Any

from .client import PageClient
from .memory import PeakOfChildren, peak_memory
from .reports import Report, make_report
from .server import Server

#: Pages of the reports; the text quotes both with a wrong figure on the same page.
PAGES = (40, 200)
WRONG_PAGE = 37
_CITATION = re.compile(r"<cite>(.*?)</cite>", re.DOTALL)


def run() -> dict[str, Any]:
    """Check a text against reports of different lengths, each a new file, one after the other.

    Raises:
        DetectionError: the library that writes PDF is not installed.
    """
    reports = [(pages, make_report(pages, wrong_page=WRONG_PAGE)) for pages in PAGES]
    with tempfile.TemporaryDirectory(prefix="chatprotect-benchmark-") as folder:
        server = Server(Path(folder))
        server.start()
        try:
            client = PageClient(server.url)
            client.wait_for_check(client.send_check(text="The models are loaded first. It takes a while."))
            return {
                "scenario": "grounding",
                "reports": [_measure(server, client, pages, report) for pages, report in reports],
            }
        finally:
            server.stop()


def _measure(server: Server, client: PageClient, pages: int, report: Report) -> dict[str, Any]:
    with PeakOfChildren(server) as reader:
        sent = time.time()
        check_id = client.send_check(text=report.text, files=[("report.pdf", report.pdf)])
        client.wait_for_check(check_id)
    times = server.event_times(check_id)
    citations = _CITATION.findall(client.get(f"/checks/{check_id}/"))
    return {
        "pages": pages,
        "file_kib": len(report.pdf) // 1024,
        "sentences": report.text.count(". ") + 1,
        "seconds_to_text_of_the_source": round(times["source.ready"] - sent, 2),
        "seconds_to_first_verdict": round(times["unit.done"] - sent, 2),
        "seconds_to_first_warning": round(times.get("finding.added", times["check.done"]) - sent, 2),
        "wall_seconds": round(times["check.done"] - sent, 2),
        "warnings": len(server.rows(_WARNINGS, check_id.replace("-", ""))),
        "wrong_figure": report.wrong_words,
        "is_found": any(report.wrong_words in str(message) for (message,) in server.rows(_WARNINGS, check_id.replace("-", ""))),
        "pages_shown": sorted({page for text in citations for page in re.findall(r"page (\d+)", text)}),
        "peak_memory_mib": {
            "server": peak_memory(server.pid),
            "models": reader.before,
            "reader": reader.peak,
        },
    }


_WARNINGS = "SELECT message FROM detection_finding WHERE parent_check_id = ?"
