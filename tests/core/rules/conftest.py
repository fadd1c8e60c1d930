from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest

from detection.core.language.pipeline import LanguagePipeline
from detection.core.types import ParsedSentence

_MODEL = Path(__file__).parents[3] / "detection" / "data" / "spacy" / "en_detection_sm"

Parse = Callable[[str], ParsedSentence]


@pytest.fixture(scope="package")
def parse() -> Parse:
    """Parse one sentence with the shipped language model."""
    pipeline = LanguagePipeline(str(_MODEL))

    @lru_cache(maxsize=1024)
    def parse_one(text: str) -> ParsedSentence:
        (sentence,) = pipeline.parse(text).sentences
        return sentence

    return parse_one
