"""All drafts of a sentence, from the most to the least reliable method: brackets, word order, tree."""

from __future__ import annotations

from collections.abc import Iterator

from detection.core.language.triples.apposition_facts import apposition_facts, bracket_facts
from detection.core.language.triples.drafts import Draft
from detection.core.language.triples.grammar import has_copula, is_verb
from detection.core.language.triples.predicate_facts import predicate_facts
from detection.core.language.triples.sentence import AnnotatedSentence, Positions
from detection.core.language.triples.subjects import subject_words
from detection.core.language.triples.vocabulary import FINITE, NOUNS
from detection.core.language.triples.word_order import word_order_facts


def extract_drafts(sentence: AnnotatedSentence) -> Iterator[Draft]:
    """Extract the drafts, without tree facts about words that a more reliable method has covered."""
    certain = list(bracket_facts(sentence))
    if _is_misparsed(sentence):
        certain += word_order_facts(sentence)
    yield from certain
    told = {word for draft in certain for word in draft.object}
    for draft in _tree_facts(sentence):
        if told.isdisjoint(draft.object) and not _breaks_title(sentence, draft.object):
            yield draft


def _tree_facts(sentence: AnnotatedSentence) -> Iterator[Draft]:
    for position in range(len(sentence.tokens)):
        yield from predicate_facts(sentence, position)
        yield from apposition_facts(sentence, position)


def _is_misparsed(sentence: AnnotatedSentence) -> bool:
    """Whether the parser mistook a noun, or a participle before the subject, for the verb of the sentence."""
    root, tokens = sentence.root, sentence.tokens
    if not is_verb(sentence.tree, root):
        return not has_copula(sentence.tree, root)
    is_participle = tokens[root].tag in ("VBN", "VBG") and root < 2
    follows_noun = tokens[root].tag in FINITE and tokens[root - 1].tag in NOUNS
    return (is_participle or follows_noun) and not subject_words(sentence, root)


def _breaks_title(sentence: AnnotatedSentence, positions: Positions) -> bool:
    """Whether the positions contain a title only in part."""
    for title in sentence.titles:
        words = {position for position in title if sentence.tokens[position].text.isalnum()}
        if 0 < len(words.intersection(positions)) < len(words):
            return True
    return False
