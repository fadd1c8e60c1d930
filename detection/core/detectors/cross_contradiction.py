"""Find sentences of one text that contradict each other (METHODS A, local engine).

The NLI model compares every sentence with the earlier ones on the same topic, in both directions. A pair is a
contradiction if the trained decision says so, or if two values of one thing exclude each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from ..comparing.frames import conflicts_in_frame
from ..comparing.pair_features import PairReading, of_text, pair_features
from ..comparing.partners import mean_relatedness, partners
from ..comparing.reference import begin_with_two_names, date_two_events, speak_of_two_things, tell_of_two_occasions
from ..comparing.sentence import ComparableSentence
from ..comparing.tables import is_row
from ..findings import in_document, make_finding
from ..llm.attribution import asking_for
from ..local_models.decision import Decision, LogisticDecision
from ..messages import MessageCode
from ..places import place_of
from ..ports import DetectionRequest, Emit, Material, Ports, Requirement
from ..reports import UnitDone, UnitStarted
from ..rewriting.merging import merge_by_model, merge_of_contradiction
from ..rewriting.rewrites import removal_of, rewrites_of_contradiction
from ..rules.alignment import ValueConflict, conflicts_between
from ..rules.base import Family
from ..rules.denial import conflicts_of_denial
from ..rules.kinship import conflicts_of_kinship
from ..rules.parties import telling
from ..rules.phrases import phrase_at
from ..rules.slots import Slot
from ..rules.strength import may_happen_again
from ..thresholds import THRESHOLDS, Thresholds, either
from ..types import Evidence, Finding, FindingKind, NliScore, Suggestion, Verdict
from .model_cross_contradiction import LocalPair, ModelCrossContradiction
from .table_cells import basis_of_row, compare_row_with_text, contradictions_of_wording

#: A sentence with more contradictions than this gets a rewrite for the first one only: a rewrite that resolves one
#: seldom resolves the others, and trying each costs minutes in a text of such sentences.
MAX_REWRITTEN_CONTRADICTIONS = 3

#: Below this contradiction score, and if no values clash, the model does not read the pair in the other direction. This
#: saves it for 73 % of 17,966 pairs of 249 texts, and loses no pair to which the decision gives 0.5.
_MIN_FORWARD = 0.05
_NO_TENSION = 0.01
_DISCOUNT = 0.6
_BESIDES = frozenset({"also", "too", "additionally", "besides", "again"})
#: The prefix "re-" before or in the main verb: the parser may split "re-elected" into three tokens.
_AGAIN = re.compile(r"\bre-\w{0,3}$", re.IGNORECASE)
#: A clash of this strength warns by itself: in 549 texts the decision left out 4 such clashes, all of them right. Of 15
#: weaker ones 2 were right.
_CLEAR = 0.85
_MIN_STRENGTH = 0.5
_MIN_STRENGTH_OF_DATES = 0.3
_MIN_FRAME_OVERLAP = 0.5

_BY_VALUES = "Both sentences give a value for the same thing, and the values exclude each other: {reason}."
_BY_NLI = (
    "The NLI model reads the two sentences as a contradiction ({forward:.2f} and {backward:.2f} in the two directions)."
)
_NLI_TOO = " The NLI model gives {score:.2f} for a contradiction."


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two sentences that clash; ``premise`` is the earlier one. ``conflict`` has the words, if the rules name them."""

    earlier: int
    later: int
    score: float
    forward: NliScore
    backward: NliScore
    conflict: ValueConflict | None


