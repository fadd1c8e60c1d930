"""A check with more warnings than a page shows: the page stays small, and every warning is reachable."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import lxml.html
import pytest
from django.test import Client

from detection import services
from detection.core.types import FindingKind
from detection.models import Check, Finding, Sentence, Suggestion, Unit
from detection.selectors.card_pages import CARDS_OF_PAGE, CARDS_OF_SENTENCE, AskedPage
from detection.selectors.detail import CheckDetail
from detection.web.live import fragments
from detection.web.owners import SESSION_KEY
from tests.factories import checked, finding, segment

pytestmark = pytest.mark.django_db

WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def check_with(texts: Sequence[str], warned: Sequence[tuple[int, str]]) -> Check:
    _, sentences = segment(*texts)
    return checked(texts, [finding(sentences, index, word, "Another.") for index, word in warned])


@pytest.fixture
def clashing() -> Check:
    """Twelve warnings about its second sentence, and one about each other."""
    texts = ("It has some gates.", f"It has {' '.join(WORDS)} towers.", "It has many doors.")
    return check_with(texts, [(0, "some"), *((1, word) for word in WORDS), (2, "many")])


@pytest.fixture
def long() -> Check:
    texts = [f"Gate {number} is red." for number in range(CARDS_OF_PAGE + 20)]
    return check_with(texts, [(index, f"Gate {index}") for index in range(len(texts))])


def reader_of(check: Check, client: Client) -> Client:
    session = client.session
    session[SESSION_KEY] = check.owner
    session.save()
    return client


def cards_of(client: Client, address: str) -> list[int]:
    page = lxml.html.fromstring(client.get(address).content.decode())
    return [int(card.get("data-finding")) for card in page.find_class("card")]


def ids_of(check: Check) -> list[int]:
    return [found.pk for found in check.findings.all()]


def test_of_a_sentence_with_many_warnings_a_few_are_shown_and_the_rest_on_demand(
    clashing: Check, client: Client
) -> None:
    reader, address, ids = reader_of(clashing, client), f"/checks/{clashing.pk}/", ids_of(clashing)
    assert cards_of(reader, address) == [*ids[: 1 + CARDS_OF_SENTENCE], ids[-1]]
    page = reader.get(address).content.decode()
    assert "Sentence 2 has 12 warnings." in " ".join(page.split())
    (show_all,) = re.findall(r'href="(\?card=\d+)">Show all', page)
    assert cards_of(reader, address + show_all) == ids
    assert 'id="more-' not in reader.get(address + show_all).content.decode()


def test_what_a_source_is_silent_about_stands_behind_the_head_of_its_group(client: Client) -> None:
    """Cards that are loaded later are inserted in order."""
    texts = ("It has some gates.", "It has three towers.")
    _, sentences = segment(*texts)
    silent = finding(sentences, 0, "some", "", kind=FindingKind.NOT_IN_SOURCE)
    check = checked(texts, [silent, finding(sentences, 1, "three", "")])
    page = lxml.html.fromstring(reader_of(check, client).get(f"/checks/{check.pk}/").content.decode())
    orders = {element.get("id"): int(element.get("data-order")) for element in page.xpath("//*[@data-order]")}
    of = {found.kind: orders[f"card-{found.pk}"] for found in check.findings.all()}
    assert of[FindingKind.CROSS_CONTRADICTION] < orders["silent-group"] < of[FindingKind.NOT_IN_SOURCE]


def test_pages_follow_each_other_and_a_warning_is_found_on_its_own(long: Check, client: Client) -> None:
    reader, address, ids = reader_of(long, client), f"/checks/{long.pk}/", ids_of(long)
    assert cards_of(reader, address) == ids[:CARDS_OF_PAGE]
    assert cards_of(reader, f"{address}?warnings=2") == ids[CARDS_OF_PAGE:]
    assert cards_of(reader, f"{address}?card={ids[-1]}") == ids[CARDS_OF_PAGE:]
    assert cards_of(reader, f"{address}?card={ids[-1] + 1}") == ids[:CARDS_OF_PAGE]
    assert f"Warnings 1 to {CARDS_OF_PAGE} of {len(ids)}" in reader.get(address).content.decode()


def test_who_has_the_link_reaches_them_all_as_well(clashing: Check, long: Check, client: Client) -> None:
    addresses = [f"/shared/{services.share_create(check=check).token}/" for check in (clashing, long)]
    pages = [client.get(address).content.decode() for address in addresses]
    (show_all,) = re.findall(r'href="(\?card=\d+)">Show all', pages[0])
    assert client.get(addresses[0] + show_all).content.decode().count("Something is wrong") == 14
    assert 'href="?warnings=2"' in pages[1]


def test_new_warnings_do_not_make_a_page_grow(clashing: Check, long: Check) -> None:
    html = fragments.since(clashing.pk, 0).html
    assert html.count('<article class="card ') == CARDS_OF_SENTENCE + 2
    assert "Sentence 2 has 12 warnings." in " ".join(html.split())
    assert fragments.since(clashing.pk, 0, asked=AskedPage(is_whole=True)).html.count('<article class="card ') == 14
    assert fragments.since(long.pk, 0).html.count('<article class="card ') == CARDS_OF_PAGE
    second = fragments.since(long.pk, 0, asked=AskedPage(number=2)).html
    assert second.count('<article class="card ') == 20
    assert f"Warnings {CARDS_OF_PAGE + 1} to" in second


def test_what_is_decided_elsewhere_is_put_in_the_place_of_a_card_and_never_added(long: Check) -> None:
    services.finding_reject(check=long, finding_id=ids_of(long)[-1])
    html = fragments.since(long.pk, long.last_seq).html
    assert "data-elsewhere" in html
    assert "data-elsewhere" not in fragments.since(long.pk, long.last_seq, asked=AskedPage(number=2)).html
    services.findings_accept_all(check=long)
    assert fragments.since(long.pk, long.last_seq).html.count('<article class="card ') <= 2 * CARDS_OF_PAGE


def test_an_answer_is_for_the_page_that_asked(long: Check, client: Client) -> None:
    last = ids_of(long)[-1]
    answer = reader_of(long, client).post(
        f"/checks/{long.pk}/findings/{last}/reject/",
        headers={
            "HX-Request": "true",
            "HX-Current-URL": f"http://testserver/checks/{long.pk}/?warnings=2",
            "X-Page-Seq": str(long.last_seq),
        },
    )
    assert f'id="card-{last}"' in answer.content.decode()
    assert "data-elsewhere" not in answer.content.decode()


def test_a_page_that_asks_for_a_decided_sentence_is_complete(clashing: Check) -> None:
    shown = CheckDetail(clashing, asked=AskedPage(finding=ids_of(clashing)[8])).card_pages
    assert shown.is_whole
    assert len(shown.shown) == 14


#: The result of a check of 20,000 characters of the attack texts.
WORST_SENTENCES, WORST_WARNINGS = 837, 1_026


def worst_check() -> Check:
    """Stored directly, because a run would use its whole time limit."""
    first, second = "Bo has 0 red cats.", "Bo has 1 red cats."
    _, two = segment(first, second)
    check = checked([first, second], [finding(two, 1, "1", first, "", opposite=(0, "0"))])
    (finding_row,) = check.findings.all()
    (unit_row,) = Unit.objects.filter(pk=finding_row.unit_id)
    suggestion_rows = list(finding_row.suggestions.all())
    texts, sentences = segment(*(f"Bo has {number} red cats." for number in range(WORST_SENTENCES)))
    Check.objects.filter(pk=check.pk).update(text=texts)
    rows = Sentence.objects.bulk_create(
        Sentence(
            parent_check=check, index=s.index, start=s.start, end=s.end, text=s.text, block=0, block_kind="paragraph"
        )
        for s in sentences[2:]
    )
    units = Unit.objects.bulk_create(copy_of(unit_row, sentence=row) for row in rows)
    found = Finding.objects.bulk_create(
        copy_of(finding_row, unit=unit, sentence=row, start=row.start, end=row.end, fingerprint=f"{row.index} {number}")
        for number in range(2)
        for row, unit in zip(rows, units, strict=True)
        if number * WORST_SENTENCES + row.index < WORST_WARNINGS
    )
    Suggestion.objects.bulk_create(
        copy_of(suggestion, finding=row, sentence=row.sentence) for row in found for suggestion in suggestion_rows
    )
    return check


def copy_of(row: Any, **changes: Any) -> Any:
    fields = {
        field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields if not field.primary_key
    }
    twin = type(row)(**fields)
    for name, value in changes.items():
        setattr(twin, name, value)
    return twin


def test_the_page_of_the_worst_text_is_smaller_than_a_megabyte(client: Client) -> None:
    check = worst_check()
    assert check.findings.count() > WORST_WARNINGS - 10
    page = reader_of(check, client).get(f"/checks/{check.pk}/").content
    assert page.count(b'<article class="card ') == CARDS_OF_PAGE
    assert len(page) < 1_000_000
    shared = client.get(f"/shared/{services.share_create(check=check).token}/").content
    assert len(shared) < 1_000_000
