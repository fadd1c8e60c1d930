import random

import spacy

from detection.lab.training.language.entities import as_document, joined, with_curly_quotes
from detection.lab.training.language.mentions import MarkedText, Mention

ADA = MarkedText("Ada left.", (Mention(0, 3, "PERSON"),))


def test_joined_texts_keep_their_names():
    groups = list(joined([ADA] * 20, random.Random(2)))

    assert sum(len(group.mentions) for group in groups) == 20
    assert {group.text[mention.start : mention.end] for group in groups for mention in group.mentions} == {"Ada"}
    assert 1 < max(len(group.mentions) for group in groups) <= 3


def test_unknown_names_are_neither_names_nor_their_absence():
    doc = as_document(
        MarkedText("Ada used Zorblax.", (Mention(0, 3, "PERSON"), Mention(9, 16, None))), spacy.blank("en")
    )

    assert [token.ent_iob_ for token in doc] == ["B", "O", "", "O"]
    assert [(span.text, span.label_) for span in doc.ents] == [("Ada", "PERSON")]


def test_curly_quotes_keep_the_length():
    text = 'She said: "Ada\'s mill" ("the \'big\' one").'

    assert with_curly_quotes(text) == "She said: “Ada’s mill” (“the 'big’ one”)."
    assert len(with_curly_quotes(text)) == len(text)
