"""A source beside the text: which of its passages bear on which sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

from ..core.types import SILENT_KINDS, Evidence, FindingKind, Span, Verdict
from ..models import Check, Source
from ..storage.evidence import EVIDENCE
from .rows import CheckRows
from .sources import SourceUse, clip, to_line_breaks

#: Number of characters of a source shown around a passage; most sources are shorter.
WINDOW_CHARS = 40_000
#: A longer quote is a section of the source: no single sentence, and no few together, bear the statement out.
_LONGEST_SUPPORT = 600


class Bearing(StrEnum):
    """How a passage bears on a sentence, strongest first."""

    CONFLICT = "conflict"
    SUPPORT = "support"
    NEAR = "near"


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that a sentence was compared with."""

    use: str
    span: Span
    sentence: int
    bearing: Bearing


@dataclass(frozen=True, slots=True)
class Link:
    """The sentences, by their indices, on which a span of a source bears in one way."""

    bearing: Bearing
    sentences: tuple[int, ...]

    @property
    def numbers(self) -> str:
        """The numbers of these sentences, counted from one."""
        return ", ".join(str(index + 1) for index in self.sentences)


@dataclass(frozen=True, slots=True)
class PassagePiece:
    """A span of a source, with what it bears on, the strongest bearing first."""

    text: str
    links: tuple[Link, ...] = ()

    @property
    def sentences(self) -> tuple[int, ...]:
        """The indices of the sentences that it bears on, those of the strongest bearing first."""
        return tuple(dict.fromkeys(index for link in self.links for index in link.sentences))

    @property
    def bearing(self) -> Bearing | None:
        return self.links[0].bearing if self.links else None

    @property
    def is_link(self) -> bool:
        """Whether it says something about a sentence; what is merely nearest to one does not."""
        return self.bearing in (Bearing.CONFLICT, Bearing.SUPPORT)


@dataclass(frozen=True, slots=True)
class SourceBeside:
    """The part of a source beside the text. ``before`` and ``after`` are the ranges of larger parts."""

    use: SourceUse
    uses: tuple[SourceUse, ...]
    pieces: tuple[PassagePiece, ...]
    before: str
    after: str


class BesideReader:
    """Shows the sources of one check with the passages that its sentences were compared with."""

    def __init__(self, check: Check) -> None:
        self._check = check
        self._rows = CheckRows(check)

    def of_sentence(self, index: int) -> SourceBeside | None:
        """The source with the strongest passage for a sentence, open at it; None if there is none."""
        passages = [passage for passage in self._passages if passage.sentence == index]
        if not passages:
            return None
        best = min(passages, key=lambda passage: list(Bearing).index(passage.bearing))
        return self.of_use(best.use, window=_around(best.span))

    def of_use(self, use_id: str = "", *, window: Span | None = None) -> SourceBeside | None:
        """A source of the check, the first if none is named; None if it cannot be shown."""
        uses = tuple(use for use in self._rows.sources if use.is_readable and use.source)
        use = next((use for use in uses if use_id in ("", str(use.id))), None)
        if use is None or use.source is None:
            return None
        source = Source.objects.only("text").filter(pk=use.source, owner=self._check.owner).first()
        if source is None:
            return None
        whole = Span(0, len(source.text))
        shown = to_line_breaks(source.text, clip(window or Span(0, WINDOW_CHARS), whole))
        passages = [passage for passage in self._passages if passage.use == str(use.id)]
        return SourceBeside(
            use=use,
            uses=uses,
            pieces=tuple(_pieces(source.text, shown, passages)),
            before=_range(max(0, shown.start - WINDOW_CHARS), shown.end) if shown.start > 0 else "",
            after=_range(shown.start, min(whole.end, shown.end + WINDOW_CHARS)) if shown.end < whole.end else "",
        )

    @cached_property
    def _passages(self) -> tuple[Passage, ...]:
        return tuple(self._read_passages())

    def _read_passages(self) -> Iterator[Passage]:
        rows = self._rows
        for finding in rows.findings:
            bearing = Bearing.NEAR if FindingKind(finding.kind) in SILENT_KINDS else Bearing.CONFLICT
            yield from _passages_in(rows.evidence_of(finding), rows.index_of(finding), bearing)
        flagged = {finding.unit_id for finding in rows.findings}
        for unit in rows.units:
            if unit.pk not in flagged and unit.evidence:
                bearing = Bearing.SUPPORT if unit.verdict == Verdict.SUPPORTED else Bearing.NEAR
                index = rows.by_id[unit.sentence_id].index
                yield from _passages_in(EVIDENCE.from_json(unit.evidence), index, bearing)


def _passages_in(evidence: Iterable[Evidence], sentence: int, bearing: Bearing) -> Iterator[Passage]:
    for item in evidence:
        if item.source is not None:
            is_section = bearing is Bearing.SUPPORT and item.span.end - item.span.start > _LONGEST_SUPPORT
            yield Passage(item.source, item.span, sentence, Bearing.NEAR if is_section else bearing)


def _pieces(text: str, shown: Span, passages: list[Passage]) -> Iterator[PassagePiece]:
    edges = {shown.start, shown.end}
    for passage in passages:
        edges |= {edge for edge in (passage.span.start, passage.span.end) if shown.start < edge < shown.end}
    for start, end in pairwise(sorted(edges)):
        piece = Span(start, end)
        yield PassagePiece(piece.of(text), tuple(_links([one for one in passages if one.span.contains(piece)])))


def _links(passages: list[Passage]) -> Iterator[Link]:
    for bearing in Bearing:
        sentences = sorted({passage.sentence for passage in passages if passage.bearing is bearing})
        if sentences:
            yield Link(bearing, tuple(sentences))


def _around(passage: Span) -> Span:
    return Span(max(0, passage.start - WINDOW_CHARS // 2), passage.end + WINDOW_CHARS // 2)


def _range(start: int, end: int) -> str:
    return f"{start}-{end}"
