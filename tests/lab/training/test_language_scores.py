import pytest
import spacy
from spacy.tokens import Doc, Span
from spacy.training import Example

from detection.lab.training.language.scores import NameCounts, TokenAccuracy

VOCAB = spacy.blank("en").vocab


def read(words: list[str], **annotation: list[object]) -> Doc:
    return Doc(VOCAB, words=words, **annotation)


def test_tokens_are_compared_where_both_cut_alike():
    gold = read(
        ["Mills", "grind", "rye", "e.g."],
        heads=[1, 1, 1, 1],
        deps=["nsubj", "ROOT", "obj", "advmod"],
        tags=["NNS", "VBP", "NN", "FW"],
        pos=["NOUN", "VERB", "NOUN", "X"],
        lemmas=["mill", "grind", "rye", "e.g."],
    )
    own = read(
        ["Mills", "grind", "rye", "e.g", "."],
        spaces=[True, True, True, False, False],
        heads=[1, 1, 0, 1, 1],
        deps=["nsubj", "ROOT", "obj", "advmod", "punct"],
        tags=["NNS", "VBP", "NN", "FW", "."],
        pos=["NOUN", "VERB", "ADJ", "X", "PUNCT"],
        lemmas=["Mill", "grind", "rye", "e.g", "."],
    )
    accuracy = TokenAccuracy()

    accuracy.add(Example(own, gold))

    shares = accuracy.shares()
    assert shares["tokens_aligned"] == 75.0
    assert shares["tags"] == 100.0
    assert shares["parts_of_speech"] == pytest.approx(66.67)
    assert (shares["lemmas"], shares["lemmas_any_case"]) == (pytest.approx(66.67), 100.0)
    assert accuracy.recalls(["nsubj", "obj", "ROOT"]) == {"nsubj": 100.0, "obj": 0.0, "ROOT": 100.0}


def test_names_count_by_span_and_label_and_all_places_alike():
    doc = read(["Ada", "saw", "Oslo", "and", "Norvik", "Danes"])
    doc.ents = [Span(doc, 0, 1, "ORG"), Span(doc, 2, 3, "GPE"), Span(doc, 5, 6, "NORP")]
    counts = NameCounts()

    counts.add([[0, 3, "PERSON"], [8, 12, "LOC"], [17, 23, "ORG"], [24, 29, "MISC"]], doc)

    report = counts.report()
    assert (report["precision"], report["recall"], report["f1"]) == (50.0, pytest.approx(33.33), 40.0)
    assert (report["f1_loc"], report["f1_person"]) == (100.0, 0.0)
    assert report["spans_any_label"] == pytest.approx(66.67)
