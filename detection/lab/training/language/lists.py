"""Lists of names, written for this project, to unify the labels of the entity data and to vary its names."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_DIRECTORY = Path(__file__).with_name("lists")
_ENDINGS_WITHOUT_PLURAL = ("s", "ese", "ish", "ch", "man")


@dataclass(frozen=True, slots=True)
class NameLists:
    """Names by kind.

    ``demonyms`` are always peoples, nations and languages; ``affiliations`` (parties, faiths) are common words as
    well, and count only if a corpus marks them. ``no_names`` are capitalised words that are no names.
    """

    countries: frozenset[str]
    provinces: frozenset[str]
    cities: frozenset[str]
    regions: frozenset[str]
    demonyms: frozenset[str]
    affiliations: frozenset[str]
    place_words: frozenset[str]
    first_names: tuple[str, ...]
    last_names: tuple[str, ...]
    organisations: tuple[str, ...]
    works: tuple[str, ...]
    towns: tuple[str, ...]
    no_names: frozenset[str]

    @property
    def governed(self) -> frozenset[str]:
        """Places with a government, labelled GPE."""
        return self.countries | self.provinces | self.cities | frozenset(self.towns)

    def all_names(self) -> list[str]:
        """Every name, in a fixed order."""
        kinds: tuple[Iterable[str], ...] = (
            sorted(self.governed | self.regions | self.demonyms | self.affiliations),
            self.first_names,
            self.last_names,
            self.organisations,
            self.works,
        )
        return [name for kind in kinds for name in kind]


@cache
def name_lists() -> NameLists:
    """The lists of ``lists/``."""
    countries = dict(line.partition(":")[::2] for line in _lines("countries"))
    demonyms = {word.strip() for words in countries.values() for word in words.split(",") if word.strip()}
    demonyms |= set(_lines("peoples"))
    affiliations = set(_lines("parties_and_faiths"))
    return NameLists(
        countries=frozenset(countries),
        provinces=frozenset(_lines("provinces")),
        cities=frozenset(_lines("cities")),
        regions=frozenset(_lines("regions")),
        demonyms=frozenset((demonyms | _plurals(demonyms)) - set(countries)),  # "Philippines" is no plural
        affiliations=frozenset(affiliations | _plurals(affiliations)),
        place_words=frozenset(_lines("place_words")),
        first_names=_lines("first_names"),
        last_names=_lines("last_names"),
        organisations=_lines("organisations"),
        works=_lines("works"),
        towns=_lines("towns"),
        no_names=frozenset(_lines("titles_and_openers")),
    )


def _lines(name: str) -> tuple[str, ...]:
    return tuple((_DIRECTORY / f"{name}.txt").read_text(encoding="utf-8").splitlines())


def _plurals(words: Iterable[str]) -> set[str]:
    return {f"{word}s" for word in words if word == "German" or not word.endswith(_ENDINGS_WITHOUT_PLURAL)}
