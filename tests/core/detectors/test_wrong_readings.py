"""Ten texts with planted contradictions, read by models with plausible wrong answers."""

from __future__ import annotations

import json

import pytest

from detection.core.reports import UnitDone, UnitFailed
from detection.core.run.collector import Collector
from detection.core.types import Verdict
from tests.fakes import reading
from tests.fakes.model_server import Asked, ModelServer, Reply
from tests.fakes.planted import TEXTS, Clash, Planted
from tests.fakes.scripts import contradicting

from .conftest import ReadLong

ID = "cross_contradiction.v1"

each_text = pytest.mark.parametrize("planted", TEXTS, ids=[planted.topic for planted in TEXTS])


class Model:
    """Reports ``clashes`` when reading, and judges pairs correctly. Each subclass has one fault."""

    def __init__(self, planted: Planted) -> None:
        self.planted = planted

    def __call__(self, asked: Asked) -> Reply:
        if reading.reads(asked):
            return self.read(asked)
        if reading.compares(asked):
            return self.compare(reading.pairs(asked))
        if reading.concludes(asked):
            (pair,) = reading.pairs(asked).values()
            return Reply(("Yes" if self.judge(*pair) else "No",) * asked.samples)
        return contradicting(asked)

    def read(self, asked: Asked) -> Reply:
        return reading.naming([_item(clash) for clash in self.planted.clashes])

    def compare(self, pairs: dict[int, tuple[str, str]]) -> Reply:
        return reading.judging({number: self.judge(*pair) for number, pair in pairs.items()})

    def judge(self, first: str, second: str) -> bool:
        return (first, second) in set(self.planted.pairs)


def _item(clash: Clash) -> dict[str, object]:
    return reading.item(clash.first, clash.second, clash.first_words, clash.second_words)


def found(result: Collector) -> set[tuple[int, int]]:
    """The shown pairs, by the indices of their sentences."""
    return {
        (evidence.sentence + 1, finding.sentence + 1)
        for finding in result.findings
        for evidence in finding.evidence
        if evidence.sentence is not None
    }


def fine(result: Collector) -> set[int]:
    """The indices of the sentences that passed."""
    return {index + 1 for index in result.results if result.verdict(index) is Verdict.NO_PROBLEM_FOUND}


def planted_pairs(planted: Planted) -> set[tuple[int, int]]:
    return {(clash.first, clash.second) for clash in planted.clashes}


@each_text
async def test_what_is_planted_is_found(read_long: ReadLong, model_server: ModelServer, planted: Planted) -> None:
    model_server.script = Model(planted)
    result = await read_long(planted.text, planted.topic)
    assert found(result) == planted_pairs(planted)
    in_clashes = {number for pair in planted_pairs(planted) for number in pair}
    assert fine(result) == set(range(1, 11)) - in_clashes


class NamesTraps(Model):
    """Also reports pairs that differ without a clash, and confirms them in one direction."""

    def read(self, asked: Asked) -> Reply:
        return reading.naming([_item(clash) for clash in self.planted.named])

    def judge(self, first: str, second: str) -> bool:
        sentences = self.planted.sentences
        return super().judge(first, second) or sentences.index(first) < sentences.index(second)


class NamesNeighbours(Model):
    """Reports each sentence with the previous one and words of both, instead of the clashes."""

    def read(self, asked: Asked) -> Reply:
        lines = reading.lines(asked)
        return reading.naming(
            [reading.item(n - 1, n, *(_words(lines[number]) for number in (n - 1, n))) for n in lines if n > 1]
        )


def _words(sentence: str) -> str:
    return " ".join(sentence.rstrip(".").split()[-3:])


@each_text
@pytest.mark.parametrize("model", [NamesTraps, NamesNeighbours])
async def test_wrong_pairs_are_not_shown(
    read_long: ReadLong, model_server: ModelServer, planted: Planted, model: type[Model]
) -> None:
    model_server.script = model(planted)
    result = await read_long(planted.text, planted.topic)
    assert found(result) <= planted_pairs(planted)


class CountsFromNought(Model):
    """Numbers sentences and pairs from 0, although the prompt numbers them from 1."""

    def read(self, asked: Asked) -> Reply:
        clashes = self.planted.clashes
        items = [reading.item(c.first - 1, c.second - 1, c.first_words, c.second_words) for c in clashes]
        return reading.naming(items, read=(0, len(self.planted.sentences) - 1))

    def compare(self, pairs: dict[int, tuple[str, str]]) -> Reply:
        return reading.judging({number - 1: self.judge(*pair) for number, pair in pairs.items()})


