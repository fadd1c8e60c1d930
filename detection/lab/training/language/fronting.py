"""Move participle clauses to the front of sentences: treebanks of news and web text have few of these.

"Norvik Systems, founded in 1976 by two brothers, makes software." becomes "Founded in 1976 by two brothers, Norvik
Systems makes software." This is frequent in encyclopedias.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from .conllu import ROOT, TreebankSentence, Word

_PARTICIPLES = frozenset({"VBN", "VBG"})
_SUBJECTS = frozenset({"nsubj", "nsubj:pass"})
_MIN_CLAUSE_WORDS = 3
_KEEPS_CAPITAL = frozenset({"NNP", "NNPS"})
_CLOSING = frozenset(".,;:!?")
_COMMA = Word(",", ",", "PUNCT", ",", "", 0, "punct", space_after=True)


def fronted(sentence: TreebankSentence) -> Iterator[TreebankSentence]:
    """Variants of the sentence, each with one participle clause moved to the front.

    Movable are clauses after a subject that opens the sentence ("Norvik, founded in 1976, ...") and those at the end
    ("..., beating Norvik").
    """
    words = sentence.words
    subject = _opening_subject(words)
    if subject is None:
        return
    for index, word in enumerate(words):
        if word.tag not in _PARTICIPLES:
            continue
        on_subject = word.label == "acl" and word.head == subject
        on_predicate = word.label == "advcl" and word.head == words[subject].head and index > word.head
        if not on_subject and not on_predicate:
            continue
        clause = _clause(words, index)
        at_end = on_predicate and all(later.label == "punct" for later in words[clause[-1] + 1 :]) if clause else False
        if clause and (on_subject or at_end):
            yield TreebankSentence("", True, _moved(words, index, clause))


def _opening_subject(words: Sequence[Word]) -> int | None:
    """The subject of the main predicate, if the sentence begins with it."""
    for index, word in enumerate(words):
        if word.label in _SUBJECTS and words[word.head].label == ROOT and index < word.head:
            return index if 0 in _subtree(words, index) and word.tag not in {"WP", "WDT", "EX"} else None
    return None


def _subtree(words: Sequence[Word], top: int) -> list[int]:
    inside = {top}
    grown = True
    while grown:
        found = {i for i, word in enumerate(words) if word.head in inside and i not in inside}
        grown = bool(found)
        inside |= found
    return sorted(inside)


def _clause(words: Sequence[Word], participle: int) -> list[int]:
    """Positions of the clause without the commas around it; empty if it does not begin with the participle."""
    positions = _subtree(words, participle)
    while positions and words[positions[0]].label == "punct":
        positions = positions[1:]
    while positions and words[positions[-1]].label == "punct":
        positions = positions[:-1]
    contiguous = positions == list(range(participle, participle + len(positions)))
    return positions if contiguous and len(positions) >= _MIN_CLAUSE_WORDS else []


def _moved(words: Sequence[Word], participle: int, clause: Sequence[int]) -> tuple[Word, ...]:
    predicate = next(i for i, word in enumerate(words) if word.label == ROOT)
    around = {i for i in (clause[0] - 1, clause[-1] + 1) if i < len(words) and words[i].text == ","}
    rest = [i for i in range(len(words)) if i not in around and i not in clause]
    order = [*clause, *rest]
    # The comma follows the clause: all later positions shift by one.
    place = {old: new if new < len(clause) else new + 1 for new, old in enumerate(order)}
    for dropped in around:
        place[dropped] = len(clause)
    result = []
    for old, following in zip(order, [*order[1:], order[-1]], strict=True):
        word = words[old]
        text = word.text
        if old == clause[0]:
            text = text[:1].upper() + text[1:]
        elif old == 0 and word.tag not in _KEEPS_CAPITAL and word.text != "I":
            text = text[:1].lower() + text[1:]
        space_after = word.space_after
        if old == clause[-1]:
            space_after = False
        elif following != old + 1:
            space_after = words[following].text not in _CLOSING
        head, label = (predicate, "advcl") if old == participle else (word.head, word.label)
        result.append(replace(word, text=text, head=place[head], label=label, space_after=space_after))
    comma = replace(_COMMA, head=place[participle])
    return (*result[: len(clause)], comma, *result[len(clause) :])
