"""The labelled data that the rows are made of: sources with claims, groups of sentences, pooled pairs."""

import random
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from detection.core.local_models.process import LocalModels

from ..nli.authored import OWN_DIRECTORY, Origin, read_authored
from ..nli.data import Row, read_rows
from .rows import Claim, Kind, SlotRow, places_in_premise, places_in_source, rows_of_claim

_CLAIMS_PER_VERSION = 8
_LETTER_OF_SENTENCES: Mapping[str, str] = {"same": "s", "contra": "c", "neutral": "u"}
_LETTER_OF_LABEL: Mapping[str, str] = {"entailment": "s", "contradiction": "c", "neutral": "u"}
#: Sets of the pooled data whose pairs are about one thing, with figures and names.
_POOLED_SETS = frozenset(
    {"vitaminc_real", "vitaminc_synthetic", "wikisplit_synth", "fever_dev", "fool_me_twice_dev", "wice_claim_dev"}
)
_LONGEST_POOLED_PREMISE = 899  # characters
_POOLED_PAIRS = 14_000
_SEED_OF_VERSIONS, _SEED_OF_GROUPS, _SEED_OF_POOLED = 3, 5, 7


@dataclass(frozen=True, slots=True)
class Material:
    """A source, or the premise of a pair, with claims about it."""

    kind: Kind
    premise: str
    claims: Sequence[Claim]


async def build_rows(materials: Iterator[Material], models: LocalModels) -> AsyncIterator[SlotRow]:
    """The rows of all materials, in order."""
    for material in materials:
        places_in = places_in_premise if material.kind.is_of_pairs else places_in_source
        places = await places_in(material.premise, models)
        for claim in material.claims:
            for row in await rows_of_claim(material.kind, claim, places, models):
                yield row


def materials(data: Path, *, held_out: bool = False, own: Path = OWN_DIRECTORY) -> Iterator[Material]:
    """The training data, or what is held out of it.

    Args:
        data: directory that holds ``train/``.
        held_out: gives the held-out authored rows instead of the training ones, and no pooled pairs.
        own: directory of our own authored texts.
    """

    def authored(kind: Kind, origin: Origin) -> list[Row]:
        return read_authored(data / "train" / "authored", own, kind, origin, held_out=held_out)

    for origin in Origin:
        yield from map(_of_source, authored(Kind.SOURCES, origin))
    yield from _of_two_sources(authored(Kind.TWO_SOURCES, Origin.OWN))
    for origin in Origin:
        yield from _of_groups(authored(Kind.GROUPS, origin))
    yield from map(_of_facts, authored(Kind.FACTS, Origin.OWN))
    if not held_out:
        yield from _of_pooled(list(read_rows(data / "train" / "nli" / "train_permissive.jsonl.gz")))


def _of_source(row: Row) -> Material:
    claims = [Claim(row["g"], claim["t"], claim["l"], claim.get("w", "")) for claim in row["claims"]]
    return Material(Kind.SOURCES, row["source"], claims)


def _of_two_sources(rows: Sequence[Row]) -> Iterator[Material]:
    """Both versions of each source, with some of the claims each."""
    chooser = random.Random(_SEED_OF_VERSIONS)  # noqa: S311 - sampling, not secrecy
    for row in rows:
        for side in "ab":
            claims = [Claim(f"{row['g']}{side}", claim["t"], claim[side]) for claim in row["claims"]]
            if len(claims) > _CLAIMS_PER_VERSION:
                claims = chooser.sample(claims, _CLAIMS_PER_VERSION)
            yield Material(Kind.TWO_SOURCES, row[f"source_{side}"], claims)


def _of_facts(row: Row) -> Material:
    """A contradicted sentence is refuted by the words of the source and by the supported one."""
    group = row["g"]
    claims = []
    for fact in row["facts"]:
        claims.append(Claim(group, fact["s"], "s"))
        claims.append(Claim(group, fact["c"], "c", f"{fact['w']} . {fact['s']}"))
    claims += [Claim(group, text, "u") for text in row["u"]]
    return Material(Kind.FACTS, row["source"], claims)


def _of_groups(rows: Sequence[Row]) -> Iterator[Material]:
    """The base of each group paired with its other sentences, in a random direction."""
    chooser = random.Random(_SEED_OF_GROUPS)  # noqa: S311 - sampling, not secrecy
    for row in rows:
        for key, letter in _LETTER_OF_SENTENCES.items():
            for sentence in row[key]:
                is_premise = chooser.random() >= 0.5
                premise, text = (sentence, row["base"]) if is_premise else (row["base"], sentence)
                yield Material(Kind.GROUPS, premise, [Claim(row["g"], text, letter)])


def _of_pooled(rows: Sequence[Row]) -> Iterator[Material]:
    """A sample of the labelled pairs."""
    chosen = [
        Material(
            Kind.POOLED,
            row["premise"],
            [Claim(str(row["cluster"]), row["hypothesis"], _LETTER_OF_LABEL[row["label"]])],
        )
        for row in rows
        if row["source"] in _POOLED_SETS
        and row["label"] in _LETTER_OF_LABEL
        and len(row["premise"]) <= _LONGEST_POOLED_PREMISE
    ]
    random.Random(_SEED_OF_POOLED).shuffle(chosen)  # noqa: S311 - sampling, not secrecy
    yield from chosen[:_POOLED_PAIRS]
