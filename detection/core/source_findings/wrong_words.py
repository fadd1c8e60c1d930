"""Find the words of a sentence that another sentence contradicts, with the NLI model.

Each phrase of the sentence is left out in turn. Where the other sentence, of a source or of the same text, contradicts
the whole and entails the rest, the phrase is what it contradicts: "the burner heads" in "The drip tray and the burner
heads can be washed by machine".
"""

from __future__ import annotations

from collections.abc import Iterator

from ..comparing.sentence import ComparableSentence
from ..language.tree import Tree
from ..local_models.process import LocalModels
from ..rewriting.shortening import without_phrase
from ..types import NliPair, NliScore, Span

#: The other sentence contradicts the sentence from the first probability on, and entails the rest of it from the
#: second on. Of 207 conflicts with a source without clashing words in four sets of summaries, that names words in 60;
#: in 56 they are the wrong ones or stand beside them. Of 37 faithful sentences that the judge takes for conflicts, 15
#: get words. Of 159 contradictions inside texts it names words of 25, the wrong ones of 23.
_LEAST_CONTRADICTION = 0.5
_LEAST_ENTAILMENT = 0.75
#: Among phrases whose removal leaves almost the same entailment, the shortest one is named.
_ALMOST_THE_SAME = 0.01
#: A phrase has at most this many tokens, and at most this share of those of the sentence.
_MOST_TOKENS, _MOST_OF_SENTENCE = 8, 0.6
#: At most this many phrases are tried, those at the start of the sentence first.
_MOST_PHRASES = 40
_MODIFIERS = frozenset({"aux", "aux:pass", "advmod", "amod", "nummod", "compound", "det"})
#: Kinds of words that mean nothing by themselves.
_FUNCTION_WORDS = frozenset({"ADP", "CCONJ", "DET", "PART", "PUNCT", "SCONJ", "SPACE", "SYM"})
_RELATIVE = frozenset({"WDT", "WP", "WP$", "WRB"})
_NEGATIONS = frozenset({"not", "n't", "n’t", "never", "no"})


async def contradicted_words(
    sentence: ComparableSentence, premise: str, score: NliScore, models: LocalModels
) -> Span | None:
    """The span of the words in the sentence that ``premise`` contradicts; None if no words are decisive.

    ``score`` is that of the whole sentence.
    """
    if score.contradiction < _LEAST_CONTRADICTION:
        return None
    spans = list(_phrases(sentence))[:_MOST_PHRASES]
    scores = await models.score([NliPair(premise, without_phrase(sentence.text, span)) for span in spans])
    span = _decisive(dict(zip(spans, scores, strict=True)))
    return _named(sentence, span) if span is not None else None


def _decisive(scores: dict[Span, NliScore]) -> Span | None:
    most = max((score.entailment for score in scores.values()), default=0.0)
    if most < _LEAST_ENTAILMENT:
        return None
    return min((span for span, score in scores.items() if score.entailment >= most - _ALMOST_THE_SAME), key=len)


def _named(sentence: ComparableSentence, span: Span) -> Span:
    """The span without an "and" at its start, which is not wrong; a negation with what it denies."""
    reading, tokens = sentence.clause.reading, sentence.clause.tree.tokens
    positions = reading.positions(span)
    if len(positions) > 1:
        is_joined = tokens[positions[0]].pos == "CCONJ"
        return reading.phrase_span(positions[1:]) if is_joined else span
    (position,) = positions
    if tokens[position].text.casefold() not in _NEGATIONS:
        return span
    ends = position, tokens[position].head
    return reading.phrase_span(range(min(ends), max(ends) + 1))


def _phrases(sentence: ComparableSentence) -> Iterator[Span]:
    """Every word with all that depends on it, and every word with its modifiers alone, without duplicates."""
    tree = sentence.clause.tree
    most = min(_MOST_TOKENS, int(_MOST_OF_SENTENCE * len(tree.tokens)))
    found = (phrase for position in range(len(tree.tokens)) for phrase in _phrases_of(tree, position))
    for phrase in dict.fromkeys(phrase for phrase in found if len(phrase) <= most):
        yield sentence.clause.reading.phrase_span(phrase)


def _phrases_of(tree: Tree, head: int) -> Iterator[range]:
    token = tree.tokens[head]
    is_empty = token.pos in _FUNCTION_WORDS or token.tag in _RELATIVE
    if is_empty and token.text.casefold() not in _NEGATIONS:
        return
    whole = tree.phrase(head)
    if whole is not None:
        yield whole
    first = head
    while first > 0 and tree.tokens[first - 1].head == head and tree.tokens[first - 1].dependency in _MODIFIERS:
        first -= 1
    yield range(first, head + 1)
