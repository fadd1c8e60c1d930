"""Merge two sentences that contradict each other: the earlier one, plus what only the later one adds.

The merged sentence replaces the earlier one, and the later one is removed. Either may be right; the merge keeps the
value of the earlier one, which the reader has believed so far.
"""

from __future__ import annotations

import re
from itertools import takewhile

from ..comparing.reference import speak_of_two_things
from ..comparing.sentence import ComparableSentence
from ..errors import Cancelled, DetectionError
from ..labels import SuggestionLabel
from ..language.tree import FINITE
from ..rules.alignment import ValueConflict
from ..rules.omission import omit
from ..rules.substitution import substitute
from ..self_contradiction.correction import keeps_to
from ..self_contradiction.model import Contradictions, Place, is_same_wording
from ..types import FindingKind, Suggestion, SuggestionMethod, Token, text_hash
from .proof import are_of_one_thing
from .recheck import Recheck

#: Limit for a merged sentence that is still easy to read.
MAX_WORDS = 45
#: Minimum share of the content of both sentences in the merge of a model.
_MIN_LEFT = 0.8

_SUBJECTS = ("nsubj", "nsubj:pass", "nsubj:outer", "csubj", "csubj:pass", "csubj:outer")
_MAX_SUBJECT_WORDS = 8
_END = re.compile(r"[.!?…]+[\"”’)]*\s*$")
#: Signs and words that would make an appended second predicate ambiguous.
_NOT_PLAIN = re.compile(r"[,;:()–—]|\b(?:and|or|but|which|who|that|because|while|when)\b", re.IGNORECASE)


async def merge_of_contradiction(
    earlier: ComparableSentence, later: ComparableSentence, conflict: ValueConflict | None, recheck: Recheck
) -> Suggestion | None:
    """A merged sentence made by the rules and rechecked; None if none is good enough."""
    if conflict is None or speak_of_two_things(earlier.clause, later.clause):
        return None
    if not are_of_one_thing(earlier, conflict.premise, later, conflict.hypothesis):
        return None
    for wording in (_corrected(earlier, later, conflict), _joined(earlier, later, conflict)):
        if wording is not None and await _holds(wording, earlier, later, recheck):
            return _suggestion(earlier, later, wording, SuggestionMethod.LOCAL)
    return None


async def merge_by_model(
    earlier: ComparableSentence,
    later: ComparableSentence,
    conflict: ValueConflict | None,
    recheck: Recheck,
    contradictions: Contradictions,
    place: Place,
) -> Suggestion | None:
    """A merged sentence by a language model, which also compares it with the earlier one; then rechecked.

    If a call fails, the finding stays without a merge.
    """
    try:
        wording = await contradictions.merge(place, earlier.text, later.text)
        if not wording or not _says_both(wording, earlier, later, conflict):
            return None
        if (await contradictions.compare(place, wording, earlier.text)).votes.is_yes:
            return None
    except Cancelled:
        raise
    except DetectionError:
        return None
    if not await _holds(wording, earlier, later, recheck):
        return None
    return _suggestion(earlier, later, wording, SuggestionMethod.LLM)


def _suggestion(
    earlier: ComparableSentence, later: ComparableSentence, wording: str, method: SuggestionMethod
) -> Suggestion:
    own, absorbed = earlier.parsed.sentence.index, later.parsed.sentence.index
    label = SuggestionLabel.MERGE_SENTENCES.of(own + 1, absorbed + 1)
    return Suggestion(own, wording, text_hash(earlier.text), method, verified=False, label=label, absorbed=absorbed)


async def _holds(wording: str, earlier: ComparableSentence, later: ComparableSentence, recheck: Recheck) -> bool:
    if len(wording.split()) > MAX_WORDS or is_same_wording(wording, earlier.text):
        return False
    index, absorbed = earlier.parsed.sentence.index, later.parsed.sentence.index
    fixes = FindingKind.CROSS_CONTRADICTION
    return await recheck.holds(index, earlier, wording, fixes=fixes, left_out=frozenset({absorbed}))


# --- By the rules -----------------------------------------------------------------------------------------------


def _corrected(earlier: ComparableSentence, later: ComparableSentence, conflict: ValueConflict) -> str | None:
    """The later sentence with the value of the earlier one, if it contains everything that the earlier one says."""
    changed = substitute(conflict.premise, earlier.text, conflict.hypothesis, later.text)
    if changed is None or _is_denied(earlier) or _is_denied(later):
        return None
    kept, own = _stems_without_subject(earlier), later.stems | earlier.stems_at(conflict.premise.span)
    if not kept <= own or _stems_without_subject(later) - later.stems_at(conflict.hypothesis.span) <= kept:
        return None
    subject = _subject(later)
    if subject is None:
        return None
    if subject.pos != "PRON":
        return changed
    name = _subject_phrase(earlier)
    if name is None:
        return None
    start = subject.span.start - later.parsed.sentence.start
    if changed[start : start + len(subject.text)] != subject.text:
        return None  # the replacement moved the subject
    words = name if start == 0 else _lower_first(name, earlier)
    return changed[:start] + words + changed[start + len(subject.text) :]


