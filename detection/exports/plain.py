"""The revised text and nothing else."""

from __future__ import annotations

from ..selectors.detail import CheckDetail


def write(detail: CheckDetail) -> bytes:
    return detail.revised_text.encode()
