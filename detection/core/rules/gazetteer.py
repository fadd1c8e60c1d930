"""Countries, their people, and the most frequently named parts of countries: containment and exclusion.

The list is incomplete: nothing is concluded from an unlisted name.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from detection.core.language.vocabulary import fold, rows_of


class PlaceLevel(StrEnum):
    CONTINENT = "continent"
    COUNTRY = "country"
    PART = "part"
    """A state, a province or a constituent country."""
    CITY = "city"


@dataclass(frozen=True, slots=True)
class Place:
    """A known place. ``within`` names the place that contains it, if that one is listed, too."""

    name: str
    level: PlaceLevel
    within: str | None = None


_FOLDER: Final = Path(__file__).parent / "places"
# Former states: people from one of them are also from a successor.
_SUCCESSORS = {
    "Soviet Union": "Russia, Ukraine, Belarus, Estonia, Latvia, Lithuania, Moldova, Armenia, Azerbaijan, Kazakhstan, "
    "Kyrgyzstan, Tajikistan, Turkmenistan, Uzbekistan",
    "Yugoslavia": "Serbia, Croatia, Slovenia, Bosnia and Herzegovina, Montenegro, North Macedonia, Kosovo",
    "Czechoslovakia": "Czech Republic, Slovakia",
}
_CONTINENTS = (
    "Africa: African, Africans; Asia: Asian, Asians; Europe: European, Europeans; North America: North American; "
    "South America: South American; Latin America: Latin American; Oceania: Oceanian; Antarctica: Antarctic; "
    "Scandinavia: Scandinavian; Middle East: Middle Eastern"
)


def _names(cell: str) -> list[str]:
    return [name.strip() for name in cell.split(",") if name.strip()]


def _read_places() -> tuple[dict[str, Place], dict[str, Place], dict[str, str]]:
    """The places by their folded names and by the folded words for their people, and the adjective of each place."""
    places: dict[str, Place] = {}
    people: dict[str, Place] = {}
    adjectives: dict[str, str] = {}

    def add(place: Place, other_names: list[str], demonyms: list[str]) -> None:
        places.update((fold(name), place) for name in (place.name, *other_names))
        people.update((fold(name), place) for name in demonyms)
        if demonyms:
            adjectives[place.name] = demonyms[0]

    for name, others, demonyms in rows_of(_FOLDER / "countries.txt"):
        add(Place(name, PlaceLevel.COUNTRY), _names(others), _names(demonyms))
    for name, others, demonyms, country in rows_of(_FOLDER / "parts.txt"):
        add(Place(name, PlaceLevel.PART, country), _names(others), _names(demonyms))
    for entry in _CONTINENTS.split(";"):
        name, _, demonyms_cell = entry.partition(":")
        add(Place(name.strip(), PlaceLevel.CONTINENT), [], _names(demonyms_cell))
    for whole, cities in rows_of(_FOLDER / "cities.txt", ":"):
        for cell in _names(cities):
            name, *other_names = (part.strip() for part in cell.split("="))
            add(Place(name, PlaceLevel.CITY, whole), other_names, [])
    return places, people, adjectives


_PLACES, _PEOPLE, _ADJECTIVES = _read_places()
_SUCCESSION = frozenset(
    frozenset((state, successor)) for state, successors in _SUCCESSORS.items() for successor in _names(successors)
)


def find_place(name: str) -> Place | None:
    """The listed place of that name, in any case and with any accents."""
    return _PLACES.get(fold(name))


def find_people(name: str) -> Place | None:
    """The listed place of a word for its people or its adjective: Norway for "Norwegian"."""
    return _PEOPLE.get(fold(name))


def adjective_of(place: Place) -> str | None:
    """ "Norwegian" for Norway."""
    return _ADJECTIVES.get(place.name)


def excludes(first: Place, second: Place) -> bool:
    """True if nothing can be in both places."""
    if PlaceLevel.CONTINENT in (first.level, second.level):
        return False
    wholes, other_wholes = _with_wholes(first), _with_wholes(second)
    if first.name in other_wholes or second.name in wholes:
        return False
    return not any(frozenset((one, other)) in _SUCCESSION for one in wholes for other in other_wholes)


def _with_wholes(place: Place) -> list[str]:
    """The names of the place and of all that contain it."""
    chain = [place.name]
    while place.within is not None:
        place = _PLACES[fold(place.within)]
        chain.append(place.name)
    return chain