class CrossContradiction:
    """Compares the sentences of the text with each other."""

    id: ClassVar[str] = "cross_contradiction.v1"
    requires: ClassVar[frozenset[Requirement]] = frozenset()
    compares_sentences: ClassVar[bool] = True

    async def detect(self, request: DetectionRequest, ports: Ports, emit: Emit) -> None:
        if ports.reader is not None and ports.contradictions is not None:
            look = partial(_local_pairs, request.material, ports)
            await ModelCrossContradiction(self.id, ports.reader, ports.contradictions, look).detect(request, emit)
            return
        for index in request.pending:
            await emit(UnitStarted(self.id, index))
            sentences = request.material.sentences
            if is_row(sentences[index]):
                await emit(await compare_row_with_text(request.material, ports.models, index, self.id))
                continue
            found = await _contradictions(request.material, ports, index, sentences, range(index))
            with asking_for(self.id, (index,)):
                rewritten = found if len(found) <= MAX_REWRITTEN_CONTRADICTIONS else found[:1]
                findings = [
                    await self._finding(request, ports, clash, gets_rewrite=clash in rewritten) for clash in found
                ]
            verdict = Verdict.CONTRADICTED if findings else Verdict.NO_PROBLEM_FOUND
            await emit(UnitDone(self.id, index, verdict, tuple(findings)))

    async def problems(
        self, material: Material, ports: Ports, index: int, wording: ComparableSentence
    ) -> frozenset[FindingKind]:
        if is_row(material.sentences[index]):
            return await contradictions_of_wording(material, ports.models, index, wording)
        others = [i for i in range(len(material.sentences)) if i != index and i not in material.left_out]
        sentences = [*material.sentences[:index], wording, *material.sentences[index + 1 :]]
        found = await _contradictions(material, ports, index, sentences, others)
        return frozenset({FindingKind.CROSS_CONTRADICTION}) if found else frozenset()

    async def basis(self, material: Material, ports: Ports, index: int) -> tuple[str, ...]:
        """The sentences that it is compared with: all of them, and the model, if a language model reads the text."""
        sentences = material.sentences
        if ports.reader is not None and ports.contradictions is not None:
            return (ports.reader.analyzer, *(sentence.text for sentence in sentences))
        if is_row(sentences[index]):
            return basis_of_row(material)
        own = partners(sentences, index, range(index))
        of_these = (partner for i in own for partner in partners(sentences, i, range(i)))
        return tuple(sentences[i].text for i in dict.fromkeys([*own, *of_these]))

    async def _finding(
        self, request: DetectionRequest, ports: Ports, found: Contradiction, *, gets_rewrite: bool
    ) -> Finding:
        sentences = request.material.sentences
        earlier, later = sentences[found.earlier], sentences[found.later]
        conflict = found.conflict
        if conflict is None:
            span = later.parsed.sentence.span
            message = MessageCode.SENTENCES_EXCLUDE.of(number=found.earlier + 1)
            explanation = _BY_NLI.format(forward=found.forward.contradiction, backward=found.backward.contradiction)
        else:
            span = in_document(conflict.hypothesis.span, later)
            message = MessageCode.VALUES_DIFFER.of(
                own=phrase_at(later.clause, conflict.hypothesis.span),
                other=phrase_at(earlier.clause, conflict.premise.span),
                number=found.earlier + 1,
            )
            explanation = _BY_VALUES.format(reason=conflict.reason) + _NLI_TOO.format(score=_nli_score(found))
        evidence = Evidence(
            quote=earlier.text,
            span=earlier.parsed.sentence.span,
            sentence=found.earlier,
            conflict=(in_document(conflict.premise.span, earlier),) if conflict else (),
            score=found.score,
        )
        return make_finding(
            later,
            span=span,
            kind=FindingKind.CROSS_CONTRADICTION,
            verdict=Verdict.CONTRADICTED,
            score=found.score,
            message=message,
            explanation=explanation,
            evidence=(evidence,),
            detector=self.id,
            suggestions=await self._suggestions(request, ports, earlier, later, conflict)
            if gets_rewrite
            else [removal_of(later), removal_of(earlier)],
        )

    async def _suggestions(
        self,
        request: DetectionRequest,
        ports: Ports,
        earlier: ComparableSentence,
        later: ComparableSentence,
        conflict: ValueConflict | None,
    ) -> list[Suggestion]:
        """Suggestions: believe one of the two sentences, merge them, or remove one."""
        merge = None
        if ports.contradictions is not None:
            place = place_of(request.material, earlier.parsed.sentence.index)
            merge = await merge_by_model(earlier, later, conflict, request.recheck, ports.contradictions, place)
        if merge is None:
            merge = await merge_of_contradiction(earlier, later, conflict, request.recheck)
        return await rewrites_of_contradiction(earlier, later, conflict, request.recheck, merge)


async def _local_pairs(material: Material, ports: Ports, index: int) -> list[LocalPair]:
    """The contradictions that the local models find for a sentence, for the language model to verify."""
    found = await _contradictions(material, ports, index, material.sentences, range(index))
    return [LocalPair(clash.earlier, clash.later, clash.score, clash.conflict) for clash in found]


def _nli_score(found: Contradiction) -> float:
    return (found.forward.contradiction + found.backward.contradiction) / 2


async def _contradictions(
    material: Material, ports: Ports, index: int, sentences: Sequence[ComparableSentence], others: Iterable[int]
) -> list[Contradiction]:
    """The sentences at ``others`` that contradict the one at ``index``, one contradiction for each."""
    compared = [(min(partner, index), max(partner, index)) for partner in partners(sentences, index, others)]
    forwards = await ports.models.score([of_text(sentences[first], sentences[second]) for first, second in compared])
    clashes = [_conflicts(sentences[first], sentences[second]) for first, second in compared]
    doubtful = [
        _Pair(*places, conflicts, forward)
        for places, conflicts, forward in zip(compared, clashes, forwards, strict=True)
        if conflicts or forward.contradiction >= _MIN_FORWARD
    ]
    backwards = await ports.models.score([of_text(sentences[pair.later], sentences[pair.earlier]) for pair in doubtful])
    related = {
        i: await mean_relatedness(sentences, i, ports.models)
        for i in dict.fromkeys(place for pair in doubtful for place in (pair.earlier, pair.later))
    }
    decision, thresholds = ports.models.decision(Decision.OF_PAIRS), THRESHOLDS[material.strictness]
    judged = (
        _judged(
            pair,
            PairReading(
                sentences[pair.earlier],
                sentences[pair.later],
                pair.forward,
                backward,
                related[pair.earlier],
                related[pair.later],
            ),
            decision,
            thresholds,
        )
        for pair, backward in zip(doubtful, backwards, strict=True)
    )
    return [found for found in judged if found is not None]


