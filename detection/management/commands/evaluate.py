"""``manage.py evaluate``: how good an engine is on labelled data, beside published and recorded figures."""

from __future__ import annotations

import asyncio
import time
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from detection import wiring
from detection.core.errors import DetectionError
from detection.core.types import Engine, GroundingLevel
from detection.evaluation import SETS
from detection.evaluation.base import Evaluation, Progress, evaluate
from detection.evaluation.rows import BadData, sample
from detection.evaluation.table import as_json, as_table
from detection.management.output import add_json_option, bad_input, write_json, write_text_file

_PROGRESS_EVERY_S = 10.0
_LEVELS = {**{level.value: frozenset({level}) for level in GroundingLevel}, "both": frozenset(GroundingLevel)}


class Command(BaseCommand):
    help = "Measure an engine on a set of labelled data, beside published and recorded figures for it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("set", help=f"one of {', '.join(SETS)}")
        parser.add_argument("--data", required=True, metavar="DIR", help="the folder with the labelled data")
        parser.add_argument("--engine", choices=[engine.value for engine in Engine], default=Engine.LOCAL.value)
        parser.add_argument("--method", help="how the engine judges, where the set offers several; an ablation")
        parser.add_argument(
            "--level",
            help=f"of conli sets: the level at which sentences are compared with sources ({', '.join(_LEVELS)})",
        )
        parser.add_argument(
            "--limit", type=int, metavar="N", help="judge so many rows, spread evenly over the set, the same each time"
        )
        parser.add_argument("--plot", metavar="FILE.svg", help="of wikibio: draw how good it is by documents read")
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        _refuse_what_cannot_be_evaluated(options["set"], options["limit"], options["level"], options["plot"])
        try:
            evaluation = asyncio.run(
                self._evaluate(
                    options["set"],
                    Path(options["data"]),
                    options["limit"],
                    Engine(options["engine"]),
                    options["method"],
                    options["level"],
                )
            )
        except (BadData, DetectionError) as error:
            raise bad_input(str(error)) from error
        if options["json"] != "-":
            self.stdout.write(as_table(evaluation))
        if options["json"]:
            # Last: a file that cannot be written must not take the figures of a long run along.
            write_json(options["json"], as_json(evaluation))
        draw = SETS[options["set"]].plot
        if options["plot"] and draw is not None:
            write_text_file(options["plot"], draw(evaluation.measured))

    async def _evaluate(
        self, name: str, folder: Path, limit: int | None, engine: Engine, method: str | None, level: str | None
    ) -> Evaluation:
        evaluation_set = SETS[name]
        if level is not None and evaluation_set.judges_at is not None:
            evaluation_set = replace(evaluation_set, judges=evaluation_set.judges_at(_LEVELS[level]))
        methods = evaluation_set.judges.get(engine)
        if methods is None:
            raise bad_input(f"The set {name} can be measured with --engine {', '.join(evaluation_set.judges)} only.")
        if method is not None and method not in methods:
            raise bad_input(f"There is no method {method!r} for this; there are {', '.join(methods)}.")
        rows = sample(evaluation_set.load(folder), limit)
        async with wiring.open_ports(engine, wiring.models_in_this_process()) as ports:
            return await evaluate(evaluation_set, rows, engine, method or next(iter(methods)), ports, self._progress())

    def _progress(self) -> Progress:
        """Reports now and then on standard error how far the judge has got."""
        last = time.monotonic()

        def report(done: int, total: int) -> None:
            nonlocal last
            if time.monotonic() - last >= _PROGRESS_EVERY_S:
                last = time.monotonic()
                self.stderr.write(f"{done} of {total} rows", style_func=str)

        return report


def _refuse_what_cannot_be_evaluated(name: str, limit: int | None, level: str | None, plot: str | None) -> None:
    if name not in SETS:
        raise bad_input(f"There is no set {name!r}; there are {', '.join(SETS)}.")
    if limit is not None and limit < 1:
        raise bad_input(f"--limit {limit} leaves no rows. Give 1 or more, or leave it out for all of them.")
    if level is not None and level not in _LEVELS:
        raise bad_input(f"There is no level {level!r}; there are {', '.join(_LEVELS)}.")
    if level is not None and SETS[name].judges_at is None:
        raise bad_input(f"The set {name} has no levels: nothing in it is compared with sources. Leave --level out.")
    if plot is not None and SETS[name].plot is None:
        raise bad_input(f"There is nothing to draw for the set {name}. Leave --plot out.")
