"""Evidence from the form to the page: storage, run and presentation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import lxml.html
import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from detection import services, wiring
from detection.core import reports
from detection.core.evidence.plan import SearchEffort, SearchPlan
from detection.core.evidence.record import ClaimRecord, DocumentReading, SearchRecord, StopReason
from detection.core.evidence.sequential import Costs
from detection.core.retrieval.retriever import SkippedPage
from detection.core.types import DocumentLink, Evidence, FindingKind, Span, Verdict
from detection.models import ApiKey, Check, Unit
from detection.selectors.detail import CheckDetail
from detection.services.runs import RunWriter
from detection.storage.evidence import PLAN, SEARCH
from detection.web.live import fragments
from detection.web.owners import SESSION_KEY
from tests.factories import OWNER, finding, segment, start_run
from tests.fakes import search_services, wiki
from tests.fakes.page_server import Page, PageServer

DETECTOR = "evidence.v1"
TEXTS = ("The bridge was opened in 1911.", "A ghost lives under it.", "It has nine arches.")
TEXT, SENTENCES = segment(*TEXTS)
SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>"
QUOTE = "It was opened in 1894."


def reading(factual: float, *, title: str = "The bridge", url: str = "https://www.example.org/b") -> DocumentReading:
    passage = f"It is a bridge. {QUOTE} It is long."
    start = passage.index(QUOTE)
    return DocumentReading(title, url, passage, Span(start, start + len(QUOTE)), 0.02, factual)


def claim(
    text: str, stop: StopReason, *readings: DocumentReading, skipped: tuple[SkippedPage, ...] = ()
) -> ClaimRecord:
    return ClaimRecord(text, Span(0, len(text)), readings, skipped, stop)


OPENED = claim(
    "The bridge was opened in 1911.",
    StopReason.DECIDED,
    reading(0.4),
    reading(0.04, title="Bridges"),
    skipped=(SkippedPage("News", "https://example.org/news", "The site shows this page to subscribers only."),),
)
REFUTED = replace(
    finding(SENTENCES, 0, "1911", TEXTS[0].replace("1911", "1894"), kind=FindingKind.REFUTED_BY_EVIDENCE),
    evidence=(Evidence(QUOTE, Span(0, len(QUOTE)), document=DocumentLink("The bridge", "https://www.example.org/b")),),
    detector=DETECTOR,
)
SEARCHES = (
    (Verdict.CONTRADICTED, SearchRecord("wikipedia", 10, (OPENED,))),
    (Verdict.UNSURE, SearchRecord("wikipedia", 10, (claim("A ghost lives there.", StopReason.NOTHING_FOUND),))),
    (Verdict.SUPPORTED, SearchRecord("wikipedia", 10, (claim("It has arches.", StopReason.DECIDED, reading(0.83)),))),
)


def searched(first: SearchRecord = SEARCHES[0][1], *, found: Any = REFUTED) -> Check:
    """A finished check with a refuted, an unknown and a supported sentence."""
    check = services.check_create(owner=OWNER, text=TEXT, retriever="wikipedia")
    writer = RunWriter(start_run(check), detectors=(DETECTOR,))
    writer.write([reports.TextSegmented(SENTENCES, topic=None)])
    for index, (verdict, search) in enumerate(SEARCHES):
        findings = (found,) if index == 0 else ()
        writer.write([reports.UnitStarted(DETECTOR, index)])
        shown = first if index == 0 else search
        writer.write([reports.UnitDone(DETECTOR, index, verdict, findings, search=shown)])
    Check.objects.filter(pk=check.pk).update(state=Check.State.DONE, run_token=None, lease_until=None)
    check.refresh_from_db()
    return check


@pytest.fixture
def owner(client: Client) -> Client:
    session = client.session
    session[SESSION_KEY] = OWNER
    session.save()
    return client


def words(html: str) -> str:
    return " ".join(lxml.html.fromstring(html).text_content().split())


# --- The form ---------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_nothing_is_looked_up_unless_it_is_chosen(client: Client) -> None:
    page = client.get("/").content.decode()
    assert re.search(r'name="retriever" value="" checked', page)
    client.post("/checks/new/", {"text": "One."})
    check = Check.objects.get()
    assert (check.retriever, check.search_plan) == ("", None)


@pytest.mark.django_db
def test_the_form_says_where_claims_are_sent_and_offers_only_what_is_set_up(client: Client, settings: Settings) -> None:
    page = words(client.get("/").content.decode())
    assert "The claims and the topic of your text are sent to en.wikipedia.org." in page
    assert "SearXNG" not in page
    settings.SEARXNG_URL = "http://search.example.org:8888"
    assert "sent to search.example.org:8888. This server then fetches" in words(client.get("/").content.decode())


@pytest.mark.django_db
def test_effort_and_costs_are_stored_as_they_hold_at_that_time(client: Client) -> None:
    chosen = {"text": "One.", "retriever": "wikipedia", "search_effort": "careful"}
    client.post("/checks/new/", chosen)
    client.post("/checks/new/", {**chosen, "cost_of_miss": "30.5", "most_documents": "4"})
    plain, detailed = Check.objects.order_by("created_at")
    assert PLAN.from_json(plain.search_plan) == SearchPlan(SearchEffort.CAREFUL.costs, 10)
    assert PLAN.from_json(detailed.search_plan) == SearchPlan(Costs(miss=30.5, false_alarm=96), 4)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param({"retriever": "searxng"}, "That search is not set up here.", id="not set up"),
        pytest.param({"retriever": "brave"}, "This search needs a key. Enter yours", id="no key"),
        pytest.param({"retriever": "brave", "search_key": "a b"}, "A key has no spaces", id="no such key"),
        pytest.param({"retriever": "library"}, "To look for evidence in your sources, add one", id="no source"),
        pytest.param({"cost_of_miss": "0"}, "The cost of an error that is missed is a number", id="no cost"),
        pytest.param({"cost_of_document": "nan"}, "The cost of one more document is a number", id="not a number"),
        pytest.param({"most_documents": "11"}, "At most 1 to 10 documents", id="too many documents"),
    ],
)
def test_a_search_that_cannot_be_is_refused_and_what_was_typed_stays(
    client: Client, data: dict[str, str], message: str
) -> None:
    sent = {"text": "One.", "retriever": "wikipedia", "search_effort": "quick", **data}
    response = client.post("/checks/new/", sent)
    page = lxml.html.fromstring(response.content.decode())
    assert response.status_code == 422
    assert message in page.text_content()
    assert page.xpath("//option[@value='quick']/@selected")
    for name, value in data.items():
        shown = page.xpath(f"//input[@name='{name}'][@checked or @type='number']/@value")
        assert shown == [value] or name in ("retriever", "search_key")
    assert not Check.objects.exists()


@pytest.mark.django_db
def test_a_key_of_ones_own_opens_a_search_and_is_kept_sealed(client: Client) -> None:
    search = {"text": "One.", "retriever": "brave"}
    assert client.post("/checks/new/", {**search, "search_key": "typed-key"}).status_code == 302
    assert client.post("/checks/new/", search).status_code == 302
    assert client.post("/checks/new/", {**search, "retriever": "tavily"}).status_code == 422
    assert "typed-key" not in repr([*ApiKey.objects.values(), *Check.objects.values()])
    page = client.get("/").content.decode()
    assert "typed-key" not in page
    assert "A key is kept." in page
    client.post("/keys/forget/")
    assert client.post("/checks/new/", search).status_code == 422


# --- A run ------------------------------------------------------------------------------------------------------


@pytest.fixture
def site(settings: Settings) -> Iterator[PageServer]:
    with wiki.wikipedia() as running:
        settings.WIKIPEDIA_URL = running.url("/w/api.php")
        settings.FETCH_ALLOW = [running.host]
        yield running


def run(retriever: str = "wikipedia", text: str = "The Sorrel Bridge was opened in 1911.") -> Check:
    check = services.check_create(owner=OWNER, text=text, retriever=retriever)
    services.check_run(check_id=check.pk)
    check.refresh_from_db()
    return check


@pytest.mark.django_db(transaction=True)
def test_a_run_asks_with_the_key_that_its_owner_typed_in(site: PageServer, monkeypatch: pytest.MonkeyPatch) -> None:
    site.pages["/brave"] = search_services.brave([])
    known = replace(wiring.search_settings(), brave_url=site.url("/brave"))
    monkeypatch.setattr(wiring, "search_settings", lambda: known)
    assert evidence_unit(run("brave")).state == Unit.State.NOT_CHECKED
    services.api_key_keep(owner="somebody else", key=search_services.KEY, service="brave")
    assert evidence_unit(run("brave")).state == Unit.State.NOT_CHECKED
    services.api_key_keep(owner=OWNER, key=search_services.KEY, service="brave")
    assert evidence_unit(run("brave")).state == Unit.State.DONE


def evidence_unit(check: Check) -> Unit:
    return check.units.get(detector=DETECTOR)


@pytest.mark.django_db(transaction=True)
def test_a_run_stores_what_it_looked_up_and_leaves_it_alone_when_it_is_taken_up_again(site: PageServer) -> None:
    check = run()
    unit = evidence_unit(check)
    search = SEARCH.from_json(unit.search)
    assert (check.state, unit.state, search.retriever) == (Check.State.DONE, Unit.State.DONE, "wikipedia")
    assert all(claim.documents for claim in search.claims)
    asked = len(site.visits)
    services.check_resume(check=check)
    services.check_run(check_id=check.pk)
    assert len(site.visits) == asked
    assert evidence_unit(check).search == unit.search


@pytest.mark.django_db(transaction=True)
def test_a_search_that_fails_ends_the_unit_with_the_reason_and_can_be_tried_again(site: PageServer) -> None:
    answering = site.pages["/w/api.php"]
    site.pages["/w/api.php"] = Page(status=403)
    check = run()
    unit = evidence_unit(check)
    assert (check.state, unit.state) == (Check.State.DONE, Unit.State.FAILED)
    assert "Wikipedia" in unit.reason
    assert CheckDetail(check).sentences[0].verdict is Verdict.FAILED
    site.pages["/w/api.php"] = answering
    services.check_resume(check=check)
    services.check_run(check_id=check.pk)
    assert evidence_unit(check).state == Unit.State.DONE


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("retriever", "reason", "told"),
    [
        ("brave", "no_search", "there is no search to look it up with"),
        ("library", "no_source", "there is no source that could be read"),
    ],
)
def test_what_cannot_be_looked_up_is_not_checked_and_the_page_says_so(
    owner: Client, retriever: str, reason: str, told: str
) -> None:
    check = run(retriever)
    unit = evidence_unit(check)
    assert (unit.state, unit.reason) == (Unit.State.NOT_CHECKED, reason)
    assert f"not looked up: {told}" in words(owner.get(f"/checks/{check.pk}/").content.decode())


# --- The page ---------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_card_shows_the_quote_with_its_link_the_numbers_and_what_was_not_read(owner: Client) -> None:
    check = searched()
    page = lxml.html.fromstring(owner.get(f"/checks/{check.pk}/").content.decode())
    (card,) = page.find_class("card")
    text = " ".join(card.text_content().split())
    assert "Stopped after 2 of at most 10 documents, 4 % likely to be right." in text
    assert "support 0.02 of 1 · then 40 % likely to be right" in text
    assert "Not read: The site shows this page to subscribers only." in text
    assert "the claims were sent out to be looked up in Wikipedia" in text
    (link,) = card.xpath(".//cite/a[contains(@href, 'example.org')]")
    assert link.get("href") == "https://www.example.org/b#:~:text=It%20was%20opened%20in%201894."
    assert (link.get("rel"), link.text_content()) == ("noreferrer noopener", "The bridge")
    assert len(card.xpath(".//svg[@role='img']//circle")) == 3
    assert "3 claims looked up in Wikipedia, 1 document read" in " ".join(page.text_content().split())


@pytest.mark.django_db
def test_nothing_found_is_neither_wrong_nor_fine(owner: Client) -> None:
    check = searched()
    refuted, unknown, borne_out = CheckDetail(check).sentences
    assert (refuted.label, refuted.mark) == ("contradicted by evidence", "conflict")
    assert (unknown.label, unknown.mark, unknown.verdict) == ("nothing found about it", "", Verdict.UNSURE)
    assert (borne_out.label, borne_out.mark) == ("supported by evidence", "")
    report = words(owner.get(f"/checks/{check.pk}/sentences/1/").content.decode())
    assert "Sentence 2: nothing found about it" in report
    assert "This makes it neither false nor true." in report
    assert "The evidence supports it." in words(owner.get(f"/checks/{check.pk}/sentences/2/").content.decode())


@pytest.mark.django_db
def test_fragments_of_a_search_lead_to_the_page_as_it_is_now(owner: Client) -> None:
    check = searched()
    html = fragments.since(check.pk, 0).html
    page = lxml.html.fromstring(owner.get(f"/checks/{check.pk}/").content.decode())
    for incoming in lxml.html.fragments_fromstring(html):
        present = page.get_element_by_id(incoming.get("id"))
        assert _shown(present) == _shown(incoming), incoming.get("id")
    assert 'class="chart"' in html
    assert "likely to be right" in html


def _shown(element: Any) -> list[Any]:
    tokens = "csrfmiddlewaretoken"
    parts = [part for part in element.iter() if part.get("name") != tokens and isinstance(part.tag, str)]
    return [(part.tag, sorted(part.attrib.items()), (part.text or "").strip()) for part in parts]


@pytest.mark.django_db
def test_a_source_that_was_read_in_opens_at_the_quote_until_it_is_deleted(owner: Client) -> None:
    source = services.source_add_text(owner=OWNER, text=f"It is a bridge. {QUOTE}")
    check = services.check_create(owner=OWNER, text=TEXT, sources=[source], retriever="library")
    writer = RunWriter(start_run(check), detectors=(DETECTOR,))
    writer.write([reports.TextSegmented(SENTENCES, topic=None)])
    passage = DocumentReading("Notes", "", QUOTE, Span(0, len(QUOTE)), 0.02, 0.1, str(check.sources.get().pk), start=16)
    search = SearchRecord("library", 10, (claim(TEXTS[0], StopReason.DECIDED, passage),))
    writer.write([reports.UnitDone(DETECTOR, 0, Verdict.CONTRADICTED, (replace(REFUTED, evidence=()),), search=search)])
    check.refresh_from_db()
    href = f'href="/sources/{source.pk}/?quote=16-38#quote" data-show-source'
    assert href in " ".join(owner.get(f"/checks/{check.pk}/").content.decode().split())
    services.source_delete(source=source)
    (card,) = [part for part in fragments.since(check.pk, check.last_seq).html.split("<article") if "card--" in part]
    assert "Notes" in card
    assert "/sources/" not in card


@pytest.mark.django_db
@pytest.mark.parametrize("url", ["javascript:alert(3)", "data:text/html,x", "https://[", f'https://x.org/"{SCRIPT}'])
def test_markup_and_addresses_of_pages_are_harmless(owner: Client, url: str) -> None:
    bad = DocumentReading(SCRIPT, url, f"{SCRIPT} and so on", Span(0, len(SCRIPT)), 0.02, 0.1)
    looked_up = claim(SCRIPT, StopReason.DECIDED, bad, skipped=(SkippedPage(SCRIPT, url, SCRIPT),))
    evidence = (Evidence(SCRIPT, Span(0, len(SCRIPT)), document=DocumentLink(SCRIPT, url)),)
    check = searched(SearchRecord("wikipedia", 10, (looked_up,)), found=replace(REFUTED, evidence=evidence))
    for path in (f"/checks/{check.pk}/", f"/checks/{check.pk}/sentences/0/"):
        page = owner.get(path).content.decode()
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "&lt;script&gt;" in page
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=\"", page)
        links = lxml.html.fromstring(page).xpath("//a[@target]/@href")
        assert all(link.startswith("https://x.org/") for link in links)
