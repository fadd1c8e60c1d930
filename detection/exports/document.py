"""A check as a document for export: blocks of text with their changes, and notes on its findings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from ..core.language.blocks import split_blocks
from ..core.rewriting import revise
from ..core.rewriting.revise import DiffKind, DiffPart
from ..core.types import BlockKind, Span
from ..models import Finding, Sentence
from ..selectors.detail import CheckDetail
from .notes import Note

_HASHES = re.compile(r"#{1,6}")
_UNDERLINE = re.compile(r"[ \t]*\n[ \t]*(=+|-{2,})[ \t]*(?:\n|$)")
#: Replaces whichever bullet the text has.
BULLET = "•"
_BULLETS = frozenset("-*+•‣◦▪●○·–—")
_SPACES_OF_A_LEVEL = 2
_DEEPEST_LEVEL = 4
#: The level of a heading without a mark.
_PLAIN_HEADING_LEVEL = 2


@dataclass(frozen=True, slots=True)
class Stretch:
    """A span of the text with one style. ``notes`` are the numbers of the notes about it."""

    text: str
    kind: DiffKind
    notes: frozenset[int]
    ends: tuple[int, ...] = ()
    """The notes whose words end here."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, list item, table or block of code, without its marker."""

    kind: BlockKind
    marker: str
    """The marker of a list item or a quotation: a bullet, ``1.``, ``(a)``, ``>``; "" for everything else."""
    level: int
    """The level of a heading, 1 to 6, or the depth of a list item, from 0."""
    stretches: tuple[Stretch, ...]
    is_removed: bool
    """Whether the changes remove the whole block."""

    @property
    def is_quotation(self) -> bool:
        return self.marker == ">"

    @property
    def revised(self) -> str:
        return "".join(stretch.text for stretch in self.stretches if stretch.kind is not DiffKind.DELETED)


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a check and its findings."""

    blocks: tuple[Block, ...]
    notes: tuple[Note, ...]


def document_of(detail: CheckDetail) -> Document:
    notes = tuple(Note(number, card) for number, card in enumerate(detail.cards, start=1))
    return Document(tuple(_blocks(detail, notes)), notes)


# --- Blocks -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of a block in the text. ``sentences`` are the indices of its sentences."""

    kind: BlockKind
    span: Span
    sentences: tuple[int, ...]


def _blocks(detail: CheckDetail, notes: Sequence[Note]) -> Iterator[Block]:
    text = detail.check.text
    sentences = [row.as_value() for row in Sentence.objects.filter(parent_check=detail.check)]
    parts = revise.text_diff(text, sentences, detail.wordings)
    pieces = list(_cut(parts, _spans_of_notes(detail, notes)))
    places = [
        _Place(group[0].block_kind, Span(group[0].start, group[-1].end), tuple(s.index for s in group))
        for _, block in groupby(sentences, key=lambda sentence: sentence.block)
        if (group := list(block))
    ] or [_Place(block.kind, block.span, ()) for block in split_blocks(text)]
    end = 0
    for place in places:
        before, after = text[end : place.span.start], text[place.span.end :]
        yield Block(
            kind=place.kind,
            marker=_marker(place.kind, before),
            level=_level(place.kind, before, after),
            stretches=_with_ends(list(_inside(pieces, place.span))),
            is_removed=bool(place.sentences) and not any(detail.wordings.get(i, "kept") for i in place.sentences),
        )
        end = place.span.end


def _spans_of_notes(detail: CheckDetail, notes: Sequence[Note]) -> dict[int, Span]:
    """The span of the words of each note, by its number."""
    spans = {row.pk: Span(row.start, row.end) for row in Finding.objects.filter(parent_check=detail.check)}
    return {note.number: spans[note.card.finding] for note in notes if note.card.finding in spans}


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch and its span in the original; inserted text has an empty span."""

    span: Span
    stretch: Stretch


def _cut(parts: Iterable[DiffPart], notes: dict[int, Span]) -> Iterator[_Piece]:
    """Cut the parts of a text at the ends of the words of notes.

    Text inserted for such words belongs to them.
    """
    edges = sorted({edge for span in notes.values() for edge in (span.start, span.end)})
    position = 0
    replaced: frozenset[int] = frozenset()
    for part in parts:
        if part.kind is DiffKind.INSERTED:
            yield _Piece(Span(position, position), Stretch(part.text, part.kind, replaced))
            replaced = frozenset()
            continue
        end = position + len(part.text)
        for start, stop in pairwise([position, *(edge for edge in edges if position < edge < end), end]):
            about = frozenset(number for number, span in notes.items() if span.start <= start and stop <= span.end)
            text = part.text[start - position : stop - position]
            yield _Piece(Span(start, stop), Stretch(text, part.kind, about))
            replaced = about if part.kind is DiffKind.DELETED else frozenset()
        position = end


def _inside(pieces: Iterable[_Piece], block: Span) -> Iterator[Stretch]:
    """The stretches of a block. Blocks never touch, so text inserted at the edge of a block belongs to it."""
    for piece in pieces:
        if piece.stretch.kind is DiffKind.INSERTED:
            if block.start <= piece.span.start <= block.end:
                yield piece.stretch
            continue
        start, end = max(piece.span.start, block.start), min(piece.span.end, block.end)
        if start < end:
            text = piece.stretch.text[start - piece.span.start : end - piece.span.start]
            yield Stretch(text, piece.stretch.kind, piece.stretch.notes)


def _with_ends(stretches: Sequence[Stretch]) -> tuple[Stretch, ...]:
    following = (*(stretch.notes for stretch in stretches[1:]), frozenset[int]())
    return tuple(
        replace(stretch, ends=tuple(sorted(stretch.notes - next_notes)))
        for stretch, next_notes in zip(stretches, following, strict=True)
    )


def _marker(kind: BlockKind, before: str) -> str:
    if kind not in (BlockKind.LIST_ITEM, BlockKind.PARAGRAPH):
        return ""
    marker = before.rpartition("\n")[2].strip()
    return BULLET if marker in _BULLETS else marker


def _level(kind: BlockKind, before: str, after: str) -> int:
    line = before.rpartition("\n")[2]
    if kind is BlockKind.LIST_ITEM:
        indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        return min(indent // _SPACES_OF_A_LEVEL, _DEEPEST_LEVEL)
    if kind is not BlockKind.HEADING:
        return 0
    if hashes := _HASHES.match(line.strip()):
        return len(hashes.group())
    if underline := _UNDERLINE.match(after):
        return 1 if underline.group(1).startswith("=") else 2
    return _PLAIN_HEADING_LEVEL
