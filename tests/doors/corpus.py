"""One corpus for all doors: texts with errors, and with characters that complicate offsets."""

from __future__ import annotations

from dataclasses import dataclass

from detection.core.types import Suggestion


@dataclass(frozen=True)
class Example:
    """A text and its source; "" for none."""

    name: str
    text: str
    source: str = ""


#: A finding at a door: kind, words, message, and the text with the first rewrite (None without one).
Seen = tuple[str, str, str, str | None]

CORPUS = (
    Example("clean", "The harbour lies on the west coast. Its lighthouse is painted red and white."),
    Example(
        "contradiction",
        "The bridge was opened in 1932. It is 210 metres long. The bridge was opened in 1941.",
    ),
    Example(
        "beyond the basic plane",
        "🌊 The bridge was opened in 1932. 👷‍♀️ It is 210 metres long 🎉🎉. The bridge was opened in 1941. 😮",
    ),
    Example(
        "line ends",
        "# Hall\r\n\r\nThe hall was built in 1894.\r\n\r\n- It has two doors.\r\n\r\nThe hall was built in 1912.\r\n",
    ),
    Example(
        "source",
        "The hall was built in 1894. It was restored in 1950. Its architect was Ada Brandt.",
        "The town hall was built in 1894. It was restored in 1962. Its architect was Karl Meyer.",
    ),
)


def applied(text: str, start: int, end: int, replacement: str) -> str:
    return text[:start] + replacement + text[end:]


def first_offered(suggestions: tuple[Suggestion, ...], sentence: int) -> Suggestion | None:
    """The rewrite that every door offers: the first verified one of the sentence itself, not a removal."""
    return next(
        (s for s in suggestions if s.verified and s.replacement and s.is_of_one_sentence and s.sentence == sentence),
        None,
    )
