"""Findings about the same words, which a reader decides on together: one card shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..core.types import SILENT_KINDS, Evidence, FindingKind, Span
from ..models import Finding

_IN_TEXT = FindingKind.CROSS_CONTRADICTION
#: What sources and looked-up documents say.
_FROM_OUTSIDE = frozenset({FindingKind.CONFLICTS_WITH_SOURCE, FindingKind.REFUTED_BY_EVIDENCE, *SILENT_KINDS})
#: Whose card it is, first to last.
_RANKS = (
    FindingKind.CONFLICTS_WITH_SOURCE,
    FindingKind.REFUTED_BY_EVIDENCE,
    _IN_TEXT,
    FindingKind.NOT_IN_SOURCE,
    FindingKind.UNSUPPORTED_BY_EVIDENCE,
)


@dataclass(frozen=True, slots=True)
class Joined:
    """The findings of a check that share a card: a contradiction inside the text, and what sources and documents say of
    its words, or of a sentence as a whole.

    The card is that of its head: of a conflict with a source, or else of what is most surely wrong. Open and decided
    findings never share one, so that a card is never half decided.
    """

    _heads: Mapping[int, int]
    """The heads of findings that have no card of their own."""
    _others: Mapping[int, tuple[Finding, ...]]
    _alike: Mapping[int, frozenset[int]]

    def others(self, head: int) -> tuple[Finding, ...]:
        """The findings that the card of ``head`` shows as well."""
        return self._others.get(head, ())

    def head(self, finding: int) -> int:
        """The finding whose card shows ``finding``, most often itself."""
        return self._heads.get(finding, finding)

    def alike(self, finding: int) -> frozenset[int]:
        """The findings that share a card with ``finding`` in some states of theirs, and ``finding`` itself."""
        return self._alike.get(finding, frozenset({finding}))


def joined_findings(
    findings: Sequence[Finding],
    sentences: Mapping[int, Span],
    evidence_of: Callable[[Finding], Iterable[Evidence]],
) -> Joined:
    """``sentences`` are the spans of the sentences by their keys."""
    told = sorted((one for one in findings if one.kind in _FROM_OUTSIDE), key=_rank)
    about_same = [(one, [other for other in told if _tell_the_same(other, one, sentences)]) for one in told]
    if told:
        clashes = (one for one in findings if one.kind == _IN_TEXT)
        about_same += [(clash, list(_about(clash, told, sentences, evidence_of))) for clash in clashes]
    cards = _Cards()
    for finding, candidates in about_same:
        other = next((one for one in candidates if _is_open(one) is _is_open(finding)), None)
        if other is not None:
            cards.join(finding, other)
    return Joined(cards.heads, cards.others, _groups(about_same))


class _Cards:
    """Joins one finding after the other."""

    def __init__(self) -> None:
        self.heads: dict[int, int] = {}
        self.others: dict[int, tuple[Finding, ...]] = {}
        self._by_id: dict[int, Finding] = {}

    def join(self, one: Finding, other: Finding) -> None:
        """Put both on one card, with what is on their cards already; two contradictions keep a card each."""
        first, second = sorted((self._head_of(one), self._head_of(other)), key=_rank)
        if first.pk == second.pk or first.kind == second.kind:
            return
        joining = (second, *self.others.pop(second.pk, ()))
        self.others[first.pk] = (*self.others.get(first.pk, ()), *joining)
        for finding in joining:
            self.heads[finding.pk] = first.pk

    def _head_of(self, finding: Finding) -> Finding:
        self._by_id[finding.pk] = finding
        return self._by_id[self.heads.get(finding.pk, finding.pk)]


def _groups(about_same: Iterable[tuple[Finding, Sequence[Finding]]]) -> dict[int, frozenset[int]]:
    """The ids of findings that are about the same words, directly or through others, by the id of each."""
    groups: dict[int, frozenset[int]] = {}
    for finding, others in about_same:
        if not others:
            continue
        members = (finding, *others)
        group = frozenset[int]().union(*(groups.get(one.pk, {one.pk}) for one in members))
        groups |= dict.fromkeys(group, group)
    return groups


def _tell_the_same(earlier: Finding, later: Finding, sentences: Mapping[int, Span]) -> bool:
    """Whether a source and a document tell the same problem of a sentence; one of them comes first."""
    if earlier.sentence_id != later.sentence_id or earlier.kind == later.kind or _rank(earlier) >= _rank(later):
        return False
    return _overlap(earlier, later) or not (_names_words(earlier, sentences) and _names_words(later, sentences))


def _about(
    clash: Finding,
    told: Sequence[Finding],
    sentences: Mapping[int, Span],
    evidence_of: Callable[[Finding], Iterable[Evidence]],
) -> Iterator[Finding]:
    """What is told of the words of a contradiction, first those of its own sentence, or of that sentence as a whole."""
    naming = [one for one in told if _names_words(one, sentences)]
    for span in _words(clash, sentences, evidence_of):
        yield from (one for one in naming if span.overlaps(Span(one.start, one.end)))
    is_whole = not _names_words(clash, sentences)
    yield from (
        one for one in told if one.sentence_id == clash.sentence_id and (is_whole or not _names_words(one, sentences))
    )


def _words(
    clash: Finding, sentences: Mapping[int, Span], evidence_of: Callable[[Finding], Iterable[Evidence]]
) -> Iterator[Span]:
    """The words that contradict each other, first those of its own sentence."""
    if _names_words(clash, sentences):
        yield Span(clash.start, clash.end)
    for evidence in evidence_of(clash):
        if evidence.sentence is not None:
            yield from evidence.conflict


def _overlap(one: Finding, other: Finding) -> bool:
    return Span(one.start, one.end).overlaps(Span(other.start, other.end))


def _names_words(finding: Finding, sentences: Mapping[int, Span]) -> bool:
    """False for a finding about a whole sentence, which may mean any of its words."""
    return Span(finding.start, finding.end) != sentences[finding.sentence_id]


def _rank(finding: Finding) -> int:
    return _RANKS.index(FindingKind(finding.kind))


def _is_open(finding: Finding) -> bool:
    return finding.state == Finding.State.OPEN
