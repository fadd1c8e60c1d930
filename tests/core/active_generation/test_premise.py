"""Questions with a false premise."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from detection.core.active_generation.asking import Analyzer
from detection.core.active_generation.knowledge import Knowledge, ModelMemory, RetrievedKnowledge
from detection.core.active_generation.premise import PremiseCheck, PremiseChecker, is_question
from detection.core.active_generation.types import Answer
from detection.core.llm.client import Endpoint, ModelClient
from detection.core.local_models.process import InProcessModels
from detection.core.retrieval.library_retriever import LibraryRetriever
from detection.core.sources.library import open_library
from detection.core.types import SourceText
from tests.fakes.model_server import Asked, ModelServer, Reply
from tests.fakes.writing import SOURCE

QUESTION = "Why did Jon Berg found the harbour of Karsholm in 1911?"
RECTIFIED = "Why did Ada Lind found the harbour of Karsholm in 1911?"
ADA = "The harbour of Karsholm was founded by Ada Lind in 1911"


class Judge:
    """The analyzer's judgement of a question, and its rewording."""

    def __init__(self, answer: str = "no", quote: str = ADA, rectified: str = RECTIFIED) -> None:
        self.said = {
            "assumption": "Jon Berg founded the harbour.",
            "quote": quote,
            "reason": "Ada Lind founded it.",
            "answer": answer,
        }
        self.rectified = rectified

    def __call__(self, asked: Asked) -> Reply:
        return Reply((self.rectified if "Rewrite the question" in asked.last else json.dumps(self.said),))


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(Judge()).running() as running:
        yield running


@asynccontextmanager
async def checking(
    server: ModelServer, models: InProcessModels, *, source: str = SOURCE, remembers: bool = False
) -> AsyncIterator[PremiseChecker]:
    library = await open_library([SourceText("0", "Chronicle", source)], models)
    async with ModelClient(Endpoint(server.base_url, "key", 10, 20)) as client:
        analyzer = Analyzer(client, "analyzer")
        knowledge: Knowledge = RetrievedKnowledge(LibraryRetriever(library), analyzer)
        yield PremiseChecker(ModelMemory(analyzer) if remembers else knowledge, analyzer)


async def check(server: ModelServer, models: InProcessModels, **options: object) -> PremiseCheck:
    async with checking(server, models, **options) as checker:  # type: ignore[arg-type]
        return await checker.check(QUESTION)


async def test_a_false_premise_comes_with_evidence_and_another_question(
    server: ModelServer, local_models: InProcessModels
) -> None:
    found = await check(server, local_models)
    assert (found.answer, found.rectified) == (Answer.NO, RECTIFIED)
    assert found.assumption == "Jon Berg founded the harbour."
    (evidence,) = found.evidence
    assert (evidence.quote, evidence.source, evidence.span.of(SOURCE)) == (ADA, "0", ADA)


@pytest.mark.parametrize("answer", ["yes", "unknown"])
async def test_a_question_that_nothing_is_wrong_with_stays_as_it_is(
    server: ModelServer, local_models: InProcessModels, answer: str
) -> None:
    server.script = Judge(answer)
    found = await check(server, local_models)
    assert (found.answer, found.rectified) == (answer, "")
    assert len(server.asked) == 1


async def test_a_verdict_on_a_made_up_quote_does_not_count(server: ModelServer, local_models: InProcessModels) -> None:
    server.script = Judge(quote="Nobody ever founded a harbour at that place.")
    assert (await check(server, local_models)).answer is Answer.UNKNOWN


async def test_where_nothing_is_found_nothing_is_asked(server: ModelServer, local_models: InProcessModels) -> None:
    found = await check(server, local_models, source="Bread is baked from flour.")
    assert found.answer is Answer.UNKNOWN
    assert not server.asked


async def test_the_memory_of_the_model_is_told_that_nothing_was_looked_up(
    server: ModelServer, local_models: InProcessModels
) -> None:
    found = await check(server, local_models, remembers=True)
    assert (found.answer, found.rectified) == (Answer.NO, RECTIFIED)
    assert "(nothing was looked up)" in server.asked[0].last
    (evidence,) = found.evidence
    assert (evidence.quote, evidence.source, evidence.document) == ("Ada Lind founded it.", None, None)


@pytest.mark.parametrize(
    "rectified",
    [QUESTION, "Ada Lind founded it.", "I'm sorry, I cannot do that.", "Which bread do people in Sorrel like best?"],
)
async def test_another_question_that_is_none_is_not_offered(
    server: ModelServer, local_models: InProcessModels, rectified: str
) -> None:
    server.script = Judge(rectified=rectified)
    found = await check(server, local_models)
    assert (found.answer, found.rectified) == (Answer.NO, "")


@pytest.mark.parametrize(
    ("prompt", "expected"), [(QUESTION, True), ("“Why?” ", True), ("Tell me about the harbour.", False)]
)
def test_only_questions_take_something_for_granted(prompt: str, expected: bool) -> None:
    assert is_question(prompt) is expected
