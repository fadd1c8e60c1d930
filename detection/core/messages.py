"""Messages of findings: codes with arguments, and the English words of each code.

``wording.message_words`` translates them into the language of the page. Programs without Django have no translations
and show the English words: ``str(message)``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Argument = str | int | tuple[str, ...]
"""A quote, a number, or several quotes."""

Translate = Callable[[str], str]


class MessageCode(StrEnum):
    VALUES_DIFFER = "values_differ"
    AGE_DOES_NOT_FIT = "age_does_not_fit"
    SENTENCES_EXCLUDE = "sentences_exclude"
    SENTENCE_CONTRADICTS_WORDS = "sentence_contradicts_words"
    WORDS_OF_SENTENCE_CONTRADICTED = "words_of_sentence_contradicted"
    MODEL_SAYS_OTHERWISE = "model_says_otherwise"
    SOURCE_SAYS = "source_says"
    SOURCE_SAYS_TOO = "source_says_too"
    SOURCE_SAYS_OTHERWISE = "source_says_otherwise"
    SOURCE_CONTRADICTS_WORDS = "source_contradicts_words"
    SOURCE_SAYS_NOT_OF = "source_says_not_of"
    SOURCE_LACKS_WORDS = "source_lacks_words"
    SOURCE_IS_SILENT = "source_is_silent"
    JUDGED_BY_MADE_UP_WORDS = "judged_by_made_up_words"
    JUDGED_BY_NO_WORDS = "judged_by_no_words"
    SOURCES_DISAGREE = "sources_disagree"
    READ_SOURCE_IS_SILENT = "read_source_is_silent"
    READ_SOURCES_ARE_SILENT = "read_sources_are_silent"
    READ_DOCUMENT_IS_SILENT = "read_document_is_silent"
    READ_DOCUMENTS_ARE_SILENT = "read_documents_are_silent"
    DOCUMENT_SAYS = "document_says"
    DOCUMENT_SAYS_OTHERWISE = "document_says_otherwise"
    WRITTEN_FIRST = "written_first"
    PUT_BACK = "put_back"
    PUT_BACK_LEFT_OUT = "put_back_left_out"
    LEFT_OUT_BESIDE = "left_out_beside"
    FALSE_PREMISE = "false_premise"

    def of(self, **arguments: Argument) -> Message:
        return Message((Statement(self, tuple(arguments.items())),))


def gettext_noop(words: str) -> str:
    """Mark words for ``makemessages``, which looks for this name, without importing Django."""
    return words


_WORDS: dict[MessageCode, str] = {
    MessageCode.VALUES_DIFFER: gettext_noop("This sentence says “%(own)s”, sentence %(number)s says “%(other)s”."),
    MessageCode.AGE_DOES_NOT_FIT: gettext_noop(
        "“%(own)s” does not fit “%(other)s” in sentence %(number)s: from %(first)s to %(last)s it is %(years)s years."
    ),
    MessageCode.SENTENCES_EXCLUDE: gettext_noop("This sentence and sentence %(number)s cannot both be true."),
    MessageCode.SENTENCE_CONTRADICTS_WORDS: gettext_noop("Sentence %(number)s contradicts “%(own)s”."),
    MessageCode.WORDS_OF_SENTENCE_CONTRADICTED: gettext_noop(
        "This sentence contradicts “%(other)s” in sentence %(number)s."
    ),
    MessageCode.MODEL_SAYS_OTHERWISE: gettext_noop("Asked again, the model says something that contradicts this."),
    MessageCode.SOURCE_SAYS: gettext_noop("The source says “%(theirs)s”, this sentence says “%(own)s”."),
    MessageCode.SOURCE_SAYS_TOO: gettext_noop("It also says “%(theirs)s”, and this sentence “%(own)s”."),
    MessageCode.SOURCE_SAYS_OTHERWISE: gettext_noop("The source says something else about this."),
    MessageCode.SOURCE_CONTRADICTS_WORDS: gettext_noop("The source contradicts “%(own)s”."),
    MessageCode.SOURCE_SAYS_NOT_OF: gettext_noop("The source does not say this of %(words)s."),
    MessageCode.SOURCE_LACKS_WORDS: gettext_noop("The source does not mention %(words)s."),
    MessageCode.SOURCE_IS_SILENT: gettext_noop("Nothing in the source says this."),
    MessageCode.JUDGED_BY_MADE_UP_WORDS: gettext_noop(
        "The model rests its judgement on words that are not in the source."
    ),
    MessageCode.JUDGED_BY_NO_WORDS: gettext_noop("The model names no words of the source for its judgement."),
    MessageCode.SOURCES_DISAGREE: gettext_noop(
        "Your sources disagree about this: “%(first)s” says “%(one)s”, “%(second)s” says “%(other)s”."
    ),
    MessageCode.READ_SOURCE_IS_SILENT: gettext_noop("The source that was read does not bear this out."),
    MessageCode.READ_SOURCES_ARE_SILENT: gettext_noop("None of the %(number)s sources that were read bears this out."),
    MessageCode.READ_DOCUMENT_IS_SILENT: gettext_noop("The document that was read does not bear this out."),
    MessageCode.READ_DOCUMENTS_ARE_SILENT: gettext_noop(
        "None of the %(number)s documents that were read bears this out."
    ),
    MessageCode.DOCUMENT_SAYS: gettext_noop("“%(title)s” says “%(theirs)s”, this sentence says “%(own)s”."),
    MessageCode.DOCUMENT_SAYS_OTHERWISE: gettext_noop("“%(title)s” says something else about this."),
    MessageCode.WRITTEN_FIRST: gettext_noop("The model wrote first: “%(first)s”"),
    MessageCode.PUT_BACK: gettext_noop("You had the first version put back. It had been corrected: “%(correction)s”"),
    MessageCode.PUT_BACK_LEFT_OUT: gettext_noop(
        "You had it put back. It had been left out, because no correction held."
    ),
    MessageCode.LEFT_OUT_BESIDE: gettext_noop("Left out beside this sentence, because no correction held: “%(words)s”"),
    MessageCode.FALSE_PREMISE: gettext_noop("The question takes for granted what is not so: %(assumption)s"),
}

_QUOTED = gettext_noop("“%(words)s”")
_LAST_OF_SEVERAL = gettext_noop("%(others)s and %(last)s")

_NAMES = {code: frozenset(re.findall(r"%\((\w+)\)s", words)) for code, words in _WORDS.items()}


@dataclass(frozen=True, slots=True)
class Statement:
    """A code with its arguments, by name."""

    code: MessageCode
    arguments: tuple[tuple[str, Argument], ...] = ()

    def words(self, translate: Translate) -> str:
        return translate(_WORDS[self.code]) % {name: _shown(value, translate) for name, value in self.arguments}


@dataclass(frozen=True, slots=True)
class Message:
    """The message of a finding: statements, or plain text that an earlier version or another program wrote.

    ``str()`` gives it in English.
    """

    statements: tuple[Statement, ...] = ()
    text: str = ""

    @classmethod
    def joined(cls, messages: Iterable[Message]) -> Message:
        """Coded messages one after the other."""
        return cls(tuple(statement for message in messages for statement in message.statements))

    @classmethod
    def read(cls, stored: str) -> Message:
        """Read a stored message: codes, or plain text."""
        statements = _statements(stored)
        return cls(statements) if statements else cls(text=stored)

    @property
    def stored(self) -> str:
        if not self.statements:
            return self.text
        coded = [[statement.code, dict(statement.arguments)] for statement in self.statements]
        return json.dumps(coded, ensure_ascii=False)

    def words(self, translate: Translate) -> str:
        return " ".join(statement.words(translate) for statement in self.statements) or self.text

    def __str__(self) -> str:
        return self.words(str)


def _shown(value: Argument, translate: Translate) -> str:
    if not isinstance(value, tuple):
        return str(value)
    *others, last = [translate(_QUOTED) % {"words": words} for words in value]
    return translate(_LAST_OF_SEVERAL) % {"others": ", ".join(others), "last": last} if others else last


def _statements(stored: str) -> tuple[Statement, ...]:
    """The statements; none if the text is not a list of codes with arguments."""
    if not stored.startswith("[["):
        return ()
    try:
        found = json.loads(stored)
        return tuple(_statement(code, arguments) for code, arguments in found)
    except (ValueError, TypeError, AttributeError, RecursionError):
        return ()


def _statement(code: Any, arguments: Any) -> Statement:
    """Raises ValueError, TypeError or AttributeError for malformed input: imported files may hold anything."""
    known = MessageCode(code)
    values = tuple((name, _argument(value)) for name, value in arguments.items())
    if {name for name, _ in values} != _NAMES[known]:
        raise ValueError(f"arguments of {code}: {sorted(arguments)}")
    return Statement(known, values)


def _argument(value: Any) -> Argument:
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return tuple(value)
    if isinstance(value, str | int):
        return value
    raise ValueError(f"no argument: {value!r}")
