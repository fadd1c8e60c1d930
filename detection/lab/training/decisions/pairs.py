"""Pairs of sentences of whole texts, the data of the decisions about pairs and about partners."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from detection.core.comparing.pair_features import pair_features
from detection.core.comparing.pair_reading import read_pairs
from detection.core.comparing.partners import MAX_COMPARED_IN_FULL, EarlierPartners, comparable_with, partner_features
from detection.core.comparing.sentence import ComparableSentence
from detection.core.local_models.process import LocalModels

from ..nli.authored import (
    OWN_DIRECTORY,
    Origin,
    places_of,
    read_authored,
    read_own,
    repaired_sentences,
    untrained_texts,
)
from ..nli.data import Row
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
    rows += read_own(own, "exam_texts")
    found = [_labelled(row) for row in rows]
    for row in read_authored(given, own, "twins", Origin.OWN, held_out=True):
        found += [_labelled(row), LabelledText(row["g"], tuple(repaired_sentences(row)), frozenset())]
    groups = read_authored(given, own, "groups", Origin.OWN, held_out=True)
    starts = range(0, len(groups), _RESTATED_IN_A_TEXT)
    return found + [_restated(groups[start : start + _RESTATED_IN_A_TEXT]) for start in starts]


def texts_for_figures(data: Path, own: Path = OWN_DIRECTORY) -> list[LabelledText]:
    """The texts to which nothing is fitted."""
    return [_labelled(row) for row in untrained_texts(data, own)]


def _restated(groups: Sequence[Row]) -> LabelledText:
    """A text that says everything twice, the second time in other words.

    The other texts seldom repeat anything, so that a decision fitted on them alone takes what is said again in other
    words for a contradiction, as the NLI model does.
    """
    sentences = (*(row["base"] for row in groups), *(row["same"][0] for row in groups))
    return LabelledText(f"restated {groups[0]['g']}", sentences, frozenset())


def _labelled(row: Row) -> LabelledText:
    return LabelledText(row["g"], tuple(row["sentences"]), frozenset(map(places_of, row["pairs"])))


async def pair_features_of(texts: Sequence[LabelledText], models: LocalModels) -> Features:
    """The features of every pair of sentences that a check reads. Sentences that are parsed as two are left out."""
    return await gathered(_CLASS_COUNT, (_read_pairs_of(text, models) for text in texts))


async def partner_features_of(texts: Sequence[LabelledText], models: LocalModels) -> Features:
    """The features of every pair of sentences of which a check asks whether it is worth reading."""
    return await gathered(_CLASS_COUNT, (_candidates_of(text, models) for text in texts))


@dataclass(frozen=True, slots=True)
class _ParsedText:
    """The sentences of a text that are parsed as one, and the number of each in the text."""

    text: LabelledText
    sentences: Sequence[ComparableSentence]
    numbers: Sequence[int]

    @property
    def comparable(self) -> list[int]:
        return [index for index, sentence in enumerate(self.sentences) if sentence.is_comparable]

    def class_of(self, earlier: int, later: int) -> int:
        return int((self.numbers[earlier], self.numbers[later]) in self.text.contradictions)


async def _parsed(text: LabelledText, models: LocalModels) -> _ParsedText:
    parsed = await models.parse(" ".join(text.sentences))
    by_text = {sentence.text: ComparableSentence(sentence) for sentence in parsed.sentences}
    numbers = [number for number, sentence in enumerate(text.sentences) if sentence in by_text]
    return _ParsedText(text, [by_text[text.sentences[number]] for number in numbers], numbers)


async def _read_pairs_of(text: LabelledText, models: LocalModels) -> AsyncIterator[Case]:
    parsed = await _parsed(text, models)
    earlier = EarlierPartners(parsed.sentences)
    pairs = [(first, second) for second in parsed.comparable for first in await earlier.of(second, models)]
    for read in await read_pairs(earlier, pairs, models):
        yield pair_features(read), parsed.class_of(read.earlier, read.later), text.group


async def _candidates_of(text: LabelledText, models: LocalModels) -> AsyncIterator[Case]:
    parsed = await _parsed(text, models)
    for second in parsed.comparable:
        candidates = comparable_with(parsed.sentences, second, range(second))
        if len(candidates) > MAX_COMPARED_IN_FULL:
            for first, features in (await partner_features(parsed.sentences, second, candidates, models)).items():
                yield features, parsed.class_of(first, second), text.group
