"""Load the bytes of a file as a consistent check, or say why that is impossible."""

from __future__ import annotations

import json

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import ValidationError

from ..core.documents import read_json_file
from ..core.documents.types import DocumentLimits
from ..core.errors import DetectionError, UnreadableDocument
from .consistency import Inconsistent, verify
from .fields import first_wrong_field
from .schema import FORMAT, VERSION, CheckRecord

_CHOOSE = gettext_lazy("Choose the file that was saved as “Everything”; its name ends in .json.")
_MAX_WORDS = 160


class CheckFileRefused(DetectionError):
    """The file cannot be loaded. The message is for the reader."""


def load(data: bytes, limits: DocumentLimits) -> CheckRecord:
    """The check in a file that ``json.write`` wrote. It is parsed in a child process within ``limits``. Blocks.

    Raises:
        CheckFileRefused: the file is no saved check, from a newer version, too large, or was changed.
    """
    try:
        text = read_json_file(data, limits=limits)
    except UnreadableDocument as error:
        raise CheckFileRefused(_("This file is no check that can be loaded.") + f" {error} {_CHOOSE}") from error
    content = json.loads(text)
    _refuse_other_json(content)
    if problem := first_wrong_field(CheckRecord, content):
        raise CheckFileRefused(_damaged(problem))
    del content
    try:
        check = CheckRecord.model_validate_json(text)
        verify(check)
    except ValidationError as error:
        raise CheckFileRefused(_damaged(_in_words(error))) from error
    except Inconsistent as error:
        raise CheckFileRefused(_damaged(str(error))) from error
    return check


def _refuse_other_json(content: object) -> None:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise CheckFileRefused(_("This file is JSON, but no check.") + f" {_CHOOSE}")
    if content.get("version") != VERSION:
        version = str(content.get("version"))[:20]
        raise CheckFileRefused(
            _("The file is of version %(theirs)s; this program reads version %(own)s.")
            % {"theirs": version, "own": VERSION}
        )


def _damaged(problem: str) -> str:
    return _("The file is damaged or was changed: %s. Nothing was loaded.") % problem[:_MAX_WORDS]


def _in_words(error: ValidationError) -> str:
    """The first error, with its place in the file."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = " › ".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg'].rstrip('.').removeprefix('Value error, ')}"
