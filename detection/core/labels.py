"""Labels of suggestions, as codes with the numbers of the sentences they name. ``wording`` has the words."""

from __future__ import annotations

from enum import StrEnum


class SuggestionLabel(StrEnum):
    KEEP_SENTENCE = "keep_sentence"
    REMOVE_SENTENCE = "remove_sentence"
    MERGE_SENTENCES = "merge_sentences"
    USE_SOURCE = "use_source"
    CHANGE_TOGETHER = "change_together"
    USE_DOCUMENT = "use_document"
    USE_REWRITE = "use_rewrite"
    USE_FIRST_VERSION = "use_first_version"
    USE_CORRECTION = "use_correction"
    LEAVE_OUT = "leave_out"
    RESTORE = "restore"
    USE_OWN_WORDING = "use_own_wording"
    REMOVE_WORDS = "remove_words"
    CHANGE_WORD = "change_word"
    NEGATE = "negate"

    def of(self, *numbers: int) -> str:
        """The code with the numbers that it names, most often of sentences (from 1): ``merge_sentences 1 3``."""
        return " ".join([self.value, *map(str, numbers)])


_CODES = frozenset(label.value for label in SuggestionLabel)


def read_label(stored: str) -> tuple[SuggestionLabel, tuple[int, ...]] | None:
    """The code and the numbers of a label; None for a label of an earlier version, which is English text."""
    code, *numbers = stored.split(" ")
    if code not in _CODES or not all(number.isdecimal() for number in numbers):
        return None
    return SuggestionLabel(code), tuple(int(number) for number in numbers)
