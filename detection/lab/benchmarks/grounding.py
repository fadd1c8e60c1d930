"""Scenario ``grounding``: a long PDF as the source of a short text, sent to a running server by a form."""

from __future__ import annotations

import re
import time
from typing import Any

from .client import PageClient
from .processes import PeakOfNewChildren, children, peak_memory
from .reports import Report, make_report
from .server import Server, running_server

#: Pages of the reports; the text quotes each with a wrong figure on the same page.
PAGES = (40, 200)
WRONG_PAGE = 37
_CITATION = re.compile(r"<cite>(.*?)</cite>", re.DOTALL)


def run() -> dict[str, Any]:
    """Check a text against reports of different lengths, each a new file, one after the other.

    Raises:
        DetectionError: the library that writes PDF is not installed.
    """
    reports = [(pages, make_report(pages, wrong_page=WRONG_PAGE)) for pages in PAGES]
    with running_server() as server:
        client = PageClient(server.url)
        server.wait_for_check(client.send_check(text="The models are loaded first.", source="They are loaded."))
        measured = [_measure(server, client, pages, report) for pages, report in reports]
    return {"scenario": "grounding", "reports": measured}


def _measure(server: Server, client: PageClient, pages: int, report: Report) -> dict[str, Any]:
    models = children(server.pid)
    with PeakOfNewChildren(server) as reader:
        sent = time.time()
        check_id = client.send_check(text=report.text, files=[("report.pdf", report.pdf)])
        times = server.wait_for_check(check_id)
    warnings = [
        str(message)
        for (message,) in server.rows(
            "SELECT message FROM detection_finding WHERE parent_check_id = ?", check_id.replace("-", "")
        )
    ]
    citations = " ".join(_CITATION.findall(client.get(f"/checks/{check_id}/")))
    return {
        "pages": pages,
        "file_kib": len(report.pdf) // 1024,
        "seconds_to_text_of_source": round(times["source.ready"] - sent, 2),
        "seconds_to_first_verdict": round(times["unit.done"] - sent, 2),
        "seconds_to_first_warning": round(times.get("finding.added", times["check.done"]) - sent, 2),
        "wall_seconds": round(times["check.done"] - sent, 2),
        "warnings": len(warnings),
        "wrong_figure_is_found": any(report.wrong_figure in message for message in warnings),
        "pages_shown": sorted(map(int, set(re.findall(r"page (\d+)", citations)))),
        "peak_memory_mib": {
            "server": peak_memory(server.pid),
            "models": sum(map(peak_memory, models)),
            "reader": reader.peak,
        },
    }
