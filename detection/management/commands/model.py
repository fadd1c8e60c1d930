"""``manage.py model``: other NLI models than the one that ships (``docs/models.md``).

A subcommand is a class with ``help``, ``add_arguments`` and ``run``, named in :data:`SUBCOMMANDS`.
"""

from __future__ import annotations

import asyncio
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from django.conf import settings
from django.core.management.base import BaseCommand, OutputWrapper

from detection import wiring
from detection.core.errors import DetectionError, ModelNotInstalled, ModelUnavailable
from detection.core.local_models.nli.description import load_description
from detection.core.local_models.nli.installed import SHIPPED, InstalledModels
from detection.core.model_hub.install import install
from detection.core.model_hub.plan import InstallPlan, label_names, plan_install
from detection.core.model_hub.types import HubFile
from detection.lab.training.fitting import calibrate
from detection.management.output import bad_input

_CALIBRATE = "manage.py model calibrate --data DIR"


class Subcommand(Protocol):
    """One subcommand."""

    help: str

    def add_arguments(self, parser: ArgumentParser) -> None: ...

    def run(self, options: Mapping[str, Any], out: OutputWrapper) -> None:
        """Raises:
        DetectionError: the subcommand failed; the message says why.
        """
        ...


class Install:
    """Downloads a model after its licence and size were confirmed."""

    help = "Download an NLI or groundedness model in ONNX from a model hub."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="as on its page at the hub: OWNER/NAME")
        parser.add_argument("--revision", default="main", metavar="R", help="a branch, tag or commit (main)")
        parser.add_argument("--hub", default="", metavar="URL", help="by default CHATPROTECT_MODEL_HUB")
        parser.add_argument("--file", default="", metavar="PATH", help="the ONNX file, where the model has several")
        parser.add_argument(
            "--labels", default="", metavar="A,B,C", help="what the classes stand for, where the model does not say"
        )
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def run(self, options: Mapping[str, Any], out: OutputWrapper) -> None:
        models, name = wiring.installed_models(), options["name"]
        with wiring.open_hub(options["hub"]) as client:
            plan = plan_install(
                client,
                name,
                revision=options["revision"],
                file=options["file"],
                labels=[label for label in options["labels"].split(",") if label.strip()],
            )
            _describe(plan, client.host, out)
            if not options["yes"] and not _agrees():
                raise ModelNotInstalled("Nothing was installed.")
            shipped = Path(settings.SHIPPED_NLI_MODEL)
            folder = install(client, plan, models, shipped=shipped, progress=_Progress(out))
        out.write(f"installed in {folder}")
        out.write(f"Use it with: manage.py model use {name}")
        out.write(
            f"What turns its scores into decisions was fitted to the model that ships. Fit it to this one: {_CALIBRATE}"
        )


class List:
    """Lists the installed models."""

    help = "Show the models that are installed, and which one is in use."

    def add_arguments(self, parser: ArgumentParser) -> None:
        pass

    def run(self, options: Mapping[str, Any], out: OutputWrapper) -> None:
        models = wiring.installed_models()
        for name in [SHIPPED, *models.names()]:
            folder = _folder(models, name)
            mark = "*" if folder == settings.NLI_MODEL else " "
            out.write(f"{mark} {name:40} {_megabytes(folder):>9}  {_summary(folder)}")
        if settings.NLI_MODEL_OF_ENVIRONMENT:
            out.write(f"in use: {settings.NLI_MODEL}, by CHATPROTECT_NLI_MODEL")


class Use:
    """Chooses the model of the next start."""

    help = "Use an installed model, or the one that ships, from the next start on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help=f"an installed model, or {SHIPPED}")

    def run(self, options: Mapping[str, Any], out: OutputWrapper) -> None:
        models, name = wiring.installed_models(), options["name"]
        try:
            models.choose(name)
        except ValueError as error:
            known = ", ".join([SHIPPED, *models.names()])
            raise ModelUnavailable(f"{error}. There are: {known}. Install it first.") from error
        except OSError as error:
            raise ModelUnavailable(f"The choice cannot be kept in {models.root}: {error.strerror}.") from error
        out.write(f"{name} is used from the next start of the server on.")
        if settings.NLI_MODEL_OF_ENVIRONMENT:
            out.write("CHATPROTECT_NLI_MODEL is set, and goes before it: unset it.")


