"""SearXNG, Brave and Tavily on a real socket: queries, pages read, and pages skipped with reasons."""

from __future__ import annotations

import gzip
import itertools
import json
import re
from collections.abc import Iterator
from contextlib import aclosing
from datetime import date

import pytest

from detection.core.errors import SearchFailed
from detection.core.retrieval.pace import HostPace
from detection.core.retrieval.page_cache import MemoryPageCache
from detection.core.retrieval.retriever import Query, RetrievedDocument, SkippedPage
from detection.core.retrieval.search_api import SearchApi
from tests.bombs import gzip_bomb
from tests.fakes import search_services
from tests.fakes.page_server import HTML, Page, PageServer, Visit
from tests.fakes.retrieval import AGENT, QUERY, all_of, article
from tests.fakes.search_services import KEY
from tests.waiting import PATIENCE_S

from .conftest import OpenRetriever

every_retriever = pytest.mark.parametrize("name", ["searxng", "brave", "tavily"])


def pages_of(site: PageServer) -> list[str]:
    """The requested pages, without those of the services."""
    services = ("/search", "/brave", "/tavily", "/api.php", "/robots.txt")
    return [visit.path for visit in site.visits if not visit.path.startswith(services)]


@every_retriever
async def test_pages_come_one_at_a_time_in_the_order_of_the_search(
    site: PageServer, open_retriever: OpenRetriever, name: str
) -> None:
    site.pages |= {"/b": article("It was opened in 1911.", title="B"), "/a": article("It is long.", title="A")}
    async with open_retriever(name, ["/b", "/a"]) as retriever, aclosing(retriever.retrieve(QUERY)) as found:
        first = await anext(found)
        assert pages_of(site) == ["/b"]
        assert isinstance(first, RetrievedDocument)
        assert (first.title, first.url) == ("B", site.url("/b"))
        assert "It was opened in 1911." in first.text
        assert "Imprint" not in first.text
        second = await anext(found)
        assert isinstance(second, RetrievedDocument)
        assert second.title == "A"
        with pytest.raises(StopAsyncIteration):
            await anext(found)


@every_retriever
async def test_the_service_hears_the_words_of_the_claim_and_who_asks(
    site: PageServer, open_retriever: OpenRetriever, name: str
) -> None:
    async with open_retriever(name) as retriever:
        await all_of(retriever, Query('!wp "Marta" OR site:x.org -born, in 1911: 4,500 m.', topic="Lindqvist"))
    (visit,) = site.visits
    asked = json.loads(visit.body)["query"] if visit.body else visit.parameters["q"]
    assert asked == "wp Marta OR site x.org born in 1911 4,500 m Lindqvist"
    assert visit.headers["User-Agent"] == AGENT
    keys = {"searxng": {}, "brave": {"X-Subscription-Token": KEY}, "tavily": {"Authorization": f"Bearer {KEY}"}}
    assert keys[name].items() <= dict(visit.headers).items()


async def test_a_long_claim_is_cut_to_what_services_take(site: PageServer, open_retriever: OpenRetriever) -> None:
    async with open_retriever("brave") as retriever:
        await all_of(retriever, Query("considerable " * 60))
    (visit,) = site.visits
    assert len(visit.parameters["q"]) <= 400
    assert set(visit.parameters["q"].split()) == {"considerable"}


def endless() -> Iterator[bytes]:
    while True:
        yield b"<p>" + b"word " * 20_000


GERMAN = (
    "<p>Die Brücke wurde nach langer Planung eröffnet und verbindet seither die beiden Ufer des Flusses. Sie ist grün "
    "gestrichen, hat zwei Spuren und einen Weg für alle, die zu Fuß gehen; der Bau dauerte vier Jahre.</p>"
)
#: Unusable pages, and the message to the reader.
FAULTS = {
    "timeout": (Page(hangs=True), "within 1 seconds"),
    "forbidden": (Page(status=403), r"\(403\)"),
    "gone": (Page(status=404), r"\(404\)"),
    "busy": (Page(status=429), r"\(429\)"),
    "broken": (Page(status=500), r"\(500\)"),
    "empty": (Page(b""), "empty"),
    "nothing but a menu": (Page(b"<html><nav>Home</nav><p>Hello."), "hardly any text"),
    "30 MB": (Page(b"", declared_length=30_000_000), "larger than 10 MB"),
    "30 MB undeclared": (Page(endless, headers={"Connection": "close"}), "larger than 10 MB"),
    "picture": (Page(b"\x89PNG\r\n\x1a\n", content_type="image/png"), "no text"),
    "damaged PDF": (Page(b"%PDF-1.7 nothing", content_type="application/pdf"), "."),
    "paywall": (
        Page(b"<html><article><h1>The bridge</h1><p>It was the summer when. Subscribe now to continue reading.</p>"),
        "subscribers only",
    ),
    "consent": (Page(b"<html><p>Before you go on: we and our partners use cookies.</p>"), "accept its cookies"),
    "scripts": (Page(b"<html><p>Please enable JavaScript to see this page.</p>"), "scripts"),
    "no robots wanted": (Page(b"<html><p>Verify you are human.</p>"), "no program"),
    "another language": (Page(f"<html><article>{GERMAN}{GERMAN.upper()}".encode()), "not in English"),
    "leads to this machine": (Page(status=302, headers={"Location": "http://127.0.0.1:9/"}), "port 9"),
}


