"""Set ``authored-groups``: does a sentence score higher against the side that it contradicts?

In a two-sided group every sentence is right on one side and wrong on the other, so that nothing in the sentence alone
gives it away. In a contrast group some sentences contradict the base sentence, and others only look as if they did.
Both are training data: only the groups that are held out by their name count.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from detection.core.comparing.pair_scorer import PairScorer
from detection.core.ports import Ports
from detection.core.types import Engine

from .base import Baseline, EvaluationSet, Measured, Origin
from .rows import BadData, Fields, Row, find_files, read_rows
from .tallies import Figures, Formula, Tally, measure, share

#: The groups whose name has a hash below this, of 100, are held out of training.
HELD_OUT = 8
_FILES = ("sides*.jsonl*", "groups*.jsonl*")
#: The places of the files, relative to the folder of the training data or its siblings.
_PLACES = ("train/authored", "authored")

FORMULAS: dict[str, Formula] = {
    "two_sided": share("two_sided_right", "two_sided"),
    "contrasts": share("contrasts_right", "contrasts"),
}
_NOTE = (
    "two_sided: how often a sentence scores higher against the side that it contradicts. contrasts: "
    "how often a contradicting sentence of a contrast group scores higher than a compatible one. Ties count half. The "
    "score is for a contradiction, the mean of both directions."
)


@dataclass(frozen=True, slots=True)
class Match:
    """Two pairs of sentences, of which the first is the contradiction; by their positions in the group."""

    kind: str
    contradiction: int
    compatible: int


@dataclass(frozen=True, slots=True)
class GroupQuestion:
    """Pairs of sentences on one topic."""

    topic: str
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class GroupTruth:
    name: str
    genre: str
    matches: tuple[Match, ...]


GroupRow = Row[GroupQuestion, GroupTruth]


def is_held_out(name: str) -> bool:
    """Whether a group is held out of training, by its name."""
    return int(hashlib.sha1(name.encode(), usedforsecurity=False).hexdigest(), 16) % 100 < HELD_OUT


def load_groups(folder: Path) -> list[GroupRow]:
    """The groups that are held out, of all files of groups in a folder; or of one file.

    Raises:
        BadData: there is none.
    """
    files = [folder] if folder.is_file() else find_files(folder, _PLACES, _FILES)
    rows = [row for file in files for row in read_rows(file, file.name, read_group) if is_held_out(row.truth.name)]
    if not rows:
        raise BadData(
            f"{folder} has no group that is held out, in {' or '.join(_FILES)}. Give another folder: --data DIR."
        )
    return rows


def read_group(fields: Fields) -> GroupRow:
    pairs, matches = _two_sided(fields) if fields.is_known("only_a") else _contrasts(fields)
    truth = GroupTruth(fields.text("g"), fields.text("genre"), matches)
    return Row(GroupQuestion(fields.text("topic"), pairs), truth)


_Pairs = tuple[tuple[tuple[str, str], ...], tuple[Match, ...]]


def _two_sided(fields: Fields) -> _Pairs:
    sides = fields.text("a"), fields.text("b")
    of_a, of_b = fields.texts("only_a"), fields.texts("only_b")
    pairs = tuple((side, sentence) for sentence in (*of_a, *of_b) for side in sides)
    # A sentence that fits a contradicts b: the second of its two pairs.
    matches = [
        Match("two_sided", 2 * i + (i < len(of_a)), 2 * i + (i >= len(of_a))) for i in range(len(of_a) + len(of_b))
    ]
    return pairs, tuple(matches)


def _contrasts(fields: Fields) -> _Pairs:
    base, wrong = fields.text("base"), fields.texts("contra")
    fitting = (*fields.texts("same"), *fields.texts("neutral"))
    pairs = tuple((base, sentence) for sentence in (*wrong, *fitting))
    positions = product(range(len(wrong)), range(len(wrong), len(pairs)))
    return pairs, tuple(Match("contrasts", one, other) for one, other in positions)


# --- The judges -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PairJudge:
    """The NLI model, as it judges two sentences written for one place."""

    ports: Ports

    async def judge(self, questions: Sequence[GroupQuestion]) -> list[list[float]]:
        pairs = [(question.topic, *texts) for question in questions for texts in question.pairs]
        return _by_question(questions, await PairScorer(self.ports.models).score(pairs))


def _by_question(questions: Sequence[GroupQuestion], scores: Sequence[float]) -> list[list[float]]:
    rest = iter(scores)
    return [[next(rest) for _ in question.pairs] for question in questions]


# --- Measuring --------------------------------------------------------------------------------------------------


def measure_groups(truths: Sequence[GroupTruth], answers: Sequence[Sequence[float]]) -> Measured:
    """Figures of all groups, and by genre."""
    tallies = [tally for truth, scores in zip(truths, answers, strict=True) for tally in _tallies(truth, scores)]
    kinds = {name: 50.0 for name, formula in FORMULAS.items() if any(formula.needs[0] in t.counts for t in tallies)}
    chance = Baseline("chance", Origin.TRIVIAL, Figures(kinds))
    return measure(tallies, FORMULAS, rows=len(truths), notes=(_NOTE,), baselines=(chance,))


def _tallies(truth: GroupTruth, scores: Sequence[float]) -> Iterator[Tally]:
    for match in truth.matches:
        wrong, fitting = scores[match.contradiction], scores[match.compatible]
        is_right = float(wrong > fitting) if wrong != fitting else 0.5
        yield Tally(truth.name, {match.kind: 1, f"{match.kind}_right": is_right}, (f"genre: {truth.genre}",))


AUTHORED_GROUPS = EvaluationSet(
    name="authored-groups",
    load=load_groups,
    judges={Engine.LOCAL: {"nli": PairJudge}},
    measure=measure_groups,
    chunk=32,
    reads_file=True,
)
