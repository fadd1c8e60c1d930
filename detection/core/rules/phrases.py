"""Find the words of a clash to show: the smallest phrase that says what the value is about.

"32" becomes "32 employees", "1931" becomes "opened in 1931", "not given" becomes "not given to companies". A phrase is
short and stays within its clause; without a fitting phrase, the words stay unchanged.
"""

from __future__ import annotations

import re

from detection.core.language.tree import AUXILIARIES, DENYING_ADVERBS
from detection.core.rules.base import Family
from detection.core.rules.slots import Clause
from detection.core.types import Span, Token

_MAX_WORDS = 8
#: Dependencies of a value on its noun.
_TELLS_OF_A_NOUN = frozenset({"nummod", "amod", "compound", "nmod", "det", "nmod:poss", "acl"})
#: Dependencies of a value on a verb: "opened in 1931", "costs £40", "meets twice a week", "took the ferry".
_TELLS_OF_A_VERB = frozenset({"obj", "iobj", "obl", "obl:agent", "obl:tmod", "obl:unmarked", "advmod", "xcomp"})
_OBJECTS = frozenset({"obj", "iobj", "obl", "obl:unmarked", "xcomp", "compound:prt"})
#: Dependencies that begin another clause.
_CLAUSES = frozenset({"acl", "acl:relcl", "advcl", "ccomp", "csubj", "csubj:pass", "conj", "parataxis", "cc", "mark"})
_BREAKS = frozenset(";:()[]—–|")
#: "opened in 1941 😮"
_SYMBOLS_BEHIND = re.compile(r"(?:\s+[^\w\s%°€£$\"')\]’”]+)+$")
_MARKUP = re.compile(r"\*{1,3}|`+|(?<!\w)_{1,3}|_{1,3}(?!\w)")


def phrase_at(clause: Clause, span: Span) -> str:
    """The phrase around ``span`` (counted in the sentence), on one line and without markup."""
    text = clause.reading.text
    whole = _widened(clause, span)
    words = _SYMBOLS_BEHIND.sub("", without_markup((whole or span).of(text)))
    # The full stop of "89 m." may be part of the last token.
    return words if span.of(text).endswith(".") else words.removesuffix(".")


def without_markup(words: str) -> str:
    """The words on one line, without Markdown signs for emphasis and code."""
    return " ".join(_MARKUP.sub("", words).split())


def _widened(clause: Clause, span: Span) -> Span | None:
    positions = list(clause.reading.positions(span))
    if not positions:
        return None
    head = _head(clause, positions)
    token = clause.tree.tokens[head]
    if token.pos in ("VERB", "AUX") and token.dependency not in _TELLS_OF_A_NOUN:
        return _verb_group(clause, head, positions)
    if _is_modifier(clause, head):
        found = _noun_phrase(clause, head, positions)
        if found is not None:
            return found
    if token.dependency in _TELLS_OF_A_VERB:
        return _said_by_the_verb(clause, head, positions)
    if clause.tree.child(head, "cop") is not None:
        return _said_of_the_subject(clause, head, positions)
    return _share(clause, head, positions)


def _share(clause: Clause, head: int, positions: list[int]) -> Span | None:
    """ "five of the nine members", "60 % of the visitors"."""
    of = next((i for i in clause.tree.children[head] if clause.tree.preposition(i) == "of" and i > head), None)
    return None if of is None else _between(clause, [of, *positions])


def _head(clause: Clause, positions: list[int]) -> int:
    """The head word of a value."""
    inside = set(positions)
    above = {i: clause.tree.tokens[i].head for i in positions}
    tops = [i for i in positions if above[i] == i or above[i] not in inside] or positions[-1:]
    return next((i for i in tops if clause.tree.tokens[i].pos not in ("ADP", "ADV")), tops[0])


def _is_modifier(clause: Clause, head: int) -> bool:
    token = clause.tree.tokens[head]
    above = clause.tree.tokens[token.head]
    return token.dependency in _TELLS_OF_A_NOUN and token.head != head and above.pos in ("NOUN", "PROPN", "SYM")


def _noun_phrase(clause: Clause, head: int, positions: list[int]) -> Span | None:
    """ "32 full-time employees", "population of 12,000", "several hundred of them"."""
    noun = clause.tree.tokens[head].head
    return _between(clause, [noun, *positions])