def _joined(earlier: ComparableSentence, later: ComparableSentence, conflict: ValueConflict) -> str | None:
    """The earlier sentence, "and", and the rest of the later one without the words that clash."""
    rest = omit(later.parsed, conflict.hypothesis.span)
    subject, of_earlier = _subject(later), _subject(earlier)
    if rest is None or subject is None or of_earlier is None or not _refers_to(subject, of_earlier):
        return None
    phrase = _subject_phrase(later)
    if phrase is None or not rest.casefold().startswith(phrase.casefold() + " "):
        return None  # words before the subject cannot follow "and"
    predicate = rest[len(phrase) :].strip()
    left = _stems_without_subject(later) - later.stems_at(conflict.hypothesis.span)
    if left <= earlier.stems:
        return None  # the later sentence adds nothing: removing it is enough
    first = _END.sub("", earlier.text)
    if first == earlier.text:
        return None
    if subject.pos != "PRON" and not _same_phrase(phrase, _subject_phrase(earlier)):
        return None  # two names may refer to one thing, but that is unknown
    if not _NOT_PLAIN.search(first) and _begins_with_verb(later, predicate):
        return f"{first} and {predicate}"
    return f"{first}, and {_lower_first(phrase, later)} {predicate}"


def _is_denied(sentence: ComparableSentence) -> bool:
    tree = sentence.clause.tree
    return tree.root is not None and tree.is_denied(tree.root)


def _subject_position(sentence: ComparableSentence) -> int | None:
    """The token index of the subject of the main clause."""
    tree = sentence.clause.tree
    return tree.child(tree.root, *_SUBJECTS) if tree.root is not None else None


def _subject(sentence: ComparableSentence) -> Token | None:
    position = _subject_position(sentence)
    return None if position is None else sentence.parsed.tokens[position]


def _subject_phrase(sentence: ComparableSentence) -> str | None:
    """The words of the subject if they are few and adjacent: "The old mill", without an apposition."""
    position = _subject_position(sentence)
    if position is None:
        return None
    tokens = sentence.parsed.tokens
    below = list(takewhile(lambda i: tokens[i].pos != "PUNCT", sentence.clause.tree.subtree(position)))
    if position not in below or below != list(range(below[0], below[-1] + 1)) or len(below) > _MAX_SUBJECT_WORDS:
        return None
    start = sentence.parsed.sentence.start
    return sentence.text[tokens[below[0]].span.start - start : tokens[below[-1]].span.end - start]


def _refers_to(subject: Token, of_earlier: Token) -> bool:
    """Whether the subject is clear right after the earlier sentence. A pronoun needs its noun there."""
    if subject.pos != "PRON":
        return True
    return of_earlier.pos != "PRON" or of_earlier.text.casefold() == subject.text.casefold()


def _stems_without_subject(sentence: ComparableSentence) -> frozenset[str]:
    position = _subject_position(sentence)
    if position is None:
        return sentence.stems
    tokens = sentence.parsed.tokens
    below = sentence.clause.tree.subtree(position)
    of_subject = frozenset().union(
        *(sentence.stems_at(tokens[i].span.shifted(-sentence.parsed.sentence.start)) for i in below)
    )
    return sentence.stems - of_subject


def _same_phrase(first: str, second: str | None) -> bool:
    return second is not None and first.casefold() == second.casefold()


def _begins_with_verb(sentence: ComparableSentence, predicate: str) -> bool:
    word = predicate.split(" ", 1)[0]
    return any(token.text == word and token.tag in FINITE for token in sentence.parsed.tokens)


def _lower_first(phrase: str, sentence: ComparableSentence) -> str:
    """The phrase with a small first letter, as inside a sentence; a name keeps its capital."""
    first = next((token for token in sentence.parsed.tokens if phrase.startswith(token.text)), None)
    if first is None or first.pos == "PROPN" or first.text == "I" or first.text.isupper():
        return phrase
    return phrase[0].lower() + phrase[1:]


# --- By a language model ----------------------------------------------------------------------------------------


def _says_both(
    wording: str, earlier: ComparableSentence, later: ComparableSentence, conflict: ValueConflict | None
) -> bool:
    """Whether a merged sentence adds and omits almost nothing, and keeps the earlier value."""
    if not keeps_to(wording, [earlier.text, later.text]):
        return False
    folded = wording.casefold()
    given_up = later.stems_at(conflict.hypothesis.span) - earlier.stems if conflict else frozenset()
    if conflict is not None and conflict.premise.text.casefold() not in folded:
        return False
    wanted = earlier.stems | later.stems - given_up
    left = sum(one in folded for one in wanted)
    return left >= _MIN_LEFT * len(wanted)
