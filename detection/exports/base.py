"""The type of an export format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.text import slugify

from ..models import Check
from ..selectors.detail import CheckDetail

_TITLE_CHARS = 60


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """An export format of a check."""

    id: str
    """Its name in addresses."""
    label: str | Promise
    content: str | Promise
    """The content of the file, for the reader."""
    suffix: str
    media_type: str
    write: Callable[[CheckDetail], bytes]

    def file_name(self, check: Check) -> str:
        """A name that every file system accepts: letters, digits and hyphens of the title."""
        title = slugify(check.title, allow_unicode=True)[:_TITLE_CHARS].strip("-_")
        return f"checked-{title or 'text'}{self.suffix}"
