"""Scenario ``methods``: the cost and quality of each way to save calls and tokens.

The table is a part of ``docs/methods-and-costs.md``.

The check of whole texts and the judgement of labelled pairs are measured against an endpoint that replays recorded
answers. All settings get the same texts and pairs. The local models run once before, so that seconds are those of the
calls.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any

from django.conf import settings

from ... import wiring
from ...core.errors import EndpointRefused
from ...core.llm.client import Endpoint, ModelClient
from ...core.local_models.remembering import RememberingModels
from ...core.ports import Ports
from ...core.self_contradiction.model import NO_THRIFT, Contradictions, Thrift
from ..evaluation.base import Judge
from ..evaluation.metrics import Metrics
from ..evaluation.pair_judges import LlmPairJudge, PairAnswer, PairQuestion, ThriftyPairJudge
from ..evaluation.pairs import CHATPROTECT_PAIRS, PairRow, measure_pairs
from ..evaluation.rows import BadData, sample
from ..evaluation.text_judges import PipelineTextJudge, TextQuestion
from ..evaluation.texts import TextTruth, load_texts, measure_texts

_GENERATOR = "chatgpt"
_TEXTS = 6
_CHUNK = 128
_ENOUGH_CONCURRENCY = 16
_PRODUCT = Thrift()
#: The lines of the page around the measured table.
_BEGIN, _END = "<!-- measured by manage.py benchmark methods -->", "<!-- end of what was measured -->"


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to check. ``stops_early`` leaves out votes that cannot change the outcome."""

    name: str
    thrift: Thrift
    is_screened: bool = True
    stops_early: bool = True

    @property
    def of_pairs(self) -> Hashable:
        """The part of the setting that affects the judgement of pairs, which generates no alternatives."""
        first_vote = self.thrift.joins_pairs and self.thrift.first_vote
        return (self.thrift.joins_pairs, first_vote, self.is_screened, self.stops_early)


#: Each adds one way to the one before it; the others change one thing of what is the default.
SETTINGS = (
    Setting("as in the paper: ten votes, one prompt for each fact and pair", NO_THRIFT, False, False),
    Setting("+ no more votes than decide", NO_THRIFT, is_screened=False),
    Setting("+ the local models settle what they are sure of", NO_THRIFT),
    Setting("+ all facts of a sentence in one prompt", replace(NO_THRIFT, joins_facts=True, shares_prefix=True)),
    Setting(
        "+ answers compared in one prompt (as default with `LLM_FIRST_VOTE=0`)", replace(_PRODUCT, first_vote=False)
    ),
    Setting("+ the first vote decides where it is sure (default)", _PRODUCT),
    Setting("default, `LLM_ALTERNATIVES=2`", replace(_PRODUCT, alternatives=2)),
    Setting("default, `LLM_ALTERNATIVES=4`", replace(_PRODUCT, alternatives=4)),
    Setting("default, `LLM_JOIN_FACTS=0`", replace(_PRODUCT, joins_facts=False)),
    Setting("default, `LLM_JOIN_PAIRS=0`", replace(_PRODUCT, joins_pairs=False)),
    Setting("default, `LLM_SHARE_PREFIX=0`", replace(_PRODUCT, shares_prefix=False)),
    Setting("default, `LLM_SCREEN=0`", _PRODUCT, is_screened=False),
)


@dataclass(frozen=True, slots=True)
class _Material:
    texts: Sequence[tuple[TextQuestion, TextTruth]]
    pairs: Sequence[PairRow]
    models: RememberingModels
    url: str
    model: str


def run(*, base_url: str | None, model: str, data: Path, pairs: int | None) -> dict[str, Any]:
    """Measure every setting on recorded texts and on ``pairs`` pairs (None: all).

    Raises:
        EndpointRefused: there is no endpoint.
        BadData: the folder has not the labelled texts and pairs.
    """
    url = base_url or settings.LLM_BASE_URL
    if not url:
        raise EndpointRefused("Name an endpoint with --base-url, or in CHATPROTECT_LLM_BASE_URL.")
    material = _Material(
        list(_texts(data)),
        sample(CHATPROTECT_PAIRS.load(data), pairs),
        RememberingModels(wiring.models_in_this_process(), most_scores=inf, most_stretches=inf),
        url,
        model,
    )
    return asyncio.run(_measure(material))


def _texts(data: Path) -> Iterator[tuple[TextQuestion, TextTruth]]:
    """The first text of each topic."""
    rows = [row for row in load_texts(data) if row.truth.generator == _GENERATOR]
    first = {row.question.topic: row for row in reversed(rows)}
    for topic in sorted(first)[:_TEXTS]:
        yield first[topic].question, first[topic].truth