def _seconds_for(page: Page) -> float:
    """A short time limit for pages that hang (told as 1 second), and a long one for the others on a busy machine."""
    return 0.6 if page.hangs else PATIENCE_S


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_page_that_cannot_be_had_is_skipped_with_the_reason(
    site: PageServer, open_retriever: OpenRetriever, fault: str
) -> None:
    page, reason = FAULTS[fault]
    site.pages["/bad"] = page
    async with open_retriever("searxng", ["/bad"], page_seconds=_seconds_for(page)) as retriever:
        (skipped,) = await all_of(retriever)
    assert isinstance(skipped, SkippedPage)
    assert (skipped.title, skipped.url) == ("Result 1", site.url("/bad"))
    assert re.search(reason, skipped.reason)


@every_retriever
async def test_after_a_page_that_cannot_be_had_comes_the_next_one(
    site: PageServer, open_retriever: OpenRetriever, name: str
) -> None:
    site.pages |= {"/bad": Page(status=403), "/good": article("It was opened in 1911.", title="Good")}
    async with open_retriever(name, ["/bad", "/good"]) as retriever:
        assert [type(found) for found in await all_of(retriever)] == [SkippedPage, RetrievedDocument]


async def test_broken_html_is_read_as_browsers_do(site: PageServer, open_retriever: OpenRetriever) -> None:
    words = "It was opened in 1911 by the mayor, who had planned it with the engineer for many years. " * 3
    site.pages["/page"] = Page(f"<html><body><div><p>{words}<b>and <i>then</b></table></p><td><p".encode(), HTML)
    async with open_retriever("searxng", ["/page"]) as retriever:
        (document,) = await all_of(retriever)
    assert isinstance(document, RetrievedDocument)
    assert "opened in 1911" in document.text


async def test_a_page_that_is_found_twice_counts_once(site: PageServer, open_retriever: OpenRetriever) -> None:
    same = article("It was opened in 1911.", title="One")
    site.pages |= {"/one": same, "/copy": same, "/moved": Page(status=301, headers={"Location": "/one"})}
    paths = ["/one", "/one/?utm_source=mail#history", "/copy", "/moved"]
    async with open_retriever("searxng", paths) as retriever:
        (document,) = await all_of(retriever)
    assert isinstance(document, RetrievedDocument)
    assert document.url == site.url("/one")
    assert pages_of(site).count("/one/?utm_source=mail") == 0


async def test_a_busy_site_that_names_a_short_wait_is_asked_once_more(
    site: PageServer, open_retriever: OpenRetriever
) -> None:
    answers = iter([Page(status=429, headers={"Retry-After": "0"}), article("It was opened in 1911.")])
    site.pages["/page"] = lambda visit: next(answers)
    async with open_retriever("searxng", ["/page"]) as retriever:
        (document,) = await all_of(retriever)
    assert isinstance(document, RetrievedDocument)
    assert pages_of(site) == ["/page", "/page"]


async def test_a_site_that_wants_to_be_left_alone_is(site: PageServer, open_retriever: OpenRetriever) -> None:
    site.pages |= {"/a": Page(status=429, headers={"Retry-After": "3600"}), "/b": article("It was opened in 1911.")}
    async with open_retriever("searxng", ["/a", "/b"]) as retriever:
        _, second = await all_of(retriever)
    assert isinstance(second, SkippedPage)
    assert "come back later" in second.reason
    assert pages_of(site) == ["/a"]


# --- robots.txt ----------------------------------------------------------------------------------------------------


