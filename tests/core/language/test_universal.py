"""Trees of pipelines trained on OntoNotes, and the facts extracted from them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from detection.core.language.parse_repairs import repaired
from detection.core.language.triples import find_triples
from detection.core.language.universal import is_clearnlp, universal
from detection.core.types import ParsedSentence, Sentence

from .trees import arcs, tokens_of

#: A tree with the labels of ClearNLP, the arcs of Universal Dependencies, and the facts.
TREES = {
    "a passive with its agent": (
        "The/DT/det/1 mill/NN/nsubjpass/3 was/VBD/auxpass/3 built/VBN/ROOT/3 by/IN/agent/3 Ada/NNP/compound/6"
        " Lind/NNP/pobj/4 in/IN/prep/3 1894/CD/pobj/7 ././punct/3",
        ["mill/NN nsubj:pass built", "Lind/NNP obl:agent built", "by/IN case Lind", "1894/CD obl built"],
        ["The mill | was built by | Ada Lind", "The mill | was built in | 1894"],
    ),
    "a copula": (
        "She/PRP/nsubj/1 is/VBZ/ROOT/1 a/DT/det/3 member/NN/attr/1 of/IN/prep/3 the/DT/det/6 club/NN/pobj/4"
        " ././punct/1",
        ["member/NN ROOT member", "is/VBZ cop member", "She/PRP nsubj member", "club/NN nmod member"],
        ["She | is | a member of the club"],
    ),
    "a place that something is in": (
        "The/DT/det/1 mill/NN/nsubj/2 is/VBZ/ROOT/2 in/IN/prep/2 Oslo/NNP/pobj/3 ././punct/2",
        ["Oslo/NNP ROOT Oslo", "is/VBZ cop Oslo", "in/IN case Oslo"],
        ["The mill | is in | Oslo"],
    ),
    "what there is": (
        "There/EX/expl/1 were/VBD/ROOT/1 three/CD/nummod/3 mills/NNS/attr/1 ././punct/1",
        ["mills/NNS nsubj were", "were/VBD ROOT were"],
        ["There | were | three mills"],
    ),
    "a measure before an adjective": (
        "The/DT/det/1 river/NN/nsubj/2 is/VBZ/ROOT/2 120/CD/nummod/4 kilometres/NNS/npadvmod/5 long/JJ/acomp/2"
        " ././punct/2",
        ["long/JJ ROOT long", "river/NN nsubj long", "kilometres/NNS obl:unmarked long"],
        ["The river | is | 120 kilometres long"],
    ),
    "an infinitive": (
        "She/PRP/nsubj/1 wants/VBZ/ROOT/1 to/TO/aux/3 become/VB/xcomp/1 a/DT/det/5 judge/NN/attr/3 ././punct/1",
        ["to/TO mark become", "judge/NN xcomp become"],
        ["She | wants to become | a judge"],
    ),
    "a preposition of two words": (
        "Because/IN/prep/7 of/IN/pcomp/0 the/DT/det/3 war/NN/pobj/0 it/PRP/nsubjpass/7 was/VBD/auxpass/7 not/RB/neg/7"
        " finished/VBN/ROOT/7 ././punct/7",
        ["war/NN obl finished", "Because/IN case war", "of/IN fixed Because", "not/RB advmod finished"],
        ["it | was not finished because of | the war"],
    ),
    "a preposition before a verb": (
        "He/PRP/nsubjpass/2 is/VBZ/auxpass/2 credited/VBN/ROOT/2 with/IN/prep/2 winning/VBG/pcomp/3 two/CD/nummod/6"
        " prizes/NNS/dobj/4 ././punct/2",
        ["winning/VBG advcl credited", "with/IN mark winning", "prizes/NNS obj winning"],
        ["He | is credited with winning | two prizes"],
    ),
    "a preposition below another": (
        "It/PRP/nsubj/1 came/VBD/ROOT/1 from/IN/prep/1 across/IN/prep/2 the/DT/det/5 border/NN/pobj/3 ././punct/1",
        ["border/NN obl came", "from/IN case border"],
        ["It | came from across | the border"],
    ),
    "a preposition without a noun": (
        "The/DT/det/1 house/NN/ROOT/1 he/PRP/nsubj/3 lived/VBD/relcl/1 in/IN/prep/3 ././punct/1",
        ["in/IN advmod lived", "lived/VBD acl:relcl house"],
        None,
    ),
    "two copulas": (
        "He/PRP/nsubj/1 was/VBD/ROOT/1 a/DT/det/3 poet/NN/attr/1 and/CC/cc/1 is/VBZ/conj/1 a/DT/det/7"
        " judge/NN/attr/5 ././punct/1",
        ["poet/NN ROOT poet", "judge/NN conj poet", "is/VBZ cop judge"],
        ["He | was | a poet", "He | is | a judge"],
    ),
}


@pytest.mark.parametrize(("words", "right", "facts"), TREES.values(), ids=TREES.keys())
def test_trees_of_another_drawing(words: str, right: list[str], facts: list[str] | None) -> None:
    tokens = tuple(
        replace(token, lemma="be") if token.text in ("is", "was", "were") else token for token in tokens_of(words)
    )
    drawn = universal(tokens)
    assert set(right) <= set(arcs(drawn))
    assert not {token.dependency for token in drawn} & {"pobj", "prep", "dobj", "attr", "nsubjpass", "auxpass", "poss"}
    if facts is not None:
        text = " ".join(token.text for token in tokens)
        parsed = ParsedSentence(Sentence(0, 0, len(text), text), repaired(drawn))
        found = [f"{triple.subject} | {triple.relation} | {triple.object}" for triple in find_triples(parsed)]
        assert sorted(found) == sorted(facts)


def test_which_parsers_draw_otherwise() -> None:
    assert is_clearnlp(("ROOT", "nsubj", "nsubjpass", "pobj"))
    assert not is_clearnlp(("ROOT", "nsubj", "nsubj:pass", "obl"))
    assert not is_clearnlp(())
