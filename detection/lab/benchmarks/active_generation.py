"""Scenario ``active-generation``: the cost of checking a text while it is written, compared with writing alone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any, ClassVar

from ... import wiring
from ...core.active_generation.collector import WritingCollector
from ...core.active_generation.tools import tools_for
from ...core.active_generation.types import ConceptChoice, SentenceState, ValidationMode, WritingOptions, WritingRequest
from ...core.active_generation.writer import write
from ...core.control import never
from ...core.llm.client import Endpoint, ModelClient
from ...core.local_models.process import LocalModels
from ...core.ports import Ports
from ...core.retrieval.library_retriever import LibraryRetriever
from ...core.retrieval.retriever import Query, Retrieved
from ...core.self_contradiction.model import Contradictions
from ...core.sources.library import open_library
from ...core.types import SourceText
from .slow_model import CORRECTIONS, SENTENCES, Behaviour, slow_model
from .texts import SOURCE, TOPIC

SECONDS_TO_FIRST_WORD = 0.3
SECONDS_PER_WORD = 0.03
SECONDS_PER_SEARCH = 0.3
PROMPT = "Write a report about the water works of Tarnbridge in 2022."
#: Varshney et al. 2023, section 3.4: the whole method beside writing alone, sentence by sentence.
PAPER_RATIO = 2.58

_MODEL = "some-model"


class SlowRetriever:
    """A slow search in the report."""

    name: ClassVar[str] = LibraryRetriever.name

    def __init__(self, retriever: LibraryRetriever) -> None:
        self._retriever = retriever

    async def retrieve(self, query: Query) -> AsyncGenerator[Retrieved]:
        await asyncio.sleep(SECONDS_PER_SEARCH)
        async for found in self._retriever.retrieve(query):
            yield found


def run() -> dict[str, Any]:
    """Write the same text in several ways, one after the other."""
    return asyncio.run(_measure(wiring.models_in_this_process()))


async def _measure(models: LocalModels) -> dict[str, Any]:
    await models.parse("The models are loaded before the clock starts.")
    only_written, searched = WritingOptions(mode=ValidationMode.NONE), WritingOptions(mode=ValidationMode.SEARCH)
    one_answer = await _write(models, only_written)
    by_sentence = await _write(models, replace(only_written, drafts_ahead=False))
    waiting = await _write(models, replace(searched, drafts_ahead=False))
    ways = {
        "checked_all_right": await _write(models, searched, Behaviour.ALL_RIGHT),
        "checked": await _write(models, searched),
        "checked_in_other_words": await _write(models, searched, Behaviour.OTHER_WORDS),
        "checked_with_local_concepts": await _write(models, replace(searched, concepts=ConceptChoice.LOCAL)),
        "checked_without_drafting_ahead": waiting,
    }
    return {
        "scenario": "active-generation",
        "sentences": len(SENTENCES),
        "wrong_facts": len(CORRECTIONS),
        "seconds_to_first_word": SECONDS_TO_FIRST_WORD,
        "seconds_per_word": SECONDS_PER_WORD,
        "seconds_per_search": SECONDS_PER_SEARCH,
        "written_in_one_answer": one_answer,
        "written_sentence_by_sentence": by_sentence,
        **ways,
        "ratios_to_sentence_by_sentence": {name: _ratio(way, by_sentence) for name, way in ways.items()},
        "ratios_to_one_answer": {name: _ratio(way, one_answer) for name, way in ways.items()},
        "ratio_of_the_paper": PAPER_RATIO,
    }


async def _write(
    models: LocalModels, options: WritingOptions, behaviour: Behaviour = Behaviour.SAME_AGAIN
) -> dict[str, Any]:
    collector = WritingCollector()
    request = WritingRequest(PROMPT, TOPIC, options=options)
    retriever = SlowRetriever(LibraryRetriever(await open_library([SourceText("0", "Report", SOURCE)], models)))
    with slow_model(SECONDS_TO_FIRST_WORD, SECONDS_PER_WORD, behaviour) as model:
        async with ModelClient(Endpoint(model.url, "benchmark")) as client:
            contradictions = Contradictions(client, generator=_MODEL, analyzer=_MODEL)
            ports = Ports(models, contradictions, client=client, retriever=retriever)
            begun = time.monotonic()
            await write(request, tools_for(request, ports), collector.report, cancelled=never)
            seconds = time.monotonic() - begun
            usage = client.spending.usage
    states = [sentence.state for sentence in collector.sentences]
    return {
        "seconds": round(seconds, 2),
        "seconds_per_sentence": round(seconds / len(states), 2),
        "calls_per_sentence": round(model.calls / len(states), 2),
        "prompt_tokens_per_sentence": round(usage.prompt / len(states)),
        "completion_tokens_per_sentence": round(usage.completion / len(states)),
        "repaired": states.count(SentenceState.REPAIRED),
        "drafts_dropped": collector.dropped,
    }


def _ratio(one: dict[str, Any], other: dict[str, Any]) -> float:
    return round(float(one["seconds"] / other["seconds"]), 2)
