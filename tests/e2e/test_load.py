"""The measurement of many open pages, small: so that it still runs when somebody needs its figures."""

from __future__ import annotations

from detection.lab.benchmarks import load

PAGES = 2


def test_pages_of_one_process_are_measured_up_to_the_limit() -> None:
    result = load.run(load.Load(load.Mode.EMBEDDED, (PAGES,), rest_s=0.2))
    (level,) = result["levels"]
    assert (level["pages"], level["checks_done"], level["pages_that_missed_the_end"]) == (PAGES, PAGES, 0)
    assert level["event_to_browser_ms"]["times"] >= PAGES
    assert level["page_ms"]["start"]["times"] > 0
    # The models have judged this text before, and compute next to nothing for it.
    assert level["per_check"]["processor_seconds"].keys() == {"server", "models", "visitors_and_model"}
    assert level["per_check"]["processor_seconds"]["server"] > 0
    assert all(level["with_open_pages_after_it"]["memory_mib"][part] > 0 for part in ("server", "models"))
    limit = result["at_the_limit"]
    assert limit["status"] == 429
    assert limit["accepted"] >= limit["unfinished_checks_at_most"] == PAGES
    assert limit["told"].startswith("Too many checks are waiting on this server.")
