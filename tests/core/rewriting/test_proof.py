"""Verified rewrites, offered rewrites, and refused ones."""

from __future__ import annotations

import pytest

from detection.core.rewriting.proof import Proof, Swap, are_of_one_thing, proof_of_rewrite, proof_of_substitution
from detection.core.rewriting.revise import edits
from detection.core.rules.base import Relation

from ..conftest import Prepare


def proof(
    prepare_all: Prepare, partner: str, original: str, changed: str, *given: str, is_of_one_slot: bool = False
) -> Proof:
    """The proof of ``changed``; ``given`` are words taken from the partner (default: the inserted ones)."""
    (one,), (before,), (after,) = map(prepare_all, (partner, original, changed))
    words = given or tuple(edit.text for edit in edits(original, changed))
    values = [value for value in one.clause.values if any(word in value.text for word in words)]
    return proof_of_substitution(before, after, [Swap(one, value, is_of_one_slot) for value in values])


@pytest.mark.parametrize(
    ("partner", "original", "changed"),
    [
        ("The toll was abolished in 1957.", "The toll was abolished in 1975.", "The toll was abolished in 1957."),
        (
            "The town was founded in 1243.",
            "A statue honours the monks who founded the town in 1143.",
            "A statue honours the monks who founded the town in 1243.",
        ),
        (
            "It was opened to traffic in May 1934.",
            "When it opened in 1932, it was the longest bridge in the county.",
            "When it opened in 1934, it was the longest bridge in the county.",
        ),
        (
            "The trial enrolled 312 patients in seven hospitals.",
            "The trial enrolled 312 patients at nine hospitals.",
            "The trial enrolled 312 patients at seven hospitals.",
        ),
        (
            "The liability of the Provider is limited to 250,000 euros.",
            "The Provider's liability is limited to 500,000 euros.",
            "The Provider's liability is limited to 250,000 euros.",
        ),
    ],
)
def test_one_value_in_the_same_role_and_nothing_else_is_shown(
    prepare_all: Prepare, partner: str, original: str, changed: str
) -> None:
    assert proof(prepare_all, partner, original, changed) is Proof.SHOWN


@pytest.mark.parametrize(
    ("partner", "original", "changed", "given"),
    [
        pytest.param(
            "In snow pass holders get no refund for closures of up to five days.",
            "When snow closes it for more than five days, pass holders are refunded.",
            "When snow closes it for up to five days, pass holders are refunded.",
            ("five",),
            id="the partner denies it",
        ),
        pytest.param(
            "The pass is valid for up to five days.",
            "The pass is valid for more than five days.",
            "The pass is valid for up to five days.",
            ("five",),
            id="only the bound is another one",
        ),
        pytest.param(
            "The Kestrel comes in four colours.",
            "The Kestrel 5 has a glass screen.",
            "The Kestrel 4 has a glass screen.",
            ("four",),
            id="the number belongs to a name",
        ),
        pytest.param(
            "The bridge opened in 1934.",
            "The bridge opened in 1932 and cost 12 million euros.",
            "The bridge opened in 1934.",
            ("1934",),
            id="another fact is lost",
        ),
        pytest.param(
            "The bridge opened in 1934.",
            "The bridge opened in 1932 and cost 12 million euros.",
            "The bridge opened in 1934 and cost 14 million euros.",
            ("1934",),
            id="another fact is changed",
        ),
        pytest.param(
            "A film version was released in 1968.",
            "The novel was published in 1961.",
            "The novel was published in 1968.",
            ("1968",),
            id="it is told of another thing",
        ),
        pytest.param(
            "The bridge opened in 1934 and cost 14 million euros.",
            "The bridge opened in 1932 and cost 12 million euros.",
            "The bridge opened in 1934 and cost 12 million euros.",
            ("1934",),
            id="it still says something else of the cost",
        ),
        pytest.param(
            "The tower was built in 1912.",
            "The mill was built in 1894.",
            "The mill was built in 1912.",
            ("1912",),
            id="the same is told of another thing",
        ),
        pytest.param(
            "The Provider shall do the work.",
            "Brightwater may do the work.",
            "Provider may do the work.",
            ("Provider",),
            id="a name without its the",
        ),
        pytest.param(
            "The fee for materials is 12 euros.",
            "The fee is 118 euros, and everybody pays another 12 for materials.",
            "The fee is 12 euros, and everybody pays another 12 for materials.",
            ("12 euros",),
            id="the sentence has the value already",
        ),
        pytest.param(
            "The bridge opened in 1934.",
            "The bridge opened in 1932.",
            "The bridge opened in 1936.",
            ("1934",),
            id="not the value of the partner",
        ),
    ],
)
def test_what_is_worse_than_no_rewrite(
    prepare_all: Prepare, partner: str, original: str, changed: str, given: tuple[str, ...]
) -> None:
    assert proof(prepare_all, partner, original, changed, *given) is Proof.BROKEN


def test_what_no_sentence_says_is_a_guess(prepare_all: Prepare) -> None:
    original = "The fee is 14 euros."
    assert proof(prepare_all, "Fee 12 euros, payable at the door.", original, original.replace("14", "12")) in (
        Proof.OPEN,
        Proof.BROKEN,
    )