async def test_a_page_that_programs_shall_not_read_is_not_fetched(
    site: PageServer, open_retriever: OpenRetriever
) -> None:
    rules = b"User-agent: *\nDisallow: /private*.html\n\nUser-agent: ChatProtect-Web\nDisallow: /private\n"
    site.pages |= {"/robots.txt": Page(rules, "text/plain"), "/open": article("It was opened in 1911.")}
    async with open_retriever("searxng", ["/private", "/open"]) as retriever:
        private, document = await all_of(retriever)
    assert isinstance(private, SkippedPage)
    assert "robots.txt" in private.reason
    assert isinstance(document, RetrievedDocument)
    assert pages_of(site) == ["/open"]
    assert [visit.path for visit in site.visits].count("/robots.txt") == 1


async def test_rules_hold_where_a_redirect_leads(site: PageServer, open_retriever: OpenRetriever) -> None:
    def rules(visit: Visit) -> Page:
        is_elsewhere = visit.headers["Host"].startswith("localhost")
        return Page(b"User-agent: *\nDisallow: /", "text/plain") if is_elsewhere else Page(status=404)

    there = f"http://localhost:{site.port}/there"
    site.pages |= {"/robots.txt": rules, "/page": Page(status=302, headers={"Location": there})}
    site.pages["/there"] = article("It was opened in 1911.")
    async with open_retriever("searxng", ["/page"]) as retriever:
        (skipped,) = await all_of(retriever)
    assert isinstance(skipped, SkippedPage)
    assert "robots.txt" in skipped.reason


@pytest.mark.parametrize("rules", [Page(status=503), Page(status=429), Page(hangs=True)])
async def test_a_site_that_cannot_tell_its_rules_is_left_alone(
    site: PageServer, open_retriever: OpenRetriever, rules: Page
) -> None:
    site.pages |= {"/robots.txt": rules, "/page": article("It was opened in 1911.")}
    async with open_retriever("searxng", ["/page"], page_seconds=_seconds_for(rules)) as retriever:
        (skipped,) = await all_of(retriever)
    assert isinstance(skipped, SkippedPage)
    assert pages_of(site) == []


@pytest.mark.parametrize(
    "rules", [Page(status=404), Page(status=403), Page(b"\x89PNG", "image/png"), Page(b"\xff\xfe", "text/plain")]
)
async def test_a_site_without_rules_may_be_read(site: PageServer, open_retriever: OpenRetriever, rules: Page) -> None:
    site.pages |= {"/robots.txt": rules, "/page": article("It was opened in 1911.")}
    async with open_retriever("searxng", ["/page"]) as retriever:
        (document,) = await all_of(retriever)
    assert isinstance(document, RetrievedDocument)


async def test_a_pause_that_a_check_cannot_wait_for_costs_the_page(
    site: PageServer, open_retriever: OpenRetriever
) -> None:
    site.pages |= {"/robots.txt": Page(b"User-agent: *\nCrawl-delay: 60", "text/plain")}
    site.pages |= {"/a": article("It was opened in 1911."), "/b": article("It is green.")}
    async with open_retriever("searxng", ["/a", "/b"]) as retriever:
        first, second = await all_of(retriever)
    assert isinstance(first, RetrievedDocument)
    assert isinstance(second, SkippedPage)


# --- Cached pages --------------------------------------------------------------------------------------------------


async def test_a_page_is_fetched_once_a_day(site: PageServer, open_retriever: OpenRetriever) -> None:
    site.pages["/page"] = article("It was opened in 1911.")
    cache = MemoryPageCache()
    for day in (4, 4, 5):
        async with open_retriever("searxng", ["/page"], cache=cache, day=date(2026, 5, day)) as retriever:
            assert len(await all_of(retriever)) == 1
            assert len(await all_of(retriever, Query("The bridge is green."))) == 1
    assert pages_of(site) == ["/page", "/page"]
    assert [visit.path for visit in site.visits].count("/robots.txt") == 2


async def test_a_page_that_failed_is_not_waited_for_again_in_the_same_run(
    site: PageServer, open_retriever: OpenRetriever
) -> None:
    site.pages["/page"] = Page(status=500)
    async with open_retriever("searxng", ["/page"]) as retriever:
        first, second = await all_of(retriever), await all_of(retriever, Query("The bridge is green."))
    assert first == second
    assert pages_of(site) == ["/page"]


