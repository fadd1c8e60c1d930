"""Accept all takes only values that a source decides, and only if the words of the finding are still in the text."""

from __future__ import annotations

import pytest

from detection.core.labels import SuggestionLabel
from detection.core.rewriting.revise import (
    CERTAIN,
    accept_all,
    accept_for_measurement,
    is_decided_by_source,
    lost_its_words,
    suits_accept_all,
    touches,
)
from detection.core.types import Evidence, Finding, FindingKind, Sentence, Span, Suggestion, SuggestionMethod, Verdict

TEXTS = ("The mill was built in 1894.", "It has twelve rooms.", "The mill was built in 1912.")
OFFSETS = (0, len(TEXTS[0]) + 1, len(TEXTS[0]) + len(TEXTS[1]) + 2)
SENTENCES = tuple(
    Sentence(i, start, start + len(text), text) for i, (start, text) in enumerate(zip(OFFSETS, TEXTS, strict=True))
)
BY_INDEX = {sentence.index: sentence for sentence in SENTENCES}


def span_of(index: int, words: str) -> Span:
    start = SENTENCES[index].start + TEXTS[index].index(words)
    return Span(start, start + len(words))


def way_out(
    index: int,
    replacement: str,
    *,
    method: SuggestionMethod = SuggestionMethod.LOCAL,
    verified: bool = True,
    absorbed: int | None = None,
    label: str = SuggestionLabel.USE_SOURCE.of(),
) -> Suggestion:
    return Suggestion(index, replacement, "0" * 16, method, verified=verified, absorbed=absorbed, label=label)


#: A passage of a source with a clashing value.
SAYS_OTHERWISE = Evidence("The mill burnt in 1912.", Span(0, 23), source="7", conflict=(Span(18, 22),))


def found(
    index: int,
    words: str,
    *suggestions: Suggestion,
    kind: FindingKind = FindingKind.CONFLICTS_WITH_SOURCE,
    evidence: tuple[Evidence, ...] = (SAYS_OTHERWISE,),
    score: float = 0.9,
) -> Finding:
    span = span_of(index, words)
    return Finding(
        index, span, kind, Verdict.CONTRADICTED, score, "m", "e", evidence, "d.v1", words, suggestions=suggestions
    )


def test_the_first_suggestion_of_each_finding_that_suits_is_taken() -> None:
    findings = [
        found(0, "1894", way_out(0, TEXTS[0].replace("1894", "1912")), way_out(0, "")),
        found(1, "twelve", way_out(1, TEXTS[1].replace("twelve", "nine"))),
    ]
    assert accept_all(SENTENCES, findings) == {0: "The mill was built in 1912.", 1: "It has nine rooms."}


def test_two_findings_of_one_sentence_go_together() -> None:
    findings = [
        found(0, "1894", way_out(0, TEXTS[0].replace("1894", "1912"))),
        found(0, "mill", way_out(0, TEXTS[0].replace("mill", "barn"))),
    ]
    assert accept_all(SENTENCES, findings) == {0: "The barn was built in 1912."}


def test_what_does_not_suit_is_passed_over_for_the_next_one() -> None:
    year = TEXTS[0].replace("1894", "1912")
    unverified = way_out(0, year, verified=False)
    merge = way_out(0, year, absorbed=2, label=SuggestionLabel.MERGE_SENTENCES.of(1, 3))
    assert accept_all(SENTENCES, [found(0, "1894", unverified, merge)]) == {}
    assert accept_all(SENTENCES, [found(0, "1894", unverified, merge, way_out(0, year))]) == {0: year}


def test_a_suggestion_that_clashes_with_an_accepted_one_is_passed_over() -> None:
    year, other = TEXTS[0].replace("1894", "1912"), TEXTS[0].replace("1894", "1899")
    whole = TEXTS[0].replace("mill", "barn")
    findings = [found(0, "1894", way_out(0, year)), found(0, "mill", way_out(0, other), way_out(0, whole))]
    assert accept_all(SENTENCES, findings) == {0: "The barn was built in 1912."}


