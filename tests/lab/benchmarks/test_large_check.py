"""The text of the benchmark of a large check, and the times that it reads from the event log."""

from __future__ import annotations

import re

from detection.lab.benchmarks.large_check import LoggedEvent, Timeline, make_large_text


def unit(at: float, sentence: int, kind: str = "unit.done") -> LoggedEvent:
    return LoggedEvent(kind, at, sentence)


def test_the_text_is_as_long_as_a_text_may_be_and_repeats_no_sentence() -> None:
    made = make_large_text(20_000)
    assert 19_700 <= len(made.text) <= 20_000
    sentences = re.split(r"(?<=[.!?”’'])\s+", made.text)
    assert len(sentences) > 130
    assert len(set(sentences)) == len(sentences)
    assert len(made.sources) == 2
    shorter, longer = sorted(map(len, made.sources))
    assert shorter > 0.8 * longer


def test_the_sources_have_the_texts_of_which_the_paragraphs_tell() -> None:
    made = make_large_text(5_000)
    assert "Lysfjord" in made.text.split("\n\n")[0]
    assert ["Lysfjord" in source for source in made.sources] == [True, False]
    told = len(made.text.split("\n\n"))
    assert sum(len(source) for source in made.sources) > 1_000 * told


def test_a_sentence_is_finished_with_its_last_unit_and_those_that_nobody_judges_do_not_count() -> None:
    timeline = Timeline(
        sent=100.0,
        events=(
            LoggedEvent("check.segmented", 101.0),
            unit(101.5, 2, kind="unit.skipped"),
            unit(102.0, 1),
            unit(103.0, 0),
            LoggedEvent("finding.added", 104.0, 1),
            unit(105.0, 1),
            unit(107.0, 0, kind="unit.failed"),
            LoggedEvent("check.done", 108.0),
        ),
    )
    assert timeline.to_event("check.segmented") == 1.0
    assert timeline.to_event("finding.added") == 4.0
    assert timeline.to_first_sentence == 5.0
    assert timeline.to_first_sentences(2) == 7.0
    assert timeline.to_share_of_sentences(0.5) == 5.0
    assert timeline.to_event("check.done") == 8.0


def test_a_check_without_a_finding_has_no_time_of_the_first() -> None:
    timeline = Timeline(sent=100.0, events=(unit(101.0, 0), LoggedEvent("check.done", 102.0)))
    assert timeline.to_event("finding.added") is None
