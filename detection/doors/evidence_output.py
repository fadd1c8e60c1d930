"""Where evidence stands, in words and as JSON, for the commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.documents.places import Location, locate
from ..core.types import DocumentLink, Evidence, SourceText


def place_of(evidence: Evidence, sources: Sequence[SourceText]) -> str:
    """Where a quote stands, in a few words."""
    if evidence.sentence is not None:
        return f"sentence {evidence.sentence + 1}"
    if evidence.source is None:
        return _link(evidence.document) if evidence.document else "the model, asked again"
    return ", ".join(filter(None, [evidence.source, str(_location(evidence, sources))]))


def evidence_as_json(evidence: Evidence, sources: Sequence[SourceText]) -> dict[str, Any]:
    """docs/commands.md has the form."""
    if evidence.sentence is not None:
        place: dict[str, Any] = {"sentence": evidence.sentence}
    elif evidence.source is not None:
        location = _location(evidence, sources)
        place = {"source": evidence.source, "page": location.page, "heading": location.heading}
    elif evidence.document is not None:
        place = {"title": evidence.document.title, "url": evidence.document.url}
    else:
        place = {"written_by_model": True}
    return {
        "quote": evidence.quote,
        **place,
        "start": evidence.span.start,
        "end": evidence.span.end,
        "conflict": [[span.start, span.end] for span in evidence.conflict],
        "score": evidence.score,
    }


def _link(document: DocumentLink) -> str:
    return f"{document.title} ({document.url})"


def _location(evidence: Evidence, sources: Sequence[SourceText]) -> Location:
    places = next(source.places for source in sources if source.id == evidence.source)
    return locate(places, evidence.span)
