"""Reads about sources: lists, progress of their reading, and the part of a source around a quote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Count, QuerySet
from django.urls import reverse

from .. import wording
from ..core.types import Place, PlaceKind, Span
from ..models import Check, CheckSource, Source
from ..storage.evidence import PLACES

#: Number of characters shown at first, and added by each "show more".
EXCERPT_CHARS = 6_000
#: An excerpt begins and ends at a line break if there is one within this distance.
_REACH_FOR_LINE_BREAK = 400

# --- Lists ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SourceSummary:
    """A source in a list, without its text."""

    id: UUID
    name: str
    kind: str
    url: str
    state: str
    error: str
    byte_size: int
    characters: int
    pages: int | None
    pages_done: int
    pages_total: int
    is_kept: bool
    checks: int
    """How many checks use it."""
    created_at: datetime

    @property
    def is_settled(self) -> bool:
        return self.state in Source.SETTLED

    @property
    def is_usable(self) -> bool:
        """Whether a check can use it, possibly after reading it first."""
        return self.state != Source.State.FAILED


def sources_of_owner(owner: str) -> list[SourceSummary]:
    """All sources of an owner, newest first."""
    return _summaries(Source.objects.filter(owner=owner)) if owner else []


def sources_among(owner: str, source_ids: Iterable[UUID]) -> list[SourceSummary]:
    """The given sources that belong to ``owner``, in the order of ``source_ids``, each once."""
    wanted = list(dict.fromkeys(source_ids))
    found = {row.id: row for row in _summaries(Source.objects.filter(owner=owner, pk__in=wanted))} if owner else {}
    return [found[source_id] for source_id in wanted if source_id in found]


def source_of_owner(source_id: UUID, owner: str) -> Source | None:
    """A source with its text, for its owner only."""
    return Source.objects.filter(pk=source_id, owner=owner).first() if owner else None


def _summaries(rows: QuerySet[Source]) -> list[SourceSummary]:
    return [
        SourceSummary(
            id=row.pk,
            name=row.name,
            kind=row.kind,
            url=row.url,
            state=row.state,
            error=wording.reason_words(row.error),
            byte_size=row.byte_size,
            characters=row.characters,
            pages=row.pages,
            pages_done=row.pages_done,
            pages_total=row.pages_total,
            is_kept=row.is_kept,
            checks=row.check_count,
            created_at=row.created_at,
        )
        for row in rows.defer(*Source.LONG_FIELDS).annotate(check_count=Count("uses"))
    ]


# --- The sources of a check -------------------------------------------------------------------------------------

#: State of a source that its owner deleted after the check was made.
DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class SourceUse:
    """A source of a check. Evidence refers to it by ``id``."""

    id: int
    source: UUID | None
    name: str
    state: str
    error: str = ""
    pages: int | None = None
    pages_done: int = 0
    pages_total: int = 0

    @property
    def is_unread(self) -> bool:
        return self.state in (Source.State.QUEUED, Source.State.READING)

    @property
    def is_readable(self) -> bool:
        return self.state == Source.State.READY

    @property
    def is_unreadable(self) -> bool:
        """True if the check omits it."""
        return self.state == Source.State.FAILED


def sources_of_check(check: Check) -> tuple[SourceUse, ...]:
    uses = check.sources.select_related("source").defer("source__text", "source__places")
    return tuple(_source_use(use) for use in uses)


def places_of_check(check: Check) -> dict[int, tuple[Place, ...]]:
    """The places of the sources of a check, by the ids of their uses."""
    rows = CheckSource.objects.filter(parent_check=check, source__isnull=False).values_list("pk", "source__places")
    return {use_id: PLACES.from_json(places) for use_id, places in rows}


def _source_use(use: CheckSource) -> SourceUse:
    source = use.source
    if source is None:
        return SourceUse(use.pk, None, use.name, DELETED)
    return SourceUse(
        id=use.pk,
        source=source.pk,
        name=use.name,
        state=source.state,
        error=wording.reason_words(source.error),
        pages=source.pages,
        pages_done=source.pages_done,
        pages_total=source.pages_total,
    )


# --- A source, open at a quote ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SourcePiece:
    """A span of a source with one style. ``strong`` marks the clashing words of the quote."""

    text: str
    quoted: bool = False
    strong: bool = False
    is_anchor: bool = False
    """Whether the quote begins here: the target of links."""


@dataclass(frozen=True, slots=True)
class SourcePart:
    """The text at one place of a source. ``page`` and ``heading`` are set where one begins."""

    pieces: tuple[SourcePiece, ...]
    page: str = ""
    heading: str = ""


@dataclass(frozen=True, slots=True)
class SourceExcerpt:
    """A part of a source. ``before`` and ``after`` are addresses of larger parts; "" at the ends of the source."""

    source: Source
    parts: tuple[SourcePart, ...]
    before: str
    after: str
    has_quote: bool


def source_link(source_id: UUID, quote: Span, conflict: Sequence[Span] = ()) -> str:
    """The address of a source, open at a quote."""
    return f"{_address(source_id, quote, conflict)}#quote"


def source_excerpt(
    source: Source, *, quote: Span | None = None, conflict: Sequence[Span] = (), window: Span | None = None
) -> SourceExcerpt:
    """The part of ``source`` around ``quote``, or at ``window``, or its beginning. Spans are clipped to the source."""
    text = source.text
    whole = Span(0, len(text))
    quote = clip(quote, whole) if quote else None
    shown = to_line_breaks(text, clip(window or _around(quote), whole))
    earlier = Span(max(0, shown.start - EXCERPT_CHARS), shown.end)
    later = Span(shown.start, min(len(text), shown.end + EXCERPT_CHARS))
    return SourceExcerpt(
        source=source,
        parts=tuple(_parts(source, shown, quote, conflict)),
        before=_address(source.pk, quote, conflict, earlier) if shown.start > 0 else "",
        after=_address(source.pk, quote, conflict, later) if shown.end < len(text) else "",
        has_quote=bool(quote),
    )


def _around(quote: Span | None) -> Span:
    if quote is None:
        return Span(0, 2 * EXCERPT_CHARS)
    return Span(max(0, quote.start - EXCERPT_CHARS // 2), quote.end + EXCERPT_CHARS // 2)


def clip(span: Span, whole: Span) -> Span:
    start = min(span.start, whole.end)
    return Span(start, max(start, min(span.end, whole.end)))


def to_line_breaks(text: str, span: Span) -> Span:
    """The span, extended to nearby line breaks."""
    start = text.rfind("\n", max(0, span.start - _REACH_FOR_LINE_BREAK), span.start) + 1 or span.start
    if span.start <= _REACH_FOR_LINE_BREAK:
        start = 0
    end = text.find("\n", span.end, span.end + _REACH_FOR_LINE_BREAK)
    if end < 0:
        end = len(text) if len(text) - span.end <= _REACH_FOR_LINE_BREAK else span.end
    return Span(start, end)


def _parts(source: Source, shown: Span, quote: Span | None, conflict: Sequence[Span]) -> Iterable[SourcePart]:
    begins: dict[int, list[Place]] = {}
    for place in PLACES.from_json(source.places):
        if shown.start <= place.span.start < shown.end:
            begins.setdefault(place.span.start, []).append(place)
    edges = sorted({shown.start, shown.end, *begins})
    for start, end in pairwise(edges):
        labels = {place.kind: place.label for place in begins.get(start, ())}
        heading = labels.get(PlaceKind.HEADING, "")
        # A heading is part of the text and must not be shown twice.
        body = start + len(heading) if heading and source.text.startswith(heading, start, end) else start
        yield SourcePart(
            pieces=tuple(_pieces(source.text, Span(body, end), quote, conflict)),
            page=labels.get(PlaceKind.PAGE, ""),
            heading=heading,
        )


def _pieces(text: str, span: Span, quote: Span | None, conflict: Sequence[Span]) -> Iterable[SourcePiece]:
    marked = [quote, *conflict] if quote else []
    cuts = {edge for mark in marked for edge in (mark.start, mark.end) if span.start < edge < span.end}
    for start, end in pairwise(sorted({span.start, span.end, *cuts})):
        piece = Span(start, end)
        quoted = quote is not None and quote.contains(piece)
        strong = quoted and any(words.contains(piece) for words in conflict)
        is_anchor = quote is not None and quoted and piece.start == quote.start
        yield SourcePiece(piece.of(text), quoted, strong, is_anchor)


def _address(source_id: UUID, quote: Span | None, conflict: Sequence[Span], window: Span | None = None) -> str:
    query: list[tuple[str, str]] = []
    if quote:
        query += [("quote", _range(quote)), *(("words", _range(words)) for words in conflict)]
    if window:
        query.append(("show", _range(window)))
    return f"{reverse('source_detail', args=[source_id])}{'?' if query else ''}{urlencode(query)}"


def _range(span: Span) -> str:
    return f"{span.start}-{span.end}"
