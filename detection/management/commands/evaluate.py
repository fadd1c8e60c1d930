"""``manage.py evaluate``: measure an engine on labelled data, with published and recorded figures beside it."""

from __future__ import annotations

import asyncio
import time
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from detection import wiring
from detection.core.errors import DetectionError
from detection.core.local_models.process import LocalModels
from detection.core.local_models.remembering import RememberingModels
from detection.core.rules import Family
from detection.core.types import Engine, GroundingLevel, Strictness
from detection.lab.evaluation import SETS
from detection.lab.evaluation.base import Conditions, Evaluation, EvaluationSet, Progress, evaluate
from detection.lab.evaluation.rows import BadData, Row, sample
from detection.lab.evaluation.summary import as_page, as_summary, summary_as_json
from detection.lab.evaluation.table import as_json, as_table
from detection.lab.evaluation.worth import evaluate_without
from detection.management.output import add_json_option, bad_input, write_json, write_text_file

AnySet = EvaluationSet[Any, Any, Any]

#: In place of the name of a set.
ALL = "all"
_PROGRESS_EVERY_S = 10.0
_LEVELS = {**{level.value: frozenset({level}) for level in GroundingLevel}, "both": frozenset(GroundingLevel)}


class Command(BaseCommand):
    help = "Measure an engine on a set of labelled data, beside published and recorded figures for it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("set", help=f"{ALL}, or one of {', '.join(SETS)}")
        given = parser.add_mutually_exclusive_group(required=True)
        given.add_argument("--data", metavar="DIR", help="the folder with the labelled data")
        given.add_argument("--file", metavar="FILE", help="of authored sets: a file of one's own in the same form")
        parser.add_argument("--engine", choices=[engine.value for engine in Engine], default=Engine.LOCAL.value)
        parser.add_argument("--method", help="how the engine judges, where the set offers several; an ablation")
        parser.add_argument(
            "--level",
            help=f"of conli sets: the level at which sentences are compared with sources ({', '.join(_LEVELS)})",
        )
        parser.add_argument(
            "--strictness",
            choices=[strictness.value for strictness in Strictness],
            help="of sets of whole texts: how the product is set",
        )
        parser.add_argument(
            "--limit", type=int, metavar="N", help="judge so many rows, spread evenly over the set, the same each time"
        )
        parser.add_argument(
            "--without",
            action="append",
            default=[],
            metavar="FAMILY",
            help="leave a family of rules out, and show beside what the set gives with all of them; may be given "
            f"several times ({', '.join(Family)})",
        )
        parser.add_argument(
            "--except",
            action="append",
            default=[],
            dest="excepted",
            metavar="SET",
            help=f"of {ALL}: leave this set out; may be given several times (wikibio takes 45 seconds for each row)",
        )
        parser.add_argument(
            "--write-docs",
            nargs="?",
            const=str(settings.BASE_DIR / "docs" / "evaluation.md"),
            metavar="FILE",
            help=f"of {ALL}: write the page of the documentation (docs/evaluation.md)",
        )
        parser.add_argument("--plot", metavar="FILE.svg", help="of wikibio: draw how good it is by documents read")
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        _refuse_what_cannot_be_evaluated(options)
        try:
            if options["set"] == ALL:
                self._measure_all(options)
            else:
                self._measure_one(SETS[options["set"]], options)
        except (BadData, DetectionError) as error:
            raise bad_input(str(error)) from error

    def _measure_one(self, evaluation_set: AnySet, options: Mapping[str, Any]) -> None:
        evaluation = self._measure(evaluation_set, options)
        if options["json"] != "-":
            self.stdout.write(as_table(evaluation))
        if options["json"]:
            # Last, so that a file that cannot be written does not lose the figures of a long run.
            write_json(options["json"], as_json(evaluation))
        if options["plot"] and evaluation_set.plot is not None:
            write_text_file(options["plot"], evaluation_set.plot(evaluation.measured))

    def _measure_all(self, options: Mapping[str, Any]) -> None:
        """Measure every set that has data and that the engine can judge."""
        evaluations, missing = [], {}
        for name, evaluation_set in SETS.items():
            if name in options["excepted"]:
                missing[name] = "It was left out with --except."
                continue
            if Engine(options["engine"]) not in evaluation_set.judges:
                missing[name] = f"It can be measured with --engine {', '.join(evaluation_set.judges)} only."
                continue
            try:
                evaluations.append(self._measure(evaluation_set, options))
            except BadData as error:
                missing[name] = str(error)
            else:
                self.stderr.write(f"{name} is measured", style_func=str)
        if not evaluations:
            raise BadData(f"{options['data']} has none of the sets. Give the folder with their files: --data DIR.")
        if options["json"] != "-":
            self.stdout.write(as_summary(evaluations, missing))
        if options["json"]:
            write_json(options["json"], summary_as_json(evaluations, missing))
        if options["write_docs"]:
            write_text_file(options["write_docs"], as_page(evaluations, missing, _told(options)))

    def _measure(self, evaluation_set: AnySet, options: Mapping[str, Any]) -> Evaluation:
        engine = Engine(options["engine"])
        evaluation_set = _under_conditions(evaluation_set, options["strictness"], options["level"])
        method = _method(evaluation_set, engine, options["method"])
        rows = sample(evaluation_set.load(Path(options["file"] or options["data"])), options["limit"])
        return asyncio.run(
            self._evaluate(evaluation_set, rows, engine, method, frozenset(map(Family, options["without"])))
        )

    async def _evaluate(
        self, evaluation_set: AnySet, rows: list[Row[Any, Any]], engine: Engine, method: str, without: frozenset[Family]
    ) -> Evaluation:
        run = partial(evaluate_without, without) if without else evaluate
        async with wiring.open_ports(engine, self._models) as ports:
            return await run(evaluation_set, rows, engine, method, ports, self._progress())

    @cached_property
    def _models(self) -> LocalModels:
        """The models, loaded once for all sets."""
        return RememberingModels(wiring.models_in_this_process())

    def _progress(self) -> Progress:
        """Reports the progress of the judge on standard error at intervals."""
        last = time.monotonic()

        def report(done: int, total: int) -> None:
            nonlocal last
            if time.monotonic() - last >= _PROGRESS_EVERY_S:
                last = time.monotonic()
                self.stderr.write(f"{done} of {total} rows", style_func=str)

        return report


