"""Common endpoints: outcome and cost of a check, a check with a source, and a generated text."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest

from detection.core.control import never
from detection.core.errors import DetectionError
from detection.core.grounding.model import GroundingModel
from detection.core.llm import failures
from detection.core.llm.abilities import Abilities, Form
from detection.core.llm.client import ModelClient
from detection.core.llm.endpoint import Endpoint
from detection.core.local_models.process import InProcessModels
from detection.core.ports import Ports
from detection.core.reports import UnitDone, UnitFailed
from detection.core.run import pipeline
from detection.core.run.collector import Collector
from detection.core.self_contradiction.model import Contradictions
from detection.core.types import SourceText, Verdict
from tests.fakes.endpoints import ENDPOINTS, FakeEndpoint
from tests.fakes.endpoints.base import SOURCE, TEXT, good
from tests.fakes.endpoints.table import render
from tests.fakes.model_server import ModelServer

MODEL = "a-model"
FINE = (Verdict.NO_PROBLEM_FOUND, Verdict.SUPPORTED)
#: The number of calls of checks without failures, measured on the first endpoint by the first test.
CALLS: dict[str, int] = {}


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add next to nothing to the waits that endpoints ask for."""
    monkeypatch.setattr(failures, "_FIRST_WAIT_S", 0.001)


class Outcome:
    """The outcome of one scenario at one endpoint."""

    def __init__(self) -> None:
        self.done: list[UnitDone] = []
        self.reasons: list[str] = []
        self.missing: list[str] = []
        self.calls = 0

    @property
    def in_words(self) -> str:
        if self.reasons:
            return f"fails: {self.reasons[0]}"
        return f"degrades: {'; '.join(self.missing)}" if self.missing else "works"


def _missing_in_words(abilities: Abilities) -> list[str]:
    """The missing or changed request parameters of an endpoint."""
    told = {
        "instructions within the question": not abilities.system,
        "no temperature": not abilities.temperature,
        "no limit of the answer": not abilities.limit,
        "answers come one by one": not abilities.samples,
        "JSON without a schema": abilities.form is Form.OBJECT,
        "JSON as asked for in words": abilities.form is Form.WORDS,
        "no token probabilities": not abilities.probabilities,
        "no count of streamed tokens": not abilities.stream_options,
        "no reasoning effort": not abilities.effort,
        "it thinks first": bool(abilities.room),
    }
    return [words for words, is_so in told.items() if is_so]


# --- Storing ----------------------------------------------------------------------------------------------------


async def at_once(seconds: float) -> None:
    await asyncio.sleep(0)


async def outcome_of(row: FakeEndpoint, scenario: str, models: InProcessModels) -> Outcome:
    outcome = Outcome()
    with ModelServer(row.make()).running() as server:
        endpoint = Endpoint(server.base_url, "sk-secret-secret", 10, 30)
        async with ModelClient(endpoint, sleep=at_once) as client:
            contradictions = Contradictions(client, generator=MODEL, analyzer=MODEL)
            if scenario == "write":
                await _write(contradictions, outcome)
            else:
                await _check(client, contradictions, models, scenario, outcome)
            outcome.missing = _missing_in_words(client.abilities(MODEL))
        outcome.calls = len(server.asked)
    return outcome


async def _write(contradictions: Contradictions, outcome: Outcome) -> None:
    text = ""
    try:
        async with aclosing(contradictions.write("Tell me about the mill at Sorrel.")) as pieces:  # type: ignore[type-var]
            async for piece in pieces:
                text += piece
    except DetectionError as error:
        outcome.reasons.append(str(error))
    else:
        assert "built in 1894" in text
        assert "user" not in text  # no thoughts


async def _check(
    client: ModelClient, contradictions: Contradictions, models: InProcessModels, scenario: str, outcome: Outcome
) -> None:
    collector = Collector()
    is_sourced = scenario == "source"
    request = pipeline.CheckRequest(
        text=TEXT,
        sources=(SourceText("0", "Source", SOURCE),) if is_sourced else (),
        topic="the mill at Sorrel",
        detectors=("grounding.v1" if is_sourced else "self_contradiction.v1",),
    )
    grounding = GroundingModel(client, MODEL)
    ports = Ports(models, contradictions, is_screened=False, client=client, grounding=grounding)
    await pipeline.run(request, ports, collector.report, cancelled=never)
    units = [unit for found in collector.results.values() for unit in found.values()]
    outcome.done = [unit for unit in units if isinstance(unit, UnitDone)]
    outcome.reasons = [unit.reason for unit in units if isinstance(unit, UnitFailed)]


@pytest.mark.parametrize("scenario", ["check", "source", "write"])
@pytest.mark.parametrize("row", ENDPOINTS, ids=[row.make.__name__ for row in ENDPOINTS])
async def test_the_table_is_true(row: FakeEndpoint, scenario: str, local_models: InProcessModels) -> None:
    if scenario not in CALLS:
        perfect = FakeEndpoint("perfect", lambda: good, "", "", "", 0)
        CALLS[scenario] = (await outcome_of(perfect, scenario, local_models)).calls
    outcome = await outcome_of(row, scenario, local_models)
    expected: str = getattr(row, scenario)
    assert outcome.in_words.startswith(expected)
    assert "sk-secret" not in outcome.in_words
    verdicts = [unit.verdict for unit in outcome.done]
    if expected.startswith("fails"):
        # Sentences that were not compared do not pass.
        assert not set(verdicts) & set(FINE)
    elif scenario != "write":
        # The wrong year was found, so the passed sentences were compared.
        assert len(set(verdicts) - set(FINE)) == 1
        assert len(verdicts) == 2
    needed = CALLS[scenario] if not expected.startswith("fails") else 0
    if "one by one" in outcome.in_words:
        needed *= 3
    if expected.startswith("fails") and row.most_wasted != 1:
        needed = CALLS[scenario]
    assert outcome.calls <= needed + row.most_wasted


def test_there_are_many_and_each_says_how_it_is_known() -> None:
    assert len(ENDPOINTS) >= 40
    assert len({row.name for row in ENDPOINTS}) == len(ENDPOINTS)
    assert all(len(row.knowledge) > 20 for row in ENDPOINTS)


def test_the_page_is_what_the_command_prints() -> None:
    page = Path(__file__).parents[2] / "docs" / "endpoints.md"
    assert page.read_text(encoding="utf-8") == render(), "python -m tests.fakes.endpoints > docs/endpoints.md"
