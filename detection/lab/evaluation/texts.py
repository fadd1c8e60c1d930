"""Set ``chatprotect-texts``: whole texts by language models, searched for contradictions and revised (METHODS A).

The definitions are those under which the paper's tables can be computed anew from its recorded data. A sentence is
contradicted when people called one of its pairs contradictory; a pair of it that they did not call so is a fact.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from detection.core.ports import Ports
from detection.core.types import Engine

from . import baselines
from .base import Baseline, EvaluationSet, Group, Judge, Measured, Origin
from .metrics import Counts, TextMetrics, f1_interval, percentage
from .rows import Fields, Row, read_rows
from .text_judges import (
    LocalTextJudge,
    PipelineTextJudge,
    ScoringTextJudge,
    TextAnswer,
    TextQuestion,
    TriggeringTextJudge,
)
from .triggers import continuation, questions_and_answers, rephrasing

#: The extractor of facts whose pairs the paper counts.
_COUNTED = "compactie"

_UNSEEN_WORDING = (
    "removed: a wording that nobody has labelled counts as free of contradictions, so that a new way to revise scores "
    "higher than it deserves; `new` says how many sentences that are. A dropped sentence is gone in any case."
)
_REPLAY = (
    "Against a server that replays recorded answers these figures are a lower bound: it has one alternative for each "
    "recorded fact, of which the judge on record saw all, and none for facts that are cut otherwise or triggered in "
    "another way. Pairs that other triggers gave are the set chatprotect-triggers."
)


@dataclass(slots=True)
class Labels:
    """The labels of the sentences of one generator. Filled while the pairs are read, then constant."""

    contradicted_at_first: set[str] = field(default_factory=set)
    """Sentences of first texts with a contradictory pair that the paper counts."""
    contradicted: set[str] = field(default_factory=set)
    """The same with the sentences of revised texts."""
    facts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """By topic, how many pairs of a sentence are not contradictory."""
    said: dict[str, dict[str, bool]] = field(default_factory=lambda: defaultdict(dict))
    """By judge on record, the sentences of first texts, and whether it called one of their pairs contradictory."""

    def knows(self, topic: str, sentence: str) -> bool:
        return sentence in self.contradicted or sentence in self.facts[topic]


@dataclass(frozen=True, slots=True)
class RecordedRevision:
    """The recorded text of another reviser. ``stage`` is an iteration or ``final``."""

    reviser: str
    stage: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextTruth:
    generator: str
    topic: str
    sentences: tuple[str, ...]
    labels: Labels
    revisions: tuple[RecordedRevision, ...]

    @property
    def contradicted(self) -> list[bool]:
        return [sentence in self.labels.contradicted_at_first for sentence in self.sentences]


_Case = tuple[TextTruth, TextAnswer]


# --- Reading ----------------------------------------------------------------------------------------------------


def load_texts(folder: Path) -> list[Row[TextQuestion, TextTruth]]:
    """The texts, with the labels of their sentences from the pairs.

    Raises:
        BadData: one of the two files is missing or broken.
    """
    labels: defaultdict[str, Labels] = defaultdict(Labels)
    read_rows(folder, "chatprotect_pairs", partial(_note_pair, labels))
    return read_rows(folder, "chatprotect_texts", partial(read_text, labels))


def read_text(labels: Mapping[str, Labels], fields: Fields) -> Row[TextQuestion, TextTruth]:
    sentences = fields.texts("sentences")
    question = TextQuestion(fields.text("topic"), fields.text("prompt"), fields.text("text"), sentences)
    generator = fields.text("glm")
    revisions = tuple(
        RecordedRevision(reviser, stage, revision.texts("sentences"))
        for reviser, stages in fields.objects("revisions").items()
        for stage, revision in stages.parts().items()
    )
    return Row(question, TextTruth(generator, question.topic, sentences, labels[generator], revisions))


def _note_pair(labels: Mapping[str, Labels], fields: Fields) -> Row[None, None] | None:
    if fields.text("triple_source") != _COUNTED:
        return None
    of_generator = labels[fields.text("glm")]
    sentence, contradictory = fields.text("orig"), fields.flag("contradictory")
    if contradictory:
        of_generator.contradicted.add(sentence)
    else:
        of_generator.facts[fields.text("topic")][sentence] += 1
    if fields.flag("in_paper_eval"):
        if contradictory:
            of_generator.contradicted_at_first.add(sentence)
        for judge, verdict in fields.objects("verdicts").items():
            said = of_generator.said[judge]
            said[sentence] = said.get(sentence, False) or verdict.flag("contradictory")
    return Row(None, None)


# --- Measuring --------------------------------------------------------------------------------------------------


def measure_texts(truths: Sequence[TextTruth], answers: Sequence[TextAnswer]) -> Measured:
    """Figures of all texts together, and by the model that wrote them."""
    cases = list(zip(truths, answers, strict=True))
    generators = sorted({truth.generator for truth in truths})
    groups = [_group(name, [case for case in cases if case[0].generator == name]) for name in generators]
    return Measured(_group("all", cases), tuple(groups), tuple(_notes(cases)))


def _notes(cases: Sequence[_Case]) -> Iterator[str]:
    if any(answer.sentences is not None for _, answer in cases):
        yield _UNSEEN_WORDING
    failed = sum(answer.failed for _, answer in cases)
    if failed:
        yield f"{failed} sentences could not be judged, and count as free of contradictions."


def _group(name: str, cases: Sequence[_Case]) -> Group:
    truths = [truth for truth, _ in cases]
    metrics = _detection(truths, [answer.flagged for _, answer in cases])
    revised = [answer.sentences for _, answer in cases if answer.sentences is not None]
    if len(revised) == len(cases):
        metrics = _with_mitigation(metrics, truths, revised)
    return Group(name, len(cases), metrics, (*_recorded(truths), *baselines.published_texts(name)))


def _detection(truths: Sequence[TextTruth], flagged: Sequence[Collection[int]]) -> TextMetrics:
    labels = [label for truth in truths for label in truth.contradicted]
    predicted = [
        index in of_text
        for truth, of_text in zip(truths, flagged, strict=True)
        for index in range(len(truth.sentences))
    ]
    counts = Counts.of(labels, predicted)
    interval = f1_interval(labels, predicted, [truth.topic for truth in truths for _ in truth.sentences])
    found = percentage(sum(predicted), len(predicted))
    return TextMetrics(counts.precision, counts.recall, counts.f1, interval.low, interval.high, found)


def _with_mitigation(
    metrics: TextMetrics, truths: Sequence[TextTruth], revised: Sequence[Sequence[str]]
) -> TextMetrics:
    before = sum(_contradicted(truth, truth.sentences) for truth in truths)
    after = sum(_contradicted(truth, sentences) for truth, sentences in zip(truths, revised, strict=True))
    new = [
        not truth.labels.knows(truth.topic, sentence) and sentence not in truth.sentences
        for truth, sentences in zip(truths, revised, strict=True)
        for sentence in sentences
    ]
    return replace(
        metrics,
        removed=100 - percentage(after, before) if before else 0.0,
        facts_kept=percentage(_facts(truths, revised), _facts(truths, [truth.sentences for truth in truths])),
        new=percentage(sum(new), len(new)),
    )


def _contradicted(truth: TextTruth, sentences: Iterable[str]) -> int:
    return sum(sentence in truth.labels.contradicted for sentence in sentences)


def _facts(truths: Sequence[TextTruth], texts: Sequence[Iterable[str]]) -> int:
    """The facts of the texts; a sentence that several texts on a topic share counts once."""
    by_topic: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    labels = {truth.generator: truth.labels for truth in truths}
    for truth, sentences in zip(truths, texts, strict=True):
        by_topic[truth.generator, truth.topic].update(sentences)
    return sum(
        labels[generator].facts[topic][sentence]
        for (generator, topic), sentences in by_topic.items()
        for sentence in sentences
    )


def _recorded(truths: Sequence[TextTruth]) -> Iterator[Baseline]:
    """The judges and revisers on record that saw all of the texts, stage by stage."""
    for reviser, stage in dict.fromkeys((r.reviser, r.stage) for truth in truths for r in truth.revisions):
        revised = [
            revision.sentences
            for truth in truths
            for revision in truth.revisions
            if (revision.reviser, revision.stage) == (reviser, stage)
        ]
        if len(revised) != len(truths):
            continue
        flagged = [
            [i for i, sentence in enumerate(truth.sentences) if truth.labels.said[reviser].get(sentence)]
            for truth in truths
        ]
        metrics = _detection(truths, flagged) if stage == "final" else TextMetrics()
        title = reviser if stage == "final" else f"{reviser}, {stage.replace('_', ' ')}"
        yield Baseline(title, Origin.RECORDED, _with_mitigation(metrics, truths, revised))


_JUDGES: Mapping[Engine, Mapping[str, Callable[[Ports], Judge[TextQuestion, TextAnswer]]]] = {
    Engine.LOCAL: {"in-text": LocalTextJudge},
    Engine.LLM: {
        "screened": partial(PipelineTextJudge, is_screened=True),
        "cloze": partial(PipelineTextJudge, is_screened=False),
        "continue": partial(TriggeringTextJudge, trigger=continuation),
        "rephrase": partial(TriggeringTextJudge, trigger=rephrasing),
        "qa": partial(TriggeringTextJudge, trigger=questions_and_answers),
        "score": ScoringTextJudge,
    },
}

CHATPROTECT_TEXTS = EvaluationSet(
    name="chatprotect-texts",
    load=load_texts,
    judges=_JUDGES,
    measure=measure_texts,
    chunk=8,
    caveats={Engine.LLM: _REPLAY},
)
