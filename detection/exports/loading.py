"""From the bytes of a file to a check that holds together, or to a sentence that says why not."""

from __future__ import annotations

import json

from pydantic import ValidationError

from ..core.errors import DetectionError
from .consistency import Inconsistent, verify
from .schema import FORMAT, VERSION, CheckRecord

_CHOOSE = "Choose the file that was saved as “Everything”; its name ends in .json."
_UNREADABLE = f"This file is no check: it is not JSON. {_CHOOSE}"
_OTHER_JSON = f"This file is JSON, but no check. {_CHOOSE}"
_MAX_WORDS = 160


class CheckFileRefused(DetectionError):
    """The file cannot be loaded. The message is for the reader."""


def load(data: bytes) -> CheckRecord:
    """The check in a file that ``json.write`` wrote.

    Raises:
        CheckFileRefused: it is something else, of a newer version, or was changed.
    """
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise CheckFileRefused(_UNREADABLE) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise CheckFileRefused(_OTHER_JSON)
    if content.get("version") != VERSION:
        version = str(content.get("version"))[:20]
        raise CheckFileRefused(f"The file is of version {version}; this program reads version {VERSION}.")
    try:
        check = CheckRecord.model_validate_json(data)
        verify(check)
    except ValidationError as error:
        raise CheckFileRefused(_damaged(_in_words(error))) from error
    except Inconsistent as error:
        raise CheckFileRefused(_damaged(str(error))) from error
    return check


def _damaged(problem: str) -> str:
    return f"The file is damaged or was changed: {problem[:_MAX_WORDS]}. Nothing was loaded."


def _in_words(error: ValidationError) -> str:
    """The first thing that is wrong, with its place in the file."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = " › ".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg'].rstrip('.').removeprefix('Value error, ')}"
