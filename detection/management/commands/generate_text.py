"""``manage.py generate_text``: have the language model write a text that is checked while it is written."""

from __future__ import annotations

import asyncio
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from detection import wiring, wording
from detection.core.active_generation.collector import WritingCollector
from detection.core.active_generation.premise import PremiseCheck, is_question
from detection.core.active_generation.tools import WritingTools, tools_for
from detection.core.active_generation.types import (
    Answer,
    ConceptChoice,
    Style,
    Validation,
    ValidationMode,
    WritingOptions,
    WritingRequest,
    WrittenSentence,
)
from detection.core.active_generation.writer import write
from detection.core.control import never
from detection.core.documents.formats import listed
from detection.core.errors import DetectionError
from detection.core.llm.budget import Spending
from detection.core.local_models.remembering import RememberingModels
from detection.core.messages import MessageCode
from detection.core.retrieval.library_retriever import LibraryRetriever
from detection.core.retrieval.registry import RETRIEVERS
from detection.core.types import Engine, SourceText
from detection.doors.evidence_output import evidence_as_json, place_of
from detection.management.output import add_json_option, bad_input, read_source_file, usage_as_json, write_json
from detection.storage.generation import PREMISE, VALIDATIONS

#: What to do with a question that has a false premise.
_STOP, _RECTIFY, _IGNORE = "stop", "rectify", "ignore"
#: Endings outside of the writer: the text was not started or was stopped, or a call failed.
_FALSE_PREMISE, _CANCELLED, _FAILED = "false_premise", "cancelled", "failed"


@dataclass(frozen=True, slots=True)
class _Result:
    """The result of a run. ``premise`` is None if no premise was checked."""

    request: WritingRequest
    premise: PremiseCheck | None
    collector: WritingCollector
    ending: str
    reason: str
    spending: Spending


class Command(BaseCommand):
    help = "Write a text with the language model, and check each sentence before the next one is written."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("prompt", help="what the text answers")
        parser.add_argument(
            "--validate",
            choices=[member.value for member in ValidationMode],
            help="look doubtful words up, ask the model's own memory, or do not check; by default a search where "
            "--retriever or --source is given, and the memory otherwise",
        )
        parser.add_argument("--retriever", choices=[*RETRIEVERS], default="", help="where to look things up")
        parser.add_argument(
            "--source",
            action="append",
            default=[],
            metavar="FILE",
            help=f"where to look things up: {listed('or')}; repeatable",
        )
        parser.add_argument("--topic", help="who or what the text is about")
        parser.add_argument("--steps", action="store_true", help="answer step by step, one fact a sentence")
        parser.add_argument(
            "--concepts",
            choices=[member.value for member in ConceptChoice],
            default=ConceptChoice.MODEL.value,
            help="who says what is worth asking about: the model, or the language pipeline on this machine",
        )
        parser.add_argument(
            "--premise",
            choices=[_STOP, _RECTIFY, _IGNORE],
            default=_STOP,
            help="when the question takes something false for granted: say so and stop, answer the rectified "
            "question, or do not look",
        )
        parser.add_argument("--sentences", type=int, metavar="N", help="write at most so many")
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        if not wiring.has_language_model():
            raise bad_input(
                "No language model is set up: set CHATPROTECT_LLM_BASE_URL and CHATPROTECT_GENERATOR_MODEL."
            )
        retriever = options["retriever"] or (LibraryRetriever.name if options["source"] else "")
        request = _request(options, retriever)
        sources = tuple(map(read_source_file, options["source"]))
        started = time.monotonic()
        try:
            result = asyncio.run(_run(request, options["premise"], retriever, sources))
        except DetectionError as error:
            raise bad_input(str(error)) from error
        if options["json"]:
            write_json(options["json"], _as_json(result, sources, time.monotonic() - started))
        if options["json"] != "-":
            self._print(result, sources)
        if result.ending in (_CANCELLED, _FAILED):
            raise SystemExit(1)

    def _print(self, result: _Result, sources: Sequence[SourceText]) -> None:
        if result.premise is not None and result.premise.answer is Answer.NO:
            self._print_premise(result.premise, sources)
        for number, sentence in enumerate(result.collector.sentences, 1):
            self._print_sentence(number, sentence, sources)
        if result.ending != _FALSE_PREMISE:
            self.stdout.write(f"\n{wording.reason_words(result.reason)}\n\n{result.collector.text}")
        self.stdout.write(f"\n{wording.spending_in_words(result.spending)}")

    def _print_premise(self, premise: PremiseCheck, sources: Sequence[SourceText]) -> None:
        false_premise = MessageCode.FALSE_PREMISE.of(assumption=premise.assumption)
        self.stdout.write(f"{wording.message_words(false_premise)} {premise.reason}")
        for evidence in premise.evidence:
            self.stdout.write(f"  {place_of(evidence, sources)}: “{evidence.quote}”")
        if premise.rectified:
            self.stdout.write(f"  > It could be asked so: {premise.rectified}")
        self.stdout.write("")

    def _print_sentence(self, number: int, sentence: WrittenSentence, sources: Sequence[SourceText]) -> None:
        state = wording.SENTENCE_STATE_LABELS[sentence.state]
        self.stdout.write(f"{number:>3}  {sentence.text or sentence.first_version}")
        reason = wording.reason_words(sentence.reason)
        self.stdout.write(f"     [{state}{f': {reason}' if reason else ''}]")
        if sentence.text and sentence.text != sentence.first_version:
            self.stdout.write(f"     first: {sentence.first_version}")
        for validation in sentence.validations:
            question = validation.question
            sure = "" if question.probability is None else f" ({wording.percent(question.probability)} sure)"
            self.stdout.write(f"       ? {question.concept}{sure}: {question.text} {validation.answer.capitalize()}.")
            for evidence in validation.evidence:
                self.stdout.write(f"         {place_of(evidence, sources)}: “{evidence.quote}”")


