from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import pytest

from detection.core.language.pipeline import LanguagePipeline
from detection.core.types import ParsedSentence

Parse = Callable[[str], ParsedSentence]


@pytest.fixture(scope="session")
def parse(pipeline: LanguagePipeline) -> Parse:
    """Parse one sentence with the shipped language model."""

    @lru_cache(maxsize=1024)
    def parse_one(text: str) -> ParsedSentence:
        (sentence,) = pipeline.parse(text).sentences
        return sentence

    return parse_one
