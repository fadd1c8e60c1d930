"""Effects of accept, edit, reject, dismiss, accept all, undo and redo on the text, the findings and the log."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.template.loader import render_to_string
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from detection import services
from detection.core.types import FindingKind
from detection.models import Check, CheckEvent, Dismissal, Finding, Suggestion
from detection.selectors.detail import CheckDetail
from detection.services import DecisionImpossible
from detection.web.live import fragments
from tests.factories import (
    checked,
    decided_by_source,
    finding,
    segment,
    with_companions,
    with_merge,
    with_suggestion_for,
)

pytestmark = pytest.mark.django_db

TEXTS = (
    "Sorrel lies on the northern shore of Lake Ferrin.",
    "It has 1,200 inhabitants and was founded in 1894.",
    "Sorrel lies on the southern shore of the lake.",
)
TEXT, SENTENCES = segment(*TEXTS)

YEAR = decided_by_source(finding(SENTENCES, 1, "1894", TEXTS[1].replace("1894", "1849")))
COUNT = decided_by_source(finding(SENTENCES, 1, "1,200", TEXTS[1].replace("1,200", "2,100")))
SHORE = with_suggestion_for(
    finding(SENTENCES, 2, "southern", TEXTS[2].replace("southern", "northern"), opposite=(0, "northern")),
    SENTENCES[0],
    TEXTS[0].replace("northern", "southern"),
)
WHOLE = finding(SENTENCES, 1, TEXTS[1], "", kind=FindingKind.NOT_IN_SOURCE)


def revised(check: Check) -> str:
    return CheckDetail(check).revised_text


def accept(check: Check, words: str, position: int = 0) -> None:
    services.suggestion_accept(check=check, suggestion_id=suggestion(check, words, position).pk)


def found(check: Check, words: str) -> Finding:
    return next(f for f in check.findings.all() if check.text[f.start : f.end] == words)


def suggestion(check: Check, words: str, position: int = 0) -> Suggestion:
    return found(check, words).suggestions.get(position=position)


def test_nothing_enters_the_text_by_itself() -> None:
    assert revised(checked(TEXTS, [YEAR, SHORE])) == TEXT


def test_accepting_changes_these_words_and_no_others() -> None:
    check = checked(TEXTS, [YEAR])
    accept(check, "1894")
    assert revised(check) == TEXT.replace("1894", "1849")
    assert check.text == TEXT
    assert found(check, "1894").state == Finding.State.ACCEPTED


def test_two_findings_in_one_sentence_are_accepted_together() -> None:
    check = checked(TEXTS, [COUNT, YEAR])
    accept(check, "1894")
    accept(check, "1,200")
    assert revised(check) == TEXT.replace("1894", "1849").replace("1,200", "2,100")


def test_either_side_of_a_contradiction_can_be_kept() -> None:
    check = checked(TEXTS, [SHORE])
    accept(check, "southern", position=0)
    assert revised(check) == TEXT.replace("southern", "northern")
    accept(check, "southern", position=1)
    assert revised(check) == TEXT.replace("northern", "southern")


def test_rejecting_keeps_the_original() -> None:
    check = checked(TEXTS, [YEAR])
    services.finding_reject(check=check, finding_id=found(check, "1894").pk)
    assert revised(check) == TEXT
    assert found(check, "1894").state == Finding.State.REJECTED


def test_rejecting_after_accepting_takes_the_change_out_again() -> None:
    check = checked(TEXTS, [YEAR])
    accept(check, "1894")
    services.finding_reject(check=check, finding_id=found(check, "1894").pk)
    assert revised(check) == TEXT


def test_own_words_are_used_as_they_were_written() -> None:
    check = checked(TEXTS, [YEAR])
    services.finding_edit(check=check, finding_id=found(check, "1894").pk, wording="It is  old.\n")
    assert revised(check) == TEXT.replace(TEXTS[1], "It is old.")


def test_own_words_go_before_a_change_that_was_accepted_earlier() -> None:
    check = checked(TEXTS, [COUNT, YEAR])
    accept(check, "1894")
    services.finding_edit(check=check, finding_id=found(check, "1,200").pk, wording="It was founded in 1900.")
    assert revised(check) == TEXT.replace(TEXTS[1], "It was founded in 1900.")
    services.decision_undo(check=check)
    assert revised(check) == TEXT.replace("1894", "1849")


def test_own_words_may_be_as_long_as_is_said() -> None:
    check = checked(TEXTS, [YEAR])
    services.finding_edit(check=check, finding_id=found(check, "1894").pk, wording="x" * 5_000)
    assert revised(check) == TEXT.replace(TEXTS[1], "x" * 5_000)


@pytest.mark.parametrize(
    ("wording", "message"),
    [
        pytest.param(TEXTS[1], "same as the original", id="unchanged"),
        pytest.param("x" * 5_001, "longer than 5,000", id="too long"),
    ],
)
def test_own_words_that_are_no_use_are_refused_and_change_nothing(wording: str, message: str) -> None:
    check = checked(TEXTS, [YEAR])
    with pytest.raises(DecisionImpossible, match=message):
        services.finding_edit(check=check, finding_id=found(check, "1894").pk, wording=wording)
    assert revised(check) == TEXT


def test_empty_own_words_remove_the_sentence() -> None:
    check = checked(TEXTS, [YEAR])
    services.finding_edit(check=check, finding_id=found(check, "1894").pk, wording="  ")
    assert revised(check) == f"{TEXTS[0]} {TEXTS[2]}"


def test_a_finding_whose_words_are_gone_no_longer_applies_until_they_come_back() -> None:
    check = checked(TEXTS, [YEAR, WHOLE])
    accept(check, TEXTS[1])
    assert found(check, "1894").state == Finding.State.STALE
    with pytest.raises(DecisionImpossible, match="no longer applies"):
        accept(check, "1894")
    services.decision_undo(check=check)
    assert found(check, "1894").state == Finding.State.OPEN
    accept(check, "1894")
    assert revised(check) == TEXT.replace("1894", "1849")


def test_a_contradiction_no_longer_applies_once_its_other_side_has_changed() -> None:
    other_side = finding(SENTENCES, 0, "northern", TEXTS[0].replace("northern", "western"))
    check = checked(TEXTS, [other_side, SHORE])
    accept(check, "northern")
    assert found(check, "southern").state == Finding.State.STALE


def test_a_finding_about_a_whole_sentence_outlives_a_change_of_one_word() -> None:
    check = checked(TEXTS, [YEAR, WHOLE])
    accept(check, "1894")
    assert found(check, TEXTS[1]).state == Finding.State.OPEN


def test_accept_all_is_one_step_to_undo() -> None:
    check = checked(TEXTS, [COUNT, YEAR, SHORE])
    assert services.findings_accept_all(check=check) == 2, "nobody knows which shore is right"
    assert revised(check) == TEXT.replace("1894", "1849").replace("1,200", "2,100")
    services.decision_undo(check=check)
    assert revised(check) == TEXT
    assert {f.state for f in check.findings.all()} == {Finding.State.OPEN}


def test_accept_all_leaves_out_what_was_not_checked_again_and_what_does_not_fit() -> None:
    unverified = decided_by_source(
        finding(SENTENCES, 0, "northern", TEXTS[0].replace("northern", "western"), verified=False)
    )
    other_year = decided_by_source(finding(SENTENCES, 1, "in 1894", TEXTS[1].replace("1894", "1900")))
    removal = decided_by_source(finding(SENTENCES, 2, TEXTS[2], ""))
    check = checked(TEXTS, [unverified, other_year, YEAR, removal])
    assert services.findings_accept_all(check=check) == 1
    assert revised(check) == TEXT.replace("1894", "1900")  # the first one in the sentence


def test_accept_all_removes_no_sentence_because_the_source_is_silent_about_it() -> None:
    check = checked(TEXTS, [WHOLE])
    assert services.findings_accept_all(check=check) == 0
    assert revised(check) == TEXT


def test_sentences_that_repeat_a_value_are_changed_together() -> None:
    texts = ("It was founded in 1894.", "Its school is older than 1894.", "It burnt in 1894 and in 1901.")
    _, sentences = segment(*texts)
    first, second = (
        decided_by_source(finding(sentences, i, words, texts[i].replace("1894", "1849")))
        for i, words in enumerate(("in 1894", "than 1894"))
    )
    within = finding(sentences, 2, "1894", texts[2].replace("1894", "1849"))  # without a decision
    check = checked(texts, [first, second, within])
    card = CheckDetail(check).cards[0]
    assert card.rewrites[0].also == (2,)
    services.suggestion_accept(check=check, suggestion_id=card.rewrites[0].suggestion)
    assert revised(check) == " ".join((texts[0].replace("1894", "1849"), texts[1].replace("1894", "1849"), texts[2]))
    services.decision_undo(check=check)
    assert revised(check) == " ".join(texts)
    services.finding_reject(check=check, finding_id=CheckDetail(check).cards[1].finding)
    assert CheckDetail(check).cards[0].rewrites[0].also == ()


def test_a_card_names_the_sentences_that_keep_the_replaced_figure() -> None:
    texts = ("It was founded in 1894.", "Its school dates from 1894, too.", "It has 894 trees.", "It has 2 gates.")
    _, sentences = segment(*texts)
    year = decided_by_source(finding(sentences, 0, "in 1894", texts[0].replace("1894", "1849")))
    gates = finding(sentences, 3, "2", texts[3].replace("2", "3"))
    check = checked(texts, [year, gates])
    about_year, about_gates = CheckDetail(check).cards
    assert about_year.rewrites[0].same_figure == (2,)
    assert about_gates.rewrites[0].same_figure == ()
    html = render_to_string("detection/partials/_card.html", {"card": about_year, "detail": CheckDetail(check)})
    assert "Sentence 2 keeps the old figure." in html


def test_the_card_that_names_a_sentence_is_shown_anew_when_that_sentence_changes() -> None:
    texts = ("It was founded in 1894.", "Its school dates from 1894, too.")
    _, sentences = segment(*texts)
    year = decided_by_source(finding(sentences, 0, "in 1894", texts[0].replace("1894", "1849")))
    school = finding(sentences, 1, "school", texts[1].replace("1894", "1900"))
    check = checked(texts, [year, school])
    seq = check.last_seq
    services.suggestion_accept(check=check, suggestion_id=CheckDetail(check).cards[1].rewrites[0].suggestion)
    html = fragments.since(check.pk, seq).html
    assert f'id="card-{CheckDetail(check).cards[0].finding}"' in html
    assert "keeps the old figure" not in html


def test_the_card_of_a_repeated_value_is_shown_anew_when_the_other_one_is_decided() -> None:
    texts = ("It was founded in 1894.", "Its school is older than 1894.")
    _, sentences = segment(*texts)
    changes = [
        decided_by_source(finding(sentences, i, words, texts[i].replace("1894", "1849")))
        for i, words in enumerate(("in 1894", "than 1894"))
    ]
    check = checked(texts, changes)
    first, second = CheckDetail(check).cards
    assert first.rewrites[0].also == (2,)
    seq = check.last_seq
    services.finding_reject(check=check, finding_id=second.finding)
    html = fragments.since(check.pk, seq).html
    assert f'id="card-{first.finding}"' in html
    assert "Also in sentence 2" not in html


def test_accept_all_with_nothing_to_accept_is_no_decision() -> None:
    check = checked(TEXTS)
    assert services.findings_accept_all(check=check) == 0
    assert not check.decisions.exists()


def test_undo_goes_back_decision_by_decision() -> None:
    check = checked(TEXTS, [COUNT, YEAR])
    accept(check, "1894")
    accept(check, "1,200")
    services.decision_undo(check=check)
    assert revised(check) == TEXT.replace("1894", "1849")
    services.decision_undo(check=check)
    assert revised(check) == TEXT
    with pytest.raises(DecisionImpossible, match="nothing to undo"):
        services.decision_undo(check=check)


def test_undo_brings_back_the_suggestion_that_was_accepted_before() -> None:
    check = checked(TEXTS, [SHORE])
    accept(check, "southern", position=0)
    accept(check, "southern", position=1)
    services.decision_undo(check=check)
    assert revised(check) == TEXT.replace("southern", "northern")


def test_one_decision_can_be_reopened_out_of_turn_and_that_can_be_undone() -> None:
    check = checked(TEXTS, [COUNT, YEAR])
    accept(check, "1894")
    accept(check, "1,200")
    services.finding_reopen(check=check, finding_id=found(check, "1894").pk)
    assert revised(check) == TEXT.replace("1,200", "2,100")
    services.decision_undo(check=check)
    assert revised(check) == TEXT.replace("1894", "1849").replace("1,200", "2,100")


def test_redo_brings_back_what_was_undone_step_by_step() -> None:
    check = checked(TEXTS, [COUNT, YEAR])
    accept(check, "1894")
    services.finding_reject(check=check, finding_id=found(check, "1,200").pk, reason="Counted twice.")
    services.decision_undo(check=check)
    services.decision_undo(check=check)
    services.decision_redo(check=check)
    assert revised(check) == TEXT.replace("1894", "1849")
    assert found(check, "1,200").state == Finding.State.OPEN
    services.decision_redo(check=check)
    assert found(check, "1,200").reason == "Counted twice."
    with pytest.raises(DecisionImpossible, match="nothing to redo"):
        services.decision_redo(check=check)


def test_a_batch_is_redone_as_one_step() -> None:
    check = checked(TEXTS, [COUNT, YEAR, SHORE])
    assert services.findings_accept_all(check=check) == 2
    everything = revised(check)
    services.decision_undo(check=check)
    services.decision_redo(check=check)
    assert revised(check) == everything


def test_a_new_decision_leaves_nothing_to_redo() -> None:
    check = checked(TEXTS, [COUNT, YEAR])
    accept(check, "1894")
    services.decision_undo(check=check)
    accept(check, "1,200")
    with pytest.raises(DecisionImpossible, match="nothing to redo"):
        services.decision_redo(check=check)
    services.decision_undo(check=check)
    services.decision_redo(check=check)
    assert revised(check) == TEXT.replace("1,200", "2,100")


def test_undo_takes_back_no_other_decision_than_the_one_that_was_meant() -> None:
    check = checked(TEXTS, [COUNT, YEAR])
    accept(check, "1894")
    meant = check.decisions.get().pk
    accept(check, "1,200")
    with pytest.raises(DecisionImpossible, match="decided meanwhile"):
        services.decision_undo(check=check, decision_id=meant)
    assert revised(check) == TEXT.replace("1894", "1849").replace("1,200", "2,100")


def test_a_dismissed_warning_comes_as_dismissed_in_later_checks_of_its_owner_alone() -> None:
    check = checked(TEXTS, [YEAR])
    services.finding_dismiss(check=check, finding_id=found(check, "1894").pk, reason="The plaque says so.")
    later, foreign = checked(TEXTS, [YEAR]), checked(TEXTS, [YEAR], owner="somebody-else")
    assert found(later, "1894").state == Finding.State.DISMISSED
    assert found(later, "1894").reason == "The plaque says so."
    assert found(foreign, "1894").state == Finding.State.OPEN
    (card,) = CheckDetail(later).cards
    assert card.came_decided


def test_what_is_reopened_is_asked_about_again_and_undo_forgets_and_remembers_too() -> None:
    check = checked(TEXTS, [YEAR])
    services.finding_dismiss(check=check, finding_id=found(check, "1894").pk)
    later = checked(TEXTS, [YEAR])
    services.finding_reopen(check=later, finding_id=found(later, "1894").pk)
    assert found(checked(TEXTS, [YEAR]), "1894").state == Finding.State.OPEN
    services.decision_undo(check=later)
    assert found(checked(TEXTS, [YEAR]), "1894").state == Finding.State.DISMISSED
    services.decision_undo(check=check)
    assert found(checked(TEXTS, [YEAR]), "1894").state == Finding.State.OPEN


def test_a_reason_that_is_too_long_is_refused() -> None:
    check = checked(TEXTS, [YEAR])
    with pytest.raises(DecisionImpossible, match="longer than 300"):
        services.finding_reject(check=check, finding_id=found(check, "1894").pk, reason="x" * 301)


def test_another_change_to_the_sentence_outdates_what_a_card_showed() -> None:
    check = checked(TEXTS, [COUNT, YEAR])
    seen = {card.finding: card.seen for card in CheckDetail(check).cards}
    accept(check, "1894")
    other = found(check, "1,200").pk
    with pytest.raises(DecisionImpossible, match="has changed since"):
        services.finding_edit(check=check, finding_id=other, wording="Mine.", seen=seen[other])


def test_a_finding_of_another_check_cannot_be_decided_on() -> None:
    check, foreign = checked(TEXTS, [YEAR]), checked(TEXTS, [YEAR])
    for decide in (
        lambda: services.suggestion_accept(check=check, suggestion_id=suggestion(foreign, "1894").pk),
        lambda: services.finding_reject(check=check, finding_id=found(foreign, "1894").pk),
        lambda: services.finding_edit(check=check, finding_id=found(foreign, "1894").pk, wording="Mine."),
    ):
        with pytest.raises(DecisionImpossible, match="no longer part"):
            decide()
    assert found(foreign, "1894").state == Finding.State.OPEN


def test_every_decision_stands_in_the_log_without_a_gap() -> None:
    check = checked(TEXTS, [YEAR, WHOLE])
    accept(check, TEXTS[1])
    services.decision_undo(check=check)
    seqs = list(CheckEvent.objects.filter(parent_check=check).values_list("seq", flat=True))
    assert seqs == list(range(1, len(seqs) + 1))
    types = list(CheckEvent.objects.filter(parent_check=check).values_list("type", flat=True))
    assert types[-9:] == [
        "suggestion.accepted",
        "finding.stale",
        "suggestion.stale",
        "text.revised",
        "suggestion.reopened",
        "finding.reopened",
        "finding.reopened",
        "suggestion.reopened",
        "text.revised",
    ]


ACTIONS: dict[str, Callable[[Check], object]] = {
    "accept year": lambda check: accept(check, "1894"),
    "accept count": lambda check: accept(check, "1,200"),
    "keep first shore": lambda check: accept(check, "southern", 0),
    "keep second shore": lambda check: accept(check, "southern", 1),
    "remove": lambda check: accept(check, TEXTS[1]),
    "reject year": lambda check: services.finding_reject(check=check, finding_id=found(check, "1894").pk),
    "reopen count": lambda check: services.finding_reopen(check=check, finding_id=found(check, "1,200").pk),
    "own words": lambda check: services.finding_edit(
        check=check, finding_id=found(check, "1,200").pk, wording="It is old."
    ),
    "dismiss year": lambda check: services.finding_dismiss(
        check=check, finding_id=found(check, "1894").pk, reason="Known."
    ),
    "accept all": lambda check: services.findings_accept_all(check=check),
}


class UndoTest(TestCase):
    """For any decisions in any order, undo restores exactly the same texts."""

    @settings(max_examples=30, deadline=None)
    @given(st.lists(st.sampled_from(sorted(ACTIONS)), max_size=6))
    def test_undo_walks_back_through_the_same_states_and_redo_forth_again(self, names: list[str]) -> None:
        check = checked(TEXTS, [COUNT, YEAR, WHOLE, SHORE])
        history = [_state(check)]
        for name in names:
            decisions = check.decisions.count()
            try:
                ACTIONS[name](check)
            except DecisionImpossible:
                assert _state(check) == history[-1]
            if check.decisions.count() > decisions:
                history.append(_state(check))
        for before in reversed(history[:-1]):
            services.decision_undo(check=check)
            assert _state(check) == before
        for after in history[1:]:
            services.decision_redo(check=check)
            assert _state(check) == after


def _state(check: Check) -> tuple[str, dict[str, tuple[str, str]], set[str]]:
    """The text, the decision on each warning, and the decisions that apply to later checks."""
    findings = Finding.objects.filter(parent_check=check)
    remembered = Dismissal.objects.filter(owner=check.owner).values_list("fingerprint", flat=True)
    return revised(check), {f.fingerprint: (f.state, f.reason) for f in findings}, set(remembered)


OTHER_YEAR = finding(SENTENCES, 1, "founded in 1894", TEXTS[1].replace("1894", "1900"))


MERGED = "Sorrel lies on the northern shore of Lake Ferrin, and it is a village."
PAIR = finding(SENTENCES, 2, "southern", opposite=(0, "northern"))
MERGE = with_merge(PAIR, SENTENCES, 0, MERGED)


def test_two_sentences_become_one_in_one_step_and_two_again() -> None:
    check = checked(TEXTS, [MERGE])
    accept(check, "southern")
    assert revised(check) == f"{MERGED} {TEXTS[1]}"
    services.decision_undo(check=check)
    assert revised(check) == TEXT
    services.decision_redo(check=check)
    detail = CheckDetail(check)
    assert detail.revised_text == f"{MERGED} {TEXTS[1]}"
    assert [sentence.change for sentence in detail.sentences] == ["changed", "", "removed"]
    services.finding_reopen(check=check, finding_id=found(check, "southern").pk)
    assert revised(check) == TEXT


def test_merging_does_not_carry_words_along_that_another_warning_is_about() -> None:
    lake = finding(SENTENCES, 2, "the lake", "Sorrel lies on the southern shore of the sea.")
    check = checked(TEXTS, [MERGE, lake])
    with pytest.raises(DecisionImpossible, match="Sentence 3 has another open warning"):
        accept(check, "southern")
    assert revised(check) == TEXT
    services.finding_reject(check=check, finding_id=found(check, "the lake").pk)
    accept(check, "southern")
    assert revised(check) == f"{MERGED} {TEXTS[1]}"


def test_a_merge_no_longer_applies_once_the_second_sentence_reads_otherwise() -> None:
    lake = finding(SENTENCES, 2, "the lake", "Sorrel lies on the southern shore of the sea.")
    check = checked(TEXTS, [MERGE, lake])
    accept(check, "the lake")
    assert suggestion(check, "southern").state == Suggestion.State.STALE
    with pytest.raises(DecisionImpossible, match="no longer applies"):
        accept(check, "southern")
    services.decision_undo(check=check)
    assert suggestion(check, "southern").state == Suggestion.State.OPEN


def test_accept_all_leaves_merging_to_a_reader() -> None:
    check = checked(TEXTS, [MERGE])
    assert services.findings_accept_all(check=check) == 0
    assert CheckDetail(check).acceptable == 0


@pytest.mark.parametrize("direction", ["undo", "redo"])
def test_a_step_that_another_accepted_change_stands_against_is_refused_in_words_and_changes_nothing(
    direction: str,
) -> None:
    check = checked(TEXTS, [YEAR, OTHER_YEAR])
    accept(check, "1894")
    if direction == "undo":
        services.finding_reject(check=check, finding_id=found(check, "1894").pk)
        step = services.decision_undo
    else:
        services.decision_undo(check=check)
        step = services.decision_redo
    # Only a loaded or manually repaired check can have this state.
    Suggestion.objects.filter(finding=found(check, "founded in 1894")).update(state=Suggestion.State.ACCEPTED)
    before = revised(check)
    with pytest.raises(DecisionImpossible, match="altered the same words"):
        step(check=check)
    assert revised(check) == before


REPEATING = (
    "It was founded in 1894.",
    "Since its founding in 1894 it has grown.",
    "It lost its roof in 1894.",
    "Founded in 1894, it is old.",
)
RIGHT = tuple(text.replace("1894", "1849") for text in REPEATING)


def repeating(*findings: str) -> Check:
    """A text that repeats a wrong year; "first" changes it in three sentences, "last" in its own one."""
    _, sentences = segment(*REPEATING)
    first = decided_by_source(finding(sentences, 0, "1894", RIGHT[0]))
    last = decided_by_source(finding(sentences, 3, "in 1894", RIGHT[3], verified=False))
    known = {"first": with_companions(first, {1: RIGHT[1], 3: RIGHT[3]}), "last": last}
    return checked(REPEATING, [known[name] for name in findings])


def accept_first(check: Check) -> None:
    services.suggestion_accept(check=check, suggestion_id=CheckDetail(check).cards[0].rewrites[0].suggestion)


def test_sentences_without_a_conflict_are_changed_together_in_one_step_and_back() -> None:
    check = repeating("first")
    together = CheckDetail(check).cards[0].rewrites[0]
    assert together.companion_numbers == (2, 4)
    assert together.same_figure == (3,)
    accept_first(check)
    detail = CheckDetail(check)
    assert detail.revised_text == " ".join((RIGHT[0], RIGHT[1], REPEATING[2], RIGHT[3]))
    assert [sentence.change for sentence in detail.sentences] == ["changed", "changed", "", "changed"]
    assert detail.undo_step is not None
    assert "2 other sentences changed with it" in detail.undo_step.changes[0].what
    services.decision_undo(check=check)
    assert revised(check) == " ".join(REPEATING)
    services.decision_redo(check=check)
    assert revised(check).count("1894") == 1


def test_the_change_together_and_the_single_one_are_two_offers_and_the_first_is_the_default() -> None:
    card = CheckDetail(repeating("first")).cards[0]
    assert [bool(option.companions) for option in card.rewrites] == [True, False]
    assert card.default == card.rewrites[0]
    assert card.rewrites[1].same_figure == (2, 3, 4)


def test_the_card_shows_each_change_of_the_other_sentences() -> None:
    detail = CheckDetail(repeating("first"))
    html = render_to_string("detection/partials/_card.html", {"card": detail.cards[0], "detail": detail})
    assert "Also in sentences 2, 4." in html
    assert "Sentence 3 keeps the old figure." in html
    assert "Change all 3 sentences" in html
    assert html.count("1849</ins>") == 4, "two others, and the sentence itself in both offers"


def test_a_warning_of_a_sentence_that_is_changed_together_is_settled_by_the_same_decision() -> None:
    check = repeating("first", "last")
    accept_first(check)
    assert [row.state for row in check.findings.all()] == [Finding.State.ACCEPTED, Finding.State.ACCEPTED]
    assert check.decisions.count() == 1
    services.decision_undo(check=check)
    assert {row.state for row in check.findings.all()} == {Finding.State.OPEN}
    assert revised(check) == " ".join(REPEATING)


def test_a_change_together_is_not_offered_once_one_of_its_sentences_reads_otherwise() -> None:
    check = repeating("first", "last")
    last = CheckDetail(check).cards[1]
    services.finding_edit(check=check, finding_id=last.finding, wording="Founded in 1901, it is old.")
    assert [bool(option.companions) for option in CheckDetail(check).cards[0].rewrites] == [False]
    services.decision_undo(check=check)
    assert [bool(option.companions) for option in CheckDetail(check).cards[0].rewrites] == [True, False]


def test_accept_all_never_changes_a_sentence_without_a_conflict_of_its_own() -> None:
    check = repeating("first")
    assert services.findings_accept_all(check=check) == 0
    assert CheckDetail(check).acceptable == 0


def test_the_answer_shows_every_sentence_that_is_changed_together() -> None:
    check = repeating("first")
    seq = check.last_seq
    accept_first(check)
    html = fragments.since(check.pk, seq).html
    assert all(f'id="sentence-{index}"' in html for index in (0, 1, 3))
    assert html.count("1849</ins>") >= 3
