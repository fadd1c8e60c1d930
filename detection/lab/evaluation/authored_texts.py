"""Set ``authored-texts``: texts as language models write them, half with planted contradictions, half clean traps.

A planted pair is found when a warning names its two sentences. A warning that names no planted pair is false; several
about the same two sentences count once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from detection.core.types import Finding, Span

from .base import Baseline, Conditions, EvaluationSet, Measured, Origin
from .checked import CheckAnswer, CheckQuestion, in_text_judges, joined
from .rewrites import Correction
from .rows import Fields, Row, read_rows
from .tallies import Formula, Tally, figures, measure, precision, share, total

#: The positions of two sentences of a text, the smaller first.
Pair = tuple[int, int]

DIFFICULTIES = ("easy", "medium", "hard")
FORMULAS: dict[str, Formula] = {
    "recall": share("found", "planted"),
    **{f"recall_{level}": share(f"found_{level}", f"planted_{level}") for level in DIFFICULTIES},
    "precision": precision("found", "false"),
    "false_per_100": share("false", "sentences"),
    "rewrites_right": share("rewrites_right", "rewrites"),
}
_NOTE = "false_per_100: warnings about two sentences that do not contradict each other, for each 100 sentences."
_NOTE_ON_REWRITES = (
    "rewrites_right: of the rewrites that are offered as checked again, removals and mergers aside. Those of the "
    "earlier sentence of a planted pair are left out, for want of a right wording; those for false warnings are wrong."
)


@dataclass(frozen=True, slots=True)
class PlantedPair:
    """Two sentences that contradict each other. ``wordings`` are right wordings of the second one, if any."""

    pair: Pair
    kind: str
    difficulty: str
    wordings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextTruth:
    """``spans`` are where its sentences stand in ``text``."""

    name: str
    genre: str
    text: str
    spans: tuple[Span, ...]
    planted: tuple[PlantedPair, ...]

    def pairs_of(self, finding: Finding, answer: CheckAnswer) -> frozenset[Pair]:
        """The pairs of sentences that a warning names: one, unless the product splits the text differently."""
        others = [evidence.sentence for evidence in finding.evidence if evidence.sentence is not None]
        own = self._positions(answer.sentences[finding.sentence].span)
        return frozenset(
            (min(one, two), max(one, two))
            for other in others
            for one in own
            for two in self._positions(answer.sentences[other].span)
        )

    def _positions(self, span: Span) -> list[int]:
        return [position for position, own in enumerate(self.spans) if own.overlaps(span)]


def read_text(fields: Fields) -> Row[CheckQuestion, TextTruth]:
    text, spans = joined(fields.texts("sentences"))
    planted = tuple(map(partial(_read_pair, len(spans)), fields.items("pairs")))
    return Row(CheckQuestion(text), TextTruth(fields.text("g"), fields.text("genre"), text, spans, planted))


def _read_pair(sentences: int, fields: Fields) -> PlantedPair:
    first, second = sorted((fields.position("a", sentences), fields.position("b", sentences)))
    return PlantedPair((first, second), fields.text("kind"), fields.text("difficulty"), fields.wordings("fix"))


def measure_texts(truths: Sequence[TextTruth], answers: Sequence[CheckAnswer]) -> Measured:
    """Figures of all texts, by kind of contradiction, by genre, and of clean texts and others."""
    cases = list(zip(truths, answers, strict=True))
    with_rewrites = any(planted.wordings for truth in truths for planted in truth.planted)
    tallies = [tally for truth, answer in cases for tally in _tallies(truth, answer, with_rewrites)]
    baselines = (
        _trivial("no warnings", [(truth, frozenset()) for truth in truths]),
        _trivial("every two sentences", [(truth, _all_pairs(truth)) for truth in truths]),
    )
    judged = f"{_NOTE_ON_REWRITES} Judged here: {total(tallies, 'rewrites')}."
    notes = (_NOTE, judged) if with_rewrites else (_NOTE,)
    return measure(tallies, FORMULAS, rows=len(cases), notes=notes, baselines=baselines)


def _tallies(truth: TextTruth, answer: CheckAnswer, with_rewrites: bool) -> Iterator[Tally]:
    named = frozenset(truth.pairs_of(finding, answer) for finding in answer.findings)
    rewrites = _rewrites(truth, answer) if with_rewrites else {}
    yield from detection_tallies(truth, named, rewrites)


def detection_tallies(
    truth: TextTruth, named: frozenset[frozenset[Pair]], others: dict[str, float] | None = None
) -> Iterator[Tally]:
    """The findings in one text. ``named`` are the pairs that each warning names, ``others`` are further counts."""
    found = frozenset().union(*named)
    part = "texts with contradictions" if truth.planted else "clean texts"
    groups = (f"genre: {truth.genre}", part)
    for planted in truth.planted:
        is_found = float(planted.pair in found)
        level = planted.difficulty
        counts = {"planted": 1.0, "found": is_found, f"planted_{level}": 1.0, f"found_{level}": is_found}
        yield Tally(truth.name, counts, (*groups, f"kind: {planted.kind}"))
    true_pairs = {planted.pair for planted in truth.planted}
    false = sum(not true_pairs & pairs for pairs in named)
    yield Tally(truth.name, {"sentences": len(truth.spans), "false": false, **(others or {})}, groups)


def _rewrites(truth: TextTruth, answer: CheckAnswer) -> dict[str, float]:
    verdicts = [
        verdict
        for finding, suggestion in answer.suggestions
        if suggestion.absorbed is None
        for verdict in [_is_right(truth, answer, finding, suggestion.sentence, suggestion.replacement)]
        if verdict is not None
    ]
    return {"rewrites": len(verdicts), "rewrites_right": sum(verdicts)} if verdicts else {}


def _is_right(truth: TextTruth, answer: CheckAnswer, finding: Finding, sentence: int, replacement: str) -> bool | None:
    """Whether a rewrite for a finding is right; None if the data has no right wording."""
    pairs = truth.pairs_of(finding, answer)
    clashes = [planted for planted in truth.planted if planted.pair in pairs]
    if not clashes:
        return False
    span = answer.sentences[sentence].span
    corrections = [
        Correction(truth.text, own, planted.wordings)
        for planted in clashes
        for own in [truth.spans[planted.pair[1]]]
        if planted.wordings and own.overlaps(span)
    ]
    if not corrections:
        return None
    return any(correction.is_met_by(replacement, span) for correction in corrections)


def _all_pairs(truth: TextTruth) -> frozenset[frozenset[Pair]]:
    return frozenset(frozenset({pair}) for pair in combinations(range(len(truth.spans)), 2))


def _trivial(name: str, cases: Sequence[tuple[TextTruth, frozenset[frozenset[Pair]]]]) -> Baseline:
    tallies = [tally for truth, named in cases for tally in detection_tallies(truth, named)]
    return Baseline(name, Origin.TRIVIAL, figures(tallies, FORMULAS, intervals=False))


AUTHORED_TEXTS = EvaluationSet(
    name="authored-texts",
    load=partial(read_rows, name="authored_texts", read=read_text),
    judges=in_text_judges(Conditions()),
    judges_at=in_text_judges,
    measure=measure_texts,
    chunk=4,
    reads_file=True,
)
