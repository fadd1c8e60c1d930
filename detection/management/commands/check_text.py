"""``manage.py check_text``: the whole pipeline on a file, without web, database or queue."""

from __future__ import annotations

import asyncio
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from detection import wiring, wording
from detection.core.control import never
from detection.core.detectors import DETECTORS
from detection.core.detectors.cross_contradiction import CrossContradiction
from detection.core.documents.formats import listed
from detection.core.errors import DetectionError
from detection.core.evidence.plan import SearchEffort
from detection.core.evidence.record import SearchRecord
from detection.core.llm.budget import Spending
from detection.core.local_models.remembering import RememberingModels
from detection.core.reports import UnitDone, UnitFailed, UnitResult
from detection.core.retrieval.registry import RETRIEVERS
from detection.core.run import pipeline
from detection.core.run.collector import Collector
from detection.core.types import (
    Engine,
    Finding,
    Sentence,
    SourceText,
    Strictness,
    Verdict,
)
from detection.doors.evidence_output import place_of, search_as_json
from detection.doors.report import finding_as_json
from detection.management.output import (
    add_json_option,
    bad_input,
    read_source_file,
    read_text_file,
    usage_as_json,
    write_json,
)
from detection.management.search_lines import lines_of_search

_NOTHING_STOOD_OUT = "No problem found. That does not mean that all of it is true."
_COMPARED_ONLY = (
    "The sentences were compared with each other: --source says what they must agree with, --retriever where to look "
    "for evidence."
)


class Command(BaseCommand):
    help = "Check a text: print its sentences with what is wrong with them, and rewrites."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", default="-", help="the text; - or nothing is standard input")
        parser.add_argument(
            "--engine", choices=[member.value for member in Engine], default=wiring.default_engine().value
        )
        about = parser.add_mutually_exclusive_group()
        about.add_argument("--topic", help='who or what the text is about: what "he", "it", "the company" mean')
        about.add_argument("--prompt", help="the prompt that the text answers")
        parser.add_argument(
            "--source",
            action="append",
            default=[],
            metavar="FILE",
            help=f"{listed('or')}; repeatable",
        )
        parser.add_argument(
            "--detector", action="append", default=[], metavar="ID", help=f"one of {', '.join(DETECTORS)}"
        )
        parser.add_argument(
            "--strictness", choices=[member.value for member in Strictness], default=Strictness.BALANCED.value
        )
        parser.add_argument(
            "--retriever",
            choices=[*RETRIEVERS],
            default="",
            help="look the sentences up, with this search; by default none",
        )
        parser.add_argument(
            "--search-effort", choices=[member.value for member in SearchEffort], default=SearchEffort.BALANCED.value
        )
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        text = read_text_file(options["file"])
        request = pipeline.CheckRequest(
            text=text,
            sources=tuple(map(read_source_file, options["source"])),
            topic=options["topic"],
            prompt=options["prompt"],
            strictness=Strictness(options["strictness"]),
            detectors=_detectors(options["detector"]),
            search=wiring.search_plan(SearchEffort(options["search_effort"])),
        )
        engine = Engine(options["engine"])
        _refuse_what_cannot_be_checked(request, engine)
        collector = Collector()
        started = time.monotonic()
        try:
            spending = asyncio.run(_check(request, engine, options["retriever"], collector))
        except DetectionError as error:
            raise bad_input(str(error)) from error
        seconds = time.monotonic() - started
        if options["json"]:
            write_json(options["json"], _as_json(request, engine, collector, spending, seconds))
        if options["json"] != "-":
            self._print(request, collector)
            if engine is Engine.LLM:
                self.stdout.write(f"\n{wording.spending_in_words(spending)}")

    def _print(self, request: pipeline.CheckRequest, collector: Collector) -> None:
        findings = collector.findings
        for sentence in collector.sentences:
            verdict = collector.verdict(sentence.index)
            self.stdout.write(f"{sentence.index + 1:>3}  {sentence.text}")
            if verdict not in (Verdict.NO_PROBLEM_FOUND, Verdict.SUPPORTED):
                self.stdout.write(f"     [{wording.VERDICT_LABELS[verdict]}{_reason(collector, sentence)}]")
            for finding in findings:
                if finding.sentence == sentence.index:
                    self._print_finding(finding, request.sources)
            for search in _searches(collector, sentence):
                for line in lines_of_search(search):
                    self.stdout.write(f"       {line}")
        self.stdout.write(f"\n{collector.checked} of {collector.checkable} sentences checked.")
        if not findings and collector.checked:
            done = {detector for units in collector.results.values() for detector in units}
            only_compared = done == {CrossContradiction.id}
            self.stdout.write(f"{_NOTHING_STOOD_OUT} {_COMPARED_ONLY}" if only_compared else _NOTHING_STOOD_OUT)
        revised = collector.revised(request.text)
        if revised != request.text:
            self.stdout.write(f"\nWith the first rewrite of each warning:\n\n{revised}")

    def _print_finding(self, finding: Finding, sources: Sequence[SourceText]) -> None:
        said, sure = wording.message_words(finding.message), wording.sure_words(finding.score)
        self.stdout.write(f"     ! {said} ({sure}, {finding.score:.2f})")
        for evidence in finding.evidence:
            self.stdout.write(f"       {place_of(evidence, sources)}: “{evidence.quote}”")
        for suggestion in finding.suggestions:
            rewrite = suggestion.replacement or "(removed)"
            label = wording.suggestion_label(suggestion.label)
            self.stdout.write(f"       > {label}: {rewrite}{'' if suggestion.verified else ' (unverified)'}")


