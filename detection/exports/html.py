"""A report to read, print and send: one HTML file without scripts and external resources."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from itertools import groupby
from pathlib import Path

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from ..core.types import BlockKind
from ..selectors.detail import CheckDetail
from .document import Block, document_of
from .summary import DISCLAIMER, summary_of
from .writing import outcome_of, writing_of

_STYLES = ("css/tokens.css", "css/report.css")


def write(detail: CheckDetail) -> bytes:
    document = document_of(detail)
    account = writing_of(detail)
    styles = _styles()
    context = {
        "summary": summary_of(detail),
        "disclaimer": DISCLAIMER,
        "groups": [(key, list(blocks)) for key, blocks in groupby(document.blocks, key=_is_item)],
        "notes": document.notes,
        "account": account,
        "changed": [(sentence, outcome_of(sentence)) for sentence in account.changed] if account else [],
        "styles": mark_safe(styles),  # noqa: S308  # our own files
        "styles_hash": b64encode(sha256(styles.encode()).digest()).decode(),
    }
    return render_to_string("detection/exports/report.html", context).encode()


def _is_item(block: Block) -> bool:
    return block.kind is BlockKind.LIST_ITEM


def _styles() -> str:
    """The style tokens of the pages and the styles of the report."""
    return "\n".join(Path(str(finders.find(name))).read_text(encoding="utf-8") for name in _STYLES)
