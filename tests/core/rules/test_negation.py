"""Wordings that deny a clause, or state what it denies."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from detection.core.comparing.sentence import ComparableSentence
from detection.core.rules.negation import with_negations

from .conftest import Parse

Negate = Callable[[str], list[str]]


@pytest.fixture
def negate(parse: Parse) -> Negate:
    return lambda text: [wording.text for wording in with_negations(ComparableSentence(parse(text)).clause)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The decision was unanimous.", "The decision was not unanimous."),
        ("After the loss she gave up collecting.", "After the loss she did not give up collecting."),
        ("Her sister helps her in the shop.", "Her sister does not help her in the shop."),
        ("You have to enter the data again.", "You do not have to enter the data again."),
        ("Meat will disappear from the canteen.", "Meat will not disappear from the canteen."),
        ("More storage can be added.", "More storage cannot be added."),
        ("Rooms can be reserved.", "Rooms cannot be reserved."),
        ("In January you can still ride to the pass.", "In January you can no longer ride to the pass."),
        ("Books from any other shop can be read.", "Books from any other shop cannot be read."),
        ("Visitors must pay a fee.", "Visitors need not pay a fee."),
        ("Money from the state has already been secured.", "Money from the state has not yet been secured."),
        ("The old mill is still in use.", "The old mill is no longer in use."),
        ("It is also suited to a dip in the sea.", "It is not suited to a dip in the sea."),
        ("All badges have to be exchanged.", "Not all badges have to be exchanged."),
        ("Only the blue tab led to the reward.", "Not only the blue tab led to the reward."),
        ("Someone answers the phone on Sundays.", "No one answers the phone on Sundays."),
    ],
)
def test_a_clause_is_denied(negate: Negate, sentence: str, expected: str) -> None:
    assert expected in negate(sentence)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The lift is not in use.", "The lift is in use."),
        ("The lift isn't in use.", "The lift is in use."),
        ("She won't sell the house.", "She will sell the house."),
        ("Rooms cannot be reserved.", "Rooms can be reserved."),
        ("The shop does not accept cards.", "The shop accepts cards."),
        ("The firm does not have a garden.", "The firm has a garden."),
        ("The bakery has never made a loss.", "The bakery has made a loss."),
        ("The shop charges no fees.", "The shop charges fees."),
    ],
)
def test_a_denied_clause_is_stated(negate: Negate, sentence: str, expected: str) -> None:
    assert negate(sentence) == [expected]


def test_the_first_letter_stays_where_the_first_word_does(negate: Negate) -> None:
    assert negate("eBay was founded in 1995.") == ["eBay was not founded in 1995."]


@pytest.mark.parametrize("sentence", ["He would never", "She has no", "Never", "not", "No", "do not", "is", "can't"])
def test_a_sentence_that_breaks_off_causes_no_error(negate: Negate, sentence: str) -> None:
    assert all(wording != sentence for wording in negate(sentence))


def test_each_clause_is_denied_by_itself(negate: Negate) -> None:
    assert negate("The arrangement is permanent and will not be reviewed.") == [
        "The arrangement is not permanent and will not be reviewed.",
        "The arrangement is permanent and will be reviewed.",
    ]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Cover the jar loosely.", "Do not cover the jar loosely."),
        ("Do not cover the jar.", "Cover the jar."),
        ("Never wash the pan with soap.", "Wash the pan with soap."),
    ],
)
def test_an_instruction_is_turned_round(negate: Negate, sentence: str, expected: str) -> None:
    assert negate(sentence) == [expected]


@pytest.mark.parametrize(
    "sentence",
    [
        "Is the decision final?",
        "Some trains run at night.",  # "Some trains do not run at night" may be true as well
        "Nobody has to come in on a Tuesday.",
        "The bracket and the battery come with it.",  # "do not" leaves open whether one of them does
        "The fee covers labour and parts.",
        "The shop does not open at all.",  # "opens at all"
        "She did not take the train.",  # the past of many verbs is irregular
        "The house has no garden.",  # it may need an article
    ],
)
def test_no_wording_is_made_that_may_be_wrong_or_mean_something_else(negate: Negate, sentence: str) -> None:
    assert negate(sentence) == []
