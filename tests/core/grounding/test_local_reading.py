"""Which parts of the sources the NLI model reads for a sentence."""

from __future__ import annotations

import pytest

from detection.core.comparing.sentence import ComparableSentence
from detection.core.grounding.local_reading import MAX_PASSAGES, SourceReading, read_for
from detection.core.local_models.process import InProcessModels
from detection.core.sources.library import SECTION_WORDS, open_library
from detection.core.types import SourceText

LEDGER = "The mill at Sallow was built in 1870. It has nine rooms and a slate roof. "
FILLER = "The council met on a rainy day and talked about the harbour wall for a long while. "
LONG = LEDGER + FILLER * (SECTION_WORDS // 5)


async def _read(sentence: str, models: InProcessModels, *texts: str) -> SourceReading:
    sources = (SourceText(id=str(number), name=f"source {number}", text=text) for number, text in enumerate(texts))
    (parsed,) = (await models.parse(sentence)).sentences
    return await read_for(ComparableSentence(parsed), await open_library(sources, models), models)


async def test_a_second_section_is_not_read_if_the_first_one_supports_the_sentence(
    local_models: InProcessModels,
) -> None:
    read = await _read("The mill at Sallow was built in 1870.", local_models, LONG)
    (passage,) = read.passages
    assert "1870" in passage.passage.text


@pytest.mark.parametrize(
    "sentence", ["The mill at Sallow has a heated swimming pool.", "The mill was sold to a brewery."]
)
async def test_a_second_section_is_read_if_the_sentence_is_open(sentence: str, local_models: InProcessModels) -> None:
    read = await _read(sentence, local_models, LONG)
    assert len(read.passages) == MAX_PASSAGES


async def test_a_second_source_is_read_in_any_case(local_models: InProcessModels) -> None:
    other = "The old mill at Sallow was built in 1807. It belonged to a miller. "
    read = await _read("The mill at Sallow was built in 1870.", local_models, LEDGER, other)
    assert {passage.passage.source.id for passage in read.passages} == {"0", "1"}
