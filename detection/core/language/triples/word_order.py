"""Facts by word order: the fallback for a sentence whose verb the parser missed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from detection.core.language.triples.dates import is_comma_of_date
from detection.core.language.triples.drafts import Draft
from detection.core.language.triples.sentence import AnnotatedSentence, Positions
from detection.core.language.triples.vocabulary import FINITE, NOMINAL, NOUNS

_PARTICIPLES: Final = frozenset({"VBN", "VBG"})
_VERBS: Final = FINITE | _PARTICIPLES | {"VB"}
_PREPOSITIONS: Final = frozenset({"IN", "TO"})
_OPENS_LEAD: Final = _PARTICIPLES | {"IN", "RB"}
_OPENS_OBJECT: Final = NOUNS | {"DT", "PRP$", "JJ", "CD", "IN", "TO", "VBN", "RB"}


def word_order_facts(sentence: AnnotatedSentence) -> Iterator[Draft]:
    """The facts of the first verb after a noun phrase, and of the verbs joined to it by "and"."""
    tokens = sentence.tokens
    start = _after_lead(sentence)
    verb = _find_verb(sentence, start)
    if verb is None:
        return
    subject = _subject_between(sentence, start, verb)
    if not subject:
        return
    if start and tokens[0].tag in _PARTICIPLES:
        yield from _facts_of_verb(sentence, subject, (0,), start - 1)
    if tokens[verb].tag == "VBN" and tokens[verb - 1].text == ",":
        yield from _facts_after_participle(sentence, subject, verb)
    else:
        yield from _facts_of_clauses(sentence, subject, verb)


# Where the subject and the verb stand.


def _after_lead(sentence: AnnotatedSentence) -> int:
    """The start of the subject: after "In 1990," and after "Founded in 1990 by Ada Lind,"."""
    if sentence.tokens[0].tag not in _OPENS_LEAD:
        return 0
    after = (comma + 1 for comma in _commas(sentence, 0))
    return next((start for start in after if _find_verb(sentence, start) is not None), 0)


def _commas(sentence: AnnotatedSentence, start: int) -> Iterator[int]:
    """The commas between phrases, without those in dates."""
    for position in range(start, len(sentence.tokens)):
        if sentence.tokens[position].text == "," and not is_comma_of_date(sentence.tokens, position):
            yield position


def _find_verb(sentence: AnnotatedSentence, start: int) -> int | None:
    """The first verb after a noun phrase: one tagged as a verb, or else a word that may be one in its position."""
    tokens = sentence.tokens
    end = start
    while end < len(tokens) and _is_nominal(sentence, end):
        end += 1
    if start < end < len(tokens) and tokens[end].tag in FINITE | {"VBN"}:
        # In "Nordvik designs and sells boots" the tagger tags the first of two verbs as a noun.
        is_second = tokens[end - 1].tag == "CC" and tokens[end - 2].tag == "NNS" and end - 2 > start
        return end - 2 if is_second else end
    return next((position for position in range(start + 1, end) if _may_be_verb(sentence, position)), None)


def _is_nominal(sentence: AnnotatedSentence, position: int) -> bool:
    token = sentence.tokens[position]
    return token.tag in NOMINAL or token.tag == "RB" or token.text == "of"


def _may_be_verb(sentence: AnnotatedSentence, position: int) -> bool:
    """True for "houses" in "The museum houses maps" and for "share" in "Two towns share a bridge"."""
    tokens = sentence.tokens
    token = tokens[position]
    if position + 1 == len(tokens) or token.tag not in ("NN", "NNS", "JJ"):
        return False
    before = tokens[position - 1 if tokens[position - 1].tag != "RB" else position - 2].tag
    following = tokens[position + 1].tag
    if before not in (*NOUNS, "PRP", ",") or following not in _OPENS_OBJECT:
        return False
    if position == sentence.root and tokens[-1].text == ".":
        return True
    if token.text.endswith(("s", "ed")) and before != "NNS":
        return True
    return before in ("NNS", "NNPS", "PRP") or following in ("DT", "PRP$")


def _subject_between(sentence: AnnotatedSentence, start: int, verb: int) -> Positions:
    """The words from the start to the verb, or to the first comma before it."""
    tokens = sentence.tokens
    end = verb
    while end > start and tokens[end - 1].tag in ("RB", ","):
        end -= 1
    stop = next((position for position in range(start, end) if tokens[position].text == ","), end)
    return tuple(range(start, stop))


# What the verbs say.


def _facts_after_participle(sentence: AnnotatedSentence, subject: Positions, participle: int) -> Iterator[Draft]:
    """The facts of a participle between commas, and of the verb after it."""
    tokens = sentence.tokens
    comma = next(_commas(sentence, participle), len(tokens))
    yield from _facts_of_verb(sentence, subject, (participle,), comma)
    verb = comma + 1
    if verb < len(tokens) and (tokens[verb].tag in FINITE or _may_be_verb(sentence, verb)):
        yield from _facts_of_clauses(sentence, subject, verb)


def _facts_of_clauses(sentence: AnnotatedSentence, subject: Positions, verb: int) -> Iterator[Draft]:
    """The facts of the verb and of the verbs joined to it by "and"."""
    first: int | None = verb
    while first is not None:
        verbs: Positions = (first,)
        following = _next_verb(sentence, first)
        if following == first + 2:  # "designs and sells"
            verbs = (first, first + 1, following)
            following = _next_verb(sentence, following)
        end = len(sentence.tokens) if following is None else following - 1
        yield from _facts_of_verb(sentence, subject, verbs, end)
        first = following


def _next_verb(sentence: AnnotatedSentence, verb: int) -> int | None:
    """The next finite verb after "and" or "and then"."""
    tokens = sentence.tokens
    for position in range(verb + 2, len(tokens)):
        before = position - 1
        follows_adverb = tokens[before].tag == "RB"
        if tokens[position].tag in FINITE and tokens[before - 1 if follows_adverb else before].tag == "CC":
            return position
    return None


def _facts_of_verb(sentence: AnnotatedSentence, subject: Positions, verbs: Positions, end: int) -> Iterator[Draft]:
    """One fact for each phrase between the verb and the end; the object is part of the following relations."""
    position = _end_of_verb_group(sentence, verbs[-1] + 1, end)
    group = tuple(range(verbs[0], position))
    core: Positions = ()
    while position < end:
        lead, phrase = _next_phrase(sentence, position, end)
        if not phrase:
            return
        yield Draft(subject, (*group, *core, *lead), phrase)
        core = core if lead else phrase
        position = phrase[-1] + 1


def _end_of_verb_group(sentence: AnnotatedSentence, start: int, end: int) -> int:
    tokens = sentence.tokens
    position = start
    while position < end and tokens[position].tag in (*_VERBS, "RB", "RP", "TO"):
        if tokens[position].tag == "TO" and tokens[min(position + 1, end - 1)].tag != "VB":
            break
        position += 1
    return position


def _next_phrase(sentence: AnnotatedSentence, start: int, end: int) -> tuple[Positions, Positions]:
    """The prepositions, if any, and the following noun phrase."""
    tokens = sentence.tokens
    first = start
    while first < end and tokens[first].tag in _PREPOSITIONS:
        first += 1
    last = first
    while last < end and _is_within_phrase(sentence, last) and not _ends_phrase(sentence, last):
        last += 1
    while last > first and tokens[last - 1].tag in ("CC", ",", "RB", "IN"):
        last -= 1
    return tuple(range(start, first)), tuple(range(first, last))


def _is_within_phrase(sentence: AnnotatedSentence, position: int) -> bool:
    """True also for "stained" in "stained glass"."""
    if _is_nominal(sentence, position):
        return True
    following = sentence.tokens[min(position + 1, len(sentence.tokens) - 1)].tag
    return sentence.tokens[position].tag in _PARTICIPLES and following in NOUNS


def _ends_phrase(sentence: AnnotatedSentence, position: int) -> bool:
    """True for a comma that is not inside a list or a date."""
    if sentence.tokens[position].text != ",":
        return False
    return position + 1 == len(sentence.tokens) or sentence.tokens[position + 1].tag not in NOMINAL
