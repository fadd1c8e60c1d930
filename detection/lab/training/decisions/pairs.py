"""Pairs of sentences of whole texts, the data of the decision about pairs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from detection.core.comparing.pair_features import pair_features
from detection.core.comparing.pair_reading import read_pairs
from detection.core.comparing.partners import partners
from detection.core.comparing.sentence import ComparableSentence
from detection.core.local_models.process import LocalModels

from ..nli.authored import OWN_DIRECTORY, Origin, read_authored
from ..nli.data import Row, read_rows
from .features import Case, Features, gathered

_CLASS_COUNT = 2  # they agree, or they contradict each other
_RESTATED_IN_A_TEXT = 4


@dataclass(frozen=True, slots=True)
class LabelledText:
    """The sentences of a text, and the indices of the contradictory pairs."""

    group: str
    sentences: tuple[str, ...]
    contradictions: frozenset[tuple[int, int]]


def held_out_texts(data: Path, own: Path = OWN_DIRECTORY) -> list[LabelledText]:
    """Held-out authored texts: with contradictions, repaired, of the exam sets, and texts that repeat themselves."""
    given = data / "train" / "authored"
    rows = read_authored(given, own, "texts", Origin.OWN, held_out=True)
    rows += [row for file in sorted(own.glob("exam_texts_*.jsonl.gz")) for row in read_rows(file)]
    found = [_labelled(row) for row in rows]
    for row in read_authored(given, own, "twins", Origin.OWN, held_out=True):
        repaired = list(row["sentences"])
        for pair in row["pairs"]:
            repaired[pair["b"]] = pair["fixed"]
        found += [_labelled(row), LabelledText(row["g"], tuple(repaired), frozenset())]
    groups = read_authored(given, own, "groups", Origin.OWN, held_out=True)
    starts = range(0, len(groups), _RESTATED_IN_A_TEXT)
    return found + [_restated(groups[start : start + _RESTATED_IN_A_TEXT]) for start in starts]


def _restated(groups: Sequence[Row]) -> LabelledText:
    """A text that says everything twice, the second time in other words.

    The other texts seldom repeat anything, so that a decision fitted on them alone takes what is said again in other
    words for a contradiction, as the NLI model does.
    """
    sentences = (*(row["base"] for row in groups), *(row["same"][0] for row in groups))
    return LabelledText(f"restated {groups[0]['g']}", sentences, frozenset())


def _labelled(row: Row) -> LabelledText:
    contradictions = (sorted((pair["a"], pair["b"])) for pair in row["pairs"])
    return LabelledText(
        row["g"], tuple(row["sentences"]), frozenset((first, second) for first, second in contradictions)
    )


async def pair_features_of(texts: Sequence[LabelledText], models: LocalModels) -> Features:
    """The features of every pair of sentences that a check reads. Sentences that are parsed as two are left out."""
    cases = (case for text in texts async for case in _of_text(text, models))
    return await gathered(_CLASS_COUNT, cases)


async def _of_text(text: LabelledText, models: LocalModels) -> AsyncIterator[Case]:
    parsed = await models.parse(" ".join(text.sentences))
    by_text = {sentence.text: ComparableSentence(sentence) for sentence in parsed.sentences}
    numbers = [number for number, sentence in enumerate(text.sentences) if sentence in by_text]
    sentences = [by_text[text.sentences[number]] for number in numbers]
    comparable = (index for index, sentence in enumerate(sentences) if sentence.is_comparable)
    pairs = [
        (first, second) for second in comparable for first in await partners(sentences, second, range(second), models)
    ]
    for read in await read_pairs(sentences, pairs, models):
        is_wrong = (numbers[read.earlier], numbers[read.later]) in text.contradictions
        yield pair_features(read), int(is_wrong), text.group
