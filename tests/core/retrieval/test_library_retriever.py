"""The user's sources as evidence: passages with their places, nearest first."""

from __future__ import annotations

from detection.core.local_models.process import InProcessModels
from detection.core.retrieval.library_retriever import LibraryRetriever
from detection.core.retrieval.retriever import Query, RetrievedDocument
from detection.core.sources.library import open_library
from detection.core.types import Place, PlaceKind, SourceText, Span
from tests.fakes.retrieval import all_of

FILLER = "The council met in the town hall and talked about the roads, the school and the market. "
FACT = "The bridge at Sorrel was opened in 1911. "


async def documents(models: InProcessModels, claim: str, *sources: SourceText) -> list[RetrievedDocument]:
    retriever = LibraryRetriever(await open_library(sources, models))
    return [found for found in await all_of(retriever, Query(claim)) if isinstance(found, RetrievedDocument)]


async def test_the_passage_that_speaks_of_the_claim_comes_first(local_models: InProcessModels) -> None:
    text = FILLER * 20 + FACT + FILLER * 20
    source = SourceText("7", "Minutes", text, (Place(PlaceKind.PAGE, "3", Span(0, len(text))),))
    first, *others = await documents(local_models, "The bridge at Sorrel was opened in 1912.", source)
    assert FACT.strip() in first.text
    assert first.title == "Minutes, page 3"
    assert (first.source, first.url) == ("7", "")
    for document in (first, *others):
        assert text[document.start : document.start + len(document.text)] == document.text


async def test_no_word_counts_twice(local_models: InProcessModels) -> None:
    source = SourceText("7", "Minutes", "".join(f"The bridge has part {number} of many. " for number in range(80)))
    found = await documents(local_models, "The bridge has many parts.", source)
    spans = [Span(document.start, document.start + len(document.text)) for document in found]
    assert len(spans) > 2
    assert not any(one.overlaps(other) for one in spans for other in spans if one != other)


async def test_the_same_source_twice_counts_once(local_models: InProcessModels) -> None:
    found = await documents(
        local_models, "The bridge was opened.", SourceText("1", "One", FACT), SourceText("2", "Copy", FACT)
    )
    assert [document.source for document in found] == ["1"]


async def test_a_source_without_a_word_of_the_claim_is_not_found(local_models: InProcessModels) -> None:
    assert await documents(local_models, "Bread costs money.", SourceText("1", "One", FACT)) == []
