"""Reads the files of labelled data, and separates the input of a system from the labels."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Generic, TypeVar

from detection.core.types import Span

Question = TypeVar("Question")
Truth = TypeVar("Truth")
Choice = TypeVar("Choice", bound=StrEnum)
Item = TypeVar("Item")

SUFFIXES = (".jsonl", ".jsonl.gz")


class BadData(Exception):
    """The data is unusable. The message is one line that says what to do."""


@dataclass(frozen=True, slots=True)
class Row(Generic[Question, Truth]):
    """One labelled case."""

    question: Question
    """The input of the system under test."""
    truth: Truth
    """The labels and the answers of other systems, which the system under test never gets."""


class Fields:
    """The fields of one JSON object, checked as they are read. ``place`` names the object in errors.

    Raises:
        BadData: from every method, when the field is missing or holds something else.
    """

    def __init__(self, values: Mapping[str, object], place: str) -> None:
        self._values = values
        self._place = place

    def text(self, name: str) -> str:
        value = self._values.get(name)
        if not isinstance(value, str):
            raise self._wrong(name, "a text")
        return value

    def flag(self, name: str) -> bool:
        value = self._values.get(name)
        if not isinstance(value, bool):
            raise self._wrong(name, "true or false")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._values.get(name)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._wrong(name, "a list of texts")
        return tuple(value)

    def wordings(self, name: str) -> tuple[str, ...]:
        """A text, or a list of texts; none where the field is missing or null."""
        value = self._values.get(name)
        if value is None:
            return ()
        return (value,) if isinstance(value, str) else self.texts(name)

    def is_known(self, name: str) -> bool:
        """False where the field is missing or null."""
        return self._values.get(name) is not None

    def numbers(self, name: str) -> dict[str, float]:
        """The numbers in an object, by name, without those that are null; none where the field is missing."""
        value = self._values.get(name, {})
        if not isinstance(value, dict) or not all(item is None or _is_number(item) for item in value.values()):
            raise self._wrong(name, "an object of numbers")
        return {key: float(item) for key, item in value.items() if item is not None}

    def labelled(self, name: str) -> tuple[tuple[str, str], ...]:
        """The texts in a list of lists that begin with a text and its label."""
        value = self._values.get(name)
        if not isinstance(value, list) or not all(map(_is_labelled, value)):
            raise self._wrong(name, "a list of [text, label]")
        return tuple((item[0], item[1]) for item in value)

    def spans(self, name: str) -> tuple[Span, ...]:
        """The stretches of a text in a list of lists that begin with two offsets."""
        value = self._values.get(name)
        if not isinstance(value, list) or not all(map(_is_span, value)):
            raise self._wrong(name, "a list of [start, end] in a text")
        return tuple(Span(item[0], item[1]) for item in value)

    def position(self, name: str, length: int) -> int:
        """The position of one of ``length`` things."""
        value = self.number(name)
        if not 0 <= value < length:
            raise self._wrong(name, f"a number from 0 to {length - 1}")
        return value

    def number(self, name: str) -> int:
        value = self._values.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._wrong(name, "a whole number")
        return value

    def choice(self, name: str, choices: type[Choice]) -> Choice:
        value = self._values.get(name)
        for choice in choices:
            if choice.value == value:
                return choice
        raise self._wrong(name, " or ".join(repr(choice.value) for choice in choices))

    def choices(self, name: str, choices: type[Choice]) -> tuple[Choice, ...]:
        """Each of a list of texts, as the choice that it names."""
        known = {choice.value: choice for choice in choices}
        if any(text not in known for text in self.texts(name)):
            raise self._wrong(name, f"a list of {', '.join(map(repr, known))}")
        return tuple(known[text] for text in self.texts(name))

    def named(self, name: str, things: Mapping[str, Item]) -> tuple[Item, ...]:
        """What a list of names stands for, among ``things``."""
        missing = next((text for text in self.texts(name) if text not in things), None)
        if missing is not None:
            raise BadData(f"{self._place}: {missing!r} of the field {name!r} is nowhere. Use files of one edition.")
        return tuple(things[text] for text in self.texts(name))

    def scores(self, name: str) -> dict[str, tuple[float, ...]]:
        """The lists of numbers in an object, by name; none where the field is missing or null."""
        value = self._values.get(name)
        if value is None:
            return {}
        if not isinstance(value, dict) or not all(_are_numbers(item) for item in value.values()):
            raise self._wrong(name, "an object of lists of numbers")
        return {key: tuple(map(float, item)) for key, item in value.items()}

    def items(self, name: str) -> tuple[Fields, ...]:
        """The objects in a list, in order."""
        value = self._values.get(name)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self._wrong(name, "a list of objects")
        return tuple(Fields(item, f"{self._place}, {name} {position}") for position, item in enumerate(value, start=1))

    def objects(self, name: str) -> dict[str, Fields]:
        """The objects in an object, by name; none where the field is missing or null."""
        value = self._values.get(name)
        if value is None:
            return {}
        if not isinstance(value, dict) or not all(isinstance(item, dict) for item in value.values()):
            raise self._wrong(name, "an object of objects")
        return {key: Fields(item, f"{self._place}, {name}.{key}") for key, item in value.items()}

    def parts(self) -> dict[str, Fields]:
        """The objects that this object consists of, by name."""
        if not all(isinstance(item, dict) for item in self._values.values()):
            raise BadData(f"{self._place}: this should be an object of objects. Fix or remove the line.")
        return {
            key: Fields(item, f"{self._place}.{key}") for key, item in self._values.items() if isinstance(item, dict)
        }

    def _wrong(self, name: str, expected: str) -> BadData:
        return BadData(f"{self._place}: the field {name!r} should be {expected}. Fix or remove the line.")


def _is_span(value: object) -> bool:
    if not isinstance(value, list) or not all(type(item) is int for item in value[:2]):
        return False
    return len(value) > 1 and 0 <= value[0] <= value[1]


def _is_labelled(value: object) -> bool:
    return isinstance(value, list) and len(value) > 1 and all(isinstance(item, str) for item in value[:2])


def _are_numbers(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_number, value))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


#: Turns an object into a row; None for one that does not count.
ReadRow = Callable[[Fields], Row[Question, Truth] | None]


def read_rows(folder: Path, name: str, read: ReadRow[Question, Truth]) -> list[Row[Question, Truth]]:
    """The rows of the file ``name`` (without suffix) in ``folder`` that count, in order; ``folder`` may be the file.

    Raises:
        BadData: there is no such file, it cannot be read, a line is broken, or no row counts.
    """
    path = _find(folder, name)
    rows = [row for fields in _objects(path) if (row := read(fields)) is not None]
    if not rows:
        raise BadData(f"{path} has no row that counts. Give the folder with the whole file: --data DIR.")
    return rows


def sample(items: Sequence[Item], limit: int | None) -> list[Item]:
    """``limit`` of the items, spread evenly, the same each time; all when there are no more than that.

    The files are sorted by model and topic, so that their first rows would say little about the rest.
    """
    if limit is None or limit >= len(items):
        return list(items)
    return [items[position * len(items) // limit] for position in range(limit)]


def find_folder(folder: Path, places: Sequence[str]) -> Path | None:
    """The first of ``places`` that is in ``folder``, or beside it."""
    roots = (folder, folder.absolute().parent)
    found = (root / place for root in roots for place in places if (root / place).is_dir())
    return next(found, None)


def find_files(folder: Path, places: Sequence[str], patterns: Sequence[str]) -> list[Path]:
    """The files of these patterns in ``folder``, or else in one of ``places`` in or beside it; in order."""
    folders = [folder, find_folder(folder, places)]
    found = ([path for pattern in patterns for path in sorted(place.glob(pattern))] for place in folders if place)
    return next(filter(None, found), [])


def _find(folder: Path, name: str) -> Path:
    if folder.is_file():
        return folder
    if not folder.is_dir():
        raise BadData(f"There is no folder {folder}. Give the one with the evaluation files: --data DIR.")
    for suffix in SUFFIXES:
        path = folder / f"{name}{suffix}"
        if path.is_file():
            return path
    names = " nor ".join(f"{name}{suffix}" for suffix in SUFFIXES)
    raise BadData(f"{folder} has neither {names}. Give the folder that has it: --data DIR.")


def _objects(path: Path) -> Iterator[Fields]:
    for number, line in enumerate(_lines(path), start=1):
        if line.strip():
            place = f"{path}, line {number}"
            yield Fields(_object(line, place), place)


def _object(line: str, place: str) -> dict[str, object]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadData(f"{place}: this is not JSON. Fix or remove the line.") from error
    if not isinstance(value, dict):
        raise BadData(f"{place}: this is not a JSON object. Fix or remove the line.")
    return value


def _lines(path: Path) -> Iterator[str]:
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                yield _decoded(line, f"{path}, line {number}")
    except (OSError, EOFError, zlib.error) as error:
        raise BadData(f"{path} cannot be read ({error}). Put a whole copy of the file there.") from error


def _decoded(line: bytes, place: str) -> str:
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadData(f"{place}: this is not UTF-8. Fix or remove the line.") from error
