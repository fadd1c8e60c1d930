"""Reasons why something was not done, as codes with numbers. ``wording`` has the words.

They say why a detector did not judge a sentence, why a generated sentence was not examined or was left out, why the
generation ended, and why a check or the reading of a source failed. Messages of failed calls are not codes: the answer
of an endpoint, a model or a page is stored as text.
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

    # A row of a table was not compared completely.
    TABLE_HEADING = "table_heading"
    TABLE_WITHOUT_HEADING = "table_without_heading"
    TABLE_RAGGED = "table_ragged"
    TABLE_UNNAMED = "table_unnamed"
    TABLE_EMPTY = "table_empty"
    TABLE_TOO_LONG = "table_too_long"
    TABLE_CELLS_UNREAD = "table_cells_unread"
    TABLE_CELLS_UNTOLD = "table_cells_untold"
    TABLE_CELLS_PARTLY = "table_cells_partly"
    TABLE_CELLS_UNKNOWN = "table_cells_unknown"
    """Stored by earlier versions."""

    # A detector failed.
    OUT_OF_TIME = "out_of_time"
    NO_RESULT = "no_result"
    PROGRAM_FAULT = "program_fault"

    # A generated sentence was not examined, was left out, or could not be looked up.
    IS_HEADING = "is_heading"
    IS_CODE = "is_code"
    IS_TABLE_ROW = "is_table_row"
    WRITTEN_ONLY = "written_only"
    NOT_REPAIRED = "not_repaired"
    NOTHING_FOUND = "nothing_found"

    # The generation ended.
    WRITING_COMPLETE = "writing_complete"
    TEXT_TOO_LONG = "text_too_long"
    TEXT_REPEATED = "text_repeated"
    TOO_MANY_LEFT_OUT = "too_many_left_out"
    WRITING_REFUSED = "writing_refused"
    NOTHING_WRITTEN = "nothing_written"
    NO_WRITER = "no_writer"
    WRITTEN_TOO_LONG = "written_too_long"

    # A check, or the reading of a source, failed.
    CHECK_FAULT = "check_fault"
    CHECK_STOPPED = "check_stopped"
    CHECK_WITHOUT_END = "check_without_end"
    SPLIT_DIFFERENTLY = "split_differently"
    READING_FAULT = "reading_fault"
    READING_STOPPED = "reading_stopped"

    # A finding is rejected because of an earlier decision of the reader.
    KEPT_WHILE_WRITING = "kept_while_writing"

    def of(self, *numbers: int) -> str:
        """The code with its numbers, as it is stored: ``too_long 120``."""
        return " ".join([self.value, *map(str, numbers)])


#: Exact texts that earlier versions stored.
_FORMER = {
    "it states no fact": Reason.STATES_NO_FACT.of(),
    "the model names no fact in it": Reason.NAMES_NO_FACT.of(),
    "longer than 120 words: split it to have it checked": Reason.TOO_LONG.of(120),
    "there is no source that could be read": Reason.NO_SOURCE.of(),
    "no language model is set up": Reason.NO_LANGUAGE_MODEL.of(),
    "there is no search to look it up with": Reason.NO_SEARCH.of(),
    "the local models read English only": Reason.NOT_ENGLISH.of(),
    "there is no other sentence to compare it with": Reason.ONE_SENTENCE.of(),
    "not reached within the time limit of a check; you can try it again": Reason.OUT_OF_TIME.of(),
    "the detector gave no result": Reason.NO_RESULT.of(),
    "a fault in the program; it has been logged": Reason.PROGRAM_FAULT.of(),
    "a heading": Reason.IS_HEADING.of(),
    "a block of code": Reason.IS_CODE.of(),
    "a row of a table": Reason.IS_TABLE_ROW.of(),
    "it was written without a check": Reason.WRITTEN_ONLY.of(),
    "No correction could be made that holds.": Reason.NOT_REPAIRED.of(),
    "Nothing was found about it.": Reason.NOTHING_FOUND.of(),
    "The model had no more to say.": Reason.WRITING_COMPLETE.of(),
    "The text is as long as it may be.": Reason.TEXT_TOO_LONG.of(),
    "The model began to repeat itself.": Reason.TEXT_REPEATED.of(),
    "3 sentences in a row had to be left out.": Reason.TOO_MANY_LEFT_OUT.of(3),
    "The model refused to write it.": Reason.WRITING_REFUSED.of(),
    "The model wrote nothing.": Reason.NOTHING_WRITTEN.of(),
    "No language model is set up here.": Reason.NO_WRITER.of(),
    "The model wrote more than can be checked. Ask for a shorter text.": Reason.WRITTEN_TOO_LONG.of(),
    "Something went wrong in the program. It has been logged; you can try again.": Reason.CHECK_FAULT.of(),
    "The server stopped 3 times while it checked this text. You can try again.": Reason.CHECK_STOPPED.of(3),
    "The check was started 3 times and never came to an end. You can try again.": Reason.CHECK_WITHOUT_END.of(3),
    "A newer version splits this text into other sentences. Start a new check with the same text.": (
        Reason.SPLIT_DIFFERENTLY.of()
    ),
    "Something went wrong in the program while it was read. It has been logged; add it again to retry.": (
        Reason.READING_FAULT.of()
    ),
    "The server stopped 3 times while it was read. Add it again to retry.": Reason.READING_STOPPED.of(3),
    "First version put back while the text was written.": Reason.KEPT_WHILE_WRITING.of(),
}
_CODES = frozenset(reason.value for reason in Reason)


def read_reason(stored: str) -> tuple[Reason, tuple[int, ...]] | None:
    """The code and the numbers of a reason, also of one that an earlier version stored; None for other texts."""
    code, *numbers = _FORMER.get(stored, stored).split(" ")
    if code not in _CODES or not all(number.isdecimal() for number in numbers):
        return None
    return Reason(code), tuple(int(number) for number in numbers)


def is_reason(stored: str, *reasons: Reason) -> bool:
    """Whether a stored reason has one of these codes."""
    read = read_reason(stored)
    return read is not None and read[0] in reasons
