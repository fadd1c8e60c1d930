"""Wikipedia's MediaWiki API on a real socket: the articles read, and their order."""

from __future__ import annotations

import pytest

from detection.core.errors import SearchFailed
from detection.core.retrieval.retriever import Query, RetrievedDocument, SkippedPage
from tests.fakes import search_services
from tests.fakes.page_server import Page, PageServer
from tests.fakes.retrieval import AGENT, all_of

from .conftest import OpenRetriever

CLAIM = "Lindqvist was born in Malmö."
TOPIC = "Marta Lindqvist"
ARTICLE = (
    "{} is the subject of this article, which tells in a few sentences what is known about it, who has written "
    "about it and when, and why it is still remembered by those who live in the place where it was found."
)


def articles(*titles: str) -> dict[str, str]:
    return {title: ARTICLE.format(title) for title in titles}


async def titles_read(open_retriever: OpenRetriever, answer: object, query: Query) -> list[str]:
    async with open_retriever("wikipedia", answer=answer) as retriever:
        return [found.title for found in await all_of(retriever, query) if isinstance(found, RetrievedDocument)]


async def test_articles_about_the_topic_come_before_those_that_share_words_with_the_claim(
    site: PageServer, open_retriever: OpenRetriever
) -> None:
    found = {
        TOPIC: ["Marta Lindqvist", "Lindqvist (name)", "Marta", "Ada Lind"],
        CLAIM[:-1]: ["Malmö", "Marta Lindqvist"],
    }
    answer = search_services.wikipedia(site.url(""), articles(*found[TOPIC], "Malmö"), found)
    read = await titles_read(open_retriever, answer, Query(CLAIM, TOPIC))
    assert read == ["Marta Lindqvist", "Lindqvist (name)", "Marta", "Malmö", "Ada Lind"]
    assert {visit.headers["User-Agent"] for visit in site.visits} == {AGENT}


async def test_an_article_has_its_title_its_text_and_its_address(
    site: PageServer, open_retriever: OpenRetriever
) -> None:
    answer = search_services.wikipedia(site.url(""), articles("Malmö"), {CLAIM[:-1]: ["Malmö"]})
    async with open_retriever("wikipedia", answer=answer) as retriever:
        (document,) = await all_of(retriever, Query(CLAIM))
    assert document == RetrievedDocument("Malmö", site.url("/wiki/Malmö"), ARTICLE.format("Malmö"))


async def test_lists_of_names_and_missing_articles_are_passed_over(
    site: PageServer, open_retriever: OpenRetriever
) -> None:
    found = {CLAIM[:-1]: ["Lindqvist", "Deleted", "Malmö"]}
    answer = search_services.wikipedia(site.url(""), articles("Lindqvist", "Malmö"), found, lists=["Lindqvist"])
    assert await titles_read(open_retriever, answer, Query(CLAIM)) == ["Malmö"]


async def test_an_article_in_another_language_is_skipped(site: PageServer, open_retriever: OpenRetriever) -> None:
    german = (
        "Die Brücke verbindet seit vielen Jahren die beiden Ufer des Flusses und wurde nach langer Planung grün. " * 3
    )
    answer = search_services.wikipedia(site.url(""), {"Malmö": german}, {CLAIM[:-1]: ["Malmö"]})
    async with open_retriever("wikipedia", answer=answer) as retriever:
        (skipped,) = await all_of(retriever, Query(CLAIM))
    assert isinstance(skipped, SkippedPage)
    assert "not in English" in skipped.reason


async def test_articles_are_asked_for_one_at_a_time(site: PageServer, open_retriever: OpenRetriever) -> None:
    found = {CLAIM[:-1]: ["Malmö", "Lund"]}
    answer = search_services.wikipedia(site.url(""), articles("Malmö", "Lund"), found)
    async with open_retriever("wikipedia", answer=answer) as retriever:
        documents = retriever.retrieve(Query(CLAIM))
        await anext(documents)
        assert [visit.parameters.get("titles") for visit in site.visits] == [None, "Malmö"]
        await documents.aclose()


async def test_an_error_of_the_api_is_told(open_retriever: OpenRetriever) -> None:
    answer = search_services.as_json({"error": {"code": "badvalue", "info": "…", "docref": "…"}})
    async with open_retriever("wikipedia", answer=answer) as retriever:
        with pytest.raises(SearchFailed, match="address of its API"):
            await all_of(retriever, Query(CLAIM))


async def test_a_page_in_the_place_of_the_api_is_told(open_retriever: OpenRetriever) -> None:
    async with open_retriever("wikipedia", answer=Page(b"<html>Welcome")) as retriever:
        with pytest.raises(SearchFailed, match="no search result"):
            await all_of(retriever, Query(CLAIM))