async def test_tavily_gives_the_text_of_a_page_itself(site: PageServer, open_retriever: OpenRetriever) -> None:
    site.pages["/b"] = article("It is long.", title="B")
    text = "The bridge was opened in 1911 by the mayor of the town, who had planned it for many years. " * 2
    urls = [site.url("/a"), site.url("/b")]
    answer = search_services.tavily(urls, {urls[0]: text})
    async with open_retriever("tavily", answer=answer) as retriever:
        first, second = await all_of(retriever)
    assert isinstance(first, RetrievedDocument)
    assert (first.title, first.url, first.text) == ("Result 1", urls[0], text.strip())
    assert isinstance(second, RetrievedDocument)
    assert pages_of(site) == ["/b"]


# --- Failed searches -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["brave", "tavily"])
async def test_a_wrong_key_is_told_and_not_tried_again(
    site: PageServer, open_retriever: OpenRetriever, name: str
) -> None:
    async with open_retriever(name, key="wrong") as retriever:
        for claim in ("It is green.", "It is long."):
            with pytest.raises(SearchFailed, match="Check the key"):
                await all_of(retriever, Query(claim))
    assert len(site.visits) == 1


@every_retriever
@pytest.mark.parametrize(
    ("answer", "told", "asked"),
    [
        (Page(status=402), "quota of the account", 1),
        (Page(status=432), "quota of the account", 1),
        (Page(status=429, headers={"Retry-After": "0"}), "too many requests", 3),
        (Page(status=429, headers={"Retry-After": "3600"}), "too many requests", 1),
        (Page(status=500), "has a fault", 1),
        (Page(status=404), "Check its address", 1),
        (Page(status=302, headers={"Location": "/elsewhere"}), "Check its address", 1),
        (Page(b"<html>Welcome"), "no search result", 1),
        (Page(b"[" * 100_000), "no search result", 1),
        (Page(hangs=True), "within 1 seconds", 1),
        (Page(lambda: itertools.repeat(b" " * 60_000)), "too long", 1),
        (Page(gzip_bomb(b"\0", 50_000_000), headers={"Content-Encoding": "gzip"}), "too long", 1),
        (Page(gzip.compress(b"{}"), headers={"Content-Encoding": "gzip, gzip"}), "nobody asked for", 1),
    ],
)
async def test_a_search_that_fails_says_why(
    site: PageServer, open_retriever: OpenRetriever, name: str, answer: Page, told: str, asked: int
) -> None:
    async with open_retriever(name, answer=answer, seconds=_seconds_for(answer)) as retriever:
        with pytest.raises(SearchFailed, match=told):
            await all_of(retriever)
    assert len(site.visits) == asked


@every_retriever
@pytest.mark.parametrize(
    "answer", [b"{}", b"[]", b"null", b'{"results": {"url": 1}, "web": []}', b'{"results": [1, {}]}']
)
async def test_an_answer_without_results_finds_nothing(open_retriever: OpenRetriever, name: str, answer: bytes) -> None:
    async with open_retriever(name, answer=Page(answer, "application/json")) as retriever:
        assert await all_of(retriever) == []


async def test_addresses_that_are_none_are_left_out(open_retriever: OpenRetriever) -> None:
    answer = search_services.searxng(["javascript:alert(1)", "file:///etc/passwd"])
    async with open_retriever("searxng", answer=answer) as retriever:
        assert await all_of(retriever) == []


async def test_engines_that_are_silent_are_no_proof_that_there_is_nothing(open_retriever: OpenRetriever) -> None:
    answer = search_services.as_json({"results": [], "unresponsive_engines": [["one", "CAPTCHA"]]})
    async with open_retriever("searxng", answer=answer) as retriever:
        with pytest.raises(SearchFailed, match="engines"):
            await all_of(retriever)


async def test_a_service_that_is_down_is_told() -> None:
    with PageServer({}).running() as site:
        url = site.url("/search")
    async with SearchApi(HostPace(0.0), user_agent=AGENT) as api:
        with pytest.raises(SearchFailed, match="cannot be reached"):
            await api.get("SearXNG", url, {})


async def test_a_service_that_breaks_off_is_told(open_retriever: OpenRetriever) -> None:
    answer = Page(b'{"results": [', "application/json", declared_length=1_000)
    async with open_retriever("searxng", answer=answer) as retriever:
        with pytest.raises(SearchFailed, match="broke off"):
            await all_of(retriever)


async def test_the_same_question_is_asked_once(site: PageServer, open_retriever: OpenRetriever) -> None:
    async with open_retriever("brave") as retriever:
        await all_of(retriever)
        await all_of(retriever)
    assert len(site.visits) == 1