def _request(options: dict[str, Any], retriever: str) -> WritingRequest:
    if not options["prompt"].strip():
        raise bad_input("The prompt is empty. Say what the text is to be about.")
    if options["sentences"] is not None and options["sentences"] < 1:
        raise bad_input("--sentences is a number from 1.")
    mode = ValidationMode(options["validate"] or (ValidationMode.SEARCH if retriever else ValidationMode.SELF))
    if mode is ValidationMode.SEARCH and not retriever:
        raise bad_input("--validate search needs a --retriever to look things up with, or a --source to look in.")
    if mode is ValidationMode.SEARCH and retriever == LibraryRetriever.name and not options["source"]:
        raise bad_input("--retriever library looks into your sources: give one with --source.")
    return WritingRequest(
        prompt=options["prompt"],
        topic=options["topic"],
        style=Style.STEPS if options["steps"] else Style.TEXT,
        options=WritingOptions(
            mode=mode,
            concepts=ConceptChoice(options["concepts"]),
            most_characters=settings.MAX_TEXT_CHARS,
            most_sentences=options["sentences"],
        ),
    )


async def _run(request: WritingRequest, premise: str, retriever: str, sources: Sequence[SourceText]) -> _Result:
    is_searched = request.options.mode is ValidationMode.SEARCH
    models = RememberingModels(wiring.models_in_this_process())
    async with wiring.open_ports(
        Engine.LLM, models, retriever=retriever if is_searched else "", sources=sources
    ) as ports:
        tools, collector, checked = tools_for(request, ports), WritingCollector(), None
        if tools.premises is not None and premise != _IGNORE and is_question(request.prompt):
            checked = await tools.premises.check(request.prompt, request.topic)
        is_false = checked is not None and checked.answer is Answer.NO
        if checked is not None and is_false and premise == _RECTIFY and checked.rectified:
            request = replace(request, prompt=checked.rectified)
            tools = tools_for(request, ports)
            is_false = False
        ending, reason = _FALSE_PREMISE, "The question takes for granted what is not so."
        if not is_false:
            ending, reason = await _write(request, tools, collector)
        return _Result(request, checked, collector, ending, reason, tools.client.spending)


async def _write(request: WritingRequest, tools: WritingTools, collector: WritingCollector) -> tuple[str, str]:
    """Why the text ends, as a word and as a sentence. Settled sentences are never lost.

    Raises:
        DetectionError: nothing could be written.
    """
    try:
        await write(request, tools, collector.report, cancelled=never)
    except asyncio.CancelledError:  # Ctrl+C
        return _CANCELLED, "You stopped it."
    except DetectionError as error:
        if not collector.sentences:
            raise
        return _FAILED, str(error)
    end = collector.end
    return (end.ending, end.reason) if end else (_FAILED, "")


# --- The result as JSON (docs/writing.md has the form) ---------------------------------------------------------


def _as_json(result: _Result, sources: Sequence[SourceText], seconds: float) -> dict[str, Any]:
    return {
        "prompt": result.request.prompt,
        "premise": _premise_as_json(result.premise, sources) if result.premise else None,
        "text": result.collector.text,
        "sentences": [
            _sentence_as_json(index, sentence, sources) for index, sentence in enumerate(result.collector.sentences)
        ],
        "ending": result.ending,
        "reason": wording.reason_words(result.reason),
        "usage": usage_as_json(result.spending, seconds),
    }


def _sentence_as_json(index: int, sentence: WrittenSentence, sources: Sequence[SourceText]) -> dict[str, Any]:
    return {
        "index": index,
        "text": sentence.text,
        "first_version": sentence.first_version,
        "block": sentence.kind,
        "state": sentence.state,
        "reason": wording.reason_words(sentence.reason),
        "validations": [_validation_as_json(validation, sources) for validation in sentence.validations],
    }


def _premise_as_json(premise: PremiseCheck, sources: Sequence[SourceText]) -> dict[str, Any]:
    return {
        **PREMISE.to_json(premise),
        "reason": wording.reason_words(premise.reason),
        "evidence": [evidence_as_json(item, sources) for item in premise.evidence],
    }


def _validation_as_json(validation: Validation, sources: Sequence[SourceText]) -> dict[str, Any]:
    (stored,) = VALIDATIONS.to_json((validation,))
    probability = validation.question.probability
    return {
        **stored,
        "probability": None if probability is None else round(probability, 4),
        "reason": wording.reason_words(validation.reason),
        "evidence": [evidence_as_json(item, sources) for item in validation.evidence],
    }
