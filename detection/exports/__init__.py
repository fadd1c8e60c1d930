"""The export formats. A new one is a file here and an entry below."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ..selectors.detail import CheckDetail
from . import html, json, markdown, plain
from .base import ExportFormat

__all__ = ["FORMATS", "ExportFormat"]


def _write_word(detail: CheckDetail) -> bytes:
    from .word import write  # python-docx takes long to load, and a server may never need it

    return write(detail)


_IN_ORDER = (
    ExportFormat("text", _("Plain text"), _("the revised text"), ".txt", "text/plain; charset=utf-8", plain.write),
    ExportFormat(
        "markdown",
        "Markdown",
        _("the revised text, then the warnings"),
        ".md",
        "text/markdown; charset=utf-8",
        markdown.write,
    ),
    ExportFormat(
        "word",
        "Word",
        _("tracked changes, and the warnings as comments"),
        ".docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        _write_word,
    ),
    ExportFormat(
        "html", _("Report"), _("one page to read, print or send"), ".html", "text/html; charset=utf-8", html.write
    ),
    ExportFormat(
        "json",
        _("Everything"),
        _("the whole check with its sources, to be loaded again"),
        ".json",
        "application/json",
        json.write,
    ),
)

#: By their ids, in the order of the menu.
FORMATS: dict[str, ExportFormat] = {export_format.id: export_format for export_format in _IN_ORDER}
