from detection.lab.training.language.conllu import ROOT, TreebankSentence
from detection.lab.training.language.fronting import fronted

from .treebank import sentence


def written(moved: TreebankSentence) -> str:
    return "".join(word.text + " " * word.space_after for word in moved.words).strip()


def links(moved: TreebankSentence) -> set[tuple[str, str, str]]:
    return {(word.text, word.label, moved.words[word.head].text) for word in moved.words}


ON_SUBJECT = sentence(
    "The the DT 2 det",
    "firm+ firm NN 9 nsubj",
    ", , , 4 punct",
    "founded found VBN 2 acl",
    "in in IN 7 case",
    "cold cold JJ 7 amod",
    "Oslo+ Oslo NNP 4 obl",
    ", , , 4 punct",
    "sells sell VBZ 0 root",
    "maps+ map NNS 9 obj",
    ". . . 9 punct",
)
AT_END = sentence(
    "Ada Ada NNP 2 nsubj",
    "won+ win VBD 0 root",
    ", , , 4 punct",
    "beating beat VBG 2 advcl",
    "two two CD 6 nummod",
    "rivals+ rival NNS 4 obj",
    ". . . 2 punct",
)


def test_a_clause_on_the_subject_is_moved_to_the_front():
    (moved,) = fronted(ON_SUBJECT)

    assert written(moved) == "Founded in cold Oslo, the firm sells maps."
    assert {("Founded", "advcl", "sells"), ("Oslo", "obl", "Founded"), ("the", "det", "firm")} <= links(moved)
    assert ("sells", ROOT, "sells") in links(moved)
    assert moved.words[0].lemma == "found"


def test_a_clause_at_the_end_is_moved_to_the_front():
    (moved,) = fronted(AT_END)

    assert written(moved) == "Beating two rivals, Ada won."
    assert {("Beating", "advcl", "won"), (",", "punct", "Beating"), ("Ada", "nsubj", "won")} <= links(moved)


def test_a_sentence_that_does_not_begin_with_its_subject_stays():
    assert list(fronted(sentence("Yesterday yesterday RB 3 advmod", "Ada Ada NNP 3 nsubj", "won win VBD 0 root"))) == []