def test_a_finding_whose_words_another_decision_changed_is_left_alone() -> None:
    conflict = Evidence(TEXTS[2], SENTENCES[2].span, sentence=2, conflict=(span_of(2, "1912"),))
    findings = [
        found(2, "1912", way_out(2, TEXTS[2].replace("1912", "1894"))),
        found(0, "1894", way_out(0, TEXTS[0].replace("1894", "1912")), evidence=(SAYS_OTHERWISE, conflict)),
    ]
    assert accept_all(SENTENCES, findings) == {2: "The mill was built in 1894."}


@pytest.mark.parametrize("kind", FindingKind)
def test_only_a_conflict_with_a_source_is_decided_by_it(kind: FindingKind) -> None:
    is_conflict = kind is FindingKind.CONFLICTS_WITH_SOURCE
    assert is_decided_by_source(kind, 0.9, [SAYS_OTHERWISE]) is is_conflict
    change = way_out(0, TEXTS[0].replace("1894", "1912"))
    assert bool(accept_all(SENTENCES, [found(0, "1894", change, kind=kind)])) is is_conflict
    assert accept_for_measurement(SENTENCES, [found(0, "1894", change, kind=kind)])


@pytest.mark.parametrize(
    ("score", "evidence"),
    [
        pytest.param(CERTAIN - 0.01, SAYS_OTHERWISE, id="not certain"),
        pytest.param(0.9, Evidence("The mill burnt.", Span(0, 15), source="7"), id="no words that clash"),
        pytest.param(
            0.9, Evidence(TEXTS[2], SENTENCES[2].span, 2, conflict=(span_of(2, "1912"),)), id="a sentence of the text"
        ),
    ],
)
def test_a_source_decides_only_in_words_and_for_certain(score: float, evidence: Evidence) -> None:
    assert not is_decided_by_source(FindingKind.CONFLICTS_WITH_SOURCE, score, [evidence])
    assert is_decided_by_source(FindingKind.CONFLICTS_WITH_SOURCE, CERTAIN, [evidence, SAYS_OTHERWISE])


@pytest.mark.parametrize("label", SuggestionLabel)
def test_accept_all_puts_values_of_a_source_in_and_does_nothing_else(label: SuggestionLabel) -> None:
    assert suits_accept_all(label.of(), verified=True) is (label is SuggestionLabel.USE_SOURCE)
    assert not suits_accept_all(label.of(), verified=False)
    assert not suits_accept_all("Use the source", verified=True), "a label of an earlier version says nothing for sure"


@pytest.mark.parametrize(
    ("wordings", "lost"),
    [
        pytest.param({}, False, id="nothing changed"),
        pytest.param({0: TEXTS[0].replace("1894", "1912")}, True, id="its words"),
        pytest.param({0: TEXTS[0].replace("mill", "barn")}, False, id="other words"),
        pytest.param({0: ""}, True, id="its sentence is removed"),
        pytest.param({2: TEXTS[2].replace("1912", "1894")}, True, id="the words that clash"),
        pytest.param({2: TEXTS[2].replace("mill", "barn")}, False, id="other words of the other sentence"),
        pytest.param({1: ""}, False, id="a sentence between"),
    ],
)
def test_when_a_finding_has_lost_its_words(wordings: dict[int, str], lost: bool) -> None:
    conflict = Evidence(TEXTS[2], SENTENCES[2].span, sentence=2, conflict=(span_of(2, "1912"),))
    quote = Evidence("The mill burnt in 1894.", Span(0, 23), source="7", conflict=(Span(4, 8),))
    assert lost_its_words(span_of(0, "1894"), 0, (quote, conflict), BY_INDEX, wordings) is lost


@pytest.mark.parametrize(
    ("wordings", "lost"),
    [({0: TEXTS[0].replace("1894", "1912")}, False), ({0: ""}, True), ({2: "It is old."}, True), ({2: ""}, True)],
)
def test_a_finding_about_whole_sentences_lives_as_long_as_they_do(wordings: dict[int, str], lost: bool) -> None:
    whole = Evidence(TEXTS[2], span_of(2, "The mill was"), sentence=2)
    assert lost_its_words(SENTENCES[0].span, 0, (whole,), BY_INDEX, wordings) is lost


def test_touches_counts_in_the_original() -> None:
    assert touches(TEXTS[1], "", Span(0, 2))
    assert touches(TEXTS[1], "It has nine rooms.", Span(7, 13))
    assert not touches(TEXTS[1], "It has nine rooms.", Span(0, 6))
