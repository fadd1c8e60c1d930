"""What a check says about itself when sentences of it could not be checked, on its page and in its files."""

from __future__ import annotations

from collections.abc import Sequence

import lxml.html
import pytest
from django.test import Client

from detection import services
from detection.core import reports
from detection.core.types import Finding, Verdict
from detection.exports.summary import summary_of
from detection.models import Check
from detection.selectors.detail import CheckDetail
from detection.services.runs import RunWriter
from detection.web.owners import SESSION_KEY
from tests.factories import DETECTOR, OWNER, checked, finding, segment, start_run

pytestmark = pytest.mark.django_db

TEXTS = ("It was founded in 1894.", "It has two gates.", "It has three towers.")
TEXT, SENTENCES = segment(*TEXTS)
ALONE = "compared with each other, and with no source"
NOTHING = "No sentence could be checked, so nothing is known about this text."


def failing(failed: Sequence[int], findings: Sequence[Finding] = (), *, has_source: bool = True) -> Check:
    """A finished check whose comparison with the source failed; all that it asked about ``failed`` did."""
    sources = [services.source_add_text(owner=OWNER, text="It was founded in 1849.")] if has_source else []
    check = services.check_create(owner=OWNER, text=TEXT, sources=sources)
    writer = RunWriter(start_run(check), detectors=(DETECTOR, *(["grounding.v1"] if has_source else [])))
    writer.write([reports.TextSegmented(SENTENCES, topic=None)])
    for index in range(len(SENTENCES)):
        own = tuple(found for found in findings if found.sentence == index)
        done = reports.UnitDone(DETECTOR, index, Verdict.CONTRADICTED if own else Verdict.NO_PROBLEM_FOUND, own)
        writer.write([reports.UnitFailed(DETECTOR, index, "No answer.") if index in failed else done])
        if has_source:
            writer.write([reports.UnitFailed("grounding.v1", index, "No answer.")])
    Check.objects.filter(pk=check.pk).update(state=Check.State.DONE, run_token=None, lease_until=None)
    check.refresh_from_db()
    return check


def page_of(client: Client, check: Check) -> str:
    session = client.session
    session[SESSION_KEY] = check.owner
    session.save()
    return " ".join(client.get(f"/checks/{check.pk}/").content.decode().split())


def test_a_source_that_could_not_be_compared_with_is_not_called_missing(client: Client) -> None:
    html = page_of(client, failing([0, 1, 2]))
    assert NOTHING in html
    assert ALONE not in html
    assert "Without a source" not in html


def test_a_check_without_a_source_says_so(client: Client) -> None:
    html = page_of(client, checked(TEXTS))
    assert f"3 sentences {ALONE}" in html
    assert "Without a source" in html


def test_what_was_found_stands_beside_what_could_not_be_checked() -> None:
    warned = [finding(SENTENCES, 1, "two", "It has four gates.")]
    assert summary_of(CheckDetail(checked(TEXTS))).warnings == "no warnings"
    detail = CheckDetail(failing([2], has_source=False))
    assert summary_of(detail).warnings == "no warnings; 1 sentence could not be checked"
    detail = CheckDetail(failing([0, 2], warned, has_source=False))
    assert summary_of(detail).warnings == "1 warning, 1 not decided yet; 2 sentences could not be checked"


def late(*reasons: str) -> Check:
    """A check of which the last sentences have no result, for these reasons."""
    check = services.check_create(owner=OWNER, text=TEXT)
    writer = RunWriter(start_run(check), detectors=(DETECTOR,))
    writer.write([reports.TextSegmented(SENTENCES, topic=None)])
    writer.write([reports.UnitDone(DETECTOR, 0, Verdict.NO_PROBLEM_FOUND)])
    writer.write([reports.UnitFailed(DETECTOR, index, reason) for index, reason in enumerate(reasons, 1)])
    Check.objects.filter(pk=check.pk).update(state=Check.State.DONE, run_token=None, lease_until=None)
    return Check.objects.get(pk=check.pk)


def test_what_the_time_limit_cut_off_is_told_and_checked_by_one_click(client: Client) -> None:
    check = late("out_of_time", "out_of_time")
    html = page_of(client, check)
    assert "2 not reached" in html
    folded = lxml.html.fromstring(html).get_element_by_id("not-checked").find("summary").text_content()
    assert " ".join(folded.split()) == "Not checked: 2 sentences (not reached within the time limit)"
    assert "The time limit of a check is over, and 2 sentences were not checked completely." in html
    assert "The check failed for" not in html
    (button,) = lxml.html.fromstring(html).xpath("//button[@id='resume']")
    assert " ".join(button.text_content().split()) == "Check the rest"
    client.post(button.getparent().get("action"))
    check.refresh_from_db()
    assert check.state == Check.State.QUEUED
    assert [unit.state for unit in check.units.order_by("sentence_id")] == ["done", "pending", "pending"]


