import spacy
from spacy.tokens import Doc

from detection.lab.training.language.tag_rules import add_tag_rules


def ruled(words: list[str], tags: list[str], parts_of_speech: list[str], lemmas: list[str]) -> Doc:
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("attribute_ruler")
    add_tag_rules(ruler)
    return ruler(Doc(nlp.vocab, words=words, tags=tags, pos=parts_of_speech, lemmas=lemmas))


def test_the_tag_decides_where_the_part_of_speech_contradicts_it():
    doc = ruled(["Mills", "is", "that"], ["NNS", "VBZ", "IN"], ["VERB", "AUX", "PRON"], ["mill", "be", "that"])

    assert [token.pos_ for token in doc] == ["NOUN", "AUX", "ADP"]


def test_a_past_form_that_is_no_participle_is_not_read_as_one():
    doc = ruled(["Prices", "rose", "."], ["NNS", "VBN", "."], ["NOUN", "VERB", "PUNCT"], ["price", "rose", "."])

    assert (doc[1].tag_, doc[1].lemma_) == ("VBD", "rise")
    assert doc[1].morph.get("VerbForm") == ["Fin"]


def test_the_flower_stays_a_noun():
    doc = ruled(["The", "rose"], ["DT", "NN"], ["DET", "NOUN"], ["the", "rose"])

    assert (doc[1].tag_, doc[1].lemma_) == ("NN", "rose")
