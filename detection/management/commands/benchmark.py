"""``manage.py benchmark``: speed and memory of a named scenario, measured on this machine."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from detection.core.errors import DetectionError
from detection.lab.benchmarks import (
    abuse,
    active_generation,
    evidence,
    grounding,
    large_check,
    load,
    local_check,
    methods,
    nli,
    page,
    self_contradiction,
)
from detection.lab.evaluation.rows import BadData
from detection.management.output import add_json_option, bad_input, read_text_file, write_json

#: Each scenario gets the options of the command.
SCENARIOS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "abuse": lambda options: abuse.run(),
    "local-check": lambda options: local_check.run(),
    "large-check": lambda options: large_check.run(),
    "grounding": lambda options: grounding.run(),
    "nli": lambda options: nli.run(),
    "page": lambda options: page.run(),
    "evidence": lambda options: evidence.run(),
    "doors": lambda options: _doors(),
    "load": lambda options: load.run(
        load.Load(load.Mode(options["mode"]), options["pages"], options["base_url"] or "", options["model"])
    ),
    "methods": lambda options: _methods(options),
    "active-generation": lambda options: active_generation.run(),
    "self-contradiction": lambda options: self_contradiction.run(
        base_url=options["base_url"],
        model=options["model"],
        texts=[self_contradiction.Text(topic, read_text_file(name)) for topic, name in options["text"]],
    ),
}


def _doors() -> dict[str, Any]:
    from detection.lab.benchmarks import doors  # needs the extras mcp and lsp

    return doors.run()


def _methods(options: dict[str, Any]) -> dict[str, Any]:
    result = methods.run(
        base_url=options["base_url"], model=options["model"], data=Path(options["data"]), pairs=options["limit"]
    )
    if options["page"]:
        methods.write_page(Path(options["page"]), result)
    return result


def _number(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ArgumentTypeError("at least 1")
    return number


class Command(BaseCommand):
    help = "Measure a scenario on this machine. Compare figures of one run with each other, not with other machines'."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", choices=SCENARIOS)
        parser.add_argument(
            "--base-url",
            help="self-contradiction, methods, load: the language model; by default that of the settings, or our own",
        )
        parser.add_argument(
            "--mode", choices=list(load.Mode), default=load.Mode.SCALED, help="load: several processes or one"
        )
        parser.add_argument(
            "--pages", nargs="+", type=_number, default=[], metavar="N", help="load: open pages, level by level"
        )
        parser.add_argument(
            "--model", default="chatgpt", help="self-contradiction, methods, load: the name of the model"
        )
        parser.add_argument(
            "--text",
            nargs=2,
            action="append",
            default=[],
            metavar=("TOPIC", "FILE"),
            help="self-contradiction: a text to check, may be given several times; by default one of the program's own",
        )
        parser.add_argument("--data", default=".", metavar="DIR", help="methods: the folder with the labelled data")
        parser.add_argument("--limit", type=_number, metavar="N", help="methods: judge so many pairs, spread evenly")
        parser.add_argument(
            "--page", metavar="FILE", help="methods: write the table into this page, docs/methods-and-costs.md"
        )
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            result = SCENARIOS[options["name"]](options)
        except (BadData, DetectionError) as error:
            raise bad_input(str(error)) from error
        if options["json"]:
            write_json(options["json"], result)
        if options["json"] != "-":
            for key, value in result.items():
                self.stdout.write(f"{key:36} {json.dumps(value) if isinstance(value, dict) else value}")