def test_another_failure_beside_the_time_limit_is_told_as_a_failure(client: Client) -> None:
    html = page_of(client, late("out_of_time", "No answer."))
    assert "The check failed for 2 sentences" in html
    assert "Try again" in html


def test_many_reasons_are_folded_with_a_count_and_lead_to_their_sentences(client: Client) -> None:
    check = services.check_create(owner=OWNER, text=TEXT)
    writer = RunWriter(start_run(check), detectors=(DETECTOR,))
    writer.write([reports.TextSegmented(SENTENCES, topic=None)])
    writer.write([reports.UnitSkipped(DETECTOR, index, "not_english") for index in (0, 2)])
    writer.write([reports.UnitSkipped(DETECTOR, 1, "states_no_fact")])
    Check.objects.filter(pk=check.pk).update(state=Check.State.DONE, run_token=None, lease_until=None)
    page = lxml.html.fromstring(page_of(client, check))
    (folded,) = page.xpath("//details[@id='not-checked']")
    assert folded.get("open") is None
    assert "Not checked: 3 sentences" in folded.find("summary").text_content()
    first, second = (" ".join(item.text_content().split()) for item in folded.xpath(".//li"))
    assert first == "2 sentences: the local models read English only · 1, 3"
    assert second.startswith("1 sentence: no statement of fact")
    targets = [link.get("href").removeprefix("#") for link in folded.xpath(".//a")]
    assert targets == ["sentence-0", "sentence-2", "sentence-1"]
    assert all(page.get_element_by_id(target) is not None for target in targets)


def test_of_a_row_of_a_table_it_is_told_how_much_the_sources_support(client: Client) -> None:
    check = services.check_create(owner=OWNER, text=TEXT)
    writer = RunWriter(start_run(check), detectors=("cross_contradiction.v1", "grounding.v1"))
    writer.write([reports.TextSegmented(SENTENCES, topic=None)])
    for index in range(len(SENTENCES)):
        writer.write([reports.UnitSkipped("cross_contradiction.v1", index, "table_cells_untold")])
        writer.write([reports.UnitSkipped("grounding.v1", index, "table_cells_partly 2 3")])
    Check.objects.filter(pk=check.pk).update(state=Check.State.DONE, run_token=None, lease_until=None)
    folded = lxml.html.fromstring(page_of(client, check)).get_element_by_id("not-checked")
    words = " ".join(folded.find("summary").text_content().split())
    assert words == "Not checked: 3 sentences (a row of a table: your sources support 2 of its 3 cells)"


def test_one_reason_is_told_beside_the_count(client: Client) -> None:
    check = services.check_create(owner=OWNER, text=TEXT)
    writer = RunWriter(start_run(check), detectors=(DETECTOR,))
    writer.write([reports.TextSegmented(SENTENCES, topic=None)])
    writer.write([reports.UnitSkipped(DETECTOR, index, "not_english") for index in range(len(SENTENCES))])
    Check.objects.filter(pk=check.pk).update(state=Check.State.DONE, run_token=None, lease_until=None)
    folded = lxml.html.fromstring(page_of(client, check)).get_element_by_id("not-checked")
    words = " ".join(folded.find("summary").text_content().split())
    assert words == "Not checked: 3 sentences (the local models read English only)"


def test_a_stopped_check_counts_what_it_did_not_reach() -> None:
    check = services.check_create(owner=OWNER, text=TEXT)
    writer = RunWriter(start_run(check), detectors=(DETECTOR,))
    writer.write([reports.TextSegmented(SENTENCES, topic=None)])
    writer.write([reports.UnitDone(DETECTOR, 0, Verdict.NO_PROBLEM_FOUND)])
    Check.objects.filter(pk=check.pk).update(state=Check.State.CANCELLED, run_token=None, lease_until=None)
    check.refresh_from_db()
    assert summary_of(CheckDetail(check)).warnings == "no warnings; 2 sentences could not be checked"


def test_no_warnings_is_said_of_what_could_be_checked_only(client: Client) -> None:
    html = page_of(client, failing([2], has_source=False))
    assert "No warnings about what could be checked" in html
    assert "<h2>No warnings</h2>" not in html
