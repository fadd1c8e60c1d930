"""Set ``chatprotect-triggers``: pairs that other triggers than the cloze gave for texts by ChatGPT (METHODS A.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from detection.core.types import Engine

from .base import EvaluationSet, Measured
from .pair_judges import PairAnswer, PairQuestion
from .pairs import PAIR_JUDGES, PairRow, PairTruth, measure_pairs
from .rows import Fields, Row, read_rows

_NOT_RECORDED = (
    "Ask a real model: a server that replays recorded answers has those to the cloze, and none for these pairs."
)
_FEW = "Few of these pairs are contradictory, and whether people read the others is not on record: recall is uncertain."
_PUBLISHED = (
    "Published, of ChatGPT's judgements: precision 76.8 (continue), 33.3 (rephrase), 81.9 (questions and answers), "
    "84.2 (cloze); sentences with a contradiction 5.1, 0.2, 10.3 and 17.7 %."
)


def read_trigger_pair(fields: Fields) -> PairRow:
    topic = fields.text("topic")
    question = PairQuestion(
        topic=topic,
        prompt=f"Please tell me about {topic}",
        prefix=fields.text("prefix"),
        triple=(),
        original=fields.text("orig"),
        alternative=fields.text("alt"),
    )
    return Row(question, PairTruth(fields.text("trigger"), topic, fields.flag("contradictory"), ()))


def measure_trigger_pairs(truths: Sequence[PairTruth], answers: Sequence[PairAnswer]) -> Measured:
    """Figures of all pairs together, and by trigger."""
    measured = measure_pairs(truths, answers)
    return replace(measured, notes=(*measured.notes, _FEW, _PUBLISHED))


CHATPROTECT_TRIGGERS = EvaluationSet(
    name="chatprotect-triggers",
    load=partial(read_rows, name="chatprotect_trigger_ablation_pairs", read=read_trigger_pair),
    judges=PAIR_JUDGES,
    measure=measure_trigger_pairs,
    chunk=128,
    caveats={Engine.LLM: _NOT_RECORDED},
)
