"""Rows for the slot model: a value of a claim, with the values of its source that it can be compared with.

Each value is hidden by a mask in its own sentence. The labels of claims are those of the NLI model's training data;
``labels.py`` derives from them which values fill the same slot.
"""

import gzip
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from detection.core.comparing.sentence import ComparableSentence
from detection.core.grounding.slot_reading import MASK, relation_in_slot, slot_values, text_before
from detection.core.local_models.process import LocalModels
from detection.core.rules import extract
from detection.core.rules.base import Family, Relation, Value
from detection.core.sources.library import open_library
from detection.core.types import SourceText, Span

from ..nli.data import read_rows

_OVERLAP_DIGITS = 3


class Kind(StrEnum):
    """The data set of a row."""

    SOURCES = "sources"
    TWO_SOURCES = "two_sources"
    GROUPS = "groups"
    FACTS = "facts"
    POOLED = "pooled"

    @property
    def is_of_pairs(self) -> bool:
        """Whether the claims have a premise of one or few sentences, and no source."""
        return self in (Kind.GROUPS, Kind.POOLED)


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence under test. ``letter``: s(upported), c(ontradicted) or u(nstated) by its premise."""

    group: str
    text: str
    letter: str
    reference: str = ""
    """What the source says instead, in its words, if the data tells."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value of the source that can be compared with that of the claim."""

    premise: str
    """Its sentence, with a mask instead of the value."""
    value: str
    agrees: bool
    is_reference: bool
    """Whether it agrees with a value of the claim's reference."""
    is_elsewhere: bool
    """Whether it agrees with another value of the claim."""
    overlap: float
    """The share of common topic words of the two sentences."""


@dataclass(frozen=True, slots=True)
class SlotRow:
    """One value of a claim. ``hypothesis`` is the claim with a mask instead of the value."""

    kind: Kind
    claim: str
    """Names the claim: its group and its text."""
    letter: str
    family: Family
    value: str
    hypothesis: str
    is_reference: bool
    """Whether the value agrees with a value of the claim's reference."""
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A value of a sentence of the premise; ``masked`` is the text that the model reads."""

    sentence: ComparableSentence
    value: Value
    masked: str


def masked(text: str, span: Span) -> str:
    """The text with a mask at ``span``."""
    return text[: span.start] + MASK + text[span.end :]


async def places_in_source(text: str, models: LocalModels) -> list[Place]:
    """The values of a source. A sentence whose subject is a pronoun is read after the one before it."""
    library = await open_library((SourceText(id="1", name="source", text=text),), models)
    return [
        Place(found.sentence, value, text_before(found) + masked(found.text, value.span))
        for found in await library.sentences_of(library.sections)
        for value in _values(found.sentence)
    ]


async def places_in_premise(text: str, models: LocalModels) -> list[Place]:
    """The values of a premise of one or few sentences."""
    sentences = [ComparableSentence(parsed) for parsed in (await models.parse(text)).sentences]
    return [
        Place(sentence, value, masked(sentence.text, value.span))
        for sentence in sentences
        for value in _values(sentence)
    ]


async def rows_of_claim(kind: Kind, claim: Claim, places: Sequence[Place], models: LocalModels) -> list[SlotRow]:
    """A row for every value of a claim that can be compared with a place; none for a claim of several sentences."""
    parsed = (await models.parse(claim.text)).sentences
    if len(parsed) != 1:
        return []
    sentence, reference = ComparableSentence(parsed[0]), extract(claim.reference)
    return [
        SlotRow(
            kind=kind,
            claim=f"{claim.group}: {claim.text}",
            letter=claim.letter,
            family=value.family,
            value=value.text,
            hypothesis=masked(sentence.text, value.span),
            is_reference=_agrees_with_any(value, reference),
            candidates=candidates,
        )
        for value in _values(sentence)
        if (candidates := _candidates(value, sentence, places, reference))
    ]


def _values(sentence: ComparableSentence) -> tuple[Value, ...]:
    """The values that the program compares, and names."""
    return (*slot_values(sentence), *(value for value in sentence.clause.values if value.family is Family.NAME))


def _candidates(
    value: Value, sentence: ComparableSentence, places: Sequence[Place], reference: Sequence[Value]
) -> tuple[Candidate, ...]:
    others = [other for other in _values(sentence) if other is not value]
    return tuple(
        Candidate(
            premise=place.masked,
            value=place.value.text,
            agrees=relation.agrees,
            is_reference=_agrees_with_any(place.value, reference),
            is_elsewhere=_agrees_with_any(place.value, others),
            overlap=round(place.sentence.overlap(sentence), _OVERLAP_DIGITS),
        )
        for place in places
        if (relation := relation_in_slot(place.value, value)) is not Relation.UNRELATED
    )


def _agrees_with_any(value: Value, others: Iterable[Value]) -> bool:
    return any(relation_in_slot(value, other).agrees for other in others)


def save(rows: Iterable[SlotRow], path: Path) -> None:
    """Write the rows as compressed JSON lines."""
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows)


def load(path: Path) -> list[SlotRow]:
    """Read the rows that :func:`save` wrote."""
    return [
        SlotRow(
            **{
                **row,
                "kind": Kind(row["kind"]),
                "family": Family(row["family"]),
                "candidates": tuple(Candidate(**candidate) for candidate in row["candidates"]),
            }
        )
        for row in read_rows(path)
    ]
