"""Terms that a source defines for the parties of a contract: Brightwater Ltd ("the Provider").

"The Provider" of the source and "Brightwater" of a summary are one party and no conflict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import islice

from ..comparing.sentence import ComparableSentence
from ..rules.base import Value
from ..rules.names import Name
from ..rules.slots import Clause
from ..types import ParsedSentence

_QUOTE = "[\"“”'‘’]"
_WORD = r"[A-Z][\w&.'’-]{0,40}"
#: Brightwater Ltd ("the Provider"), Oakfield Council (the “Council”), (hereinafter referred to as "the Tenant")
_DEFINITION = re.compile(
    rf"(?P<name>{_WORD}(?: (?:of |& )?{_WORD}){{0,5}})\s?,?\s?\((?:(?:hereinafter|hereafter|together)[ ,]+)?"
    rf"(?:(?:referred to as|called) )?(?:the )?{_QUOTE}(?:the )?(?P<term>{_WORD}(?: {_WORD}){{0,2}}){_QUOTE}\)"
)
#: A contract has few parties, and each sentence is searched for each term.
_MOST_TERMS = 20
#: "1. Parties. Brightwater Hire Ltd", and not "St. Mary" or "J. Cole".
_END_OF_SENTENCE = re.compile(r"(?<=[a-z]{4})\.\s+")
_ARTICLE = re.compile(r"^the\s+", re.IGNORECASE)

#: The names of the parties by their terms.
Terms = Mapping[str, str]


def defined_terms(text: str) -> dict[str, str]:
    """The names by the first terms that the text defines for them in brackets and quotation marks."""
    found = islice(_DEFINITION.finditer(text), _MOST_TERMS)
    return {match["term"]: _END_OF_SENTENCE.split(match["name"])[-1] for match in found}


def with_names(text: str, terms: Terms) -> str:
    """The text with the names of the parties in place of their terms."""
    for term, name in terms.items():
        # A function, because a name may contain a backslash or a group number.
        text = re.sub(rf"\b(?:[Tt]he )?{re.escape(term)}\b", lambda _, name=name: name, text)  # type: ignore[misc]
    return text


class StatementOfParties(ComparableSentence):
    """A sentence of a source that defines ``terms``: as values they are the names of the parties."""

    def __init__(self, parsed: ParsedSentence, terms: Terms) -> None:
        super().__init__(parsed)
        self._terms = terms

    @property
    def with_names(self) -> str:
        """Its text with the names of the parties."""
        return with_names(self.text, self._terms)

    @cached_property
    def clause(self) -> Clause:
        clause = super().clause
        return replace(clause, values=tuple(self._named(clause.values)))

    def _named(self, values: tuple[Value, ...]) -> Iterator[Value]:
        for value in values:
            name = self._terms.get(_ARTICLE.sub("", value.text)) if isinstance(value, Name) else None
            yield value if name is None else replace(value, text=name)
