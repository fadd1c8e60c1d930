"""Findings about the same words, which a reader decides on together: one card shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..core.types import Evidence, FindingKind, Span
from ..models import Finding

_CONFLICT, _IN_TEXT, _SILENT = (
    FindingKind.CONFLICTS_WITH_SOURCE,
    FindingKind.CROSS_CONTRADICTION,
    FindingKind.NOT_IN_SOURCE,
)


@dataclass(frozen=True, slots=True)
class Joined:
    """The findings of a check that share a card: a contradiction inside the text, and what a source says of its words.

    The card is that of its head: of a conflict with a source, or else of the contradiction. Open and decided findings
    never share one, so that a card is never half decided.
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
    told = [one for one in findings if one.kind in (_CONFLICT, _SILENT) and _names_words(one, sentences)]
    told.sort(key=lambda one: one.kind != _CONFLICT)
    clashes = [one for one in findings if told and one.kind == _IN_TEXT]
    about_same = [(clash, _about(_words(clash, sentences, evidence_of), told)) for clash in clashes]
    heads: dict[int, int] = {}
    others: dict[int, tuple[Finding, ...]] = {}
    for clash, candidates in about_same:
        other = next((one for one in candidates if _is_open(one) is _is_open(clash)), None)
        if other is None or other.pk in heads:
            continue
        head, second = (other, clash) if other.kind == _CONFLICT else (clash, other)
        heads[second.pk] = head.pk
        others[head.pk] = (*others.get(head.pk, ()), second)
    return Joined(heads, others, _groups(about_same))


def _groups(about_same: Iterable[tuple[Finding, Sequence[Finding]]]) -> dict[int, frozenset[int]]:
    """The ids of findings that are about the same words, directly or through others, by the id of each."""
    groups: dict[int, frozenset[int]] = {}
    for clash, others in about_same:
        group = frozenset({clash.pk}).union(*(groups.get(other.pk, {other.pk}) for other in others))
        groups |= dict.fromkeys(group, group)
    return groups


def _about(words: Iterable[Span], findings: Sequence[Finding]) -> list[Finding]:
    """The findings about any of ``words``, in the order of both."""
    return [one for span in words for one in findings if span.overlaps(Span(one.start, one.end))]


def _words(
    clash: Finding, sentences: Mapping[int, Span], evidence_of: Callable[[Finding], Iterable[Evidence]]
) -> Iterator[Span]:
    """The words that contradict each other, first those of its own sentence."""
    if _names_words(clash, sentences):
        yield Span(clash.start, clash.end)
    for evidence in evidence_of(clash):
        if evidence.sentence is not None:
            yield from evidence.conflict


def _names_words(finding: Finding, sentences: Mapping[int, Span]) -> bool:
    """False for a finding about a whole sentence, which may mean any of its words."""
    return Span(finding.start, finding.end) != sentences[finding.sentence_id]


def _is_open(finding: Finding) -> bool:
    return finding.state == Finding.State.OPEN