async def _measure(material: _Material) -> dict[str, Any]:
    for question, _ in material.texts:  # warm up the local models, so that the first setting is not slower
        await material.models.parse(question.text)
    known: dict[Hashable, dict[str, Any]] = {}
    results = []
    for setting in SETTINGS:
        texts = await _measure_texts(material, setting)
        if setting.of_pairs not in known:
            known[setting.of_pairs] = await _measure_pairs(material, setting)
        results.append({"setting": setting.name, "texts": texts, "pairs": known[setting.of_pairs]})
    return {
        "scenario": "methods",
        "texts": len(material.texts),
        "sentences": sum(len(truth.sentences) for _, truth in material.texts),
        "pairs": len(material.pairs),
        "settings": results,
        "table": as_table(results),
    }


async def _measure_texts(material: _Material, setting: Setting) -> dict[str, Any]:
    sentences = sum(len(truth.sentences) for _, truth in material.texts)
    answers = []
    async with _client(material) as client:
        judge = PipelineTextJudge(_ports(material, setting, client), is_screened=setting.is_screened)
        started = time.monotonic()
        for question, _ in material.texts:
            answers += await judge.judge([question])
        seconds = time.monotonic() - started
    spent = client.spending
    return {
        "calls_per_sentence": round(spent.calls / sentences, 2),
        "tokens_per_sentence": round(spent.usage.total / sentences),
        "seconds_per_text": round(seconds / len(material.texts), 1),
        "failed": sum(answer.failed for answer in answers),
        **_figures(measure_texts([truth for _, truth in material.texts], answers).overall.metrics),
    }


async def _measure_pairs(material: _Material, setting: Setting) -> dict[str, Any]:
    answers: list[PairAnswer] = []
    async with _client(material) as client:
        judge = _pair_judge(setting, _ports(material, setting, client))
        for start in range(0, len(material.pairs), _CHUNK):
            answers += await judge.judge([row.question for row in material.pairs[start : start + _CHUNK]])
    measured = measure_pairs([row.truth for row in material.pairs], answers)
    return {
        "calls_per_pair": round(client.spending.calls / len(material.pairs), 2),
        "tokens_per_pair": round(client.spending.usage.total / len(material.pairs)),
        "failed": sum(answer.failed for answer in answers),
        "f1": {group.name: _figures(group.metrics)["f1"] for group in (measured.overall, *measured.groups)},
    }


def _figures(metrics: Metrics) -> dict[str, Any]:
    return {name: getattr(metrics, name) for name in ("precision", "recall", "f1") if hasattr(metrics, name)}


def _client(material: _Material) -> ModelClient:
    # Too many at a time would measure the queue of a server on the same machine.
    return ModelClient(Endpoint(material.url, settings.LLM_API_KEY or "benchmark", max_concurrency=_ENOUGH_CONCURRENCY))


def _ports(material: _Material, setting: Setting, client: ModelClient) -> Ports:
    contradictions = Contradictions(
        client,
        generator=material.model,
        analyzer=material.model,
        stops_early=setting.stops_early,
        thrift=setting.thrift,
    )
    return Ports(material.models, contradictions, client=client)


def _pair_judge(setting: Setting, ports: Ports) -> Judge[PairQuestion, PairAnswer]:
    if setting.thrift.joins_pairs:
        return ThriftyPairJudge(ports, thrift=setting.thrift, is_screened=setting.is_screened)
    return LlmPairJudge(ports, stops_early=setting.stops_early, is_screened=setting.is_screened)


def as_table(results: Sequence[Mapping[str, Any]]) -> str:
    """A row for each setting: what a sentence takes and the seconds of a text; calls and F1 of the labelled pairs."""
    generators = list(results[0]["pairs"]["f1"])
    titles = [
        *("Method", "Calls", "Tokens", "Seconds for a text", "F1 of sentences", "Calls for a pair"),
        *(f"F1 of pairs, {name}" for name in generators),
    ]
    lines = [titles, ["---"] * len(titles)]
    for result in results:
        texts, pairs = result["texts"], result["pairs"]
        lines.append(
            [
                result["setting"],
                *(str(texts[f"{name}_per_sentence"]) for name in ("calls", "tokens")),
                str(texts["seconds_per_text"]),
                _number(texts.get("f1")),
                str(pairs["calls_per_pair"]),
                *(_number(pairs["f1"][name]) for name in generators),
            ]
        )
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_page(page: Path, result: Mapping[str, Any]) -> None:
    """Replace the measured table of the page.

    Raises:
        BadData: the page has no place for it.
    """
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    before, begins, rest = text.partition(_BEGIN)
    _, ends, after = rest.partition(_END)
    if not begins or not ends:
        raise BadData(f"{page} has no lines {_BEGIN} and {_END}.")
    page.write_text(f"{before}{begins}\n{as_section(result)}\n{ends}{after}", encoding="utf-8")


def as_section(result: Mapping[str, Any]) -> str:
    """What was measured on what, and the table."""
    return (
        f"{result['texts']} texts with {result['sentences']} sentences, and {result['pairs']:,} labelled pairs of "
        f"sentences.\n\n{result['table']}"
    )


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"
