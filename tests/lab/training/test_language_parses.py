import random
from dataclasses import replace

import spacy

from detection.lab.training.language.parses import as_document, passages, with_curly_quotes

from .treebank import sentence

MILL = sentence("Mills mill NNS 2 nsubj", "grind+ grind VBP 0 root", ". . . 2 punct")
QUOTE = sentence(
    '"+ " `` 3 punct', "They they PRP 3 nsubj", "don+ do VBP 0 root", "'t+ not RB 3 advmod", "\"+ \" '' 3 punct"
)


def in_document(name: str, *, starts_paragraph: bool = False) -> object:
    return replace(MILL, document=name, starts_paragraph=starts_paragraph)


def test_passages_stay_inside_their_document_and_lose_nothing():
    sentences = [in_document(f"document {number // 10}") for number in range(40)]

    runs = list(passages(sentences, random.Random(1)))

    assert [one for run in runs for one in run] == sentences
    assert all(len({one.document for one in run}) == 1 for run in runs)
    assert max(map(len, runs)) <= 6 < len(runs)


def test_a_passage_ends_after_a_heading():
    heading = replace(MILL, words=MILL.words[:2])
    sentences = [part for _ in range(30) for part in (heading, replace(MILL, starts_paragraph=True))]

    assert all(run[-1] is heading or heading not in run for run in passages(sentences, random.Random(1)))


def test_a_document_has_the_sentences_and_heads_of_its_passage():
    doc = as_document([MILL, MILL], spacy.blank("en").vocab)

    assert doc.text == "Mills grind. Mills grind. "
    assert [token.head.i for token in doc] == [1, 1, 1, 4, 4, 4]
    assert [span.root.lemma_ for span in doc.sents] == ["grind", "grind"]


def test_curly_quotes_open_and_close():
    assert [word.text for word in with_curly_quotes(QUOTE).words] == ["“", "They", "don", "’t", "”"]