class Calibrate:
    """Fits the decisions to the scores of a model."""

    help = "Fit the temperature, the histograms and the decision to an installed model, by labelled data."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", nargs="?", help="an installed model; by default the one in use")
        parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="holds train/ and eval/")

    def run(self, options: Mapping[str, Any], out: OutputWrapper) -> None:
        models, name = wiring.installed_models(), options["name"]
        folder = models.folder(name) if name else Path(settings.NLI_MODEL)
        if folder == Path(settings.SHIPPED_NLI_MODEL):
            raise ModelUnavailable("The model that ships is calibrated. Name an installed one: manage.py model list")
        try:
            asyncio.run(calibrate(replace(wiring.model_settings(), nli=folder), options["data"], out.write))
        except FileNotFoundError as error:
            raise ModelUnavailable(f"{error.filename} is missing. DIR has to hold the labelled data.") from error
        out.write(f"{folder} is calibrated, from the next start on.")


SUBCOMMANDS: dict[str, Subcommand] = {"install": Install(), "list": List(), "use": Use(), "calibrate": Calibrate()}


class Command(BaseCommand):
    help = "Install and choose the model that judges pairs of sentences."
    #: A missing chosen model is an error at the start, and this command repairs it.
    requires_system_checks = []  # noqa: RUF012  # Django's declaration

    def add_arguments(self, parser: ArgumentParser) -> None:
        parsers = parser.add_subparsers(dest="subcommand", required=True, metavar="SUBCOMMAND")
        for name, subcommand in SUBCOMMANDS.items():
            subcommand.add_arguments(parsers.add_parser(name, help=subcommand.help, description=subcommand.help))

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            SUBCOMMANDS[options["subcommand"]].run(options, self.stdout)
        except DetectionError as error:
            raise bad_input(str(error)) from error


class _Progress:
    """A line for each tenth of a file."""

    def __init__(self, out: OutputWrapper) -> None:
        self._out = out
        self._last = ("", -1)

    def __call__(self, file: HubFile, received: int) -> None:
        tenth = 10 * received // file.size if file.size else -1
        if (file.path, tenth) != self._last:
            self._last = (file.path, tenth)
            share = f"{10 * tenth:3} %" if tenth >= 0 else ""
            self._out.write(f"  {file.path} {share}".rstrip())


def _describe(plan: InstallPlan, host: str, out: OutputWrapper) -> None:
    out.write(f"{plan.model.name} at {host}, revision {plan.model.revision}")
    out.write(f"  licence  {plan.model.licence or 'none is stated: ask its owner before you use it'}")
    out.write(f"  size     {_shown_size(plan.size)}: {', '.join(file.path for file in plan.files.values())}")
    out.write(f"  answers  {label_names(plan.description.labels)}; reads {plan.description.max_tokens} tokens")


def _agrees() -> bool:
    if not sys.stdin.isatty():
        raise ModelNotInstalled("Nobody can be asked here whether to install it: give --yes.")
    return input("Install it? [y/N] ").strip().lower() in ("y", "yes")


def _folder(models: InstalledModels, name: str) -> Path:
    return Path(settings.SHIPPED_NLI_MODEL) if name == SHIPPED else models.folder(name)


def _summary(folder: Path) -> str:
    try:
        description = load_description(folder)
    except ModelUnavailable as error:
        return str(error)
    licence = description.licence or ("see its card" if not description.name else "no licence stated")
    return f"{label_names(description.labels)}  ({licence})"


def _megabytes(folder: Path) -> str:
    return _shown_size(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()))


def _shown_size(size: int | None) -> str:
    return "unknown" if size is None else f"{size / 1e6:,.1f} MB"
