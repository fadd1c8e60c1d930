"""The input of all other modules of this package: a parsed sentence with its titles, dates and names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from detection.core.language.tree import Tree
from detection.core.language.triples.dates import find_date_ranges
from detection.core.language.triples.titles import end_of_heading, find_titles
from detection.core.types import Entity, ParsedSentence, Span, Token

#: Positions of tokens in the sentence, in output order.
Positions: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AnnotatedSentence:
    """A parsed sentence with its tree, titles, date ranges and names. All positions are those of its tokens."""

    parsed: ParsedSentence
    tree: Tree
    root: int
    heading_end: int
    """The first token after a heading in the same line; 0 without one."""
    titles: tuple[range, ...]
    date_ranges: tuple[range, ...]
    named: frozenset[int]
    """The tokens that are part of an entity."""

    @classmethod
    def of(cls, parsed: ParsedSentence) -> AnnotatedSentence:
        tokens = parsed.tokens
        roots = (position for position, token in enumerate(tokens) if token.head == position and token.pos != "PUNCT")
        return cls(
            parsed,
            Tree.of(parsed),
            root=next(roots, 0),
            heading_end=end_of_heading(tokens),
            titles=tuple(find_titles(tokens)),
            date_ranges=tuple(find_date_ranges(tokens)),
            named=frozenset(
                position
                for position, token in enumerate(tokens)
                if any(entity.span.overlaps(token.span) for entity in parsed.entities)
            ),
        )

    @property
    def tokens(self) -> tuple[Token, ...]:
        return self.parsed.tokens

    @property
    def entities(self) -> tuple[Entity, ...]:
        return self.parsed.entities

    def is_in_title(self, position: int) -> bool:
        return any(position in title for title in self.titles)

    def date_range_at(self, position: int) -> range | None:
        """The date range of the token: "2011 to 2019"."""
        return next((dates for dates in self.date_ranges if position in dates), None)

    def is_specific(self, position: int) -> bool:
        """True for names, numbers and dates, which can be checked."""
        token = self.tokens[position]
        return token.pos in ("PROPN", "NUM") or position in self.named or holds_digit(token.text)

    def span(self, positions: Positions) -> Span:
        """From the first to the last of the tokens, counted in the document."""
        return Span(self.tokens[positions[0]].span.start, self.tokens[positions[-1]].span.end)

    def text(self, positions: Positions) -> str:
        """The text of the sentence from the first to the last of the tokens."""
        return self.span(positions).shifted(-self.parsed.sentence.start).of(self.parsed.text)

    def joined(self, positions: Positions) -> str:
        """The words joined by spaces, except where the sentence has none ("didn’t")."""
        text = ""
        previous_end = None
        for position in positions:
            token = self.tokens[position]
            opens_sentence = position == 0 and token.pos not in ("PROPN", "NOUN")
            word = token.text.lower() if opens_sentence else token.text
            text += word if not text or token.span.start == previous_end else f" {word}"
            previous_end = token.span.end
        return text


def holds_digit(text: str) -> bool:
    return any(map(str.isdigit, text))
