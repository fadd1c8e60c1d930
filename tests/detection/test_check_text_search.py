"""``manage.py check_text --retriever``: the whole search, with services on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from tests.fakes import search_services
from tests.fakes.page_server import Page, PageServer
from tests.fakes.retrieval import article

FACT = "The harbour of Karsholm was founded in 1911 by Ada Lind."


@pytest.fixture
def site(settings: Settings) -> Iterator[PageServer]:
    """A SearXNG, and the two pages that it finds; one of them is unreadable."""
    with PageServer({"/robots.txt": Page(status=404), "/closed": Page(status=403)}).running() as server:
        server.pages["/open"] = article(FACT, title="Karsholm")
        server.pages["/search"] = search_services.searxng([server.url("/closed"), server.url("/open")])
        settings.SEARXNG_URL = server.url()
        settings.FETCH_ALLOW = [server.host]
        settings.CONTACT = "operator@example.org"
        yield server


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "answer.txt"
    path.write_text(FACT)
    return path


def test_the_record_of_the_search_is_in_the_result(
    site: PageServer, text: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("check_text", str(text), retriever="searxng", search_effort="quick", json="-")
    (sentence,) = json.loads(capsys.readouterr().out)["sentences"]
    assert sentence["units"]["evidence.v1"] == "done"
    (search,) = sentence["searches"]
    assert (search["retriever"], search["most_documents"]) == ("searxng", 10)
    assert 0 < search["factual"] < 1
    for claim in search["claims"]:
        assert [page["url"] for page in claim["skipped"]] == [site.url("/closed")]
        (reading,) = claim["documents"]
        assert (reading["title"], reading["url"]) == ("Karsholm", site.url("/open"))
        assert reading["passage"][slice(*reading["quote"])] == FACT
    assert {visit.headers["User-Agent"].partition("/")[0] for visit in site.visits} == {"ChatProtect-Web"}
    assert all("operator@example.org" in visit.headers["User-Agent"] for visit in site.visits)


def test_people_read_what_was_looked_up(site: PageServer, text: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("check_text", str(text), retriever="searxng")
    out = capsys.readouterr().out
    assert f"Karsholm ({site.url('/open')}): “{FACT}”" in out
    assert f"not read: Result 1 ({site.url('/closed')}): The site does not give this page to programs (403)." in out
    assert "likely right, after 1 of at most 10 documents" in out


def test_nothing_is_looked_up_unless_it_is_chosen(
    site: PageServer, text: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("check_text", str(text), json="-")
    (sentence,) = json.loads(capsys.readouterr().out)["sentences"]
    assert "evidence.v1" not in sentence["units"]
    assert site.visits == []


def test_a_search_that_is_not_set_up_is_bad_input(text: Path) -> None:
    with pytest.raises(CommandError, match=r"'brave' is not set up here\. Choose one of library, wikipedia") as raised:
        call_command("check_text", str(text), retriever="brave")
    assert raised.value.returncode == 2


def test_the_own_sources_can_be_searched(text: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = text.with_name("notes.txt")
    source.write_text(FACT)
    call_command("check_text", str(text), source=[str(source)], retriever="library", detector=["evidence.v1"], json="-")
    (sentence,) = json.loads(capsys.readouterr().out)["sentences"]
    (search,) = sentence["searches"]
    assert {reading["source"] for claim in search["claims"] for reading in claim["documents"]} == {str(source)}
