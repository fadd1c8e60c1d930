"""Whether the text of a page can be evidence at all, or is a notice in the place of the page."""

from __future__ import annotations

import re

from ..errors import UnreadableDocument
from ..language.english import is_english, is_latin

#: A shorter text says too little about anything.
LEAST_WORDS = 25
#: A longer one is an article, whatever notice stands in it.
_MOST_WORDS_OF_NOTICE = 150

#: Whom such a page is shown to, by what stands in the place of its text for everybody else.
_READERS = {
    "subscribers": (
        r"\bsubscri(?:be|bers|ption)\b.{0,60}\b(?:to (?:read|continue|access|unlock)|only|required)\b",
        r"\b(?:sign|log) in to (?:read|continue|view)\b",
        r"\balready a (?:subscriber|member)\?",
        r"\bfor members only\b",
    ),
    "people who accept its cookies": (
        r"\b(?:accept|manage|use|consent to)\b.{0,30}\bcookies\b",
        r"\bcookie (?:settings|policy|consent)\b",
    ),
    "people who prove that they are no program": (
        r"\b(?:not a robot|are you (?:a robot|human)|verify (?:that )?you are|captcha|checking your browser)\b",
    ),
    "browsers with scripts": (
        r"\b(?:enable|turn on|requires?) javascript\b",
        r"\bjavascript is (?:disabled|required)\b",
    ),
}
_NOTICES = {
    readers: re.compile("|".join(patterns), re.IGNORECASE | re.DOTALL) for readers, patterns in _READERS.items()
}


def refuse_notice(text: str) -> None:
    """Accept the text of a page only if it is one that can be read as evidence.

    Raises:
        UnreadableDocument: it is hardly any text, a notice of a paywall or the like, or in another language.
    """
    length = len(text.split())
    if length <= _MOST_WORDS_OF_NOTICE:
        for readers, notice in _NOTICES.items():
            if notice.search(text):
                raise UnreadableDocument(f"The site shows this page to {readers} only.")
    if length < LEAST_WORDS:
        raise UnreadableDocument("There is hardly any text on the page.")
    if not (is_latin(text) and is_english(text)):
        raise UnreadableDocument("It is not in English, the language that the local models read.")
