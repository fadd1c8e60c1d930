"""Finds what a language model made up. Scripts use ``from detection import check`` (docs/doors.md)."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .doors.python import BadInput, LanguageModel, check, check_async, check_stream
    from .doors.report import Report

__all__ = ["BadInput", "LanguageModel", "Report", "check", "check_async", "check_stream"]


def __getattr__(name: str) -> Any:
    """Load the door for scripts on first use, so that importing other parts of the package stays cheap."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("detection.doors.python"), name)