@dataclass(frozen=True, slots=True)
class _Pair:
    """The indices of two sentences, their clashing values, and the score with ``earlier`` as the premise."""

    earlier: int
    later: int
    conflicts: Sequence[ValueConflict]
    forward: NliScore


def _judged(pair: _Pair, read: PairReading, decision: LogisticDecision, thresholds: Thresholds) -> Contradiction | None:
    clash = _strongest(pair.conflicts)
    values = score_of_values(read, clash)
    _, by_decision = decision.shares(pair_features(read, values))
    by_values = values if clash is not None and _counts_alone(clash) else 0.0
    if by_decision >= thresholds.pair and not values and _speaks_of_another(read.earlier, read.later):
        by_decision = 0.0
    if by_values < thresholds.contradiction and by_decision < thresholds.pair:
        return None
    told = _strongest(telling(pair.conflicts))
    return Contradiction(pair.earlier, pair.later, max(by_values, by_decision), read.forward, read.backward, told)


def strongest_clash(earlier: ComparableSentence, later: ComparableSentence) -> ValueConflict | None:
    """The values that exclude each other most clearly; None where no two do."""
    return _strongest(_conflicts(earlier, later))


def _strongest(conflicts: Sequence[ValueConflict]) -> ValueConflict | None:
    return max(conflicts, key=lambda conflict: conflict.strength, default=None)


def _conflicts(earlier: ComparableSentence, later: ComparableSentence) -> list[ValueConflict]:
    by_slot = [
        clash
        for clash in conflicts_between(earlier.clause, later.clause)
        if not (clash.family is Family.DATE and all(slot.is_state for slot in _slots(earlier, later, clash)))
    ]
    # Two sentences may give different values and both be true, so they must share most of their other words.
    by_frame = [
        clash
        for clash in conflicts_in_frame(earlier, later)
        if earlier.overlap(later) >= _MIN_FRAME_OVERLAP and not _may_both_happen(earlier, later, clash)
    ]
    return [
        *by_slot,
        *by_frame,
        *conflicts_of_kinship(earlier.clause, later.clause),
        *conflicts_of_denial(earlier.clause, later.clause),
    ]


def _may_both_happen(earlier: ComparableSentence, later: ComparableSentence, clash: ValueConflict) -> bool:
    """Whether both dates may be true: of two things, or of a repeated event, such as a race won in 1960 and in 1964."""
    if clash.family is not Family.DATE:
        return False
    is_of_two = date_two_events(earlier.clause, clash.premise, later.clause, clash.hypothesis)
    return is_of_two or all(map(may_happen_again, _slots(earlier, later, clash)))


def _slots(earlier: ComparableSentence, later: ComparableSentence, clash: ValueConflict) -> tuple[Slot, Slot]:
    return earlier.clause.slot(clash.premise), later.clause.slot(clash.hypothesis)


def _speaks_of_another(earlier: ComparableSentence, later: ComparableSentence) -> bool:
    """Whether the sentences are about two entries of a series or two occasions: a race won in 1960, and another one."""
    return (
        _adds(later)
        or tell_of_two_occasions(earlier.clause, later.clause)
        or begin_with_two_names(earlier.clause, later.clause)
    )


def _adds(later: ComparableSentence) -> bool:
    """True for "He was also in the team that won in 1987" and "He was re-elected", which add to an earlier sentence."""
    tree = later.clause.tree
    root = tree.root
    if root is None:
        return False
    start = tree.tokens[root].span.start - later.parsed.sentence.start
    happens_again = _AGAIN.search(later.text[: start + 3]) is not None
    return happens_again or any(tree.lemma(child) in _BESIDES for child in tree.children[root])


def _counts_alone(clash: ValueConflict) -> bool:
    """Whether a clash may warn although the decision does not. Words of kinship exclude each other by themselves."""
    return clash.family is Family.KINSHIP or clash.strength >= _CLEAR


def score_of_values(read: PairReading, conflict: ValueConflict | None) -> float:
    """The probability that two values exclude each other, 0 to 1; 0 if they may belong to two things."""
    if conflict is None or not _is_of_one_thing(read.earlier, read.later, conflict):
        return 0.0
    nli = (read.forward.contradiction + read.backward.contradiction) / 2
    # If the NLI model sees no contradiction at all, the two values may belong to two things.
    return either(nli, conflict.strength if nli >= _NO_TENSION else conflict.strength * _DISCOUNT)


def _is_of_one_thing(earlier: ComparableSentence, later: ComparableSentence, conflict: ValueConflict) -> bool:
    """Whether two clearly clashing values are about one thing on one occasion."""
    if conflict.family is Family.KINSHIP:
        return True  # such values exclude each other by themselves
    is_date = conflict.family is Family.DATE
    if conflict.strength < (_MIN_STRENGTH_OF_DATES if is_date else _MIN_STRENGTH) or _adds(later):
        return False
    if speak_of_two_things(earlier.clause, later.clause):
        return False
    return is_date or not tell_of_two_occasions(earlier.clause, later.clause)
