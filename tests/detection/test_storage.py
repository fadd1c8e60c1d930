"""Stored values are restored unchanged, in the format of existing databases."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError

from detection.core.active_generation.premise import PremiseCheck
from detection.core.active_generation.types import Answer, Question, Validation
from detection.core.evidence.plan import SearchPlan
from detection.core.evidence.record import ClaimRecord, DocumentReading, SearchRecord, StopReason
from detection.core.evidence.sequential import Costs
from detection.core.llm.probabilities import TokenProbability
from detection.core.llm.types import ModelAnswer
from detection.core.retrieval.retriever import SkippedPage
from detection.core.types import DocumentLink, Evidence, Place, PlaceKind, Span
from detection.storage.codec import Codec
from detection.storage.evidence import ANSWER, EVIDENCE, PLACES, PLAN, SEARCH
from detection.storage.generation import PREMISE, VALIDATIONS

URL = "https://example.org/b"
QUOTE = Evidence("It was opened.", Span(5, 19), source="7", conflict=(Span(8, 11),), score=0.5)
STORED_QUOTE = {
    "quote": "It was opened.",
    "start": 5,
    "end": 19,
    "sentence": None,
    "source": "7",
    "conflict": [[8, 11]],
    "score": 0.5,
    "document": None,
}

#: Each codec with a value and its stored form.
FORMS: list[tuple[Codec[Any], Any, Any]] = [
    (EVIDENCE, (QUOTE,), [STORED_QUOTE]),
    (
        EVIDENCE,
        (Evidence("It is long.", Span(0, 11), score=0.93, document=DocumentLink("Bridges", URL)),),
        [
            {
                "quote": "It is long.",
                "start": 0,
                "end": 11,
                "sentence": None,
                "source": None,
                "conflict": [],
                "score": 0.93,
                "document": {"title": "Bridges", "url": URL},
            }
        ],
    ),
    (
        SEARCH,
        SearchRecord(
            "searxng",
            10,
            (
                ClaimRecord(
                    "The bridge was opened.",
                    Span(4, 10),
                    (DocumentReading("Minutes", "", "It is long.", Span(0, 11), 0.25, 0.75, "7", 400),),
                    (SkippedPage("News", URL, "The site shows this page to subscribers only."),),
                    StopReason.DECIDED,
                ),
            ),
        ),
        {
            "retriever": "searxng",
            "most_documents": 10,
            "claims": [
                {
                    "claim": "The bridge was opened.",
                    "span": [4, 10],
                    "documents": [
                        {
                            "title": "Minutes",
                            "url": "",
                            "passage": "It is long.",
                            "quote": [0, 11],
                            "entailment": 0.25,
                            "factual": 0.75,
                            "source": "7",
                            "start": 400,
                        }
                    ],
                    "skipped": [
                        {"title": "News", "url": URL, "reason": "The site shows this page to subscribers only."}
                    ],
                    "stop": "decided",
                }
            ],
        },
    ),
    (
        PLAN,
        SearchPlan(Costs(miss=28, false_alarm=96, retrieval=1), 4),
        {"miss": 28.0, "false_alarm": 96.0, "retrieval": 1.0, "most_documents": 4},
    ),
    (
        PLACES,
        (Place(PlaceKind.PAGE, "37", Span(0, 9)), Place(PlaceKind.HEADING, "Finances", Span(4, 9))),
        [
            {"kind": "page", "label": "37", "start": 0, "end": 9},
            {"kind": "heading", "label": "Finances", "start": 4, "end": 9},
        ],
    ),
    (
        ANSWER,
        ModelAnswer(("Zoë", "Zoe"), is_cut=True, tokens=((TokenProbability(b"Zo\xc3", 0.25),), ())),
        {"texts": ["Zoë", "Zoe"], "is_cut": True, "tokens": [[["5a6fc3", 0.25]], []]},
    ),
    (
        VALIDATIONS,
        (Validation(Question("1893", Span(3, 7), "Was it 1893?", 0.123456), Answer.NO, "It was 1894.", (QUOTE,)),),
        [
            {
                "concept": "1893",
                "span": [3, 7],
                "probability": 0.123456,
                "question": "Was it 1893?",
                "answer": "no",
                "reason": "It was 1894.",
                "evidence": [STORED_QUOTE],
            }
        ],
    ),
    (
        PREMISE,
        PremiseCheck("Why did it fall?", Answer.NO, "It fell.", "It stands.", (QUOTE,), "Did it fall?"),
        {
            "question": "Why did it fall?",
            "answer": "no",
            "assumption": "It fell.",
            "reason": "It stands.",
            "evidence": [STORED_QUOTE],
            "rectified": "Did it fall?",
        },
    ),
]


@pytest.mark.parametrize(("codec", "value", "stored"), FORMS)
def test_a_value_is_stored_in_the_form_that_is_known(codec: Codec[Any], value: Any, stored: Any) -> None:
    assert json.loads(json.dumps(codec.to_json(value))) == stored


@pytest.mark.parametrize(("codec", "value", "stored"), FORMS)
def test_what_is_stored_comes_back_as_it_was(codec: Codec[Any], value: Any, stored: Any) -> None:
    assert codec.from_json(stored) == value


def test_evidence_that_was_stored_before_there_were_searches_is_read() -> None:
    stored = {name: value for name, value in STORED_QUOTE.items() if name != "document"}
    assert EVIDENCE.from_json([stored]) == (QUOTE,)


def test_probabilities_of_a_search_are_stored_with_four_digits() -> None:
    reading = DocumentReading("Minutes", "", "It is long.", Span(0, 11), 0.123456, 0.987654)
    claim = ClaimRecord("It is long.", Span(0, 3), (reading,), (), StopReason.DECIDED)
    (stored,) = SEARCH.to_json(SearchRecord("library", 10, (claim,)))["claims"][0]["documents"]
    assert (stored["entailment"], stored["factual"]) == (0.1235, 0.9877)


def test_another_form_is_refused() -> None:
    with pytest.raises(ValidationError):
        EVIDENCE.from_json([{"quote": "It was opened."}])
