"""Shorten a sentence by a phrase that it stands without: a clause, an apposition or a coordinated predicate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..comparing.sentence import ComparableSentence
from ..language.tree import Tree
from ..types import Span

#: Dependents that a sentence stands without, in Universal Dependencies. Adjuncts are not among them: without the wrong
#: year, "The company was established in 1962" says nothing.
_REMOVABLE = frozenset({"advcl", "acl", "acl:relcl", "conj", "appos", "parataxis"})
_VERBS = frozenset({"VERB", "AUX"})
#: A phrase has at least two tokens, and at most this share of those of the sentence.
_LEAST_TOKENS, _MOST_OF_SENTENCE = 2, 0.7
_MOST_SHORTENINGS = 12
_ENDS = frozenset(",.;:!?")


@dataclass(frozen=True, slots=True)
class Shortening:
    """A sentence without the phrase at ``span`` and the commas around it."""

    span: Span
    wording: str


def shortenings(sentence: ComparableSentence) -> list[Shortening]:
    """The sentence without each of its removable phrases, those at its start first."""
    found = (Shortening(span, without_phrase(sentence.text, span)) for span in _phrases(sentence))
    return list({one.wording: one for one in found}.values())[:_MOST_SHORTENINGS]


def _phrases(sentence: ComparableSentence) -> Iterator[Span]:
    tree = sentence.clause.tree
    for position, token in enumerate(tree.tokens):
        if token.dependency not in _REMOVABLE or _is_part_of_list(tree, position):
            continue
        phrase = tree.phrase(position)
        if phrase is not None and _LEAST_TOKENS <= len(phrase) <= _MOST_OF_SENTENCE * len(tree.tokens):
            yield sentence.clause.reading.phrase_span(phrase)


def _is_part_of_list(tree: Tree, position: int) -> bool:
    """Whether "and" would be missing or in a wrong place without a coordinated part: of nouns, or of three or more."""
    token = tree.tokens[position]
    if token.dependency != "conj":
        return False
    siblings = [child for child in tree.children[token.head] if tree.tokens[child].dependency == "conj"]
    return token.pos not in _VERBS or len(siblings) > 1 or tree.tokens[token.head].dependency == "conj"


def without_phrase(text: str, span: Span) -> str:
    """The text without the words at ``span`` and the commas around them, with a capital at its start."""
    before, behind = text[: span.start].rstrip(), text[span.end :].lstrip()
    if not before:
        behind = behind.removeprefix(",").lstrip()
        return behind[:1].upper() + behind[1:]
    if before.endswith(",") and behind[:1] in _ENDS:
        before = before[:-1]
        behind = behind.removeprefix(",").lstrip()
    return before + behind if behind[:1] in _ENDS else f"{before} {behind}"
