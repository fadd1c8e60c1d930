"""Decide whether the text of a page can be evidence, or is a notice instead of the page."""

from __future__ import annotations

import re

from ..errors import UnreadableDocument
from ..language.english import is_english, is_latin

#: A shorter text is too short to be evidence.
MIN_WORDS = 25
#: A longer text is an article, even if it contains a notice.
_MAX_WORDS_OF_NOTICE = 150

#: Who can see the full page, by the wording of the notice for all others.
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
    """Accept the text of a page only if it can be evidence.

    Raises:
        UnreadableDocument: it is too short, a notice (of a paywall, for example), or in another language.
    """
    length = len(text.split())
    if length <= _MAX_WORDS_OF_NOTICE:
        for readers, notice in _NOTICES.items():
            if notice.search(text):
                raise UnreadableDocument(f"The site shows this page to {readers} only.")
    if length < MIN_WORDS:
        raise UnreadableDocument("There is hardly any text on the page.")
    if not (is_latin(text) and is_english(text)):
        raise UnreadableDocument("It is not in English, the language that the local models read.")
