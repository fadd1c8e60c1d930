"""Read the entity data, and unify its labels.

The corpora disagree: some have only LOC, others distinguish governed places (GPE) from landforms, and some omit
peoples, works or products. Names that a corpus may have left unmarked are *unknown* and excluded from training.
"""

import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

from .lists import NameLists

#: Labels of the pipeline, as OntoNotes names them.
LABELS = ("PERSON", "ORG", "GPE", "LOC", "NORP", "EVENT", "WORK_OF_ART", "PRODUCT", "MISC")

_READ_BY_RULES = frozenset({"DATE", "TIME", "CARDINAL", "MONEY", "PERCENT", "QUANTITY", "ORDINAL"})
_PLACES = frozenset({"LOC", "GPE"})
_PEOPLES_AND_PLACES = frozenset({"LOC", "GPE", "MISC", "NORP"})
_WEAK_IN_GUM = frozenset({"WORK_OF_ART", "PRODUCT", "EVENT", "MISC"})
_GPE_SHARE = 0.4
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_POSSESSIVE = re.compile(r"['’]s$")
_BEFORE_FIRST_WORD = frozenset({".", "?", "!", ":", '"', "“", "(", "-", ""})
_COMPASS_NAME = re.compile(r"(North|South|East|West|New) [A-Z]\w+$")
_ENCLOSING_PLACE = re.compile(r", ((?:[A-Z][\w.]+)(?: [A-Z][\w.]+){0,2})")
_KIND_OF_GOVERNED_PLACE = re.compile(
    r"(?:city|town|village|suburb|municipality|capital|state|province|county|country|republic|kingdom|nation)"
    r" (?:of |, )$",
    re.IGNORECASE,
)
_PLACE_PREPOSITION = re.compile(r"\b(?:in|from|near|to|born in|of) $")


class Corpus(Enum):
    """The corpus of a row, which determines the labels that it annotates completely."""

    CROSSNER = "crossner"
    UNER = "uner"
    GUM = "gum"
    WNUT = "wnut"


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """A name in a text, by characters. ``label`` is ``None`` if unknown."""

    start: int
    end: int
    label: str | None


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text with its names, in order and without overlap."""

    text: str
    mentions: tuple[Mention, ...]


def read_rows(path: Path) -> list[Mapping[str, Any]]:
    """The rows of one compressed JSON-lines file: ``text`` and ``ents`` (start, end, label)."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


class Unifier:
    """Converts rows of several corpora to one set of labels.

    All occurrences of a place that its corpus labels LOC become either GPE or LOC: by the lists, else by the context
    of most of them. So it reads all rows before it unifies the first one.
    """

    def __init__(self, lists: NameLists, rows: Iterable[tuple[Mapping[str, Any], Corpus]]) -> None:
        self._lists = lists
        self._governed = lists.governed
        self._peoples = lists.demonyms | lists.affiliations
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        for row, corpus in rows:
            for start, end, label in row["ents"]:
                name = row["text"][start:end]
                if self._is_open_place(name, label, corpus):
                    votes[name][self._place_label(row["text"], start, end)] += 1
        self._places = {
            name: "GPE" if count["GPE"] >= _GPE_SHARE * count.total() else "LOC" for name, count in votes.items()
        }

    def unify(self, row: Mapping[str, Any], corpus: Corpus) -> MarkedText:
        """The row's text with mentions under the pipeline's labels."""
        text: str = row["text"]
        marked = [
            Mention(start, end, self._label(text, start, end, label, corpus))
            for start, end, label in row["ents"]
            if label not in _READ_BY_RULES
        ]
        return MarkedText(text, tuple(sorted([*marked, *self._unmarked(text, marked, corpus)], key=_position)))

    def _is_open_place(self, name: str, label: str, corpus: Corpus) -> bool:
        if label not in _PLACES or name in self._peoples or not _has_capital(name):
            return False
        return label == "LOC" or name in self._lists.regions

    def _label(self, text: str, start: int, end: int, label: str, corpus: Corpus) -> str | None:
        name = text[start:end]
        if not _has_capital(name):
            return None
        if corpus is Corpus.GUM and label in _WEAK_IN_GUM:
            return "NORP" if name in self._peoples else None
        if label in _PEOPLES_AND_PLACES and name in self._peoples:
            return "NORP"
        if self._is_open_place(name, label, corpus):
            return self._places.get(name) or self._place_label(text, start, end)
        return label

    def _place_label(self, text: str, start: int, end: int) -> str:
        name = text[start:end].removeprefix("the ")
        words = name.split()
        if name in self._lists.regions:
            return "LOC"
        if name in self._governed:
            return "GPE"
        if self._lists.place_words & set(words) and not _COMPASS_NAME.match(name):
            return "LOC"
        if not name or name[0].isdigit() or (name.isupper() and len(name) > len("U.S.")):
            return "LOC"
        enclosing = _ENCLOSING_PLACE.match(text[end:])
        if enclosing and {enclosing[1].rstrip("."), enclosing[1].split()[0]} & self._governed:
            return "GPE"
        before = text[:start]
        short = len(words) <= 2
        if _KIND_OF_GOVERNED_PLACE.search(before) or (short and _PLACE_PREPOSITION.search(before)):
            return "GPE"
        return "LOC"

    def _unmarked(self, text: str, marked: Sequence[Mention], corpus: Corpus) -> Iterator[Mention]:
        """Demonyms that the corpus omits, and other words that may be unmarked names."""
        taken = {position for mention in marked for position in range(mention.start, mention.end)}
        for match in _WORD.finditer(text):
            start, end = match.span()
            if start in taken or end - 1 in taken or not match[0][0].isupper():
                continue
            word = _POSSESSIVE.sub("", match[0])
            mention = Mention(start, start + len(word), None)
            if word in self._lists.demonyms:
                yield replace(mention, label="NORP")
            elif word in self._lists.affiliations or (corpus is Corpus.UNER and self._may_be_name(text, mention)):
                yield mention

    def _may_be_name(self, text: str, mention: Mention) -> bool:
        word = text[mention.start : mention.end]
        opens_sentence = text[max(0, mention.start - 2) : mention.start].strip() in _BEFORE_FIRST_WORD
        return mention.start > 0 and not opens_sentence and word not in self._lists.no_names and not word.isupper()


def _has_capital(name: str) -> bool:
    return any(character.isupper() for character in name)


def _position(mention: Mention) -> tuple[int, int]:
    return mention.start, mention.end
