"""Repairs of frequent parser errors, given as wrong trees."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.language.lemmas import repaired_lemma
from detection.core.language.parse_repairs import repaired

from .trees import arcs, tokens_of

#: A wrong tree, and its correct arcs.
SHAPES = {
    "an imperative taken for a name": (
        "Roast/NNP/det:predet/2 the/DT/det/2 nuts/NNS/ROOT/2 in/IN/case/5 a/DT/det/5 pan/NN/nmod/2",
        ["Roast/VB ROOT Roast", "nuts/NNS obj Roast", "pan/NN nmod nuts"],
    ),
    "an imperative taken for a noun": (
        "Water/NN/ROOT/0 them/PRP/obj/0 ././punct/0",
        ["Water/VB ROOT Water", "them/PRP obj Water"],
    ),
    "a participle set off by commas, with the subject of what follows": (
        "mill/NN/nsubj:pass/2 ,/,/punct/2 built/VBN/advcl/8 in/IN/case/4 1912/CD/obl/2 ,/,/punct/2 is/VBZ/cop/8"
        " a/DT/det/8 museum/NN/ROOT/8",
        ["mill/NN nsubj museum", "built/VBN acl mill", "museum/NN ROOT museum"],
    ),
    "a participle in brackets, taken for a subject clause": (
        "mill/NN/nsubj:pass/2 (/-LRB-/punct/2 built/VBN/csubj/8 in/IN/case/4 1912/CD/obl/2 )/-RRB-/punct/2"
        " was/VBD/aux:pass/8 later/RB/advmod/8 sold/VBN/ROOT/8",
        ["mill/NN nsubj:pass sold", "built/VBN acl mill"],
    ),
    "a participle set off by commas, taken for the main verb": (
        "station/NN/nsubj/2 ,/,/punct/0 opened/VBD/ROOT/2 in/IN/case/4 1908/CD/obl/2 ,/,/punct/6 serves/VBZ/conj/2"
        " passengers/NNS/obj/6 ././punct/2",
        ["station/NN nsubj serves", "opened/VBN acl station", "serves/VBZ ROOT serves", "./. punct serves"],
    ),
    "a verb taken for a plural, before a count": (
        "the/DT/det/3 old/JJ/amod/3 hall/NN/compound/3 seats/NNS/ROOT/3 400/CD/nummod/5 people/NNS/list/3 ././punct/3",
        ["the/DT det hall", "old/JJ amod hall", "hall/NN nsubj seats", "seats/VBZ ROOT seats", "people/NNS obj seats"],
    ),
    "a name after the noun that says who it is": (
        "brother/NN/nsubj/2 Olaf/NNP/nsubj/2 left/VBD/ROOT/2",
        ["brother/NN nsubj left", "Olaf/NNP appos brother"],
    ),
    "a name between commas, with the verb still to come": (
        "founder/NN/nsubj:pass/5 ,/,/punct/2 Ada/NNP/nsubj/5 Lind/NNP/flat/2 ,/,/punct/2 retired/VBD/ROOT/5",
        ["founder/NN nsubj retired", "Ada/NNP appos founder"],
    ),
    "a year before a name, as if it counted": (
        "In/IN/case/4 2022/CD/nummod/4 Sorrel/NNP/nmod:poss/4 's/POS/case/2 museum/NN/obj/5 had/VBD/ROOT/5"
        " visitors/NNS/obj/5",
        ["In/IN case 2022", "2022/CD obl had", "museum/NN nsubj had"],
    ),
    "a year with the name behind it, beside what the name is": (
        "In/IN/case/1 2010/CD/obl/7 Brandt/NNP/fixed/1 ,/,/punct/5 an/DT/det/5 engineer/NN/nsubj/7 ,/,/punct/5"
        " joined/VBD/ROOT/7 it/PRP/obj/7",
        ["2010/CD obl joined", "Brandt/NNP nsubj joined", "engineer/NN appos Brandt"],
    ),
    "what a clause is hoped to do, with its subject taken for the object": (
        "We/PRP/nsubj/1 hope/VBP/ROOT/1 novel/NN/obj/1 will/MD/aux/4 win/VB/ccomp/1",
        ["novel/NN nsubj win", "win/VB ccomp hope"],
    ),
    "a comment on the whole clause": (
        "house/NN/nsubj:pass/2 was/VBD/aux:pass/2 sold/VBN/ROOT/2 ,/,/punct/5 which/WDT/nsubj/5 pleased/VBD/ccomp/2"
        " him/PRP/obj/5",
        ["pleased/VBD advcl:relcl sold"],
    ),
    "a measure that has taken the copula": (
        "river/NN/nsubj/3 is/VBZ/cop/3 120/CD/nummod/3 kilometres/NNS/obl:unmarked/4 long/JJ/ROOT/4",
        ["river/NN nsubj long", "is/VBZ cop long", "kilometres/NNS obl:unmarked long"],
    ),
    "a name taken for a verb, as an object": (
        "bridge/NN/nsubj/1 crosses/VBZ/ROOT/1 the/DT/det/3 river/NN/nsubj/4 Tell/VB/obj/1",
        ["river/NN obj crosses", "Tell/NNP appos river"],
    ),
    "a name taken for the main verb": (
        "The/DT/det/1 river/NN/nsubj/2 Tell/VBP/ROOT/2 flows/VBZ/obj/2 through/IN/case/5 town/NN/obl/2",
        ["river/NN nsubj flows", "Tell/NNP appos river", "flows/VBZ ROOT flows", "town/NN obl flows"],
    ),
    "a participle at the end, hung on the object before it": (
        "Berg/NNP/nsubj/1 held/VBD/ROOT/1 posts/NNS/obj/1 ,/,/punct/6 finally/RB/advmod/6 being/VBG/aux:pass/6"
        " made/VBN/acl/2 general/NN/xcomp/6",
        ["made/VBN advcl held", "posts/NNS obj held"],
    ),
    "an age between commas": (
        "Lind/NNP/nsubj/4 ,/,/punct/2 34/CD/list/0 ,/,/punct/0 said/VBD/ROOT/4 so/RB/advmod/4",
        ["34/CD appos Lind"],
    ),
    "a past tense taken for a participle": (
        "style/NN/nsubj/1 spread/VBN/ROOT/1 in/IN/case/3 1890/CD/obl/1",
        ["spread/VBD ROOT spread"],
    ),
}


@pytest.mark.parametrize(("wrong", "right"), SHAPES.values(), ids=SHAPES.keys())
def test_a_wrong_tree_is_repaired(wrong: str, right: list[str]) -> None:
    assert set(right) <= set(arcs(repaired(tokens_of(wrong))))


@pytest.mark.parametrize(
    "right",
    [
        "mill/NN/nsubj:pass/3 was/VBD/aux:pass/3 then/RB/advmod/3 built/VBN/ROOT/3 in/IN/case/5 1912/CD/obl/3",
        "mill/NN/nsubj/6 ,/,/punct/2 built/VBN/acl/0 well/RB/advmod/2 ,/,/punct/0 still/RB/advmod/6 stands/VBZ/ROOT/6",
        "if/IN/mark/2 dam/NN/nsubj/2 breaks/VBZ/advcl/6 ,/,/punct/2 river/NN/nsubj/6 will/MD/aux/6 rise/VB/ROOT/6",
        "In/IN/case/2 1500/CD/nummod/2 cases/NNS/obl/5 he/PRP/nsubj/5 was/VBD/aux:pass/5 paid/VBN/ROOT/5",
        "He/PRP/nsubj/1 bought/VBD/ROOT/1 mills/NNS/obj/1 ,/,/punct/4 built/VBN/acl/2 in/IN/case/6 1912/CD/obl/4",
        "house/NN/ROOT/0 ,/,/punct/3 which/WDT/nsubj/3 stood/VBD/acl:relcl/0 empty/JJ/xcomp/3",
        "Rain/NN/nsubj/4 the/DT/det/2 night/NN/nmod:unmarked/0 had/VBD/aux/4 flooded/VBN/ROOT/4 it/PRP/obj/4",
        "Mark/NNP/nsubj/2 ,/,/punct/0 left/VBD/ROOT/2 the/DT/det/4 team/NN/obj/2",
        "Half/NN/nsubj/3 the/DT/det/2 town/NN/nmod/0 burned/VBD/ROOT/3",
        "He/PRP/nsubj/1 told/VBD/ROOT/1 them/PRP/iobj/1 she/PRP/nsubj/5 had/VBD/aux/5 left/VBN/ccomp/1",
    ],
)
def test_a_right_tree_stays(right: str) -> None:
    assert repaired(tokens_of(right)) == tokens_of(right)


@given(st.sampled_from([wrong for wrong, _ in SHAPES.values()]), st.data())
def test_whatever_the_tree_every_word_still_hangs_on_a_root(shape: str, data: st.DataObject) -> None:
    tokens = tokens_of(shape)
    # The first word is the root and each head precedes its word, so that the input has no cycles.
    heads = [data.draw(st.integers(0, max(0, position - 1))) for position in range(len(tokens))]
    before = tuple(replace(token, head=head) for token, head in zip(tokens, heads, strict=True))
    after = repaired(before)
    assert [(token.text, token.span) for token in after] == [(token.text, token.span) for token in before]
    for position in range(len(after)):
        for _ in after:
            position = after[position].head
        assert after[position].head == position


@pytest.mark.parametrize(
    ("text", "tag", "guessed", "lemma"),
    [
        ("inaugurated", "VBN", "inaugurat", "inaugurate"),
        ("uncovering", "VBG", "uncovere", "uncover"),
        ("Discovered", "VBN", "Discovered", "discover"),
        ("struggled", "VBD", "struggl", "struggle"),
        ("admitted", "VBD", "admitt", "admit"),
        ("created", "VBN", "create", "create"),
        ("combating", "VBG", "combat", "combat"),
        ("praising", "VBG", "prais", "praise"),
        ("changing", "VBG", "change", "change"),
        ("hanging", "VBG", "hang", "hang"),
        ("added", "VBD", "add", "add"),
        ("occurred", "VBD", "occurre", "occur"),
        ("trafficked", "VBN", "trafficke", "traffic"),
        ("named", "VBN", "name", "name"),
        ("rose", "VBD", "rise", "rise"),
        ("wed", "VBN", "wed", "wed"),
        ("bring", "VB", "bring", "bring"),
        ("building", "NN", "building", "building"),
    ],
)
def test_lemmas_of_regular_forms(text: str, tag: str, guessed: str, lemma: str) -> None:
    assert repaired_lemma(text, tag, guessed) == lemma
