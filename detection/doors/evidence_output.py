"""Evidence in the output of the commands and the library: the stored form, with the place of each quote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.documents.places import Location, locate
from ..core.evidence.record import SearchRecord
from ..core.types import DocumentLink, Evidence, SourceText
from ..storage.evidence import EVIDENCE, SEARCH


def place_of(evidence: Evidence, sources: Sequence[SourceText]) -> str:
    """The place of a quote, in a few words."""
    if evidence.sentence is not None:
        return f"sentence {evidence.sentence + 1}"
    if evidence.source is None:
        return _link(evidence.document) if evidence.document else "the model, asked again"
    return ", ".join(filter(None, [evidence.source, str(_location(evidence, sources))]))


def evidence_as_json(evidence: Evidence, sources: Sequence[SourceText]) -> dict[str, Any]:
    """The stored form, with one place instead of three that may be empty. docs/commands.md describes it."""
    (stored,) = EVIDENCE.to_json((evidence,))
    quote, sentence, source, document = (stored.pop(name) for name in ("quote", "sentence", "source", "document"))
    if sentence is not None:
        place = {"sentence": sentence}
    elif source is not None:
        location = _location(evidence, sources)
        place = {"source": source, "page": location.page, "heading": location.heading}
    else:
        place = document or {"written_by_model": True}
    return {"quote": quote, **place, **stored}


def search_as_json(search: SearchRecord) -> dict[str, Any]:
    """The stored form, with the probability that the sentence is right."""
    return {"factual": None if search.factual is None else round(search.factual, 4), **SEARCH.to_json(search)}


def _link(document: DocumentLink) -> str:
    return f"{document.title} ({document.url})"


def _location(evidence: Evidence, sources: Sequence[SourceText]) -> Location:
    places = next(source.places for source in sources if source.id == evidence.source)
    return locate(places, evidence.span)
