"""Recheck the revised text: kept results, decisions, comparison, estimate."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from detection import services, wiring
from detection.core import reports
from detection.core.types import Engine, FindingKind, NliPair, NliScore, ParsedSentence, Stretch, Verdict
from detection.models import Check, CheckEvent, Finding, Unit
from detection.selectors.detail import CheckDetail
from detection.selectors.estimates import again_estimate
from detection.services import DecisionImpossible
from detection.services.runs import RunWriter
from tests.factories import DETECTOR, OWNER, checked, decided_by_source, finding, segment, start_run

TEXT = (
    "The mill at Sorrel was built in 1894. It stands on the northern bank of the Arn. It employs 34 people. "
    "The mill at Sorrel was built in 1912."
)
SOURCE = "The mill at Sorrel was built in 1894 on the northern bank of the Arn. It employs 43 people."

TEXTS = ("It was founded in 1894.", "It has two gates.", "It has three towers.")
PLAIN, SENTENCES = segment(*TEXTS)
YEAR = decided_by_source(finding(SENTENCES, 0, "1894", TEXTS[0].replace("1894", "1849")))
GATES = finding(SENTENCES, 1, "two", TEXTS[1].replace("two", "four"), kind=FindingKind.CONFLICTS_WITH_SOURCE)


def run(check: Check) -> Check:
    services.check_run(check_id=check.pk)
    check.refresh_from_db()
    assert check.state == Check.State.DONE
    return check


def finding_about(check: Check, words: str) -> Finding:
    return next(f for f in check.findings.all() if check.text[f.start : f.end] == words)


# --- With the real pipeline and the real models -----------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_only_what_changed_is_judged_again_and_decisions_stay() -> None:
    source = services.source_add_text(owner=OWNER, text=SOURCE)
    check = run(services.check_create(owner=OWNER, text=TEXT, topic="the mill", sources=[source]))
    people = finding_about(check, "34")
    services.finding_reject(check=check, finding_id=people.pk, reason="Counted last week.")
    clash = check.findings.get(kind=FindingKind.CROSS_CONTRADICTION)
    services.suggestion_accept(check=check, suggestion_id=clash.suggestions.all()[0].pk)
    text = CheckDetail(check).revised_text
    assert text == TEXT.replace("1912", "1894")

    again = run(services.check_again(check=check, text=text))
    carried = Unit.objects.filter(parent_check=again, is_carried=True)
    kept = set(carried.values_list("detector", "sentence__index"))
    assert {("grounding.v1", 0), ("grounding.v1", 1), ("grounding.v1", 2)} <= kept
    assert ("cross_contradiction.v1", 3) not in kept
    same = finding_about(again, "34")
    assert (same.state, same.reason) == (Finding.State.REJECTED, "Counted last week.")
    assert again.title == check.title
    comparison = CheckDetail(again).comparison
    assert comparison is not None
    assert [item.title for item in comparison.fixed if item.quoted == "1912"]
    assert not comparison.new
    assert "34" in [item.quoted for item in comparison.stayed]


@pytest.mark.django_db(transaction=True)
def test_a_quote_that_was_taken_over_leads_to_the_source_of_the_new_check() -> None:
    source = services.source_add_text(owner=OWNER, text=SOURCE)
    check = run(services.check_create(owner=OWNER, text=TEXT, topic="the mill", sources=[source]))
    again = run(services.check_again(check=check, text=f"Sorrel is a village. {TEXT}"))
    finding_again = finding_about(again, "34")
    assert finding_again.unit.is_carried
    assert [item["source"] for item in finding_again.evidence] == [str(again.sources.get().pk)]
    (card,) = (card for card in CheckDetail(again).cards if card.finding == finding_again.pk)
    assert any(quote.is_source and quote.href for quote in card.quotes)


# --- Refusals, and events for the pages -------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_same_text_and_a_check_at_work_are_not_checked_again() -> None:
    check = checked(TEXTS, [YEAR])
    with pytest.raises(DecisionImpossible, match="text that was checked"):
        services.check_again(check=check, text=f"{PLAIN}\n")
    start_run(check)
    check.refresh_from_db()
    with pytest.raises(DecisionImpossible, match="still running"):
        services.check_again(check=check, text="Other.")
    assert Check.objects.count() == 1


@pytest.mark.django_db
def test_the_page_offers_the_revised_text_and_leads_to_the_new_check(owner: Client) -> None:
    check = checked(TEXTS, [YEAR])
    services.findings_accept_all(check=check)
    page = owner.get(f"/checks/{check.pk}/again/").content.decode()
    assert "It was founded in 1849." in page
    assert "About 1 of 3 sentences has changed." in page
    response = owner.post(f"/checks/{check.pk}/again/", {"text": PLAIN.replace("1894", "1849")})
    again = Check.objects.get(previous=check)
    assert response.headers["Location"] == f"/checks/{again.pk}/"
    assert "later version of this text" in owner.get(f"/checks/{check.pk}/").content.decode()
    assert CheckEvent.objects.filter(parent_check=check).last().type == "check.again"  # type: ignore[union-attr]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "message"),
    [(PLAIN, "text that was checked"), (" ", "nothing but white space"), ("a\x07b", "cannot be shown")],
)
def test_what_cannot_be_checked_again_is_still_in_the_form(owner: Client, text: str, message: str) -> None:
    check = checked(TEXTS)
    response = owner.post(f"/checks/{check.pk}/again/", {"text": text})
    assert response.status_code == 422
    assert message in response.content.decode()
    assert text.strip() in response.content.decode()


# --- The comparison ---------------------------------------------------------------------------------------------


def again_with(check: Check, texts: tuple[str, ...], *units: reports.UnitDone | reports.UnitFailed) -> Check:
    """A finished check of another version of the text, with these results."""
    text, sentences = segment(*texts)
    again = services.check_again(check=check, text=text)
    writer = RunWriter(start_run(again), detectors=(DETECTOR,))
    writer.write([reports.TextSegmented(sentences, topic=None), *units])
    Check.objects.filter(pk=again.pk).update(state=Check.State.DONE, run_token=None)
    again.refresh_from_db()
    return again


def fine(*indices: int) -> list[reports.UnitDone]:
    return [reports.UnitDone(DETECTOR, index, Verdict.NO_PROBLEM_FOUND) for index in indices]


@pytest.mark.django_db
def test_a_comparison_tells_what_is_fixed_what_is_new_and_what_stays() -> None:
    check = checked(TEXTS, [YEAR, GATES])
    texts = (TEXTS[0].replace("1894", "1849"), *TEXTS[1:])
    _, sentences = segment(*texts)
    towers = finding(sentences, 2, "three")
    same = finding(sentences, 1, "two", kind=FindingKind.CONFLICTS_WITH_SOURCE)
    units = [
        reports.UnitDone(DETECTOR, 1, Verdict.CONFLICTS_WITH_SOURCE, (same,)),
        reports.UnitDone(DETECTOR, 2, Verdict.CONTRADICTED, (towers,)),
    ]
    detail = CheckDetail(again_with(check, texts, *fine(0), *units))
    comparison = detail.comparison
    assert comparison is not None
    found = [[item.quoted for item in part] for part in (comparison.fixed, comparison.new, comparison.stayed)]
    assert found == [["1894"], ["three"], ["two"]]
    assert [card.is_new for card in detail.cards] == [False, True]


@pytest.mark.django_db
@pytest.mark.parametrize("texts", [TEXTS, (TEXTS[0].replace("1894", "1849"), *TEXTS[1:])], ids=["as it was", "changed"])
def test_what_could_not_be_looked_at_again_is_never_called_fixed(texts: tuple[str, ...]) -> None:
    check = checked(TEXTS, [YEAR])
    text = (*texts, "One more.")
    comparison = CheckDetail(
        again_with(check, text, reports.UnitFailed(DETECTOR, 0, "no answer"), *fine(1, 2, 3))
    ).comparison
    assert comparison is not None
    assert [item.quoted for item in comparison.unknown] == ["1894"]
    assert not comparison.fixed


# --- The estimate -----------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_estimate_counts_what_changed_and_what_a_prompt_shows_of_it(settings: Any, tmp_path: Path) -> None:
    settings.LLM_BASE_URL, settings.GENERATOR_MODEL, settings.ANALYZER_MODEL = "http://127.0.0.1:9/v1", "m", "m"
    settings.PRICES = tmp_path / "prices.json"
    settings.PRICES.write_text('{"m": {"prompt": "1", "completion": "1"}}')
    sentences = tuple(f"Sentence {i} has exactly six words." for i in range(40))
    check = checked(sentences)
    text = check.text.replace("Sentence 2 has", "The second has")
    local = again_estimate(check, text)
    assert (local.total, local.changed, local.asked, local.cost) == (40, 1, 1, None)
    check.engine = Engine.LLM
    asked = again_estimate(check, text)
    assert (asked.changed, asked.asked) == (1, 21)  # 120 words are twenty sentences of six
    assert asked.cost is not None
    assert asked.cost.calls == 21 * 3
    # The whole text of forty sentences is read again.
    assert asked.cost.usd == Decimal(21 * 710 + 40 * 60) / 1_000_000


# --- Editing in place -------------------------------------------------------------------------------------------


def edit(owner: Client, check: Check, block: int, before: str, wording: str) -> HttpResponse:
    return owner.post(
        f"/checks/{check.pk}/blocks/{block}/", {"before": before, "wording": wording}, headers={"HX-Request": "true"}
    )


@pytest.mark.django_db
def test_an_edited_paragraph_goes_into_the_revised_text_and_is_checked(owner: Client) -> None:
    check = checked(TEXTS, [YEAR])
    services.findings_accept_all(check=check)
    before = CheckDetail(check).revised_text
    assert "1849" in before, "what was accepted is part of what is edited"
    response = edit(owner, check, 0, before, before.replace("two gates", "four\xa0gates"))
    again = Check.objects.get(previous=check)
    assert response.headers["X-Page-Check"] == str(again.pk)
    assert again.is_edit
    assert again.text == before.replace("two gates", "four\xa0gates")
    assert again.title == check.title
    listed = owner.get("/checks/").content.decode()
    assert f"/checks/{again.pk}/" in listed
    assert f"/checks/{check.pk}/rename/" not in listed, "the newest version stands for those before"
    page = owner.get(f"/checks/{again.pk}/").content.decode()
    assert "back to the text before this edit" in page
    assert f'href="/checks/{check.pk}/"' in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("block", "before", "wording", "message"),
    [
        (0, "Something else.", "New.", "has changed since this page showed it"),
        (7, PLAIN, "New.", "no longer part of the check"),
        (0, PLAIN, " ", "Nothing would be left"),
    ],
)
def test_an_edit_that_cannot_be_made_is_refused_in_words(
    owner: Client, block: int, before: str, wording: str, message: str
) -> None:
    check = checked(TEXTS, [YEAR])
    response = edit(owner, check, block, before, wording)
    assert response.status_code == 409
    assert message in response.content.decode()
    assert Check.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_only_what_was_edited_is_compared_and_with_its_partners_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = services.source_add_text(owner=OWNER, text=SOURCE)
    check = run(services.check_create(owner=OWNER, text=TEXT, topic="the mill", sources=[source]))
    models = wiring.local_models()
    pairs: list[NliPair] = []
    score, parse = models.score, models.parse_stretches
    parsed: list[str] = []

    async def counted(asked: Sequence[NliPair]) -> list[NliScore]:
        pairs.extend(asked)
        return await score(asked)

    async def counted_parse(stretches: Sequence[Stretch]) -> list[tuple[ParsedSentence, ...]]:
        parsed.extend(stretch.text for stretch in stretches)
        return await parse(stretches)

    monkeypatch.setattr(models, "score", counted)
    monkeypatch.setattr(models, "parse_stretches", counted_parse)
    wording = TEXT.replace("34 people", "51 people")
    text = services.text_with_block(check=check, block=0, before=TEXT, wording=wording)
    again = run(services.check_again(check=check, text=text, is_edit=True))
    carried = set(Unit.objects.filter(parent_check=again, is_carried=True).values_list("sentence__index", flat=True))
    assert 2 not in carried
    assert {0, 1} <= carried
    edited = "It employs 51 people."
    assert edited in parsed
    assert not {TEXT, SOURCE} & set(parsed)
    assert pairs
    assert all(
        edited in (pair.premise, pair.hypothesis) or "51" in f"{pair.premise} {pair.hypothesis}" for pair in pairs
    )
    assert finding_about(again, "51").kind == FindingKind.CONFLICTS_WITH_SOURCE
