"""Assemble sentences from streamed pieces, and character probabilities from tokens of bytes."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from detection.core.active_generation.sentence_stream import VIEW, SentenceStream, WholeStretch
from detection.core.llm.probabilities import TokenProbability, TokenTrack
from detection.core.types import BlockKind, Span

TEXT = """\
# Sorrel

Sorrel lies on Lake Ferrin. It was founded by Dr. Lind in 1894. "Why?" he asked. She left for the U.S. in May.

```python
height = 1. if tall else 2. Or not
```

- The first mill. It has two wheels.
- The second mill

Early life
She was born in Bergen, and went to school there until the war broke out.

| year | mills |
|------|-------|
| 1894 | 2     |

That is all.
"""


def stretches(text: str, size: int, line: str = "") -> list[WholeStretch]:
    stream = SentenceStream(line)
    found = [stretch for start in range(0, len(text), size) for stretch in stream.add(text[start : start + size])]
    return [*found, *stream.end()]


@pytest.mark.parametrize("size", [1, 2, 7, 40, len(TEXT)])
def test_the_pieces_do_not_matter(size: int) -> None:
    assert stretches(TEXT, size) == stretches(TEXT, len(TEXT))


@pytest.mark.parametrize("size", [1, 3, 40])
def test_a_text_that_goes_on_with_an_unfinished_sentence_loses_nothing(size: int) -> None:
    found = stretches("in 1891. She died.", size, line="She moved to Paris")
    assert [stretch.text for stretch in found] == ["in 1891.", "She died."]


def test_sentences_headings_items_rows_and_code_come_each_in_one_piece() -> None:
    found = [(stretch.kind, stretch.text) for stretch in stretches(TEXT, 5)]
    assert found == [
        (BlockKind.HEADING, "Sorrel"),
        (BlockKind.PARAGRAPH, "Sorrel lies on Lake Ferrin."),
        (BlockKind.PARAGRAPH, "It was founded by Dr. Lind in 1894."),
        (BlockKind.PARAGRAPH, '"Why?" he asked.'),
        (BlockKind.PARAGRAPH, "She left for the U.S. in May."),
        (BlockKind.CODE, "```python\nheight = 1. if tall else 2. Or not\n```"),
        (BlockKind.LIST_ITEM, "The first mill."),
        (BlockKind.LIST_ITEM, "It has two wheels."),
        (BlockKind.LIST_ITEM, "The second mill"),
        (BlockKind.HEADING, "Early life"),
        (BlockKind.PARAGRAPH, "She was born in Bergen, and went to school there until the war broke out."),
        (BlockKind.TABLE, "| year | mills |\n|------|-------|"),
        (BlockKind.TABLE, "| 1894 | 2     |"),
        (BlockKind.PARAGRAPH, "That is all."),
    ]


def test_a_sentence_comes_before_the_next_one_is_written() -> None:
    stream = SentenceStream()
    following = "The next one".ljust(VIEW)
    assert not list(stream.add("It was founded by Dr. "))
    assert not list(stream.add("Lind. "))
    (stretch,) = stream.add(following)
    assert stretch.text == "It was founded by Dr. Lind."


@given(st.text(alphabet=st.sampled_from('aB1 .\n`-#|!"(é'), max_size=200), st.integers(1, 20))
def test_nothing_is_lost_or_told_twice(text: str, size: int) -> None:
    whole = "".join(stretch.lead + stretch.text for stretch in stretches(text, size))
    assert text.startswith(whole)
    # A fence without code after it is no text.
    assert not any(map(str.isalpha, re.sub(r"`{3,}.*", "", text[len(whole) :])))


@pytest.mark.parametrize(
    ("text", "lead", "kind"),
    [
        ("Its rules:", " ", BlockKind.PARAGRAPH),
        (" Its rules:", " ", BlockKind.PARAGRAPH),
        ("\n\nIts rules:\n", "\n\n", BlockKind.PARAGRAPH),
        ("# Its rules\n", "# ", BlockKind.HEADING),
        ("- the first rule", "- ", BlockKind.LIST_ITEM),
        ("1914 was a good year.", " ", BlockKind.PARAGRAPH),
    ],
)
@pytest.mark.parametrize("size", [1, 100])
def test_what_goes_on_with_a_line_is_read_as_a_part_of_it(text: str, lead: str, kind: BlockKind, size: int) -> None:
    (stretch,) = stretches(text, size, "The mill was built in 1894 and burned down in 1911.")
    assert (stretch.lead, stretch.kind) == (lead, kind)
    assert stretch.text in text


# --- Probabilities ----------------------------------------------------------------------------------------------


@st.composite
def tokenised(draw: st.DrawFn) -> tuple[str, list[TokenProbability]]:
    """A text, and its bytes split at any position, even within characters."""
    text = draw(st.text(min_size=1, max_size=40))
    data = text.encode()
    cuts = sorted(draw(st.sets(st.integers(0, len(data)), max_size=len(data))) | {0, len(data)})
    parts = [data[start:end] for start, end in pairwise(cuts)]
    return text, [TokenProbability(part, draw(st.floats(0, 1))) for part in parts]


@given(tokenised())
def test_each_character_has_the_least_probability_of_the_tokens_that_wrote_it(
    written: tuple[str, list[TokenProbability]],
) -> None:
    text, tokens = written
    assume(any(token.probability < 1 for token in tokens))  # otherwise no probability was given
    track = TokenTrack()
    track.add(tokens)
    found = track.probabilities(text, Span(0, len(text)))
    ends = [len(b"".join(token.data for token in tokens[: i + 1])) for i in range(len(tokens))]
    expected = []
    for i in range(len(text)):
        first, last = len(text[:i].encode()), len(text[: i + 1].encode())
        wrote = [
            token.probability
            for token, end in zip(tokens, ends, strict=True)
            if end > first and end - len(token.data) < last
        ]
        expected.append(min(wrote))
    assert found == tuple(expected)


def test_tokens_of_another_text_tell_nothing() -> None:
    track = TokenTrack()
    assert track.probabilities("Zoë", Span(0, 3)) is None
    track.add([TokenProbability(b"Zoe", 0.5)])
    assert track.probabilities("Zoë", Span(0, 3)) is None


def test_the_sentences_of_a_text_that_is_gone_on_with_have_the_probabilities_of_their_own_tokens() -> None:
    stream = SentenceStream("Zoë wrote it.")
    parts = [(b"It w", 0.9), (b"as \xc3", 0.4), (b"\xa9t\xc3\xa9.", 0.8)]
    tokens = [TokenProbability(data, probability) for data, probability in parts]
    list(stream.add("It was été.", tokens))
    (stretch,) = stream.end()
    assert (stretch.lead, stretch.text) == (" ", "It was été.")
    assert stretch.probabilities == (0.9,) * 4 + (0.4,) * 4 + (0.8,) * 3
