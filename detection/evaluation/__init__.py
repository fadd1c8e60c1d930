"""How good the engines are, measured on labelled data. A new set is one entry here."""

from __future__ import annotations

from typing import Any

from .base import EvaluationSet
from .claims import FEVER_SYMMETRIC, NBC, VITAMINC
from .pairs import CHATPROTECT_PAIRS
from .responses import CONLI_QAGS_CNNDM, CONLI_QAGS_XSUM, CONLI_SUMMEVAL
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
    )
}

__all__ = ["SETS"]