def _under_conditions(evaluation_set: AnySet, strictness: str | None, level: str | None) -> AnySet:
    """The set with these settings of the product."""
    if evaluation_set.judges_at is None:
        return evaluation_set
    conditions = Conditions(Strictness(strictness or Strictness.BALANCED), _LEVELS[level or "both"])
    return replace(evaluation_set, judges=evaluation_set.judges_at(conditions))


def _method(evaluation_set: AnySet, engine: Engine, method: str | None) -> str:
    """The requested method, or that of the engine."""
    methods = evaluation_set.judges.get(engine)
    if methods is None:
        engines = ", ".join(evaluation_set.judges)
        raise bad_input(f"The set {evaluation_set.name} can be measured with --engine {engines} only.")
    if method is not None and method not in methods:
        raise bad_input(f"There is no method {method!r} for this; there are {', '.join(methods)}.")
    return method or next(iter(methods))


def _told(options: Mapping[str, Any]) -> str:
    """The options of the command that the figures depend on."""
    told = {name: options[name] for name in ("limit", "strictness") if options[name] is not None}
    left_out = (f"--except {name}" for name in options["excepted"])
    return " ".join([*(f"--{name} {value}" for name, value in told.items()), *left_out])


def _refuse_what_cannot_be_evaluated(options: Mapping[str, Any]) -> None:
    name, limit = options["set"], options["limit"]
    if name not in SETS and name != ALL:
        raise bad_input(f"There is no set {name!r}; there are {', '.join(SETS)}, and {ALL}.")
    if limit is not None and limit < 1:
        raise bad_input(f"--limit {limit} leaves no rows. Give 1 or more, or leave it out for all of them.")
    for family in options["without"]:
        if family not in set(Family):
            raise bad_input(f"There is no family {family!r} of rules; there are {', '.join(Family)}.")
    if options["without"] and options["engine"] != Engine.LOCAL:
        raise bad_input("--without is for --engine local: a language model does not judge by the rules.")
    if name == ALL:
        _refuse_for_all(options)
    else:
        _refuse_for_one(name, options)


def _refuse_for_all(options: Mapping[str, Any]) -> None:
    for name in options["excepted"]:
        if name not in SETS:
            raise bad_input(f"There is no set {name!r} to leave out; there are {', '.join(SETS)}.")
    for option in ("file", "level", "method", "plot"):
        if options[option] is not None:
            raise bad_input(f"--{option} is for a single set. Leave it out, or name the set.")


def _refuse_for_one(name: str, options: Mapping[str, Any]) -> None:
    level = options["level"]
    if options["excepted"]:
        raise bad_input(f"--except is of {ALL}. Leave it out.")
    if level is not None and level not in _LEVELS:
        raise bad_input(f"There is no level {level!r}; there are {', '.join(_LEVELS)}.")
    if level is not None and not SETS[name].has_levels:
        raise bad_input(f"The set {name} has no levels: nothing in it is compared with sources. Leave --level out.")
    if options["strictness"] is not None and SETS[name].judges_at is None:
        raise bad_input(f"The set {name} has no use for --strictness: it is no set of whole texts. Leave it out.")
    if options["file"] is not None and not SETS[name].reads_file:
        raise bad_input(f"The set {name} reads no file of one's own. Give the folder with its data: --data DIR.")
    if options["write_docs"] is not None:
        raise bad_input(f"--write-docs writes of all sets: evaluate {ALL}.")
    if options["plot"] is not None and SETS[name].plot is None:
        raise bad_input(f"There is nothing to draw for the set {name}. Leave --plot out.")
