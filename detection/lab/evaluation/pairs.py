"""Set ``chatprotect-pairs``: two sentences that language models wrote for the same place of a text (METHODS A)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from detection import wiring
from detection.core.ports import Ports
from detection.core.types import Engine
from detection.lab.training.nli.held_out import load_held_out

from . import baselines
from .ablations import DirectPairJudge, MultiPathPairJudge, StepByStepPairJudge
from .base import Baseline, EvaluationSet, Group, Judge, Measured, Origin
from .metrics import Counts, PairMetrics, f1_interval, thresholds_of_others
from .pair_judges import PRODUCT, LlmPairJudge, LocalPairJudge, PairAnswer, PairQuestion, ThriftyPairJudge
from .rows import Fields, Row, read_rows

_ABLATIONS = {
    "direct": "chatgpt, asked directly",
    "step_by_step": "chatgpt, step by step",
    "multi_path": "chatgpt, multi-path",
}
_UNSEEN = "topics new to the NLI model"
_SEEN = (
    "The NLI model was trained on labelled pairs of these topics, so the figures flatter it; those of the group "
    f"{_UNSEEN!r}, where there is one, do not."
)
_THRESHOLDS = (
    "f1_cross_validated: every topic judged with the threshold that is best for the others ({low:.3f} to {high:.3f})."
)


@dataclass(frozen=True, slots=True)
class RecordedVerdict:
    """The recorded answer of another judge for the pair."""

    judge: str
    contradictory: bool


@dataclass(frozen=True, slots=True)
class PairTruth:
    """The labels of people and other judges for a pair. ``generator`` wrote it; ``topic`` is that of the text."""

    generator: str
    topic: str
    contradictory: bool
    verdicts: tuple[RecordedVerdict, ...]

    def verdict_of(self, judge: str) -> bool | None:
        return next((verdict.contradictory for verdict in self.verdicts if verdict.judge == judge), None)


PairRow = Row[PairQuestion, PairTruth]
_Case = tuple[PairTruth, PairAnswer]


def read_pair(fields: Fields) -> PairRow | None:
    """The pair, or None for one that the paper does not count."""
    if not fields.flag("in_paper_eval"):
        return None
    question = PairQuestion(
        topic=fields.text("topic"),
        prompt=fields.text("target"),
        prefix=fields.text("prefix"),
        triple=fields.texts("triple"),
        original=fields.text("orig"),
        alternative=fields.text("alt"),
    )
    recorded = [
        RecordedVerdict(name, value.flag("contradictory")) for name, value in fields.objects("verdicts").items()
    ]
    ablations = fields.objects("ablations")
    recorded += [
        RecordedVerdict(title, ablations[name].flag("contradictory"))
        for name, title in _ABLATIONS.items()
        if name in ablations
    ]
    truth = PairTruth(
        generator=fields.text("glm"),
        topic=question.topic,
        contradictory=fields.flag("contradictory"),
        verdicts=tuple(recorded),
    )
    return Row(question, truth)


def measure_pairs(truths: Sequence[PairTruth], answers: Sequence[PairAnswer]) -> Measured:
    """Figures of all pairs together, by the model that wrote them, and of topics that the NLI model has not seen."""
    cases = list(zip(truths, answers, strict=True))
    generators = sorted({truth.generator for truth in truths})
    groups = [_group(name, [case for case in cases if case[0].generator == name]) for name in generators]
    unseen = _unseen(cases)
    if unseen:
        groups.append(_group(_UNSEEN, unseen))
    return Measured(_group("all", cases), tuple(groups), tuple(_notes(cases)))


def _unseen(cases: Sequence[_Case]) -> list[_Case]:
    """The cases that the NLI model in use was not trained on, as far as it declares them."""
    topics = load_held_out(wiring.model_settings().nli)
    return [case for case in cases if case[0].topic in topics] if topics else []


def _notes(cases: Sequence[_Case]) -> Iterator[str]:
    yield from _note_on_thresholds(cases)
    failed = sum(answer.failed for _, answer in cases)
    if failed:
        yield f"{failed} pairs could not be judged, and count as not contradictory."


def _group(name: str, cases: Sequence[_Case]) -> Group:
    truths = [truth for truth, _ in cases]
    metrics = replace(
        _metrics(truths, [answer.contradictory for _, answer in cases]), f1_cross_validated=_f1_cross_validated(cases)
    )
    return Group(name, len(cases), metrics, (*_recorded(truths), *baselines.published_pairs(name), _always(truths)))


def _metrics(truths: Sequence[PairTruth], predicted: Sequence[bool]) -> PairMetrics:
    labels = [truth.contradictory for truth in truths]
    counts = Counts.of(labels, predicted)
    interval = f1_interval(labels, predicted, [truth.topic for truth in truths])
    return PairMetrics(counts.precision, counts.recall, counts.f1, interval.low, interval.high)


def _f1_cross_validated(cases: Sequence[_Case]) -> float | None:
    thresholds = _thresholds(cases)
    if not thresholds:
        return None
    predicted = [answer.score >= thresholds[truth.topic] for truth, answer in cases]
    return Counts.of([truth.contradictory for truth, _ in cases], predicted).f1


def _thresholds(cases: Sequence[_Case]) -> dict[Hashable, float]:
    """By topic, the threshold that is best for the other topics."""
    return thresholds_of_others(
        [truth.contradictory for truth, _ in cases],
        [answer.score for _, answer in cases],
        [truth.topic for truth, _ in cases],
    )


def _recorded(truths: Sequence[PairTruth]) -> list[Baseline]:
    """The recorded judges that answered for every pair."""
    found = []
    for judge in dict.fromkeys(verdict.judge for truth in truths for verdict in truth.verdicts):
        verdicts = [truth.verdict_of(judge) for truth in truths]
        said = [verdict for verdict in verdicts if verdict is not None]
        if len(said) == len(truths):
            found.append(Baseline(judge, Origin.RECORDED, _metrics(truths, said)))
    return found


def _always(truths: Sequence[PairTruth]) -> Baseline:
    return Baseline("always contradictory", Origin.TRIVIAL, _metrics(truths, [True] * len(truths)))


def _note_on_thresholds(cases: Sequence[_Case]) -> list[str]:
    thresholds = _thresholds(cases).values()
    return [_THRESHOLDS.format(low=min(thresholds), high=max(thresholds))] if thresholds else []


PAIR_JUDGES: Mapping[Engine, Mapping[str, Callable[[Ports], Judge[PairQuestion, PairAnswer]]]] = {
    Engine.LOCAL: {"nli": LocalPairJudge},
    Engine.LLM: {
        "joined": ThriftyPairJudge,
        "joined-unscreened": partial(ThriftyPairJudge, is_screened=False),
        "joined-votes": partial(ThriftyPairJudge, thrift=replace(PRODUCT, first_vote=False)),
        "screened": partial(LlmPairJudge, is_screened=True),
        "early-votes": LlmPairJudge,
        "two-turn": partial(LlmPairJudge, stops_early=False),
        "direct": DirectPairJudge,
        "step-by-step": StepByStepPairJudge,
        "multi-path": MultiPathPairJudge,
    },
}

CHATPROTECT_PAIRS = EvaluationSet(
    name="chatprotect-pairs",
    load=partial(read_rows, name="chatprotect_pairs", read=read_pair),
    judges=PAIR_JUDGES,
    measure=measure_pairs,
    chunk=128,
    caveats={Engine.LOCAL: _SEEN},
)
