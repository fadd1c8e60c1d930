import pytest

from detection.lab.training.language.lists import name_lists
from detection.lab.training.language.mentions import Corpus, Unifier


def row(text: str, **names: str) -> dict[str, object]:
    """A row with names given as ``Some_name="LABEL"``."""
    spans = [(name.replace("_", " "), label) for name, label in names.items()]
    return {"text": text, "ents": [[text.index(name), text.index(name) + len(name), label] for name, label in spans]}


def unified(given: dict[str, object], corpus: Corpus = Corpus.UNER, others: tuple[dict[str, object], ...] = ()):
    unifier = Unifier(name_lists(), [(other, corpus) for other in (given, *others)])
    marked = unifier.unify(given, corpus)
    return [(marked.text[mention.start : mention.end], mention.label) for mention in marked.mentions]


@pytest.mark.parametrize(
    ("text", "name", "label"),
    [
        ("She sailed to Norway.", "Norway", "GPE"),
        ("She crossed the Alps.", "Alps", "LOC"),
        ("She saw Lake Ferrin.", "Lake_Ferrin", "LOC"),
        ("She left the village of Harwick.", "Harwick", "GPE"),
        ("She saw Harwick, Ohio.", "Harwick", "GPE"),
        ("She saw Harwick again.", "Harwick", "LOC"),
    ],
)
def test_a_place_is_governed_or_not(text, name, label):
    assert unified(row(text, **{name: "LOC"}))[0] == (name.replace("_", " "), label)


def test_a_place_has_one_label_in_all_rows():
    here = row("Harwick grew.", Harwick="LOC")

    assert unified(here, others=(row("He died in Harwick.", Harwick="LOC"),)) == [("Harwick", "GPE")]


def test_peoples_are_marked_where_the_corpus_leaves_them_out():
    assert unified(row("Two Danes met Ada.", Ada="PERSON")) == [("Danes", "NORP"), ("Ada", "PERSON")]


def test_capitalised_words_that_a_corpus_may_have_left_out_are_unknown():
    given = row("Ada used a Zorblax in June.", Ada="PERSON")

    assert unified(given) == [("Ada", "PERSON"), ("Zorblax", None)]
    assert unified(given, Corpus.CROSSNER) == [("Ada", "PERSON")]


def test_the_weak_labels_of_gum_are_unknown():
    assert unified(row("Ada read Winter Light.", Winter_Light="WORK_OF_ART"), Corpus.GUM) == [("Winter Light", None)]


def test_names_without_a_capital_are_unknown_and_dates_are_left_to_rules():
    given = row("In June Ada met the mayor.", June="DATE", Ada="PERSON", the_mayor="PERSON")

    assert unified(given, Corpus.CROSSNER) == [("Ada", "PERSON"), ("the mayor", None)]
