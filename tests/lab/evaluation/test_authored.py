"""Authored texts and summaries: true and false findings and correct rewrites, with manual answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from detection.core.local_models.process import InProcessModels
from detection.core.messages import Message
from detection.core.ports import Ports
from detection.core.types import (
    Engine,
    Evidence,
    Finding,
    FindingKind,
    Sentence,
    Span,
    Suggestion,
    SuggestionMethod,
    Verdict,
)
from detection.lab.evaluation.authored_summaries import AUTHORED_SUMMARIES as SUMMARIES
from detection.lab.evaluation.authored_texts import AUTHORED_TEXTS as TEXTS
from detection.lab.evaluation.base import EvaluationSet
from detection.lab.evaluation.checked import CheckAnswer, CheckQuestion, joined
from detection.lab.evaluation.rows import BadData

from .conftest import AUTHORED_SUMMARIES, AUTHORED_TEXTS, WriteRows

RIGHT = "Marta Lindqvist was born in Harwick in 1932."


def answer(sentences: Sequence[str], *findings: Finding, verdicts: Sequence[Verdict] = ()) -> CheckAnswer:
    """An answer with these sentences."""
    _, spans = joined(sentences)
    cut = [Sentence(i, span.start, span.end, sentences[i]) for i, span in enumerate(spans)]
    return CheckAnswer(tuple(cut), tuple(verdicts) or (Verdict.NO_PROBLEM_FOUND,) * len(cut), findings)


def finding(sentence: int, other: int | None, *suggestions: Suggestion) -> Finding:
    span = Span(0, 1)
    return Finding(
        sentence=sentence,
        span=span,
        kind=FindingKind.CROSS_CONTRADICTION,
        verdict=Verdict.CONTRADICTED,
        score=0.9,
        message=Message(),
        explanation="",
        evidence=(Evidence("", span, sentence=other),),
        detector="",
        quoted="",
        suggestions=suggestions,
    )


def rewrite(sentence: int, replacement: str, **others: Any) -> Suggestion:
    fields = {"base_hash": "", "method": SuggestionMethod.LOCAL, "verified": True, **others}
    return Suggestion(sentence, replacement, **fields)


def measured(
    evaluation_set: EvaluationSet[Any, Any, CheckAnswer], folder: Path, *answers: CheckAnswer
) -> dict[str, dict[str, float]]:
    """The figures by group without intervals."""
    result = evaluation_set.measure([row.truth for row in evaluation_set.load(folder)], answers)
    return {
        group.name: {name: value for name, value in group.metrics.values().items() if name[-4:] not in ("_low", "high")}
        for group in (result.overall, *result.groups)
    }


@pytest.fixture
def texts(write_rows: WriteRows) -> Path:
    return write_rows("authored_texts", AUTHORED_TEXTS)


BIOGRAPHY: Sequence[str] = AUTHORED_TEXTS[0]["sentences"]
NEWS: Sequence[str] = AUTHORED_TEXTS[1]["sentences"]


def test_a_planted_pair_is_found_in_either_order_and_others_are_false(texts: Path) -> None:
    for found in (finding(2, 0), finding(0, 2)):
        groups = measured(TEXTS, texts, answer(BIOGRAPHY, found, finding(3, 1), finding(1, 3)), answer(NEWS))
        assert groups["all"] == {
            "recall": 100.0,
            "recall_easy": 100.0,
            "precision": 50.0,
            "false_per_100": pytest.approx(100 / 6),
        }
        assert groups["kind: date"] == {"recall": 100.0, "recall_easy": 100.0}
        assert groups["clean texts"] == {"false_per_100": 0.0}
        assert groups["texts with contradictions"]["false_per_100"] == 25.0


def test_silence_finds_nothing(texts: Path) -> None:
    groups = measured(TEXTS, texts, answer(BIOGRAPHY), answer(NEWS))
    assert groups["all"] == {"recall": 0.0, "recall_easy": 0.0, "precision": 0.0, "false_per_100": 0.0}


def test_a_text_that_is_cut_otherwise_is_matched_by_place(texts: Path) -> None:
    merged = [" ".join(BIOGRAPHY[:2]), BIOGRAPHY[2], BIOGRAPHY[3]]
    groups = measured(TEXTS, texts, answer(merged, finding(1, 0)), answer(NEWS))
    assert (groups["all"]["recall"], groups["all"]["false_per_100"]) == (100.0, 0.0)


@pytest.mark.parametrize(
    ("offered", "share"),
    [
        ([rewrite(2, RIGHT)], 100.0),
        ([rewrite(2, "Marta Lindqvist was born in Harwick in 1934.")], 0.0),
        ([rewrite(2, RIGHT), rewrite(2, "Marta was born in Harwick in 1932.")], 50.0),
        ([rewrite(2, "")], None),
        ([rewrite(2, RIGHT, verified=False)], None),
        ([rewrite(0, "Marta Lindqvist was born in Harwick in 1936.")], None),
        ([rewrite(2, RIGHT, absorbed=0)], None),
    ],
)
def test_rewrites_are_judged_where_the_right_wording_is_known(
    texts: Path, offered: list[Suggestion], share: float | None
) -> None:
    groups = measured(TEXTS, texts, answer(BIOGRAPHY, finding(2, 0, *offered)), answer(NEWS))
    assert groups["all"].get("rewrites_right") == share


def test_it_is_said_how_many_rewrites_were_judged(texts: Path) -> None:
    answers = answer(BIOGRAPHY, finding(2, 0, rewrite(2, RIGHT), rewrite(0, RIGHT))), answer(NEWS)
    notes = TEXTS.measure([row.truth for row in TEXTS.load(texts)], answers).notes
    assert any(note.endswith("Judged here: 1.") for note in notes)


def test_a_rewrite_for_a_false_warning_is_wrong(texts: Path) -> None:
    groups = measured(TEXTS, texts, answer(BIOGRAPHY), answer(NEWS, finding(1, 0, rewrite(1, "Flax grows."))))
    assert groups["all"]["rewrites_right"] == 0.0


def test_rewrites_are_not_judged_in_a_file_without_right_wordings(write_rows: WriteRows) -> None:
    pair = {name: value for name, value in AUTHORED_TEXTS[0]["pairs"][0].items() if name != "fix"}
    folder = write_rows("authored_texts", [{**AUTHORED_TEXTS[0], "pairs": [pair]}])
    groups = measured(TEXTS, folder, answer(BIOGRAPHY, finding(3, 1, rewrite(3, "Gone."))))
    assert "rewrites_right" not in groups["all"]


def test_a_pair_that_is_not_in_the_text_is_refused(write_rows: WriteRows) -> None:
    pair = {**AUTHORED_TEXTS[0]["pairs"][0], "b": 4}
    folder = write_rows("authored_texts", [{**AUTHORED_TEXTS[0], "pairs": [pair]}])
    with pytest.raises(BadData, match="pairs 1: the field 'b' should be a number from 0 to 3"):
        TEXTS.load(folder)


async def test_the_judge_of_texts_is_the_product(texts: Path, local_models: InProcessModels) -> None:
    rows = TEXTS.load(texts)
    judge = TEXTS.judges[Engine.LOCAL]["in-text"](Ports(local_models))
    answers = await judge.judge([row.question for row in rows])
    result = TEXTS.measure([row.truth for row in rows], answers).overall.metrics.values()
    assert (result["recall"], result["false_per_100"], result["rewrites_right"]) == (100.0, 0.0, 100.0)


# --- Summaries --------------------------------------------------------------------------------------------------


@pytest.fixture
def summaries(write_rows: WriteRows) -> Path:
    return write_rows("authored_summaries", AUTHORED_SUMMARIES)


SUMMARY: Sequence[str] = [sentence["t"] for sentence in AUTHORED_SUMMARIES[0]["sentences"]]


def summary_figures(folder: Path, verdicts: tuple[Verdict, Verdict, Verdict], *findings: Finding) -> dict[str, float]:
    return measured(SUMMARIES, folder, answer(SUMMARY, *findings, verdicts=verdicts))["all"]


def test_each_label_has_its_figures(summaries: Path) -> None:
    figures = summary_figures(summaries, (Verdict.NOT_IN_SOURCE, Verdict.CONFLICTS_WITH_SOURCE, Verdict.SUPPORTED))
    assert figures == {
        "recall_c": 100.0,
        "recall_c_as_conflict": 100.0,
        "c_as_supported": 0.0,
        "recall_u": 0.0,
        "u_as_supported": 100.0,
        "flagged_per_100": 100.0,
        "s_as_supported": 0.0,
        "unsure_s": 0.0,
        "unsure_c": 0.0,
        "unsure_u": 0.0,
    }


def test_the_wrong_kind_of_warning_finds_but_does_not_name_a_conflict(summaries: Path) -> None:
    figures = summary_figures(summaries, (Verdict.UNSURE, Verdict.NOT_IN_SOURCE, Verdict.CONFLICTS_WITH_SOURCE))
    assert (figures["recall_c"], figures["recall_c_as_conflict"], figures["recall_u"]) == (100.0, 0.0, 100.0)
    assert (figures["unsure_s"], figures["flagged_per_100"]) == (100.0, 0.0)


def test_the_worst_verdict_at_the_place_of_a_sentence_counts(summaries: Path) -> None:
    [row] = SUMMARIES.load(summaries)
    parts = ["In 1968", "the wooden deck was replaced with steel."]
    verdicts = (Verdict.SUPPORTED, Verdict.SUPPORTED, Verdict.CONFLICTS_WITH_SOURCE, Verdict.UNSURE)
    cut = answer([SUMMARY[0], *parts, SUMMARY[2]], verdicts=verdicts)
    figures = SUMMARIES.measure([row.truth], [cut]).overall.metrics.values()
    assert (figures["recall_c_as_conflict"], figures["unsure_u"]) == (100.0, 100.0)


@pytest.mark.parametrize(
    ("sentence", "replacement", "share"),
    [
        (1, "In 1958 the wooden deck was replaced with steel.", 100.0),
        (1, "In 1968 the wooden deck was replaced.", 0.0),
        (0, "The Sorrel Bridge was opened.", 0.0),
        (2, "A railway company from Oslo paid for it.", None),
        (1, "", None),
    ],
)
def test_rewrites_of_summaries(summaries: Path, sentence: int, replacement: str, share: float | None) -> None:
    found = finding(sentence, None, rewrite(sentence, replacement))
    figures = summary_figures(summaries, (Verdict.SUPPORTED,) * 3, found)
    assert figures.get("rewrites_right") == share


def test_our_own_summaries_name_the_right_wording_otherwise(write_rows: WriteRows) -> None:
    row = AUTHORED_SUMMARIES[0]
    renamed = [
        {{"fix": "right"}.get(name, name): value for name, value in sentence.items()} for sentence in row["sentences"]
    ]
    folder = write_rows("authored_summaries", [{**row, "sentences": renamed}])
    found = finding(1, None, rewrite(1, "In 1958 the wooden deck was replaced with steel."))
    assert summary_figures(folder, (Verdict.SUPPORTED,) * 3, found)["rewrites_right"] == 100.0


def test_a_judge_is_shown_no_label(summaries: Path) -> None:
    [row] = SUMMARIES.load(summaries)
    assert row.question == CheckQuestion(" ".join(SUMMARY), AUTHORED_SUMMARIES[0]["source"])
