"""Scenario ``self-contradiction``: the calls, tokens and seconds of checks with a language model."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from ... import wiring
from ...core.control import never
from ...core.errors import EndpointRefused
from ...core.llm.budget import Spending
from ...core.llm.client import Endpoint, ModelClient, NoListener
from ...core.llm.types import CallOutcome, CallRecord
from ...core.local_models.process import LocalModels
from ...core.ports import Ports
from ...core.run import pipeline
from ...core.run.collector import Collector
from ...core.self_contradiction.model import Contradictions
from .texts import TEXT, TOPIC

_DETECTOR = "self_contradiction.v1"


@dataclass(frozen=True, slots=True)
class Text:
    topic: str
    text: str


class CallTimes(NoListener):
    """Records the time and the purpose of each call."""

    def __init__(self) -> None:
        self.records: list[CallRecord] = []

    async def called(self, record: CallRecord, spending: Spending) -> None:
        self.records.append(record)


def run(*, base_url: str | None, model: str, texts: Sequence[Text]) -> dict[str, Any]:
    """Check each text by itself, one after the other, with the rewrites.

    Raises:
        EndpointRefused: there is no endpoint.
    """
    url = base_url or settings.LLM_BASE_URL
    if not url:
        raise EndpointRefused("Name an endpoint with --base-url, or in CHATPROTECT_LLM_BASE_URL.")
    models = wiring.models_in_this_process()
    return asyncio.run(_measure(url, model, texts or [Text(TOPIC, TEXT)], models))


async def _measure(url: str, model: str, texts: Sequence[Text], models: LocalModels) -> dict[str, Any]:
    await models.parse("The models are loaded before the clock starts.")
    results = [await _check(url, model, text, models) for text in texts]
    sentences = sum(result["sentences"] for result in results)
    return {
        "scenario": "self-contradiction",
        "texts": len(results),
        "sentences": sentences,
        "wall_seconds_per_text": round(statistics.mean(result["wall_seconds"] for result in results), 2),
        "calls_per_sentence": round(sum(result["calls"] for result in results) / sentences, 2),
        "tokens_per_sentence": round(sum(result["tokens"] for result in results) / sentences),
        "dependent_calls": max(result["dependent_calls"] for result in results),
        "each": results,
    }


async def _check(url: str, model: str, text: Text, models: LocalModels) -> dict[str, Any]:
    times, collector = CallTimes(), Collector()
    request = pipeline.CheckRequest(text.text, topic=text.topic, detectors=(_DETECTOR,))
    async with ModelClient(Endpoint(url, settings.LLM_API_KEY or "benchmark"), listener=times) as client:
        ports = Ports(
            models,
            Contradictions(client, generator=model, analyzer=model, thrift=wiring.thrift()),
            is_screened=settings.LLM_SCREEN,
            client=client,
        )
        begun = time.monotonic()
        await pipeline.run(request, ports, collector.report, cancelled=never)
        seconds = time.monotonic() - begun
    answered = [record for record in times.records if record.outcome is CallOutcome.ANSWERED]
    median = statistics.median(record.seconds for record in answered) if answered else 0.0
    return {
        "topic": text.topic,
        "sentences": len(collector.sentences),
        "findings": len(collector.findings),
        "failed": len(times.records) - len(answered),
        "wall_seconds": round(seconds, 2),
        "median_call_seconds": round(median, 3),
        # As many calls of median length follow each other in the time that the check took.
        "dependent_calls": round(seconds / median) if median else 0,
        "calls": client.spending.calls,
        "prompt_tokens": client.spending.usage.prompt,
        "completion_tokens": client.spending.usage.completion,
        "tokens": client.spending.usage.total,
    }
