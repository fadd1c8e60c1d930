"""The input of the families: the text of a sentence, its figures, and its parse if there is one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

from detection.core.language.vocabulary import with_common_letters
from detection.core.rules.amounts import Figure, find_figures
from detection.core.types import Entity, ParsedSentence, Span, Token


@dataclass(frozen=True, slots=True)
class Reading:
    """One sentence prepared for value extraction. Every span counts in ``text``, which is as long as ``written``."""

    written: str
    text: str
    figures: tuple[Figure, ...]
    parsed: ParsedSentence | None = None
    _token_starts: tuple[int, ...] = field(default=(), repr=False)
    _token_ends: tuple[int, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, source: str | ParsedSentence) -> Reading:
        """Prepare a plain text or a parsed sentence."""
        written = source if isinstance(source, str) else source.text
        text = with_common_letters(written)
        figures = find_figures(written)
        if isinstance(source, str):
            return cls(written, text, figures)
        offset = source.sentence.start
        return cls(
            written,
            text,
            figures,
            source,
            tuple(token.span.start - offset for token in source.tokens),
            tuple(token.span.end - offset for token in source.tokens),
        )

    @property
    def tokens(self) -> tuple[Token, ...]:
        return self.parsed.tokens if self.parsed else ()

    @property
    def entities(self) -> tuple[Entity, ...]:
        return self.parsed.entities if self.parsed else ()

    def positions(self, span: Span) -> range:
        """Positions of the tokens that overlap ``span``; empty for a plain text."""
        return range(bisect_right(self._token_ends, span.start), bisect_left(self._token_starts, span.end))

    def token_span(self, position: int) -> Span:
        return Span(self._token_starts[position], self._token_ends[position])

    def phrase_span(self, positions: range) -> Span:
        return Span(self._token_starts[positions[0]], self._token_ends[positions[-1]])

    def entity_span(self, entity: Entity) -> Span:
        offset = self.parsed.sentence.start if self.parsed else 0
        return Span(entity.span.start - offset, entity.span.end - offset)
