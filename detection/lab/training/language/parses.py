"""Training documents of the tagger, parser and lemmatizer, from treebank sentences."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from spacy.tokens import Doc
from spacy.vocab import Vocab

from .conllu import TreebankSentence, Word

_MAX_SENTENCES = 6
_ENDS_SENTENCE = frozenset({".", "?", "!", '"', "”", ")", "''"})
_PARAGRAPH_BREAK = 0.5
_CURLY_QUOTES = {"``": "“", "''": "”"}


def passages(sentences: Iterable[TreebankSentence], generator: random.Random) -> Iterator[tuple[TreebankSentence, ...]]:
    """Runs of one to six neighbouring sentences of one document.

    A run ends before a new paragraph if its last sentence has no final punctuation (a heading), so that the parser
    learns sentence starts from running text, and before half of the other paragraphs.
    """
    passage: list[TreebankSentence] = []
    size = generator.randint(1, _MAX_SENTENCES)
    for sentence in sentences:
        if passage and (
            sentence.document != passage[-1].document
            or len(passage) >= size
            or (
                sentence.starts_paragraph
                and (generator.random() < _PARAGRAPH_BREAK or passage[-1].words[-1].text not in _ENDS_SENTENCE)
            )
        ):
            yield tuple(passage)
            passage = []
            size = generator.randint(1, _MAX_SENTENCES)
        passage.append(sentence)
    if passage:
        yield tuple(passage)


def with_curly_quotes(sentence: TreebankSentence) -> TreebankSentence:
    """The sentence with typographic quotation marks and apostrophes."""
    return replace(sentence, words=tuple(replace(word, text=_curly(word)) for word in sentence.words))


def _curly(word: Word) -> str:
    if word.text == '"':
        return _CURLY_QUOTES.get(word.tag, word.text)
    return word.text.replace("'", "’") if len(word.text) > 1 else word.text


def as_document(passage: Sequence[TreebankSentence], vocab: Vocab) -> Doc:
    """The sentences as one annotated document, with a space between them."""
    words: list[Word] = []
    heads: list[int] = []
    for sentence in passage:
        heads += [len(words) + word.head for word in sentence.words]
        words += [*sentence.words[:-1], replace(sentence.words[-1], space_after=True)]
    return Doc(
        vocab,
        words=[word.text for word in words],
        spaces=[word.space_after for word in words],
        tags=[word.tag for word in words],
        pos=[word.universal for word in words],
        morphs=[word.morphology for word in words],
        lemmas=[word.lemma for word in words],
        heads=heads,
        deps=[word.label for word in words],
    )