async def _check(request: pipeline.CheckRequest, engine: Engine, retriever: str, collector: Collector) -> Spending:
    models = RememberingModels(wiring.models_in_this_process())
    async with wiring.open_ports(engine, models, retriever=retriever, sources=request.sources) as ports:
        await pipeline.run(request, ports, collector.report, cancelled=never)
        return ports.client.spending if ports.client else Spending()


def _searches(collector: Collector, sentence: Sentence) -> list[SearchRecord]:
    units = collector.results[sentence.index].values()
    return [unit.search for unit in units if isinstance(unit, UnitDone) and unit.search is not None]


def _detectors(ids: list[str]) -> tuple[str, ...]:
    unknown = [detector_id for detector_id in ids if detector_id not in DETECTORS]
    if unknown:
        raise bad_input(f"There is no detector {unknown[0]!r}; there are {', '.join(DETECTORS)}.")
    return tuple(ids)


def _refuse_what_cannot_be_checked(request: pipeline.CheckRequest, engine: Engine) -> None:
    if engine is Engine.LLM and not wiring.has_language_model():
        raise bad_input("No language model is set up: set CHATPROTECT_LLM_BASE_URL and CHATPROTECT_GENERATOR_MODEL.")
    if not request.text.strip():
        raise bad_input("The text is empty. Give a file, or the text on standard input.")
    if len(request.text) > settings.MAX_TEXT_CHARS:
        raise bad_input(
            f"The text has {len(request.text):,} characters; the limit is {settings.MAX_TEXT_CHARS:,} "
            "(CHATPROTECT_MAX_TEXT_CHARS)."
        )
    for source in request.sources:
        if len(source.text) > settings.MAX_SOURCE_CHARS:
            raise bad_input(
                f"{source.name} has {len(source.text):,} characters; the limit is {settings.MAX_SOURCE_CHARS:,} "
                "(CHATPROTECT_MAX_SOURCE_CHARS)."
            )


def _reason(collector: Collector, sentence: Sentence) -> str:
    reasons = [unit.reason for unit in collector.results[sentence.index].values() if not isinstance(unit, UnitDone)]
    return f": {wording.reason_words(reasons[0])}" if reasons else ""


# --- The result as JSON (docs/commands.md has the form) ---------------------------------------------------------


def _as_json(
    request: pipeline.CheckRequest, engine: Engine, collector: Collector, spending: Spending, seconds: float
) -> dict[str, Any]:
    return {
        "text": request.text,
        "engine": engine,
        "topic": collector.topic,
        "sentences": [_sentence_as_json(collector, sentence, request.sources) for sentence in collector.sentences],
        "coverage": {"checked": collector.checked, "total": len(collector.sentences)},
        "usage": usage_as_json(spending, seconds),
        "revised": collector.revised(request.text),
    }


def _sentence_as_json(collector: Collector, sentence: Sentence, sources: Sequence[SourceText]) -> dict[str, Any]:
    units = collector.results[sentence.index]
    return {
        "index": sentence.index,
        "start": sentence.start,
        "end": sentence.end,
        "text": sentence.text,
        "verdict": collector.verdict(sentence.index),
        "units": {detector: _unit_as_json(unit) for detector, unit in units.items()},
        "findings": [
            _finding_as_json(finding, sources) for finding in collector.findings if finding.sentence == sentence.index
        ],
        "searches": [search_as_json(search) for search in _searches(collector, sentence)],
    }


def _unit_as_json(unit: UnitResult) -> str:
    if isinstance(unit, UnitDone):
        return "done"
    state = "failed" if isinstance(unit, UnitFailed) else "not_checked"
    return f"{state}({wording.reason_words(unit.reason)})"


def _finding_as_json(finding: Finding, sources: Sequence[SourceText]) -> dict[str, Any]:
    """The finding in the language of the command; the report itself is in English."""
    written = finding_as_json(finding, sources)
    return {
        **written,
        "message": wording.message_words(finding.message),
        "suggestions": [
            {**suggestion, "label": wording.suggestion_label(suggestion["label"])}
            for suggestion in written["suggestions"]
        ],
    }