def _said_by_the_verb(clause: Clause, head: int, positions: list[int]) -> Span | None:
    """ "opened in 1931", "not built by Lind": the verb with the value and its negation."""
    verb = clause.tree.tokens[head].head
    if clause.tree.tokens[verb].pos not in ("VERB", "ADJ", "NOUN"):
        return None
    found = _between(clause, [*_denial(clause, verb), verb, *positions])
    if found is None or not _holds_another_value(clause, found, positions):
        return found
    # "born in 1911 in Oslo": the year is not part of this clash.
    case = clause.tree.child(head, "case")
    return _between(clause, [case, *positions]) if case is not None and case < min(positions) else None


def _holds_another_value(clause: Clause, phrase: Span, positions: list[int]) -> bool:
    first, last = (clause.reading.token_span(i) for i in (min(positions), max(positions)))
    own = Span(first.start, last.end)
    return any(
        phrase.contains(value.span) and not value.span.overlaps(own) and value.family is not Family.OPPOSITE
        for value in clause.values
    )


def _said_of_the_subject(clause: Clause, head: int, positions: list[int]) -> Span | None:
    """ "price is £40": a subject such as "it" adds nothing to the bare value."""
    subject = clause.tree.subject(head)
    if subject is None or clause.tree.tokens[subject].pos == "PRON":
        return None
    compounds = [i for i in clause.tree.children[subject] if clause.tree.tokens[i].dependency == "compound"]
    figures = [i for i in clause.tree.children[head] if clause.tree.tokens[i].dependency == "nummod"]
    return _between(clause, [subject, *compounds, *figures, *positions])


def _verb_group(clause: Clause, verb: int, positions: list[int]) -> Span | None:
    """ "may subcontract", "shall not subcontract without consent": the verb with the words right after it."""
    kept = [*_denial(clause, verb), *positions]
    best = _between(clause, kept)
    for child in clause.tree.children[verb]:
        if child <= max(kept):
            continue
        if clause.tree.tokens[child].dependency not in _OBJECTS:
            break
        for end in _ends_of_phrase(clause, child):
            longer = _between(clause, [*kept, end])
            if longer is not None:
                best, kept = longer, [*kept, end]
                break
        else:
            break
    return best


def _ends_of_phrase(clause: Clause, head: int) -> list[int]:
    """Where a phrase may end: at its end, or after its head."""
    return [max(_own_words(clause, head)), head]


def _own_words(clause: Clause, head: int) -> list[int]:
    """The words of a phrase without the clauses in it."""
    found, pending = [], [head]
    seen: set[int] = set()
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        found.append(current)
        children = clause.tree.children[current]
        pending += [i for i in children if clause.tree.tokens[i].dependency not in _CLAUSES | {"punct"}]
    return found


def _denial(clause: Clause, verb: int) -> list[int]:
    """The negation before a verb, with its auxiliary."""
    before = [i for i in clause.tree.children[verb] if i < verb]
    negation = next((i for i in before if clause.tree.tokens[i].text.lower() in DENYING_ADVERBS), None)
    modals = [i for i in before if clause.tree.tokens[i].tag == "MD"]
    if negation is None:
        return modals
    helpers = [i for i in before if clause.tree.tokens[i].dependency in AUXILIARIES and i < negation]
    return [*helpers[:1], *modals, negation]


def _between(clause: Clause, positions: list[int]) -> Span | None:
    """All words from the first to the last, if they are few and in one clause."""
    first, last = min(positions), max(positions)
    tokens = clause.tree.tokens[first : last + 1]
    text = clause.reading.text
    span = Span(clause.reading.token_span(first).start, clause.reading.token_span(last).end)
    if len(span.of(text).split()) > _MAX_WORDS or any(_parts_clauses(token) for token in tokens[1:]):
        return None
    own = set(positions)
    if any(token.text == "," and i not in own for i, token in enumerate(tokens, start=first)):
        return None
    return None if "](" in span.of(text) else span


def _parts_clauses(token: Token) -> bool:
    is_predicate = token.dependency in _CLAUSES and token.pos in ("VERB", "AUX", "SCONJ")
    return is_predicate or token.text in _BREAKS or token.tag in ("WDT", "WP", "WP$", "WRB")
