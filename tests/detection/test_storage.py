"""What is stored comes back as it was."""

from __future__ import annotations

import json

from detection.core.evidence.record import ClaimRecord, DocumentReading, SearchRecord, StopReason
from detection.core.retrieval.retriever import SkippedPage
from detection.core.types import DocumentLink, Evidence, Span
from detection.storage.evidence import evidence_from_json, evidence_to_json, search_from_json, search_to_json

READING = DocumentReading("Bridges", "https://example.org/b", "It was opened. It is long.", Span(0, 14), 0.93, 0.81)
SEARCH = SearchRecord(
    retriever="searxng",
    most_documents=10,
    claims=(
        ClaimRecord(
            "The bridge was opened.",
            Span(4, 10),
            (READING, DocumentReading("Minutes, page 3", "", "It is long.", Span(0, 11), 0.25, 0.75, "7", 400)),
            (SkippedPage("News", "https://example.org/n", "The site shows this page to subscribers only."),),
            StopReason.DECIDED,
        ),
        ClaimRecord("It is long.", Span(0, 3), (), (), StopReason.NOTHING_FOUND),
    ),
)


def test_a_search_comes_back_as_it_was() -> None:
    assert search_from_json(json.loads(json.dumps(search_to_json(SEARCH)))) == SEARCH


def test_evidence_from_a_page_comes_back_as_it_was() -> None:
    evidence = (Evidence("It was opened.", Span(0, 14), score=0.93, document=DocumentLink("Bridges", READING.url)),)
    assert evidence_from_json(json.loads(json.dumps(evidence_to_json(evidence)))) == evidence


def test_evidence_that_was_stored_before_there_were_searches_is_read() -> None:
    (stored,) = evidence_to_json([Evidence("It was opened.", Span(0, 14), source="7")])
    del stored["document"]
    assert evidence_from_json([stored]) == (Evidence("It was opened.", Span(0, 14), source="7"),)
