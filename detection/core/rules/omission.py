"""Leave words out of a sentence so that what remains is a sentence: subordinate clauses, appositions, second halves."""

from __future__ import annotations

import re

from detection.core.language.tree import Tree
from detection.core.language.vocabulary import words
from detection.core.types import ParsedSentence, Span

_SET_OFF = frozenset({"advcl", "advcl:relcl", "acl", "acl:relcl", "appos", "parataxis", "obl", "nmod", "conj", "dep"})
"""Dependencies that can be omitted if commas, brackets or dashes set them off."""
_TIME_PREPOSITIONS = frozenset(words("in on since during until by before after around"))
_DATED = re.compile(r"\b1?\d{3}\b|\b20\d\d\b")
_MODIFYING_CLAUSES = frozenset({"acl", "advcl", "amod"})
_OPENING = re.compile(r"\s*[,(–—-]\s*$")
_CLOSING = re.compile(r"\s*([,)–—-]|(?=[.!?…;:]))")
_MIN_WORDS = 3


def omit(parsed: ParsedSentence, span: Span) -> str | None:
    """The sentence without the smallest phrase around ``span`` that can be left out; None when there is none.

    ``span`` counts in the sentence's own text. Nothing else changes, except for a capital at a new beginning.
    """
    tree = Tree.of(parsed)
    inside = [i for i, token in enumerate(parsed.tokens) if _own(parsed, i).overlaps(span)]
    if not inside:
        return None
    position = next((i for i in inside if tree.tokens[i].head not in inside), inside[0])
    for _ in tree.tokens:
        if tree.tokens[position].head == position:
            return None
        shorter = _without(parsed, tree, position, span)
        if shorter is not None:
            return shorter
        position = tree.tokens[position].head
    return None


def _without(parsed: ParsedSentence, tree: Tree, position: int, span: Span) -> str | None:
    phrase = _phrase(parsed, tree, position)
    if phrase is None or not phrase.contains(span):
        return None
    dependency = tree.tokens[position].dependency
    shorter = None
    if dependency in _SET_OFF:
        shorter = _cut_set_off(parsed.text, phrase)
    if shorter is None and dependency == "conj":
        shorter = _cut_second_half(parsed, tree, position, phrase)
    if shorter is None and dependency == "obl" and _tells_time(parsed, tree, position, phrase):
        shorter = _cut_time(parsed.text, phrase)
    return shorter if shorter is not None and len(shorter.split()) >= _MIN_WORDS else None


def _own(parsed: ParsedSentence, position: int) -> Span:
    return parsed.tokens[position].span.shifted(-parsed.sentence.start)


def _phrase(parsed: ParsedSentence, tree: Tree, position: int) -> Span | None:
    """The subtree of ``position``, without outer punctuation; None if it is not contiguous."""
    below = tree.subtree(position)
    if below != list(range(below[0], below[-1] + 1)):
        return None
    while below and tree.tokens[below[0]].pos == "PUNCT":
        below.pop(0)
    while below and tree.tokens[below[-1]].pos == "PUNCT":
        below.pop()
    return Span(_own(parsed, below[0]).start, _own(parsed, below[-1]).end) if below else None


def _cut_set_off(text: str, phrase: Span) -> str | None:
    before, after = text[: phrase.start], text[phrase.end :]
    closing = _CLOSING.match(after)
    if closing is None:
        return None
    if not before.strip():
        rest = after[closing.end() :].lstrip()
        return rest[:1].upper() + rest[1:] if closing.group(1) == "," and rest else None
    opening = _OPENING.search(before)
    if opening is None or before[: opening.start()].rstrip().endswith(","):
        return None
    # A list "a, b and c" must not lose one of its members: the comma before b does not set it off.
    if re.match(r"\s*,?\s*(and|or)\b", after[closing.end() :]) or re.match(r"(and|or)\b", text[phrase.start :]):
        return None
    is_bracket = opening.group().strip() == "("
    if is_bracket != (closing.group(1) == ")"):
        return None
    rest = after[closing.end() :]
    return before[: opening.start()].rstrip() + (rest if not rest[:1].isalnum() else " " + rest)


def _cut_second_half(parsed: ParsedSentence, tree: Tree, position: int, phrase: Span) -> str | None:
    """ "a and b" without "and b"; a longer list stays unchanged."""
    head = tree.tokens[position].head
    siblings = [child for child in tree.children[head] if tree.tokens[child].dependency == "conj"]
    coordinator = tree.child(position, "cc")
    if siblings != [position] or coordinator is None or tree.lemma(coordinator) != "and":
        return None
    if tree.child(position, "conj") is not None:
        return None
    before, after = parsed.text[: phrase.start].rstrip().removesuffix(","), parsed.text[phrase.end :]
    return before + after if re.match(r"\s*[.!?,;:]|\s*$", after) else None


def _tells_time(parsed: ParsedSentence, tree: Tree, position: int, phrase: Span) -> bool:
    head = tree.tokens[tree.tokens[position].head]
    if head.dependency.split(":")[0] in _MODIFYING_CLAUSES:
        return False  # "the mill, built in 1912, ..." has no meaning without the year
    preposition = tree.preposition(position)
    dated = _DATED.search(phrase.of(parsed.text)) is not None
    return head.pos == "VERB" and preposition in _TIME_PREPOSITIONS and dated


def _cut_time(text: str, phrase: Span) -> str | None:
    before, after = text[: phrase.start].rstrip(), text[phrase.end :]
    if not before:
        rest = after.lstrip(" ,")
        return rest[:1].upper() + rest[1:]
    return before + after
