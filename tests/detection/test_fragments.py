"""The page at event k with the fragments of events k+1 to n equals a new page."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import lxml.html
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from detection import events, services
from detection.core.errors import StaleSuggestion
from detection.core.rewriting import revise
from detection.core.types import SuggestionMethod
from detection.models import Check, Source, Suggestion
from detection.selectors.detail import CheckDetail
from detection.services import DecisionImpossible
from detection.services.review import keeping_review
from detection.web.live import fragments
from detection.web.owners import SESSION_KEY
from tests.detection.test_decisions import ACTIONS, COUNT, SHORE, WHOLE, YEAR
from tests.factories import OWNER, checked, decided_by_source, finding, quoting, segment

TEXTS = (
    "Sorrel lies on the northern shore of Lake Ferrin.",
    "It has 1,200 inhabitants and was founded in 1894.",
    "Sorrel lies on the southern shore of the lake.",
)
TEXT, SENTENCES = segment(*TEXTS)
FINDINGS = (
    finding(SENTENCES, 2, "southern", TEXTS[2].replace("southern", "northern"), "", opposite=(0, "northern")),
    decided_by_source(finding(SENTENCES, 1, "1894", TEXTS[1].replace("1894", "1849"))),
    decided_by_source(finding(SENTENCES, 1, "1,200", TEXTS[1].replace("1,200", "2,100"))),
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def check() -> Check:
    return checked(TEXTS, FINDINGS)


@pytest.fixture
def page_of(client: Client, check: Check) -> Any:
    session = client.session
    session[SESSION_KEY] = check.owner
    session.save()
    return lambda: lxml.html.fromstring(client.get(f"/checks/{check.pk}/").content.decode())


def apply(page: Any, html: str) -> None:
    """Apply fragments like js/fragments.js."""
    for incoming in lxml.html.fragments_fromstring(html):
        present = page.get_element_by_id(incoming.get("id"), None)
        if incoming.get("data-gone") is not None:
            if present is not None:
                present.drop_tree()
        elif present is not None:
            incoming.tail = present.tail
            present.getparent().replace(present, incoming)
        elif incoming.get("data-order") is not None:
            cards = page.get_element_by_id("cards")
            later = [card for card in cards if _place(card) > _place(incoming)]
            cards.insert(cards.index(later[0]) if later else len(cards), incoming)


def _place(card: Any) -> tuple[int, int]:
    return int(card.get("data-order")), int(card.get("data-finding", 0))


def shown(page: Any) -> list[str]:
    """Everything visible, in order: texts, and meaningful attributes."""
    result = []
    for element in page.get_element_by_id("main").iter():
        if element.tag is lxml.html.HtmlComment or element.get("name") == "csrfmiddlewaretoken":
            continue
        attributes = {key: value for key, value in element.attrib.items() if key != "data-seq"}
        result.append(f"{element.tag} {sorted(attributes.items())} {(element.text or '').strip()}")
        result.append((element.tail or "").strip())
    parts = (page.get_element_by_id(name) for name in ("title", "progress", "tools", "overview", "revised"))
    result.extend(" ".join(part.text_content().split()) for part in parts)
    return [line for line in result if line]


def test_fragments_from_any_point_on_lead_to_the_page_as_it_is_now(check: Check, page_of: Any) -> None:
    pages = [(0, _page_before_everything(page_of, check)), (check.last_seq, page_of())]
    services.findings_accept_all(check=check)
    pages.append((Check.objects.get().last_seq, page_of()))
    services.decision_undo(check=check)
    pages.append((Check.objects.get().last_seq, page_of()))
    first, second, _ = check.findings.all()
    services.suggestion_accept(check=check, suggestion_id=first.suggestions.all()[0].pk)
    services.finding_dismiss(check=check, finding_id=second.pk, reason="Known.")
    services.decision_undo(check=check)
    services.decision_redo(check=check)
    fresh = shown(page_of())
    for seq, page in pages:
        apply(page, fragments.since(check.pk, seq).html)
        assert shown(page) == fresh


class AnyDecisions(TestCase):
    """For any decisions in any order, a page of any time catches up, and the text has the accepted rewrites."""

    @settings(max_examples=12, deadline=None)
    @example(names=["accept all", "own words"], moment=0)
    @example(names=["own words", "dismiss year", "undo"], moment=1)
    @given(st.lists(st.sampled_from([*sorted(ACTIONS), "undo", "redo"]), min_size=1, max_size=6), st.integers(0, 5))
    def test_a_page_of_any_moment_catches_up(self, names: list[str], moment: int) -> None:
        check = checked(TEXTS, [COUNT, YEAR, WHOLE, SHORE])
        client = Client()
        session = client.session
        session[SESSION_KEY] = check.owner
        session.save()

        def page() -> Any:
            return lxml.html.fromstring(client.get(f"/checks/{check.pk}/").content.decode())

        actions: dict[str, Any] = {
            **ACTIONS,
            "undo": lambda check: services.decision_undo(check=check),
            "redo": lambda check: services.decision_redo(check=check),
        }
        early = page()
        seq = check.last_seq
        for number, name in enumerate(names):
            with keeping_review() as reviewed, suppress(DecisionImpossible):
                actions[name](check)
            # The fragments from the decision equal those from the database.
            assert fragments.since(check.pk, check.last_seq, reviewed=reviewed) == fragments.since(
                check.pk, check.last_seq
            )
            check.refresh_from_db()
            if number == moment:
                early, seq = page(), check.last_seq
        assert list(check.events.values_list("seq", flat=True)) == list(range(1, check.last_seq + 1))
        html = fragments.since(check.pk, seq).html
        for _ in range(2):  # applying a fragment twice is harmless
            if html:
                apply(early, html)
        assert shown(early) == shown(page())
        assert CheckDetail(check).revised_text == self._accepted(check)

    def _accepted(self, check: Check) -> str:
        """The original with the accepted rewrites, computed without the services."""
        accepted: dict[int, list[Suggestion]] = {}
        for suggestion in Suggestion.objects.filter(finding__parent_check=check, state="accepted").order_by("pk"):
            accepted.setdefault(suggestion.sentence.index, []).append(suggestion)
        wordings = {index: self._together(SENTENCES[index].text, chosen) for index, chosen in accepted.items()}
        return revise.apply(TEXT, SENTENCES, wordings)

    def _together(self, sentence: str, accepted: list[Suggestion]) -> str:
        try:
            return revise.compose(sentence, [suggestion.replacement for suggestion in accepted])
        except StaleSuggestion:
            # A person's wording has priority over rewrites of the same words.
            return [item.replacement for item in accepted if item.method == SuggestionMethod.PERSON][-1]


def test_fragments_of_a_source_that_is_read_fails_and_is_deleted_lead_to_the_page_as_it_is_now(
    client: Client,
) -> None:
    source = services.source_add_text(owner=OWNER, text="Notes\nIt was founded in 1849.")
    file = services.source_add_file(owner=OWNER, name="report.pdf", data=b"PDF")
    check = quoting(source, "It was founded in 1849.", file)
    use = check.sources.get(source=file)
    session = client.session
    session[SESSION_KEY] = OWNER
    session.save()

    def page() -> Any:
        return lxml.html.fromstring(client.get(f"/checks/{check.pk}/").content.decode())

    pages = [(check.last_seq, page())]
    Source.objects.filter(pk=file.pk).update(state="reading", pages_done=3, pages_total=40)
    pages.append((events.append(check.pk, [events.SourceReading(use.pk, 3, 40)]), page()))
    Source.objects.filter(pk=file.pk).update(state="failed", error="It holds no text.")
    pages.append((events.append(check.pk, [events.SourceFailed(use.pk, "It holds no text.")]), page()))
    services.source_delete(source=source)
    fresh = shown(page())
    assert any("It holds no text." in line for line in fresh)
    assert any("This source was deleted." in line for line in fresh)
    for seq, older in pages:
        apply(older, fragments.since(check.pk, seq).html)
        assert shown(older) == fresh


def test_fragments_tell_of_another_title_and_of_a_later_check(check: Check, page_of: Any) -> None:
    page = page_of()
    services.check_rename(check=check, title="Lake towns")
    services.check_again(check=check, text=TEXT.replace("1894", "1849"))
    apply(page, fragments.since(check.pk, check.last_seq).html)
    fresh = shown(page_of())
    assert shown(page) == fresh
    assert any("Lake towns" in line for line in fresh)
    assert any("later version" in line for line in fresh)


def test_to_apply_fragments_twice_or_out_of_date_does_no_harm(check: Check, page_of: Any) -> None:
    page = page_of()
    services.findings_accept_all(check=check)
    first = fragments.since(check.pk, 0).html
    services.decision_undo(check=check)
    second = fragments.since(check.pk, 0).html
    for html in (first, first, second, second):
        apply(page, html)
    assert shown(page) == shown(page_of())


def test_a_page_that_is_up_to_date_gets_nothing(check: Check) -> None:
    batch = fragments.since(check.pk, check.last_seq)
    assert (batch.seq, batch.html) == (check.last_seq, "")


def test_a_decision_sends_the_card_its_sentences_and_what_is_around_them(check: Check) -> None:
    contradiction = check.findings.get(start=SENTENCES[2].start + TEXTS[2].index("southern"))
    services.finding_reject(check=check, finding_id=contradiction.pk)
    html = fragments.since(check.pk, check.last_seq).html
    ids = [element.get("id") for element in lxml.html.fragments_fromstring(html)]
    assert ids == [
        "sentence-0",
        "sentence-2",
        f"card-{contradiction.pk}",
        "feed-state",
        "overview-0",
        "overview-2",
        "overview-counts",
        "progress",
        "tools",
        "comparison",
        "filters",
        "summary",
        "silent-group",
    ]


def test_what_a_decision_has_read_is_not_read_again_to_answer_it(check: Check, client: Client, page_of: Any) -> None:
    page_of()
    found = check.findings.all()[0]
    headers = {"HX-Request": "true", "X-Page-Seq": str(check.last_seq)}
    with CaptureQueriesContext(connection) as queries:
        client.post(f"/checks/{check.pk}/findings/{found.pk}/reject/", headers=headers)
    for table in ("sentence", "finding", "suggestion"):
        read = [query for query in queries if query["sql"].startswith(f'SELECT "detection_{table}"')]
        assert len(read) == 1, table


def test_rows_of_a_decision_are_not_shown_once_something_else_has_happened(check: Check) -> None:
    with keeping_review() as reviewed:
        services.finding_reject(check=check, finding_id=check.findings.all()[0].pk)
    services.decision_undo(check=check)
    batch = fragments.since(check.pk, check.last_seq, reviewed=reviewed)
    assert batch == fragments.since(check.pk, check.last_seq)
    assert "is-rejected" not in batch.html


def test_a_deleted_check_has_no_fragments(check: Check) -> None:
    check_id = check.pk
    services.check_delete(check=check)
    with pytest.raises(Check.DoesNotExist):
        fragments.since(check_id, 0)


def _page_before_everything(page_of: Any, check: Check) -> Any:
    """A page that was opened before the text was split into sentences."""
    page = page_of()
    for element in [*page.get_element_by_id("cards")]:
        element.getparent().remove(element)
    text = page.get_element_by_id("text")
    for element in [*text]:
        text.remove(element)
    return page
