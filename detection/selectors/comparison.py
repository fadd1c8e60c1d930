"""Compare a check with the previous one: fixed, new and unchanged warnings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from .. import wording
from ..core.reasons import Reason, is_reason
from ..core.types import FindingKind
from ..models import Check, Finding, Sentence, Unit


@dataclass(frozen=True, slots=True)
class ComparedFinding:
    """A warning of the earlier check, of the new one, or of both."""

    finding: int
    """Its id in the new check; in the earlier one if it is not in the new."""
    sentence: int
    title: str
    quoted: str

    @property
    def number(self) -> int:
        return self.sentence + 1


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome of the previous check's warnings."""

    previous: Check
    fixed: tuple[ComparedFinding, ...]
    """Their words were checked again without a finding."""
    unknown: tuple[ComparedFinding, ...]
    """They were not found again, but their words could not all be checked."""
    new: tuple[ComparedFinding, ...]
    stayed: tuple[ComparedFinding, ...]
    carried: int
    """Number of sentences whose results were all reused."""
    is_final: bool
    """Whether the new check has come to an end."""

    @property
    def new_ids(self) -> frozenset[int]:
        return frozenset(item.finding for item in self.new)


def comparison_of(check: Check) -> Comparison | None:
    """The comparison with the previous check; None without one."""
    if check.previous is None:
        return None
    before, now = _findings(check.previous), _findings(check)
    twins = _match(before, now)
    settled = _Settled(check, check.previous)
    gone = [finding for finding in before if finding.pk not in twins]
    kept = {twin.pk for twin in twins.values()}
    return Comparison(
        previous=check.previous,
        fixed=_views(finding for finding in gone if settled.covers(finding)),
        unknown=_views(finding for finding in gone if not settled.covers(finding)),
        new=_views(finding for finding in now if finding.pk not in kept),
        stayed=_views(finding for finding in now if finding.pk in kept),
        carried=settled.carried,
        is_final=not check.is_active,
    )


def _findings(check: Check) -> list[Finding]:
    return list(Finding.objects.filter(parent_check=check).select_related("sentence", "unit"))


def _same_fingerprint(finding: Finding) -> Hashable:
    return finding.fingerprint


def _same_words(finding: Finding) -> Hashable:
    return finding.kind, _quoted(finding).casefold()


def _match(before: Sequence[Finding], now: Sequence[Finding]) -> dict[int, Finding]:
    """The new finding for each earlier finding that still exists, by the id of the earlier one.

    Findings with equal words and equal context are the same. With a changed context they are the same if message and
    words are equal.
    """
    twins: dict[int, Finding] = {}
    for key in (_same_fingerprint, _same_words):
        free = [finding for finding in now if finding not in twins.values()]
        by_key: dict[Hashable, list[Finding]] = defaultdict(list)
        for finding in free:
            by_key[key(finding)].append(finding)
        for finding in before:
            if finding.pk not in twins and by_key[key(finding)]:
                twins[finding.pk] = by_key[key(finding)].pop(0)
    return twins


class _Settled:
    """The sentences that the new check has judged."""

    def __init__(self, check: Check, previous: Check) -> None:
        units = list(Unit.objects.filter(parent_check=check).select_related("sentence"))
        earlier = set(Sentence.objects.filter(parent_check=previous).values_list("text", flat=True))
        self._ran = {unit.detector for unit in units if unit.state == Unit.State.DONE}
        # A sentence without a fact needs no judgement; every other sentence without one is unresolved.
        open_units = [u for u in units if u.state != Unit.State.DONE and not is_reason(u.reason, Reason.STATES_NO_FACT)]
        self._open = {(unit.detector, unit.sentence.text) for unit in open_units}
        self._open_changes = {unit.detector for unit in open_units if unit.sentence.text not in earlier}
        self._texts = {unit.sentence.text for unit in units}
        judged = defaultdict(list)
        for unit in units:
            if unit.state == Unit.State.DONE:
                judged[unit.sentence_id].append(unit.is_carried)
        self.carried = sum(map(all, judged.values()))

    def covers(self, finding: Finding) -> bool:
        """True if the words of an earlier finding were judged again in their present form, or no longer exist."""
        detector, text = finding.unit.detector, finding.sentence.text
        if detector not in self._ran:
            return False
        if text in self._texts:
            return (detector, text) not in self._open
        return detector not in self._open_changes


def _quoted(finding: Finding) -> str:
    start = finding.sentence.start
    return finding.sentence.text[finding.start - start : finding.end - start]


def _views(findings: Iterable[Finding]) -> tuple[ComparedFinding, ...]:
    return tuple(
        ComparedFinding(
            finding.pk, finding.sentence.index, str(wording.KIND_TITLES[FindingKind(finding.kind)]), _quoted(finding)
        )
        for finding in findings
    )
