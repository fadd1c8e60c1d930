"""``chatprotect``: checks files, and starts the doors for editors and assistants. Needs no server and no settings."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from ...core.types import Engine, Strictness
from ..python import BadInput
from .formats import FORMATS
from .severity import FailOn
from .statuses import CLEAN, ERROR

_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, and return its exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except BadInput as error:
        sys.stderr.write(f"chatprotect: {error}\n")
        return ERROR
    except BrokenPipeError:  # the reader of the output has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ERROR
    except KeyboardInterrupt:
        return _INTERRUPTED
    return status


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="chatprotect", description="Finds what a language model made up in a text.")
    parser.add_argument("--version", action="version", version=version("chatprotect-web"))
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_check(commands.add_parser("check", help="check texts: files, or standard input"))
    _add_batch(commands.add_parser("batch", help="check every row of a CSV or JSON lines file"))
    _add_mcp(commands.add_parser("mcp", help="serve the check to assistants (Model Context Protocol)"))
    _add_lsp(commands.add_parser("lsp", help="serve the check to editors (Language Server Protocol)"))
    return parser


def _add_check(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="text or Markdown; - or nothing is standard input")
    parser.add_argument(
        "--source",
        action="append",
        default=[],
        metavar="FILE",
        help="what the texts must agree with: text, Markdown, HTML, PDF or Word; may be given several times",
    )
    parser.add_argument("--format", choices=[*FORMATS], default="text")
    parser.add_argument("--output", metavar="FILE", help="write the result to this file instead of standard output")
    _add_options(parser)
    parser.set_defaults(run=_check)


def _add_batch(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="rows with a header (.csv) or an object a line (.jsonl)")
    parser.add_argument("--text", required=True, metavar="COLUMN", help="the column with the text")
    parser.add_argument("--source", action="append", default=[], metavar="COLUMN", help="a column with a source")
    parser.add_argument(
        "--output", metavar="FILE", help="results, .jsonl or .csv; by default beside FILE. What it holds is not redone"
    )
    _add_options(parser)
    parser.set_defaults(run=_batch)


def _add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--engine", choices=[member.value for member in Engine], default=Engine.LOCAL.value)
    parser.add_argument("--topic", help='who or what the text is about: what "he", "it", "the company" mean')
    parser.add_argument(
        "--strictness", choices=[member.value for member in Strictness], default=Strictness.BALANCED.value
    )
    parser.add_argument("--detector", action="append", default=[], metavar="ID", help="run only this one")
    parser.add_argument(
        "--fail-on",
        choices=[member.value for member in FailOn],
        default=FailOn.ANY.value,
        help="exit with status 1 on any finding, on contradictions (of the text or with a source) only, or never",
    )


def _add_mcp(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--http", metavar="HOST:PORT", help="streamable HTTP on this address; by default standard input and output"
    )
    parser.set_defaults(run=_mcp)


def _add_lsp(parser: ArgumentParser) -> None:
    parser.add_argument("--source", action="append", default=[], metavar="FILE", help="what every text must agree with")
    parser.set_defaults(run=_lsp)


# --- Each command only imports what it needs ------------------------------------------------------------------------


def _check(options: Namespace) -> int:
    from .check import run

    return run(options)


def _batch(options: Namespace) -> int:
    from .batch import run

    return run(options)


def _mcp(options: Namespace) -> int:
    try:
        from ..mcp import serve
    except ModuleNotFoundError as error:
        raise _extra_is_missing(error, "mcp") from error
    serve(options.http)
    return CLEAN


def _lsp(options: Namespace) -> int:
    try:
        from ..lsp.server import serve
    except ModuleNotFoundError as error:
        raise _extra_is_missing(error, "pygls") from error
    serve([Path(name) for name in options.source])
    return CLEAN


def _extra_is_missing(error: ModuleNotFoundError, package: str) -> Exception:
    extra = {"mcp": "mcp", "pygls": "lsp"}[package]
    if (error.name or "").partition(".")[0] not in (package, "lsprotocol", "uvicorn", "starlette"):
        return error
    return BadInput(f"This command needs more: install chatprotect-web[{extra}].")


if __name__ == "__main__":
    sys.exit(main())
