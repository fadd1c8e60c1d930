"""Search services as pages of a web site: each answers in the form that its documentation gives."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.fakes.page_server import Page, Visit

KEY = "key-of-the-test"


def as_json(value: object, status: int = 200, **headers: str) -> Page:
    return Page(json.dumps(value).encode(), "application/json", status, headers)


def searxng(urls: Sequence[str]) -> Page:
    """An answer of SearXNG."""
    results = [
        {
            "url": url,
            "title": f"Result {number}",
            "content": "A few words around the match …",
            "engine": "one",
            "parsed_url": ["http", "host", "/", "", "", ""],
            "engines": ["one", "two"],
            "positions": [number],
            "score": 1 / number,
            "category": "general",
        }
        for number, url in enumerate(urls, 1)
    ]
    whole = {"query": "…", "number_of_results": 0, "results": results, "answers": [], "corrections": []}
    return as_json({**whole, "infoboxes": [], "suggestions": [], "unresponsive_engines": []})


def brave(urls: Sequence[str]) -> Callable[[Visit], Page]:
    """The Brave Search API; it knows one key."""
    results = [
        {
            "type": "search_result",
            "subtype": "generic",
            "title": f"Result {number}",
            "url": url,
            "description": "A few words around the match …",
            "language": "en",
            "family_friendly": True,
            "meta_url": {"scheme": "http", "netloc": "host", "path": ""},
        }
        for number, url in enumerate(urls, 1)
    ]

    def answer(visit: Visit) -> Page:
        if visit.headers.get("X-Subscription-Token") != KEY:
            error = {"id": "1", "status": 422, "code": "SUBSCRIPTION_TOKEN_INVALID", "detail": "…", "meta": {}}
            return as_json({"type": "ErrorResponse", "error": error, "time": 0}, 422)
        query = {"original": visit.parameters["q"], "more_results_available": False}
        return as_json({"type": "search", "query": query, "mixed": {}, "web": {"type": "search", "results": results}})

    return answer


def tavily(urls: Sequence[str], texts: Mapping[str, str] = {}) -> Callable[[Visit], Page]:
    """The Tavily API; it knows one key, and the texts of some pages."""
    results = [
        {
            "title": f"Result {number}",
            "url": url,
            "content": "A few words around the match …",
            "score": 1 / number,
            "raw_content": texts.get(url),
        }
        for number, url in enumerate(urls, 1)
    ]

    def answer(visit: Visit) -> Page:
        if visit.headers.get("Authorization") != f"Bearer {KEY}":
            return as_json({"detail": {"error": "Unauthorized: missing or invalid API key."}}, 401)
        query = json.loads(visit.body)["query"]
        return as_json(
            {"query": query, "answer": None, "images": [], "results": results, "response_time": 0.9, "request_id": "1"}
        )

    return answer


def wikipedia(
    site: str, articles: Mapping[str, str], found: Mapping[str, Sequence[str]], *, lists: Sequence[str] = ()
) -> Callable[[Visit], Page]:
    """The MediaWiki API with some articles. ``found`` are the titles for a search, by its words."""

    def answer(visit: Visit) -> Page:
        asked = visit.parameters
        if asked.get("list") == "search":
            titles = found.get(asked["srsearch"], ())
            search: list[dict[str, Any]] = [{"ns": 0, "title": title, "pageid": 7} for title in titles]
            return as_json({"batchcomplete": True, "query": {"searchinfo": {"totalhits": 1}, "search": search}})
        title = asked["titles"]
        if title not in articles:
            return as_json({"batchcomplete": True, "query": {"pages": [{"ns": 0, "title": title, "missing": True}]}})
        page: dict[str, Any] = {
            "pageid": 7,
            "ns": 0,
            "title": title,
            "extract": articles[title],
            "contentmodel": "wikitext",
            "pagelanguage": "en",
            "canonicalurl": f"{site}/wiki/{title.replace(' ', '_')}",
        }
        if title in lists:
            page["pageprops"] = {"disambiguation": ""}
        return as_json({"batchcomplete": True, "query": {"pages": [page]}})

    return answer
