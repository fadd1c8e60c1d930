"""Copies of the entity data with other names; otherwise a network of this size memorises names."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from .lists import NameLists
from .mentions import MarkedText, Mention

_SHARES = {"PERSON": 0.8, "ORG": 0.7, "GPE": 0.7, "NORP": 0.5, "WORK_OF_ART": 0.4, "LOC": 0.3}
_LISTED_SHARES = {"PERSON": 0.4, "ORG": 0.15, "GPE": 0.6, "WORK_OF_ART": 0.15}
_FIRST_NAME_ALONE = 0.1
_MIDDLE_INITIAL = 0.08
_DRAWS = 8
_ADJECTIVE_ENDINGS = ("ish", "ese", "ch")


class NameReplacer:
    """Replaces names with others of their kind, from the corpora or from the lists.

    Names of people from the lists intentionally include first names that are places ("Georgia Pell"); alone, such a
    word remains a place.
    """

    def __init__(self, texts: Iterable[MarkedText], lists: NameLists, generator: random.Random) -> None:
        self._generator = generator
        self._lists = lists
        self._known: Mapping[str, list[str]] = _names_by_label(texts)
        self._demonyms = sorted(lists.demonyms)
        self._countries = sorted(lists.countries)
        self._settlements = sorted(lists.cities | lists.provinces | frozenset(lists.towns))
        self._makers: dict[str, Callable[[str], str]] = {
            "PERSON": self._person,
            "ORG": lambda _: generator.choice(lists.organisations),
            "GPE": self._governed_place,
            "WORK_OF_ART": lambda _: generator.choice(lists.works),
        }

    def replaced(self, marked: MarkedText) -> MarkedText:
        """The text with some of its names replaced, and its mentions at their new positions."""
        text = ""
        copied = 0
        mentions = []
        for mention in marked.mentions:
            if mention.start < copied:
                continue
            text += marked.text[copied : mention.start]
            name = self._other(marked.text[mention.start : mention.end], mention.label)
            mentions.append(Mention(len(text), len(text) + len(name), mention.label))
            text += name
            copied = mention.end
        return MarkedText(text + marked.text[copied:], tuple(mentions))

    def _other(self, name: str, label: str | None) -> str:
        if label is None or self._generator.random() >= _SHARES.get(label, 0.0):
            return name
        if label == "NORP":
            return self._demonym(name)
        if self._generator.random() < _LISTED_SHARES.get(label, 0.0):
            return self._makers[label](name)
        return self._of_similar_length(name, self._known[label])

    def _of_similar_length(self, name: str, names: list[str]) -> str:
        """A name with the same number of words; long ones may differ by one."""
        words = len(name.split())
        for _ in range(_DRAWS):
            other = self._generator.choice(names)
            if abs(len(other.split()) - words) <= (words > 2):
                return other
        return name

    def _person(self, name: str) -> str:
        first = self._generator.choice(self._lists.first_names)
        last = self._generator.choice(self._lists.last_names)
        if " " not in name:
            alone = first if self._generator.random() < _FIRST_NAME_ALONE else last
            return name if alone in self._lists.governed else alone
        if self._generator.random() < _MIDDLE_INITIAL:
            return f"{first} {self._generator.choice('ABCDEFGHJKLMPRSTW')}. {last}"
        return f"{first} {last}"

    def _governed_place(self, name: str) -> str:
        return self._generator.choice(self._countries if name in self._lists.countries else self._settlements)

    def _demonym(self, name: str) -> str:
        """A demonym of the same form: "French" for "Swedish", "Finns" for "Danes"."""
        other = self._generator.choice(self._demonyms)
        same_number = other.endswith("s") == name.endswith("s")
        same_form = other.endswith(_ADJECTIVE_ENDINGS) == name.endswith(_ADJECTIVE_ENDINGS)
        return other if same_number and same_form else name


def _names_by_label(texts: Iterable[MarkedText]) -> Mapping[str, list[str]]:
    names: dict[str, list[str]] = defaultdict(list)
    for marked in texts:
        for mention in marked.mentions:
            if mention.label is not None:
                names[mention.label].append(marked.text[mention.start : mention.end])
    return names