def test_a_number_for_a_part_is_offered_and_not_called_checked(prepare_all: Prepare) -> None:
    partner, original = "The company plans to hire 100 people.", "It plans to hire 200 more people."
    assert proof(prepare_all, partner, original, original.replace("200", "100")) is Proof.OPEN


@pytest.mark.parametrize(
    ("quotes", "changed", "found"),
    [
        ("The library at Holm was opened in 1931.", "The library at Holm was opened in 1931.", Proof.SHOWN),
        ("The library at Holm was opened in 1931.", "In 1931 the fine library at Holm was opened.", Proof.OPEN),
        ("The library at Holm was opened in 1931.", "The library at Holm was opened.", Proof.OPEN),
        ("The library at Holm was opened in 1931.", "The library at Holm was opened in 1951.", Proof.OPEN),
        ("The museum was closed in 1931.", "The library at Holm was opened in 1931.", Proof.BROKEN),
    ],
)
def test_what_a_model_wrote_needs_the_same_proof(prepare_all: Prepare, quotes: str, changed: str, found: Proof) -> None:
    (original,), (after,) = map(prepare_all, ("The library at Holm was opened in 1941.", changed))
    assert proof_of_rewrite(original, after, prepare_all(quotes)) is found


@pytest.mark.parametrize(
    ("partner", "original", "changed", "given", "found"),
    [
        pytest.param(
            "It cost 8,400 euros and was attended by 260 people.",
            "Lunch will cost 6.80 euros.",
            "Lunch will cost 8,400 euros.",
            "8,400 euros",
            Proof.BROKEN,
            id="no slip is so large",
        ),
        pytest.param(
            "The kettle boils a full load in five minutes.",
            "The kettle works for two years.",
            "The kettle works for five minutes.",
            "five minutes",
            Proof.BROKEN,
            id="no slip is so large in another unit",
        ),
        pytest.param(
            "It needs a flue of 80 mm in diameter and a distance of 20 cm from walls that can burn.",
            "Walls that can burn must be at least 30 cm away.",
            "Walls that can burn must be at least 80 mm away.",
            "80 mm",
            Proof.BROKEN,
            id="which of the two lengths is meant is not known",
        ),
        pytest.param(
            "It cost 8,400 euros.",
            "The party cost 4,800 euros.",
            "The party cost 8,400 euros.",
            "8,400 euros",
            Proof.OPEN,
            id="what it is stands elsewhere",
        ),
        pytest.param(
            "She described 14 species of moss; two are named after her.",
            "She described 41 species of moss.",
            "She described 14 species of moss.",
            "14",
            Proof.SHOWN,
            id="only one of the two counts is of the same thing",
        ),
        pytest.param(
            "The harbour of Sallow handled 410,000 tonnes.",
            "The harbour of Lunde handled 300,000 tonnes.",
            "The harbour of Lunde handled 410,000 tonnes.",
            "410,000",
            Proof.BROKEN,
            id="another thing on no other occasion",
        ),
        pytest.param(
            "For the club he scored 98 goals.",
            "For the national team he scored 12 goals.",
            "For the national team he scored 98 goals.",
            "98",
            Proof.BROKEN,
            id="another occasion of one thing",
        ),
    ],
)
def test_the_value_must_be_the_one_that_is_meant(
    prepare_all: Prepare, partner: str, original: str, changed: str, given: str, found: Proof
) -> None:
    assert proof(prepare_all, partner, original, changed, given) is found


@pytest.mark.parametrize(
    ("first", "second", "are_one"),
    [
        ("She was born in Smolyan in 1921.", "Born in Plovdiv, she always came back to the city.", True),
        ("The firm employs 340 people.", "The firm employs 430 people.", True),
        ("It weighs 1.3 kg.", "The Kestrel weighs 1.7 kg.", False),
        ("It included 64 nurses.", "Eleven nurses felt dazed.", False),
        ("With six speeds to choose from, there is a breeze for all.", "The Breeze has twelve speeds.", False),
    ],
)
def test_of_two_sentences_one_is_changed_only_where_both_tell_of_the_same(
    prepare_all: Prepare, first: str, second: str, are_one: bool
) -> None:
    one, other = prepare_all(f"{first} {second}")
    pairs = [
        (theirs, own)
        for theirs in one.clause.values
        for own in other.clause.values
        if theirs.relation_to(own) is Relation.CONFLICT
    ]
    assert pairs
    assert any(are_of_one_thing(one, theirs, other, own) for theirs, own in pairs) is are_one


def test_a_model_that_finds_one_slot_leaves_open_what_the_rules_reject(prepare_all: Prepare) -> None:
    texts = (
        "Fees run from 1 pound for a cake tin to 18 pounds for the carpet cleaner.",
        "Each loan costs extra, from 1 pound for a cake tin to 80 pounds for the carpet cleaner.",
        "Each loan costs extra, from 1 pound for a cake tin to 18 pounds for the carpet cleaner.",
    )
    assert proof(prepare_all, *texts, "18") is Proof.BROKEN
    assert proof(prepare_all, *texts, "18", is_of_one_slot=True) is Proof.OPEN


def test_no_model_overrules_a_negation(prepare_all: Prepare) -> None:
    texts = ("It is not open on 5 May.", "It is open on 6 May.", "It is open on 5 May.")
    assert proof(prepare_all, *texts, is_of_one_slot=True) is Proof.BROKEN
