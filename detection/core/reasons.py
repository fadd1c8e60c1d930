"""Why a detector did not judge a sentence, as a code with its numbers. ``wording`` has the words.

Why a unit *failed* is not among these: that is what an endpoint, a model or a program said, and is stored as text.
"""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    STATES_NO_FACT = "states_no_fact"
    NAMES_NO_FACT = "names_no_fact"
    TOO_LONG = "too_long"
    NO_SOURCE = "no_source"
    NO_LANGUAGE_MODEL = "no_language_model"
    NO_SEARCH = "no_search"
    NOT_ENGLISH = "not_english"
    ONE_SENTENCE = "one_sentence"

    def of(self, *numbers: int) -> str:
        """The code with its numbers, as it is stored: ``too_long 120``."""
        return " ".join([self.value, *map(str, numbers)])


#: What earlier versions stored, word for word.
_FORMER = {
    "it states no fact": Reason.STATES_NO_FACT.of(),
    "the model names no fact in it": Reason.NAMES_NO_FACT.of(),
    "longer than 120 words: split it to have it checked": Reason.TOO_LONG.of(120),
    "there is no source that could be read": Reason.NO_SOURCE.of(),
    "no language model is set up": Reason.NO_LANGUAGE_MODEL.of(),
    "there is no search to look it up with": Reason.NO_SEARCH.of(),
    "the local models read English only": Reason.NOT_ENGLISH.of(),
    "there is no other sentence to compare it with": Reason.ONE_SENTENCE.of(),
}
_CODES = frozenset(reason.value for reason in Reason)


def read_reason(stored: str) -> tuple[Reason, tuple[int, ...]] | None:
    """The code and the numbers of a reason, also of one that an earlier version stored; None for other texts."""
    code, *numbers = _FORMER.get(stored, stored).split(" ")
    if code not in _CODES or not all(number.isdecimal() for number in numbers):
        return None
    return Reason(code), tuple(int(number) for number in numbers)


def is_reason(stored: str, *reasons: Reason) -> bool:
    """Whether a stored reason is one of these."""
    read = read_reason(stored)
    return read is not None and read[0] in reasons
