"""The phrases that explain a clash to a reader."""

from __future__ import annotations

import pytest

from detection.core.rules.alignment import ValueConflict, prepare
from detection.core.rules.denial import conflicts_of_denial
from detection.core.rules.parties import telling
from detection.core.rules.phrases import phrase_at
from detection.core.types import ParsedSentence, Sentence, Span

from .conftest import Parse


def _phrase(parse: Parse, sentence: str, words: str) -> str:
    start = sentence.index(words)
    return phrase_at(prepare(parse(sentence)), Span(start, start + len(words)))


@pytest.mark.parametrize(
    ("sentence", "words", "phrase"),
    [
        ("The company has 32 employees in Bergen.", "32", "32 employees"),
        ("The 23 people employed in Bergen were thanked.", "23", "23 people"),
        ("The town has a population of 12,000.", "12,000", "population of 12,000"),
        ("Five of the nine jury members are women.", "Five", "Five of the nine jury members"),
        ("Oslo is the capital of Norway.", "Norway", "capital of Norway"),
        ("It is the largest lake in the country.", "largest", "largest lake"),
    ],
)
def test_a_value_of_a_noun_is_told_with_the_noun(parse: Parse, sentence: str, words: str, phrase: str) -> None:
    assert _phrase(parse, sentence, words) == phrase


@pytest.mark.parametrize(
    ("sentence", "words", "phrase"),
    [
        ("The Sorrel Water Works opened in 1931.", "1931", "opened in 1931"),
        ("The mill was not built in 1870.", "1870", "was not built in 1870"),
        ("The novel was written by Karl Lind.", "Karl Lind", "written by Karl Lind"),
        ("The board meets twice a week.", "twice a week", "meets twice a week"),
        ("It costs £45 per month.", "£45", "costs £45"),
        ("The price is £40 per month.", "£40", "price is £40"),
        ("The battery lasts up to 10 hours.", "up to 10 hours", "lasts up to 10 hours"),
        ("The deposit must be paid within 14 days.", "14 days", "must be paid within 14 days"),
        ("Sales increased in 2020.", "increased", "increased"),
    ],
)
def test_a_value_of_a_verb_is_told_with_the_verb(parse: Parse, sentence: str, words: str, phrase: str) -> None:
    assert _phrase(parse, sentence, words) == phrase


@pytest.mark.parametrize(
    ("sentence", "words", "phrase"),
    [
        # Another value is between the verb and this one.
        ("Lind was born in 1911 in Oslo.", "Oslo", "in Oslo"),
        # The verb is in another clause, or too far away.
        ("Ada Lind (24 May 1901 – 3 June 1950) was an engineer.", "24 May 1901", "24 May 1901"),
        (
            "The mill burned down, as all who lived near the old harbour of the town knew, in 1870.",
            "1870",
            "1870",
        ),
        # Nothing to add, or no word at all.
        ("Brightwater employs 23 people.", "Brightwater", "Brightwater"),
        ("It is £40.", "£40", "£40"),
        ("The mill opened in 1941 😮 and closed soon.", "1941 😮", "opened in 1941"),
    ],
)
def test_a_phrase_stays_in_its_clause_and_short(parse: Parse, sentence: str, words: str, phrase: str) -> None:
    assert _phrase(parse, sentence, words) == phrase


def test_a_phrase_is_on_one_line_and_without_markup(parse: Parse) -> None:
    assert _phrase(parse, "The mill was *built*\nin 1870 by two brothers.", "1870") == "built in 1870"


def test_a_sentence_that_was_not_parsed_gives_the_words_themselves() -> None:
    text = "The mill has 12 rooms."
    clause = prepare(ParsedSentence(Sentence(0, 0, len(text), text), ()))
    assert phrase_at(clause, Span(13, 15)) == "12"


def test_a_denial_is_told_with_what_it_is_of(parse: Parse) -> None:
    source = prepare(parse("The Provider shall not subcontract without consent."))
    claim = prepare(parse("The Provider may subcontract without consent."))
    (clash,) = conflicts_of_denial(source, claim)
    assert phrase_at(source, clash.premise.span) == "shall not subcontract without consent"
    assert phrase_at(claim, clash.hypothesis.span) == "may subcontract without consent"


def test_a_party_by_its_other_name_is_told_only_where_nothing_else_clashes(parse: Parse) -> None:
    source = prepare(parse("The Provider shall not subcontract any part of the work."))
    claim = prepare(parse("Brightwater may subcontract any part of the work."))
    names = ValueConflict(source.values[0], claim.values[0], 0.9)
    (denial,) = conflicts_of_denial(source, claim)
    assert telling([names, denial]) == [denial]
    assert telling([names]) == [names]
