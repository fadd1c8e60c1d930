"""The sentences of a check: the original, its marks, its verdict, and what else is known about each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property

from django.utils.translation import gettext as _

from .. import wording
from ..core.detectors import DETECTORS
from ..core.language.code_blocks import language_before
from ..core.ports import Requirement
from ..core.reasons import Reason, is_reason
from ..core.rewriting import revise
from ..core.run.verdicts import sentence_verdict
from ..core.types import BlockKind, FindingKind, ReadShare, Span, Verdict
from ..models import Finding, Unit
from ..storage.evidence import EVIDENCE
from .markup import cells_of, rendered
from .pieces import Piece, pieces
from .quotes import QuoteReader, QuoteView
from .rows import CheckRows, SentenceRow, UnitRow, read_share
from .searches import SearchReader, SearchView

#: The detectors that search for evidence.
SEARCHES = frozenset(detector.id for detector in DETECTORS.values() if Requirement.RETRIEVER in detector.requires)

_LOWEST_HEADING = 6
_MOST_COLUMNS = 8
_NOT_PROSE = frozenset({BlockKind.CODE, BlockKind.TABLE})

#: Kinds whose title is shown as the verdict, because the evidence is no source of the user.
_TOLD_BY_TITLE = (
    FindingKind.REFUTED_BY_EVIDENCE,
    FindingKind.UNSUPPORTED_BY_EVIDENCE,
    FindingKind.REPAIRED_WHILE_GENERATING,
    FindingKind.FALSE_PREMISE,
)


@dataclass(frozen=True, slots=True)
class SentenceStanding:
    """The state of one sentence. All sentences are counted, even where only a few are shown."""

    index: int
    state: str
    """``waiting``, ``running`` or ``settled``."""
    verdict: Verdict
    label: str
    """The verdict in words, or the progress of its check."""
    reason: str
    """Why it was not checked or failed, in words."""
    stored_reason: str
    """The same as a code, if there is one."""
    mark: str
    """Name of the mark: ``contradiction``, ``conflict``, ``missing``, or "" when nothing is open."""
    findings: tuple[int, ...]
    """Ids of the cards of the open findings about this sentence, or about it and another one."""

    @property
    def number(self) -> int:
        return self.index + 1

    @property
    def summary(self) -> str:
        """The text of the overview."""
        return _("sentence %(number)d: %(label)s") % {"number": self.number, "label": self.label}

    @property
    def look(self) -> str:
        """The style in the overview: its mark, progress, decision or verdict."""
        if self.mark or self.state != "settled":
            return self.mark or self.state
        return "decided" if self.label == str(wording.DECIDED) else self.verdict


@dataclass(frozen=True, slots=True)
class SentenceView(SentenceStanding):
    """One sentence on the page: the original, its marks and decisions."""

    gap: str
    """White space between the previous sentence of the block and this one."""
    text: str
    pieces: tuple[Piece, ...]
    change: str
    """``changed`` or ``removed`` by an accepted suggestion, or ""."""
    can_be_asked: bool
    """Whether there are details beyond the verdict: supporting passages, why it was not checked."""
    cells: tuple[tuple[Piece, ...], ...] = ()
    """The cells of a row of a table; none elsewhere, or where a change does not leave the cells alone."""


@dataclass(frozen=True, slots=True)
class BlockView:
    """A paragraph, heading, list item ... with the marker before its first sentence."""

    index: int
    """Its number among the blocks of the text."""
    kind: str
    marker: str
    sentences: tuple[SentenceView, ...]
    is_prose: bool = True
    """Whether it is running text without significant line breaks, so that it can be edited in place."""
    columns: int = 0
    """The number of columns of a table whose rows can be shown in cells; 0 for everything else."""
    level: int = 0
    """The level of a Markdown heading, 1 to 6; 0 for everything else."""
    language: str = ""
    """The declared language of a block of code."""

    @property
    def is_quotation(self) -> bool:
        return self.marker.strip() == ">"

    @property
    def is_bullet(self) -> bool:
        return self.marker.strip() in ("-", "*", "+")


@dataclass(frozen=True, slots=True)
class UnitView:
    """The result of one detector for a sentence."""

    detector: str
    result: str
    reason: str


@dataclass(frozen=True, slots=True)
class SentenceReport:
    """The details of a sentence without a warning."""

    sentence: SentenceView
    quotes: tuple[QuoteView, ...]
    """The supporting or nearest passages of the sources."""
    is_grounded: bool
    """Whether sources support it."""
    read: ReadShare | None
    search: SearchView | None
    """The evidence searches for it."""
    units: tuple[UnitView, ...]


class SentenceReader:
    """Shows the sentences of one check."""

    def __init__(self, rows: CheckRows, quotes: QuoteReader, searches: SearchReader) -> None:
        self._rows = rows
        self._quotes = quotes
        self._searches = searches

    @cached_property
    def standings(self) -> tuple[SentenceStanding, ...]:
        return tuple(map(self._standing, self._rows.sentences))

    @cached_property
    def sentences(self) -> tuple[SentenceView, ...]:
        return tuple(self._view(position) for position in range(len(self._rows.sentences)))

    def sentence(self, index: int) -> SentenceView:
        """One sentence. Composing all sentences is slow."""
        return self._view(index)

    @cached_property
    def blocks(self) -> tuple[BlockView, ...]:
        blocks: list[BlockView] = []
        by_block: dict[int, list[int]] = defaultdict(list)
        for position, sentence in enumerate(self._rows.sentences):
            by_block[sentence.block].append(position)
        end = 0
        for positions in by_block.values():
            first = self._rows.sentences[positions[0]]
            before = self._rows.check.text[end : first.start]
            end = self._rows.sentences[positions[-1]].end
            is_code = first.block_kind == BlockKind.CODE
            shown = tuple(self.sentences[i] for i in positions)
            blocks.append(
                BlockView(
                    first.block,
                    first.block_kind,
                    # The lines before belong to no block, for example the closing fence of a block of code.
                    "" if is_code else before.rpartition("\n")[2],
                    shown,
                    is_prose=first.block_kind not in _NOT_PROSE,
                    columns=_columns(shown),
                    level=_level(first, before),
                    language=language_before(before) if is_code else "",
                )
            )
        return tuple(blocks)

    def report(self, index: int) -> SentenceReport | None:
        """The details of a sentence; None if it does not exist."""
        if index >= len(self._rows.sentences):
            return None
        units = self._rows.units_of[self._rows.sentences[index].pk]
        compared = [unit for unit in units if unit.detector not in SEARCHES]
        evidence = [item for unit in compared for item in EVIDENCE.from_json(unit.evidence)]
        return SentenceReport(
            sentence=self.sentence(index),
            quotes=tuple(map(self._quotes.of_evidence, evidence)),
            is_grounded=any(unit.verdict == Verdict.SUPPORTED for unit in compared),
            read=next((share for unit in units if (share := read_share(unit))), None),
            search=next((search for unit in units if (search := self._searches.of_unit(unit))), None),
            units=tuple(map(self._unit_view, units)),
        )

    def _unit_view(self, unit: UnitRow) -> UnitView:
        if unit.state != Unit.State.DONE:
            result = str(wording.UNIT_STATE_LABELS[unit.state])
        elif unit.detector in SEARCHES:
            result = wording.verdict_of_search(Verdict(unit.verdict), self._rows.searches.get(unit.pk))
        else:
            result = str(wording.VERDICT_LABELS[Verdict(unit.verdict)])
        return UnitView(wording.detector_label(unit.detector), result, wording.reason_words(unit.reason))

    def _standing(self, sentence: SentenceRow) -> SentenceStanding:
        open_findings = self._rows.open_findings.get(sentence.index, ())
        worst = min(open_findings, key=_rank, default=None)
        shown = min(self._with_card(sentence, open_findings), key=_rank, default=None)
        verdict, reason = self._verdict(sentence, worst)
        state = self._state(sentence)
        return SentenceStanding(
            index=sentence.index,
            state=state,
            verdict=verdict,
            label=self._label(sentence, Verdict(shown.verdict) if shown else verdict, shown)
            if state == "settled"
            else state,
            reason=wording.reason_words(reason) if reason else "",
            stored_reason=reason,
            mark=wording.KIND_ICONS[FindingKind(shown.kind)] if shown else "",
            findings=tuple(dict.fromkeys(self._rows.joined.head(finding.pk) for finding in open_findings)),
        )

    def _with_card(self, sentence: SentenceRow, open_findings: Iterable[Finding]) -> list[Finding]:
        """The findings without those on the card of another one about this sentence: its mark looks like its card."""
        about_it = {finding.pk for finding in open_findings if finding.sentence_id == sentence.pk}
        heads = {finding.pk: self._rows.joined.head(finding.pk) for finding in open_findings}
        return [one for one in open_findings if heads[one.pk] == one.pk or heads[one.pk] not in about_it]

    def _view(self, position: int) -> SentenceView:
        sentence = self._rows.sentences[position]
        standing = self.standings[position]
        open_findings = self._rows.open_findings.get(sentence.index, ())
        wording_now = self._rows.wording_now(sentence)
        changes = () if wording_now == sentence.text else revise.diff(sentence.text, wording_now)
        units = self._rows.units_of[sentence.pk]
        can_be_asked = bool(standing.stored_reason) or any(unit.evidence or unit.search for unit in units)
        shown = self._pieces(sentence, open_findings, changes)
        return SentenceView(
            **{part.name: getattr(standing, part.name) for part in fields(standing)},
            gap=self._gap(position),
            text=sentence.text,
            pieces=shown,
            change="" if wording_now == sentence.text else "changed" if wording_now else "removed",
            can_be_asked=not open_findings and can_be_asked,
            cells=cells_of(shown) if sentence.block_kind == BlockKind.TABLE else (),
        )

    def _pieces(
        self, sentence: SentenceRow, open_findings: Iterable[Finding], changes: Sequence[revise.DiffPart]
    ) -> tuple[Piece, ...]:
        cut = pieces(sentence.text, self._strong_spans(sentence, open_findings), changes)
        return cut if sentence.block_kind == BlockKind.CODE else rendered(cut)

    def _gap(self, position: int) -> str:
        sentence = self._rows.sentences[position]
        before = self._rows.sentences[position - 1] if position else None
        if before is None or before.block != sentence.block:
            return ""
        return self._rows.check.text[before.end : sentence.start]

    def _strong_spans(self, sentence: SentenceRow, open_findings: Iterable[Finding]) -> list[Span]:
        spans: list[Span] = []
        whole = Span(sentence.start, sentence.end)
        for finding in open_findings:
            if finding.sentence_id == sentence.pk:
                spans.append(Span(finding.start, finding.end))
            for evidence in self._rows.evidence_of(finding):
                if evidence.sentence == sentence.index:
                    spans += evidence.conflict
        return [span.shifted(-sentence.start) for span in spans if span != whole]

    def _state(self, sentence: SentenceRow) -> str:
        states = {unit.state for unit in self._rows.units_of[sentence.pk]}
        if Unit.State.RUNNING in states and self._rows.check.is_active:
            return "running"
        if states <= set(Unit.FINAL) or not self._rows.check.is_active:
            return "settled"
        return "waiting"

    def _verdict(self, sentence: SentenceRow, worst: Finding | None) -> tuple[Verdict, str]:
        """The worst verdict of all detectors. A sentence without a judgement is "not checked", never fine."""
        units = self._rows.units_of[sentence.pk]
        if worst is not None:
            return Verdict(worst.verdict), ""
        # Decided warnings no longer count for the verdict; findings of other detectors still do.
        done = [Verdict(unit.verdict) for unit in units if unit.state == Unit.State.DONE]
        harmless = [v if v.rank >= Verdict.UNSURE.rank else Verdict.NO_PROBLEM_FOUND for v in done]
        failed = [unit for unit in units if unit.state == Unit.State.FAILED]
        verdict = sentence_verdict(harmless, failed=bool(failed))
        unreached = any(unit.state in (Unit.State.PENDING, Unit.State.RUNNING) for unit in units)
        if unreached and not failed:
            return Verdict.NOT_CHECKED, _("the check was stopped before")
        if verdict is Verdict.FAILED:
            return verdict, failed[0].reason
        return verdict, _most_telling_reason(units) if verdict is Verdict.NOT_CHECKED and units else ""

    def _label(self, sentence: SentenceRow, verdict: Verdict, worst: Finding | None) -> str:
        """The verdict in words that name its origin: a source of the user, or a search."""
        if worst is not None and worst.kind in _TOLD_BY_TITLE:
            return str(wording.KIND_TITLES[FindingKind(worst.kind)]).lower()
        if verdict is Verdict.NO_PROBLEM_FOUND and sentence.pk in self._rows.decided_sentences:
            return str(wording.DECIDED)
        units = [unit for unit in self._rows.units_of[sentence.pk] if unit.verdict == verdict]
        if worst is None and units and all(unit.detector in SEARCHES for unit in units):
            return wording.verdict_of_search(verdict, self._rows.searches.get(units[0].pk))
        return self._labels[verdict]

    @cached_property
    def _labels(self) -> dict[Verdict, str]:
        """The translated labels, cached because hundreds of sentences share a few of them."""
        return {verdict: str(label) for verdict, label in wording.VERDICT_LABELS.items()}


def _most_telling_reason(units: Sequence[UnitRow]) -> str:
    """How much of a row of a table the sources support, if known; else the reason of the first detector."""
    return max(units, key=lambda unit: is_reason(unit.reason, Reason.TABLE_CELLS_PARTLY)).reason


def _rank(finding: Finding) -> int:
    return Verdict(finding.verdict).rank


def _columns(rows: Sequence[SentenceView]) -> int:
    """The number of columns of a table; 0 if a row has other cells than the first one, or too many for the page."""
    widths = {len(row.cells) for row in rows}
    width = widths.pop()
    return width if not widths and 1 < width <= _MOST_COLUMNS else 0


def _level(first: SentenceRow, before: str) -> int:
    """The level of a heading, by the marks before it."""
    hashes = before.rpartition("\n")[2].strip()
    is_marked = first.block_kind == BlockKind.HEADING and hashes == "#" * len(hashes)
    return min(len(hashes), _LOWEST_HEADING) if is_marked else 0
