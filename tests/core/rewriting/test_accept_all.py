"""What accept all takes: only what was checked again, and only as long as the words of a finding are still there."""

from __future__ import annotations

import pytest

from detection.core.rewriting.revise import accept_all, lost_its_words, suits_accept_all, touches
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
) -> Suggestion:
    return Suggestion(index, replacement, "0" * 16, method, verified=verified, absorbed=absorbed)


def found(
    index: int,
    words: str,
    *suggestions: Suggestion,
    kind: FindingKind = FindingKind.CROSS_CONTRADICTION,
    evidence: tuple[Evidence, ...] = (),
) -> Finding:
    span = span_of(index, words)
    return Finding(
        index, span, kind, Verdict.CONTRADICTED, 0.9, "m", "e", evidence, "d.v1", words, suggestions=suggestions
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
    unverified, merge = way_out(0, year, verified=False), way_out(0, year, absorbed=2)
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
        found(0, "1894", way_out(0, TEXTS[0].replace("1894", "1912")), evidence=(conflict,)),
    ]
    assert accept_all(SENTENCES, findings) == {2: "The mill was built in 1894."}


@pytest.mark.parametrize("kind", FindingKind)
@pytest.mark.parametrize("method", SuggestionMethod)
def test_silence_of_a_source_never_removes_a_sentence(kind: FindingKind, method: SuggestionMethod) -> None:
    silent = kind in (FindingKind.NOT_IN_SOURCE, FindingKind.UNSUPPORTED_BY_EVIDENCE)
    suits = not (silent and method is SuggestionMethod.DROP)
    assert suits_accept_all(kind, method, verified=True, merges=False) is suits
    assert suits_accept_all(kind, method, verified=False, merges=False) is False
    assert suits_accept_all(kind, method, verified=True, merges=True) is False


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