class AltersWords(Model):
    """Quotes each sentence with another number, or paraphrased."""

    def read(self, asked: Asked) -> Reply:
        altered = [
            reading.item(clash.first, clash.second, clash.first_words, "something else, as the text says in 1066")
            for clash in self.planted.clashes
        ]
        return reading.naming(altered)


@each_text
@pytest.mark.parametrize("model", [CountsFromNought, AltersWords])
async def test_quotes_that_stand_elsewhere_prove_nothing_and_leave_a_doubt(
    read_long: ReadLong, model_server: ModelServer, planted: Planted, model: type[Model]
) -> None:
    model_server.script = model(planted)
    result = await read_long(planted.text, planted.topic)
    assert found(result) <= planted_pairs(planted)
    shift = 1 if model is CountsFromNought else 0
    assert not fine(result) & {clash.second - shift for clash in planted.clashes}


class ReadsHalf(Model):
    """Reads only the first half of each prompt, and reports that."""

    def read(self, asked: Asked) -> Reply:
        numbers = reading.to_read(asked)
        return reading.naming([], read=(numbers[0], numbers[(len(numbers) - 1) // 2]))


class LosesTheBeginning(Model):
    """Its server silently truncates the beginning of a long prompt."""

    def read(self, asked: Asked) -> Reply:
        numbers = reading.to_read(asked)
        return reading.naming([], read=(numbers[len(numbers) // 2], numbers[-1]))


class SaysNothingOfWhatItRead(Model):
    def read(self, asked: Asked) -> Reply:
        return Reply((json.dumps({"contradictions": []}),))


@each_text
@pytest.mark.parametrize(
    ("model", "most_fine"), [(ReadsHalf, 10 - 3), (LosesTheBeginning, 10 - 3), (SaysNothingOfWhatItRead, 0)]
)
async def test_what_was_not_read_is_not_fine(
    read_long: ReadLong, model_server: ModelServer, planted: Planted, model: type[Model], most_fine: int
) -> None:
    """Unread sentences are read again in smaller parts; those still unread fail."""
    model_server.script = model(planted)
    result = await read_long(planted.text, planted.topic)
    assert found(result) <= planted_pairs(planted)
    assert len(fine(result)) <= most_fine
    reasons = {unit.reason for units in result.results.values() if isinstance(unit := units[ID], UnitFailed)}
    assert any("read only a part" in reason or "did not answer in the form" in reason for reason in reasons)


class JudgesHalf(Model):
    """Judges only every other pair, together or alone."""

    def compare(self, pairs: dict[int, tuple[str, str]]) -> Reply:
        first = self.planted.clashes[0]
        left_out = self.planted.sentences[first.first - 1], self.planted.sentences[first.second - 1]
        return reading.judging(
            {number: self.judge(*pair) for number, pair in pairs.items() if set(pair) != set(left_out)}
        )


@each_text
async def test_a_pair_that_was_not_judged_leaves_its_sentence_failed(
    read_long: ReadLong, model_server: ModelServer, planted: Planted
) -> None:
    model_server.script = JudgesHalf(planted)
    result = await read_long(planted.text, planted.topic)
    assert found(result) == {(c.first, c.second) for c in planted.clashes[1:]}
    assert isinstance(result.results[planted.clashes[0].second - 1][ID], UnitFailed)


async def test_who_quotes_what_it_was_told_of_an_earlier_window_is_understood(
    read_long: ReadLong, model_server: ModelServer
) -> None:
    """Facts of earlier sentences in a window have names instead of pronouns."""
    first = "The mill at Sorrel is a museum. It was built by Ada Lind in 1894."
    between = " ".join(f"House number {number} has {number + 3} windows." for number in range(100))
    last = "The mill at Sorrel was built by Jon Berg in 1912."

    def script(asked: Asked) -> Reply:
        if not reading.reads(asked):
            return contradicting(asked)
        lines = reading.lines(asked)
        if 2 not in lines or 103 not in lines:
            return reading.naming([])
        return reading.naming([reading.item(2, 103, lines[2].rstrip("."), "in 1912")])

    model_server.script = script
    result = await read_long(f"{first} {between} {last}")
    assert (2, 103) in found(result)
    assert isinstance(result.results[102][ID], UnitDone)
