"""A contradiction inside the text and what a source says of the same words: one card, one decision."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import lxml.html
import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from detection import services
from detection.core import reports
from detection.core.types import Finding as Found
from detection.core.types import FindingKind, Verdict
from detection.exports import FORMATS
from detection.models import Check, Finding
from detection.selectors.card_pages import AskedPage
from detection.selectors.detail import CheckDetail
from detection.services import DecisionImpossible
from detection.services.runs import RunWriter
from detection.web.live import fragments
from detection.web.owners import SESSION_KEY
from tests.detection.test_fragments import apply, shown
from tests.factories import (
    OWNER,
    checked,
    decided_by_source,
    finding,
    segment,
    start_run,
    with_merge,
    with_suggestion_for,
)

pytestmark = pytest.mark.django_db

TEXTS = ("The hall has 210 seats.", "It opened in 1932.", "The hall has 240 seats today.")
TEXT, SENTENCES = segment(*TEXTS)

SOURCE = decided_by_source(finding(SENTENCES, 2, "240", "The hall has 180 seats today.", ""))
CLASH = with_suggestion_for(
    finding(SENTENCES, 2, "240 seats", "The hall has 210 seats today.", "", opposite=(0, "210")),
    SENTENCES[0],
    "The hall has 240 seats.",
)
YEAR = decided_by_source(finding(SENTENCES, 1, "1932", "It opened in 1930."))
SILENT = finding(SENTENCES, 2, "240", "", kind=FindingKind.NOT_IN_SOURCE)


def joined() -> Check:
    return checked(TEXTS, [CLASH, SOURCE, YEAR])


def of(check: Check, kind: FindingKind = FindingKind.CONFLICTS_WITH_SOURCE) -> Finding:
    return check.findings.get(kind=kind, sentence__index=2)


def states(check: Check) -> tuple[str, str]:
    """Of the conflict with the source, and of the contradiction inside the text."""
    return of(check).state, of(check, FindingKind.CROSS_CONTRADICTION).state


def accept(check: Check, kind: FindingKind, position: int = 0) -> None:
    chosen = of(check, kind).suggestions.get(position=position)
    services.suggestion_accept(check=check, suggestion_id=chosen.pk, on_card=True)


def reader_of(check: Check) -> Client:
    client = Client()
    session = client.session
    session[SESSION_KEY] = check.owner
    session.save()
    return client


def page_of(check: Check) -> Any:
    return lxml.html.fromstring(reader_of(check).get(f"/checks/{check.pk}/").content.decode())


def test_one_card_shows_both_quotes_and_the_offers_of_both_and_counts_once() -> None:
    check = joined()
    detail = CheckDetail(check)
    _, card = detail.shown_cards
    assert card.finding == of(check).pk
    assert [quote.sentence for quote in card.quotes] == [2, None, 0]
    assert card.also == "The text itself also says otherwise: sentence 1."
    offers = ["".join(part.text for part in option.parts if part.kind != "deleted") for option in card.rewrites]
    assert offers == ["The hall has 180 seats today.", "The hall has 210 seats today.", "The hall has 240 seats."]
    assert len(card.removals) == 1
    assert (detail.warnings, detail.open_warnings, detail.filters.total, detail.filters.open) == (2, 2, 2, 2)
    assert [option.count for option in detail.filters.kinds] == [1, 2]


def test_the_page_has_one_card_and_both_sentences_lead_to_it() -> None:
    check = joined()
    page = page_of(check)
    card = str(of(check).pk)
    assert [element.get("data-finding") for element in page.find_class("card")][1:] == [card]
    marks = {mark.getparent().get("id"): mark.get("data-findings") for mark in page.xpath("//mark")}
    assert marks["sentence-0"] == marks["sentence-2"] == card


def test_a_mark_looks_like_its_card() -> None:
    detail = CheckDetail(checked(TEXTS, [CLASH, replace(SOURCE, verdict=Verdict.CONFLICTS_WITH_SOURCE)]))
    first, _, third = detail.standings
    assert (third.mark, third.label) == ("conflict", "conflicts with your source")
    assert (first.mark, first.label) == ("contradiction", "contradicted")
    assert third.verdict is Verdict.CONTRADICTED


def test_a_link_to_the_second_finding_leads_to_the_card() -> None:
    check = joined()
    second = of(check, FindingKind.CROSS_CONTRADICTION).pk
    assert of(check).pk in CheckDetail(check, asked=AskedPage(finding=second)).card_pages.shown


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(finding(SENTENCES, 2, "hall", ""), id="other words"),
        pytest.param(finding(SENTENCES, 2, "240", "", kind=FindingKind.SELF_CONTRADICTION), id="another kind"),
    ],
)
def test_a_problem_with_other_words_has_its_own_card(other: Found) -> None:
    assert CheckDetail(checked(TEXTS, [SOURCE, other])).warnings == 2


WHOLE = finding(SENTENCES, 2, TEXTS[2], "", opposite=(0, TEXTS[0]))
SEARCHED = finding(SENTENCES, 2, TEXTS[2], "", kind=FindingKind.UNSUPPORTED_BY_EVIDENCE)
REFUTED = finding(SENTENCES, 2, "240 seats", "", kind=FindingKind.REFUTED_BY_EVIDENCE)
OTHER_WORDS = finding(SENTENCES, 2, "today", "", kind=FindingKind.REFUTED_BY_EVIDENCE)


@pytest.mark.parametrize(
    ("findings", "kind", "also"),
    [
        pytest.param(
            [WHOLE, SOURCE],
            FindingKind.CONFLICTS_WITH_SOURCE,
            "The text itself also says otherwise: sentence 1.",
            id="a contradiction of a whole sentence, and a conflict",
        ),
        pytest.param(
            [CLASH, finding(SENTENCES, 2, TEXTS[2], "", kind=FindingKind.NOT_IN_SOURCE)],
            FindingKind.CROSS_CONTRADICTION,
            "Your sources do not mention it.",
            id="a contradiction, and a source that is silent about the whole sentence",
        ),
        pytest.param(
            [SEARCHED, SILENT],
            FindingKind.NOT_IN_SOURCE,
            "Something is wrong with The hall has 240 seats today..",
            id="a source and documents that are silent",
        ),
        pytest.param(
            [REFUTED, SOURCE],
            FindingKind.CONFLICTS_WITH_SOURCE,
            "Something is wrong with 240 seats.",
            id="a source and a document that say otherwise",
        ),
        pytest.param(
            [CLASH, REFUTED, SOURCE],
            FindingKind.CONFLICTS_WITH_SOURCE,
            "Something is wrong with 240 seats. The text itself also says otherwise: sentence 1.",
            id="all three",
        ),
        pytest.param(
            [REFUTED, SILENT], FindingKind.REFUTED_BY_EVIDENCE, "Your sources do not mention it.", id="only a document"
        ),
    ],
)
def test_one_problem_of_a_sentence_has_one_card_whoever_tells_it(
    findings: list[Found], kind: FindingKind, also: str
) -> None:
    detail = CheckDetail(checked(TEXTS, findings))
    (card,) = detail.shown_cards
    assert (card.kind, card.also, len(card.joined)) == (kind, also, len(findings) - 1)


@pytest.mark.parametrize(
    "findings",
    [
        pytest.param([SOURCE, OTHER_WORDS], id="a document about other words"),
        pytest.param([WHOLE, finding(SENTENCES, 0, TEXTS[0], "", kind=FindingKind.NOT_IN_SOURCE)], id="other sentence"),
    ],
)
def test_two_problems_have_two_cards(findings: list[Found]) -> None:
    assert CheckDetail(checked(TEXTS, findings)).warnings == 2


def test_two_contradictions_of_a_sentence_that_no_source_mentions_keep_a_card_each() -> None:
    texts = (*TEXTS[:2], "The hall has 250 seats.", TEXTS[2])
    _, sentences = segment(*texts)
    clashes = [
        finding(sentences, 3, "240", opposite=(index, words), verified=False)
        for index, words in ((0, "210"), (2, "250"))
    ]
    silent = finding(sentences, 3, "240", "", kind=FindingKind.NOT_IN_SOURCE)
    cards = CheckDetail(checked(texts, [*clashes, silent])).shown_cards
    assert [len(card.joined) for card in cards] == [1, 0]


def test_a_contradiction_that_names_no_words_stays_open_when_the_source_is_used() -> None:
    check = checked(TEXTS, [WHOLE, SOURCE])
    accept(check, FindingKind.CONFLICTS_WITH_SOURCE)
    assert states(check) == ("accepted", "open")
    services.decision_undo(check=check)
    services.finding_reject(check=check, finding_id=of(check).pk, on_card=True)
    assert states(check) == ("rejected", "rejected")


def test_the_sentence_that_the_source_contradicts_may_be_the_other_one() -> None:
    check = checked(TEXTS, [CLASH, decided_by_source(finding(SENTENCES, 0, "210", "The hall has 180 seats."))])
    (card,) = CheckDetail(check).shown_cards
    assert (card.sentence, [quote.sentence for quote in card.quotes]) == (0, [0, None, 2])
    assert card.also == "The text itself also says otherwise: sentence 3."


def test_what_the_source_is_silent_about_is_told_on_the_card_of_the_contradiction() -> None:
    (card,) = CheckDetail(checked(TEXTS, [SILENT, CLASH])).shown_cards
    assert (card.kind, card.is_silent) == (FindingKind.CROSS_CONTRADICTION, False)
    assert card.also == "Your sources do not mention it."


def test_no_merge_is_offered_that_would_carry_the_conflict_over() -> None:
    check = checked(TEXTS, [SOURCE, with_merge(CLASH, SENTENCES, 0, "The hall has 240 seats, today.")])
    (card,) = CheckDetail(check).shown_cards
    assert all(option.absorbed is None for option in card.options)


DECISIONS: dict[str, tuple[Callable[[Check], object], tuple[str, str]]] = {
    "use the source": (lambda check: accept(check, FindingKind.CONFLICTS_WITH_SOURCE), ("accepted", "stale")),
    "use the other sentence": (lambda check: accept(check, FindingKind.CROSS_CONTRADICTION), ("stale", "accepted")),
    "change the other sentence": (
        lambda check: accept(check, FindingKind.CROSS_CONTRADICTION, 2),
        ("rejected", "accepted"),
    ),
    "keep": (
        lambda check: services.finding_reject(check=check, finding_id=of(check).pk, on_card=True),
        ("rejected",) * 2,
    ),
    "ignore": (
        lambda check: services.finding_dismiss(check=check, finding_id=of(check).pk, reason="Known.", on_card=True),
        ("dismissed",) * 2,
    ),
    "own words": (
        lambda check: services.finding_edit(
            check=check, finding_id=of(check).pk, wording="It has 240 seats, they say.", on_card=True
        ),
        ("accepted", "rejected"),
    ),
}


@pytest.mark.parametrize("name", DECISIONS)
def test_a_decision_on_the_card_settles_both_and_undo_and_reopen_open_both(name: str) -> None:
    decide, outcome = DECISIONS[name]
    check = joined()
    decide(check)
    assert states(check) == outcome
    detail = CheckDetail(check)
    _, card = detail.shown_cards
    assert (card.finding, card.state) == (of(check).pk, min(outcome))
    assert (detail.warnings, detail.open_warnings) == (2, 1)
    services.decision_undo(check=check)
    assert states(check) == ("open", "open")
    services.decision_redo(check=check)
    services.finding_reopen(check=check, finding_id=of(check).pk, on_card=True)
    assert states(check) == ("open", "open")


def test_the_page_decides_about_both() -> None:
    check = joined()
    seen = CheckDetail(check).card(of(check).pk).seen
    address = f"/checks/{check.pk}/findings/{of(check).pk}/reject/"
    reader_of(check).post(address, {"seen": seen})
    assert states(check) == ("rejected", "rejected")


def test_a_page_that_showed_one_of_them_only_decides_about_neither() -> None:
    check = checked(TEXTS, [CLASH])
    alone = CheckDetail(check).cards[0].seen
    check = joined()
    with pytest.raises(DecisionImpossible, match="look again"):
        services.finding_reject(check=check, finding_id=of(check).pk, seen=alone, on_card=True)


@pytest.mark.parametrize(
    ("decide", "state"), [(services.finding_reject, "rejected"), (services.finding_dismiss, "dismissed")]
)
def test_another_program_decides_about_each_by_itself(decide: Callable[..., None], state: str) -> None:
    check = joined()
    decide(check=check, finding_id=of(check).pk)
    assert states(check) == (state, "open")
    assert CheckDetail(check).warnings == 3


def test_the_list_of_checks_counts_as_the_page_does() -> None:
    check = joined()
    history = " ".join(reader_of(check).get("/checks/").content.decode().split())
    assert "2 open warnings" in history
    services.finding_reject(check=check, finding_id=of(check).pk, on_card=True)
    services.findings_accept_all(check=check)
    history = " ".join(reader_of(check).get("/checks/").content.decode().split())
    assert "all 2 warnings decided" in history


def test_files_list_both() -> None:
    assert "3 warnings" in FORMATS["markdown"].write(CheckDetail(joined())).decode()


def test_a_card_that_was_found_first_gives_way_to_the_one_that_shows_both() -> None:
    check = services.check_create(owner=OWNER, text=TEXT)
    writer = RunWriter(start_run(check), detectors=(CLASH.detector, "grounding.v1"))
    writer.write([reports.TextSegmented(SENTENCES, topic=None)])
    writer.write([reports.UnitDone(CLASH.detector, 2, Verdict.CONTRADICTED, (CLASH,))])
    check.refresh_from_db()
    page, seq = page_of(check), check.last_seq
    second = of(check, FindingKind.CROSS_CONTRADICTION)
    assert [card.get("id") for card in page.find_class("card")] == [f"card-{second.pk}"]
    source = replace(SOURCE, detector="grounding.v1")
    writer.write([reports.UnitDone("grounding.v1", 2, Verdict.CONFLICTS_WITH_SOURCE, (source,))])
    apply(page, fragments.since(check.pk, seq).html)
    assert [card.get("id") for card in page.find_class("card")] == [f"card-{of(check).pk}"]
    assert shown(page) == shown(page_of(check))


class AnyDecisions(TestCase):
    """For any decisions about a pair, in any order, a page of any time catches up."""

    @settings(max_examples=12, deadline=None)
    @given(st.lists(st.sampled_from([*DECISIONS, "alone", "accept all", "undo", "redo"]), min_size=1, max_size=5))
    def test_a_page_catches_up(self, names: list[str]) -> None:
        check = joined()
        early, seq = page_of(check), check.last_seq
        actions: dict[str, Callable[[Check], object]] = {
            **{name: decide for name, (decide, _) in DECISIONS.items()},
            "alone": lambda check: services.finding_reject(check=check, finding_id=of(check).pk),
            "accept all": lambda check: services.findings_accept_all(check=check),
            "undo": lambda check: services.decision_undo(check=check),
            "redo": lambda check: services.decision_redo(check=check),
        }
        for name in names:
            with suppress(DecisionImpossible):
                actions[name](check)
            apply(early, fragments.since(check.pk, seq).html or "<p></p>")
            check.refresh_from_db()
            seq = check.last_seq
            assert shown(early) == shown(page_of(check))
