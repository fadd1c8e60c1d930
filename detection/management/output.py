"""Shared by the commands: JSON to a file or to standard output, and one line for bad input."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from .. import wiring
from ..core.documents import read_document
from ..core.errors import UnreadableDocument
from ..core.llm.budget import Spending
from ..core.plain_text import NotText, decode
from ..core.types import SourceText

BAD_INPUT = 2


def bad_input(message: str) -> CommandError:
    """The error that ends a command with exit status 2 and this one line."""
    return CommandError(message, returncode=BAD_INPUT)


def add_json_option(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--json", metavar="FILE", help="write the result as JSON to this file; - is standard output, and nothing else"
    )


def write_json(destination: str, result: dict[str, Any]) -> None:
    """Write ``result`` to standard output for "-", else to a file."""
    text = json.dumps(result, ensure_ascii=False, indent=2) + "\n"
    if destination == "-":
        sys.stdout.write(text)
    else:
        write_text_file(destination, text)


def write_text_file(destination: str, text: str) -> None:
    try:
        Path(destination).write_text(text, encoding="utf-8")
    except OSError as error:
        raise bad_input(f"{destination} cannot be written: {error.strerror}.") from error


def usage_as_json(spending: Spending, seconds: float) -> dict[str, Any]:
    """The usage of language models and the time of a run."""
    return {
        "model_calls": spending.calls,
        "prompt_tokens": spending.usage.prompt,
        "completion_tokens": spending.usage.completion,
        "tokens": spending.usage.total,
        "cost_usd": None if spending.usd is None else str(spending.usd),
        "seconds": round(seconds, 3),
    }


def read_text_file(name: str) -> str:
    """The text of a file, or of standard input for "-"."""
    try:
        return decode(_read_bytes(name), name=_shown_name(name))
    except NotText as error:
        raise bad_input(str(error)) from error


def read_source_file(name: str) -> SourceText:
    """The source in a file of any supported format, or in standard input for "-", with its places."""
    data = _read_bytes(name)
    try:
        document = read_document(
            data, name=name, limits=wiring.document_limits(), progress=lambda _done, _total: None, stop=lambda: False
        )
    except UnreadableDocument as error:
        raise bad_input(f"{_shown_name(name)} cannot be read. {error}") from error
    return SourceText(id=name, name=name, text=document.text, places=document.places)


def _read_bytes(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise bad_input(f"{name} cannot be read: {error.strerror}.") from error


def _shown_name(name: str) -> str:
    return "Standard input" if name == "-" else name
