"""Check rows of tables, cell by cell, against the sources and against the sentences of the text.

The value rules compare the cells of a row with sentences that name the row and the heading. What they leave open is a
claim about the sources for the models, in the upper part of a long table. Cells that stay open are reported as not
checked.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from ..comparing.cells import CellClaim, CellsRead, ContextSentence, read_cells
from ..comparing.properties import named_subject, names_thing
from ..comparing.sentence import ComparableSentence
from ..comparing.tables import Cell, Row, is_row, is_under_another, read_row, unit_in
from ..findings import in_document, make_finding
from ..grounding.cell_figures import told_figure
from ..grounding.cell_words import other_words
from ..grounding.local_reading import SourceReading, read_around
from ..labels import SuggestionLabel
from ..local_models.process import LocalModels
from ..messages import MessageCode
from ..ports import Material
from ..reasons import Reason
from ..reports import UnitDone, UnitResult, UnitSkipped
from ..rewriting.rewrites import removal_of, suggestion_of
from ..rules.base import Value
from ..rules.numbers import Number
from ..rules.phrases import phrase_at
from ..source_findings.judgement import judge
from ..source_findings.support import quote_of, supporting_evidence
from ..sources.library import SourceLibrary, SourceSentence
from ..types import (
    BlockKind,
    Evidence,
    Finding,
    FindingKind,
    ReadShare,
    SourceText,
    Span,
    Suggestion,
    SuggestionMethod,
    Verdict,
)

#: Number of passages of the sources to read for a row, those nearest to it.
_PASSAGES = 10
#: Not calibrated. Both sides name the same thing and heading, with values that exclude each other.
_SCORE = 0.8
#: The models read the rows of a table down to this number of cells; each costs as much as a short sentence.
_MOST_CELLS = 100
#: What the text is about if it never says its name. Then only sentences without a name and a pronoun are about it.
_UNNAMED = ""
_MARKS = "*_`"

T = TypeVar("T", bound=ContextSentence)
T_co = TypeVar("T_co", bound=ContextSentence, covariant=True)

_BY_CELLS = "That sentence gives another value for the row and the heading of this cell."


@dataclass(frozen=True, slots=True)
class CellConflict(Generic[T_co]):
    """A cell that a sentence contradicts.

    ``theirs`` is the figure that the sentence gives instead, and ``words`` are the words that belong into the cell.
    There is neither if the model contradicts the cell and is not sure of what belongs there.
    """

    cell: Cell
    statement: T_co
    theirs: Value | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class RowInSources:
    """What the sources say of the cells of a row; ``undecided`` is the number of cells of which they say nothing.

    ``unread``: one of these has no figure to compare, and the models did not read it.
    """

    clashes: tuple[CellConflict[SourceSentence], ...]
    evidence: tuple[Evidence, ...]
    undecided: int
    unread: bool
    share: ReadShare


@dataclass(frozen=True, slots=True)
class TextSentence:
    """A sentence of the text outside of its tables."""

    index: int
    sentence: ComparableSentence
    previous: ComparableSentence | None
    before: ComparableSentence | None


async def compare_row_with_sources(material: Material, models: LocalModels, index: int, detector: str) -> UnitResult:
    """The result for a row: its conflicts; supported if a source gives every cell."""
    row = read_row(material.sentences, index, topic=_topic(material))
    if row.reason:
        return UnitSkipped(detector, index, row.reason)
    read = await _compare_with_sources(material, models, index, row)
    sentence = material.sentences[index]
    findings = tuple(_conflict_with_source(sentence, clash, detector) for clash in read.clashes)
    if findings:
        return UnitDone(detector, index, Verdict.CONFLICTS_WITH_SOURCE, findings, (), read.share)
    if not read.undecided:
        return UnitDone(detector, index, Verdict.SUPPORTED, (), read.evidence, read.share)
    if read.unread:
        return UnitSkipped(detector, index, Reason.TABLE_CELLS_UNREAD.of())
    by_text = await _read_in_text(material, models, row)
    if by_text.unknown:
        return UnitSkipped(
            detector, index, Reason.TABLE_CELLS_PARTLY.of(len(row.cells) - read.undecided, len(row.cells))
        )
    # Only the text itself supports the row. The verdict is unsure, so that the page does not show it as fine.
    return UnitDone(detector, index, Verdict.UNSURE, (), (), read.share)


async def compare_row_with_text(material: Material, models: LocalModels, index: int, detector: str) -> UnitResult:
    """The result for a row: the sentences anywhere in the text that contradict one of its cells.

    "No problem" requires that the text repeats every cell elsewhere: other cells were compared with nothing.
    """
    row = read_row(material.sentences, index, topic=_topic(material) or _UNNAMED)
    if row.reason:
        return UnitSkipped(detector, index, row.reason)
    read = await _read_in_text(material, models, row)
    clashes = await _clashes_with_text(material, models, row, read)
    sentence = material.sentences[index]
    findings = tuple(_contradiction(sentence, clash, detector) for clash in clashes)
    if findings:
        return UnitDone(detector, index, Verdict.CONTRADICTED, findings)
    if read.unread:
        return UnitSkipped(detector, index, Reason.TABLE_CELLS_UNREAD.of())
    if read.unknown:
        return UnitSkipped(detector, index, Reason.TABLE_CELLS_UNTOLD.of())
    return UnitDone(detector, index, Verdict.NO_PROBLEM_FOUND)


async def conflicts_of_wording(
    material: Material, models: LocalModels, index: int, wording: ComparableSentence
) -> frozenset[FindingKind]:
    """The conflicts of another wording of a row with the sources."""
    row = read_row(material.sentences, index, wording, topic=_topic(material))
    read = await _compare_with_sources(material, models, index, row)
    return frozenset({FindingKind.CONFLICTS_WITH_SOURCE}) if read.clashes else frozenset()


async def contradictions_of_wording(
    material: Material, models: LocalModels, index: int, wording: ComparableSentence
) -> frozenset[FindingKind]:
    """The contradictions of another wording of a row with the text."""
    row = read_row(material.sentences, index, wording, topic=_topic(material) or _UNNAMED)
    clashes = await _clashes_with_text(material, models, row, await _read_in_text(material, models, row))
    return frozenset({FindingKind.CROSS_CONTRADICTION}) if clashes else frozenset()


def _topic(material: Material) -> str | None:
    """What the text is about: its topic, or the subject of its first statement if there is a name in it."""
    if material.topic:
        return material.topic
    first = next((one for one in material.sentences if one.parsed.states_fact and not is_row(one)), None)
    return None if first is None else named_subject(first)


def basis_of_row(material: Material) -> tuple[str, ...]:
    """The result for a row depends on its headings, the other rows and the other sentences."""
    return tuple(sentence.text for sentence in material.sentences)


async def _compare_with_sources(material: Material, models: LocalModels, index: int, row: Row) -> RowInSources:
    row, read, share = await _read_in_sources(material, models, row)
    clashes = _conflicts_by_rules(read)
    evidence = [quote_of(one.statement.source, one.statement.span, _SCORE) for one in read.stated]
    known = {one.cell.span for one in read.found}
    undecided, unread = 0, False
    for cell, claim in zip(row.cells, read.claims, strict=True):
        if cell.span in known:
            continue
        is_read = row.place <= _MOST_CELLS and not cell.is_property
        found = await _ask_models(material, models, index, row, claim) if claim and is_read else ()
        if isinstance(found, CellConflict):
            clashes[cell.span] = found
        elif found:
            evidence += found
        else:
            undecided += 1
            unread = unread or not (is_read or (claim and claim.value))
    in_order = tuple(clashes[span] for span in sorted(clashes))
    return RowInSources(in_order, tuple(dict.fromkeys(evidence)), undecided, unread, share)


def _conflicts_by_rules(read: CellsRead[T]) -> dict[Span, CellConflict[T]]:
    """The conflicts that the value rules found, by the spans of the cells."""
    return {one.cell.span: CellConflict(one.cell, one.statement, one.theirs, one.theirs.text) for one in read.clashes}


async def _ask_models(
    material: Material, models: LocalModels, index: int, row: Row, claim: CellClaim
) -> CellConflict[SourceSentence] | tuple[Evidence, ...]:
    """The conflict of a cell with a source sentence, or the quotes that support its claim; () if undecided."""
    judgement = await judge(material, models, index, claim.sentence)
    # The decision weighs the whole claim. A figure that no source has in any form is not supported.
    if judgement.verdict is Verdict.SUPPORTED and claim.value not in judgement.absent:
        return await supporting_evidence(judgement, claim.sentence, models)
    found = await _told_of(claim, row, judgement.read, models)
    return (quote_of(found.source, found.span, _SCORE),) if isinstance(found, SourceSentence) else found or ()


async def _told_of(
    claim: CellClaim, row: Row, read: SourceReading, models: LocalModels
) -> CellConflict[SourceSentence] | SourceSentence | None:
    """The conflict of a cell with what was read, or the sentence that gives its figure; None if undecided."""
    if claim.value is None:
        other = await other_words(claim, row, read, models)
        return CellConflict(claim.cell, other.source, words=other.words) if other else None
    told = await told_figure(claim, row, read, models)
    if told is None:
        return None
    place = told.place
    if place.relation.agrees:
        return place.source
    return CellConflict(claim.cell, place.source, *((place.given, place.words) if told.is_sure else ()))


async def _read_in_sources(
    material: Material, models: LocalModels, row: Row
) -> tuple[Row, CellsRead[SourceSentence], ReadShare]:
    """The row with its words as the sources write them, and what is said of its cells."""
    words = " ".join(cell.claim for cell in row.cells)
    library = material.library
    passages = library.best_passages(words, _PASSAGES)
    told = await library.sentences_of(passages)
    # A row of a source's table has no meaning without its headings.
    prose = [one for one in told if not is_row(one.sentence)]

    headings = {source_id: _headings_of(library, source_id) for source_id in {one.source.id for one in prose}}

    def is_about(one: SourceSentence, thing: str) -> bool:
        if not names_thing(thing, library.opening_of(one.source.id)):
            return False
        return not is_under_another(_last_before(one.span.start, headings[one.source.id]), thing)

    row = row.written_as_in(one.text for one in prose)
    share = ReadShare(len(passages), len(library.passages))
    return row, await read_cells(row, prose, models, is_about), share


async def _clashes_with_text(
    material: Material, models: LocalModels, row: Row, read: CellsRead[TextSentence]
) -> tuple[CellConflict[TextSentence], ...]:
    """The cells that a sentence of the text contradicts, by the rules or, where they find nothing, by the models."""
    whole = SourceText("", "", material.text)
    prose = {SourceSentence(whole, one.sentence, one.previous, one.before): one for one in _prose(material)}
    as_source = list(prose)
    known = {one.cell.span for one in read.found}
    clashes = _conflicts_by_rules(read)
    for claim in read.claims if row.place <= _MOST_CELLS else ():
        if claim is None or claim.cell.span in known or claim.cell.is_property:
            continue
        found = await _told_of(claim, row, await read_around(claim.sentence, as_source, models), models)
        if isinstance(found, CellConflict):
            statement = prose[found.statement]
            clashes[claim.cell.span] = CellConflict(found.cell, statement, found.theirs, found.words)
    return tuple(clashes[span] for span in sorted(clashes))


async def _read_in_text(material: Material, models: LocalModels, row: Row) -> CellsRead[TextSentence]:
    topic = _topic(material) or _UNNAMED
    headings = _headings_above(material.sentences)

    def is_about(one: TextSentence, thing: str) -> bool:
        return thing == topic and not is_under_another(headings[one.index], thing)

    prose = list(_prose(material))
    return await read_cells(row.written_as_in(one.sentence.text for one in prose), prose, models, is_about)


def _headings_above(sentences: Iterable[ComparableSentence]) -> list[str]:
    """For each sentence the nearest heading above it, or ""."""
    headings: list[str] = []
    heading = ""
    for one in (sentence.parsed.sentence for sentence in sentences):
        headings.append(heading)
        heading = one.text if _is_heading(one.block_kind, one.text) else heading
    return headings


def _headings_of(library: SourceLibrary, source_id: str) -> list[tuple[int, str]]:
    """The headings of a source with their positions, in order."""
    stretches = library.sources[source_id].stretches
    return [(one.span.start, one.text) for one in stretches if _is_heading(one.block_kind, one.text)]


def _last_before(position: int, headings: list[tuple[int, str]]) -> str:
    above = bisect_left(headings, (position, ""))
    return headings[above - 1][1] if above else ""


def _is_heading(kind: BlockKind, text: str) -> bool:
    """Whether a line is above others, and none like "Weight: 6 kg", which looks like one."""
    return kind is BlockKind.HEADING and ":" not in text.rstrip(": *_")


def _prose(material: Material) -> Iterator[TextSentence]:
    for index, sentence in enumerate(material.sentences):
        if index in material.left_out or is_row(sentence) or not sentence.parsed.states_fact:
            continue
        before = material.sentences[index - 1] if index else None
        yield TextSentence(index, sentence, before if sentence.leans_on_previous else None, before)


def _conflict_with_source(row: ComparableSentence, clash: CellConflict[SourceSentence], detector: str) -> Finding:
    own, theirs = clash.cell.label, _their_words(clash)
    quote = clash.statement
    return make_finding(
        row,
        span=in_document(clash.cell.span, row),
        kind=FindingKind.CONFLICTS_WITH_SOURCE,
        verdict=Verdict.CONFLICTS_WITH_SOURCE,
        score=_SCORE,
        message=MessageCode.SOURCE_SAYS.of(theirs=theirs, own=own)
        if theirs
        else MessageCode.SOURCE_CONTRADICTS_WORDS.of(own=own),
        explanation=_BY_CELLS,
        evidence=(quote_of(quote.source, quote.span, _SCORE, _their_place(clash)),),
        detector=detector,
        suggestions=[*_with_value(row, clash, SuggestionLabel.USE_SOURCE.of()), removal_of(row)],
    )


def _contradiction(row: ComparableSentence, clash: CellConflict[TextSentence], detector: str) -> Finding:
    other = clash.statement.sentence
    number = clash.statement.index + 1
    own, theirs = clash.cell.label, _their_words(clash)
    evidence = Evidence(
        quote=other.text,
        span=other.parsed.sentence.span,
        sentence=clash.statement.index,
        conflict=_their_place(clash),
        score=_SCORE,
    )
    return make_finding(
        row,
        span=in_document(clash.cell.span, row),
        kind=FindingKind.CROSS_CONTRADICTION,
        verdict=Verdict.CONTRADICTED,
        score=_SCORE,
        message=MessageCode.VALUES_DIFFER.of(own=own, other=theirs, number=number)
        if theirs
        else MessageCode.SENTENCE_CONTRADICTS_WORDS.of(own=own, number=number),
        explanation=_BY_CELLS,
        evidence=(evidence,),
        detector=detector,
        suggestions=[
            *_with_value(row, clash, SuggestionLabel.KEEP_SENTENCE.of(number)),
            removal_of(row),
            removal_of(other),
        ],
    )


def _their_words(clash: CellConflict[ContextSentence]) -> str:
    """The figure that the sentence gives, with the words around it; "" if words differ."""
    return "" if clash.theirs is None else phrase_at(clash.statement.sentence.clause, clash.theirs.span)


def _their_place(clash: CellConflict[ContextSentence]) -> tuple[Span, ...]:
    """Where the sentence gives it; () if other words say it."""
    sentence = clash.statement.sentence
    if clash.theirs is not None:
        return (in_document(clash.theirs.span, sentence),)
    found = sentence.text.casefold().find(clash.words.casefold()) if clash.words else -1
    return () if found < 0 else (in_document(Span(found, found + len(clash.words)), sentence),)


def _with_value(row: ComparableSentence, clash: CellConflict[ContextSentence], label: str) -> Iterator[Suggestion]:
    """The row with the other value in the cell, as an unverified suggestion: the wording may not fit the cell."""
    text = row.text
    own = _without_marks(clash.cell.span, text)
    theirs = _figure_for(clash) if clash.theirs else _words_for(own.of(text), clash.words)
    if theirs:
        replacement = text[: own.start] + theirs + text[own.end :]
        yield suggestion_of(row, replacement, SuggestionMethod.LOCAL, label, verified=False)


def _figure_for(clash: CellConflict[ContextSentence]) -> str:
    """The figure of a sentence as a cell gives it; "" if it is not sure, or where the unit is in the heading only."""
    theirs, cell = clash.theirs, clash.cell
    words = " ".join(clash.words.replace("|", " ").split())
    if not words or unit_in(cell.text):
        return words
    if isinstance(theirs, Number) and theirs.text.isalpha():
        return f"{theirs.amount.value:.0f}"  # "five" in prose is 5 in a table
    return "" if unit_in(words) else words


def _words_for(cell: str, theirs: str) -> str:
    """The words of another cell as the cell's own begin; "" beside a mark such as "✓"."""
    if not cell[:1].isalnum():
        return ""
    return theirs[:1].upper() + theirs[1:] if cell[0].isupper() else theirs


def _without_marks(cell: Span, text: str) -> Span:
    """The words of a cell without the marks around them, which stay: "**$12**"."""
    words = cell.of(text)
    start = cell.start + len(words) - len(words.lstrip(_MARKS))
    return Span(start, cell.start + len(words.rstrip(_MARKS)))
