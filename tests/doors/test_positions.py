"""Conversion of offsets between units; rewrites as minimal edits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from detection.core.messages import Message
from detection.core.types import Finding, FindingKind, Sentence, Span, Suggestion, SuggestionMethod, Verdict, text_hash
from detection.doors.languagetool import _assembled
from detection.doors.positions import Lines, Position, Utf16Offsets, utf16_length
from detection.doors.replacing import replacements_of

TEXTS = st.text(st.sampled_from("ab \n🌊é👷\u200d"), max_size=30)
PARTS = st.lists(st.tuples(TEXTS, TEXTS, TEXTS), max_size=5)


@given(TEXTS)
def test_utf16_offsets_are_those_of_the_encoding(text: str) -> None:
    offsets = Utf16Offsets(text)
    for offset in range(len(text) + 1):
        assert offsets.of(offset) == len(text[:offset].encode("utf-16-le")) // 2


@given(TEXTS)
def test_positions_of_editors_lead_back(text: str) -> None:
    lines = Lines(text)
    for offset in range(len(text) + 1):
        assert lines.offset_of_utf16(lines.utf16_position(offset)) == offset


def test_places_that_are_not_there_are_the_nearest() -> None:
    lines = Lines("ab\ncd")
    assert lines.offset_of_utf16(Position(0, 99)) == 2
    assert lines.offset_of_utf16(Position(9, 0)) == 5


@given(PARTS)
def test_offsets_of_annotated_texts_count_what_was_sent(pieces: list[tuple[str, str, str]]) -> None:
    """Every word of the text is in the sent text at the reported offset."""
    annotated = _assembled(pieces)
    sent = "".join(markup + own for own, markup, _ in pieces).encode("utf-16-le")
    units = Utf16Offsets(annotated.text)
    position = 0
    for own, _markup, interpreted in pieces:
        position += len(interpreted)
        for offset, character in enumerate(own):
            start = annotated.sent_offset(units.of(position + offset), position + offset, is_end=False)
            end = annotated.sent_offset(units.of(position + offset + 1), position + offset + 1, is_end=True)
            assert sent[2 * start : 2 * end].decode("utf-16-le") == character
        position += len(own)


def test_line_ends_of_two_characters_count_two() -> None:
    annotated = _assembled([("a\r\nb\rc", "", "")])
    assert annotated.text == "a\nb\nc"
    assert annotated.sent_offset(2, 2, is_end=False) == 3
    assert annotated.sent_offset(4, 4, is_end=False) == 5


def _finding(sentence: Sentence, words: Span, *rewrites: str) -> Finding:
    return Finding(
        sentence=0, span=words, kind=FindingKind.CROSS_CONTRADICTION, verdict=Verdict.CONTRADICTED, score=1.0,
        message=Message(), explanation="", evidence=(), detector="", quoted=words.of(sentence.text),
        suggestions=tuple(
            Suggestion(0, rewrite, text_hash(sentence.text), SuggestionMethod.LOCAL, verified=True)
            for rewrite in rewrites
        ),
    )  # fmt: skip


WORDS = st.lists(st.sampled_from(["the", "hall", "1894", "18", "94", "180", "s", "."]), min_size=1, max_size=7)


@given(WORDS, st.lists(WORDS, max_size=3), st.data())
def test_a_replacement_makes_the_rewrite(words: list[str], rewrites: list[list[str]], data: st.DataObject) -> None:
    text = " ".join(words)
    start = data.draw(st.integers(0, len(text) - 1))
    span = Span(start, data.draw(st.integers(start, len(text))))
    sentence = Sentence(0, 0, len(text), text)
    wanted = [" ".join(rewrite) for rewrite in rewrites]
    found = replacements_of(_finding(sentence, span, *wanted), [sentence])
    assert found.span.contains(span)
    made = {text[: found.span.start] + value + text[found.span.end :] for value in found.texts}
    assert made == set(wanted)


def test_only_the_words_that_change_are_replaced() -> None:
    text = "It was built in 1894 by the town."
    found = replacements_of(_finding(Sentence(0, 0, len(text), text), Span(16, 20), text.replace("1894", "1849")), [
        Sentence(0, 0, len(text), text)
    ])  # fmt: skip
    assert (found.span.of(text), found.texts) == ("1894", ("1849",))


def test_lengths_count_units() -> None:
    assert utf16_length("a🌊") == 3
