"""Find the words of a sentence that another sentence contradicts, with the NLI model.

Each phrase of the sentence is left out in turn. Where a sentence of a source contradicts the whole and entails the
rest, the phrase is what it contradicts: "the burner heads" in "The drip tray and the burner heads can be washed by
machine". Sentences of one text seldom entail each other, so there also the phrase is named without which they no longer
contradict each other: "top" in "Mrs Gwilym lives on the top floor" beside "whose flat is on the ground floor".
"""

from __future__ import annotations

from collections.abc import Iterator

from ..comparing.scores import mean_contradiction
from ..comparing.sentence import ComparableSentence
from ..language.tree import DENYING_ADVERBS, Tree
from ..local_models.process import LocalModels
from ..rewriting.shortening import without_phrase
from ..types import NliPair, NliScore, Span

#: A source sentence contradicts the sentence from the first probability on, and entails the rest of it from the second
#: on. Of 207 conflicts with a source without clashing words in four sets of summaries, that names words in 60; in 56
#: they are the wrong ones or stand beside them. Of 37 faithful sentences that the judge takes for conflicts, 15 get
#: words.
_LEAST_CONTRADICTION = 0.5
_LEAST_ENTAILMENT = 0.75
#: Two sentences of a text no longer contradict each other below this probability, the mean of both directions. Of 134
#: contradictions without clashing values in ten sets of texts, either rule names words of 97; in 5 they are not where
#: the sentences differ.
_MOST_LEFT = 0.5
#: So many phrases are read in the second direction, those without which the first one contradicts least.
_MOST_READ_TWICE = 6
#: Among phrases whose removal leaves almost the same score, the shortest one is named.
_ALMOST_THE_SAME = 0.01
#: A phrase has at most this many tokens, and at most this share of those of the sentence.
_MOST_TOKENS, _MOST_OF_SENTENCE = 8, 0.6
#: At most this many phrases are tried, those at the start of the sentence first.
_MOST_PHRASES = 40
_MODIFIERS = frozenset({"aux", "aux:pass", "advmod", "amod", "nummod", "compound", "det"})
#: Kinds of words that mean nothing by themselves.
_FUNCTION_WORDS = frozenset({"ADP", "CCONJ", "DET", "PART", "PUNCT", "SCONJ", "SPACE", "SYM"})
_RELATIVE = frozenset({"WDT", "WP", "WP$", "WRB"})
_NEGATIONS = DENYING_ADVERBS | {"no"}
_DENYING = _NEGATIONS | {"nobody", "nothing", "none", "neither"}
_SUBJECTS = frozenset({"nsubj", "nsubj:pass"})


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


async def clashing_words(sentence: ComparableSentence, other: ComparableSentence, models: LocalModels) -> Span | None:
    """The span of the words without which a sentence no longer contradicts another one of its text; None without any.

    A subject, and words that both sentences have, are what they are about, and not where they differ.
    """
    rests = {span: without_phrase(sentence.text, span) for span in list(_phrases(sentence))[:_MOST_PHRASES]}
    scores = await models.score([NliPair(other.text, rest) for rest in rests.values()])
    forward = dict(zip(rests, scores, strict=True))
    entailed = _decisive(forward)
    if entailed is not None:
        return _named(sentence, entailed)
    subjects = frozenset(_subjects(sentence))
    apart = [span for span in rests if span not in subjects and _says_more(sentence, span, other)]
    ranked = sorted(apart, key=lambda span: forward[span].contradiction)[:_MOST_READ_TWICE]
    backward = await models.score([NliPair(rests[span], other.text) for span in ranked])
    left = {span: mean_contradiction(forward[span], score) for span, score in zip(ranked, backward, strict=True)}
    least = min(left.values(), default=1.0)
    if least > _MOST_LEFT:
        return None
    return _named(sentence, min((span for span in left if left[span] <= least + _ALMOST_THE_SAME), key=len))


def _subjects(sentence: ComparableSentence) -> Iterator[Span]:
    """The phrases that are a subject, without those that deny: "nobody", "no new debt"."""
    tree = sentence.clause.tree
    for position, token in enumerate(tree.tokens):
        if token.dependency in _SUBJECTS:
            for phrase in _phrases_of(tree, position):
                if not any(tree.tokens[i].text.casefold() in _DENYING for i in phrase):
                    yield sentence.clause.reading.phrase_span(phrase)


def _says_more(sentence: ComparableSentence, span: Span, other: ComparableSentence) -> bool:
    stems = sentence.stems_at(span)
    return not stems <= other.stems if stems else span.of(sentence.text).casefold() in _NEGATIONS


def _decisive(scores: dict[Span, NliScore]) -> Span | None:
    most = max((score.entailment for score in scores.values()), default=0.0)
    if most < _LEAST_ENTAILMENT:
        return None
    return min((span for span, score in scores.items() if score.entailment >= most - _ALMOST_THE_SAME), key=len)


def _named(sentence: ComparableSentence, span: Span) -> Span:
    """The span without an "and" or a comma at its start, which is not wrong; a negation with what it denies."""
    reading, tokens = sentence.clause.reading, sentence.clause.tree.tokens
    positions = reading.positions(span)
    if len(positions) > 1:
        is_joined = tokens[positions[0]].pos in ("CCONJ", "PUNCT")
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
