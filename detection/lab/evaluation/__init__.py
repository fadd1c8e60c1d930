"""Measure the engines on labelled data. A new set is one entry here."""

from __future__ import annotations

from typing import Any

from .authored_summaries import AUTHORED_SUMMARIES
from .authored_tables import AUTHORED_TABLES
from .authored_texts import AUTHORED_TEXTS
from .base import EvaluationSet
from .claims import ANLI, CAD, FEVER_ADVERSARIAL, FEVER_SYMMETRIC, LINGNLI, NBC, VITAMINC
from .contrasts import AUTHORED_GROUPS
from .documents import CONTRADOC, HUMAN_DOCUMENTS
from .pairs import CHATPROTECT_PAIRS
from .responses import CONLI_QAGS_CNNDM, CONLI_QAGS_XSUM, CONLI_SUMMEVAL
from .supported import FACTSCORE, FAITHBENCH, RAGTRUTH_QA, STORYSUMM
from .texts import CHATPROTECT_TEXTS
from .trigger_pairs import CHATPROTECT_TRIGGERS
from .wikibio import WIKIBIO

SETS: dict[str, EvaluationSet[Any, Any, Any]] = {
    evaluation_set.name: evaluation_set
    for evaluation_set in (
        CHATPROTECT_PAIRS,
        CHATPROTECT_TRIGGERS,
        CHATPROTECT_TEXTS,
        CONLI_SUMMEVAL,
        CONLI_QAGS_CNNDM,
        CONLI_QAGS_XSUM,
        VITAMINC,
        FEVER_SYMMETRIC,
        NBC,
        WIKIBIO,
        AUTHORED_TEXTS,
        AUTHORED_SUMMARIES,
        AUTHORED_TABLES,
        AUTHORED_GROUPS,
        HUMAN_DOCUMENTS,
        CONTRADOC,
        RAGTRUTH_QA,
        FAITHBENCH,
        STORYSUMM,
        FACTSCORE,
        FEVER_ADVERSARIAL,
        ANLI,
        LINGNLI,
        CAD,
    )
}

__all__ = ["SETS"]
