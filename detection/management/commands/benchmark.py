"""``manage.py benchmark``: speed and memory of a named scenario, measured on this machine."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand

from detection.benchmarks import local_check
from detection.management.output import add_json_option, write_json

SCENARIOS: dict[str, Callable[[], dict[str, Any]]] = {"local-check": local_check.run}


class Command(BaseCommand):
    help = "Measure a scenario on this machine. Compare figures of one run with each other, not with other machines'."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", choices=SCENARIOS)
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        result = SCENARIOS[options["name"]]()
        if options["json"]:
            write_json(options["json"], result)
        if options["json"] != "-":
            for key, value in result.items():
                self.stdout.write(f"{key:36} {json.dumps(value) if isinstance(value, dict) else value}")
