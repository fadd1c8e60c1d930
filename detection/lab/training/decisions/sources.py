"""Features and labels of claims with sources, the data of the decision about sentences."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from detection.core.comparing.sentence import ComparableSentence
from detection.core.grounding.features import source_features
from detection.core.grounding.local_reading import read_for
from detection.core.grounding.local_sentence import absent_values
from detection.core.local_models.decision import CLASSES
from detection.core.local_models.process import LocalModels
from detection.core.sources.library import open_library
from detection.core.types import SourceText

from ..nli.authored import OWN_DIRECTORY, Origin, read_authored, read_own
from ..nli.data import Row, read_rows, split_sentences, words_of
from ..nli.facts import lettered_sentences
from .features import Case, Features, gathered

_EVALUATED_NEWS = ("conli_qags_cnndm", "conli_qags_xsum", "conli_summeval")


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim, the text before it in its summary, and the letter of its label."""

    text: str
    letter: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class LabelledSource:
    """A source with claims. Folds never split a ``group``."""

    group: str
    text: str
    claims: tuple[LabelledClaim, ...]


def held_out_sources(data: Path, own: Path = OWN_DIRECTORY) -> list[LabelledSource]:
    """The held-out authored sources: given ones, our own, both sides of two-sided ones, and those with facts."""
    given = data / "train" / "authored"
    found = [
        LabelledSource(row["g"], row["source"], tuple(LabelledClaim(claim["t"], claim["l"]) for claim in row["claims"]))
        for origin in Origin
        for row in read_authored(given, own, "sources", origin, held_out=True)
    ]
    for row in read_authored(given, own, "two_sources", Origin.OWN, held_out=True):
        for side in "ab":
            claims = tuple(LabelledClaim(claim["t"], claim[side]) for claim in row["claims"])
            found.append(LabelledSource(row["g"], row[f"source_{side}"], claims))
    for row in read_authored(given, own, "facts", Origin.OWN, held_out=True):
        claims = tuple(LabelledClaim(text, letter) for text, letter in lettered_sentences(row))
        found.append(LabelledSource(row["g"], row["source"], claims))
    return found


def fitting_sources(data: Path, own: Path = OWN_DIRECTORY) -> list[LabelledSource]:
    """The data of the decision: claims about held-out sources, our own summaries in the style of models, and news."""
    return held_out_sources(data, own) + own_summaries(own) + news_summaries(data)


def news_summaries(data: Path) -> list[LabelledSource]:
    """Summaries of news articles by models, labelled by people (CLIFF, Cao and Wang 2021).

    Articles that an evaluation set has, too, are left out. The other set of the file marks bad grammar, too.
    """
    evaluated = {row["group"] for name in _EVALUATED_NEWS for row in read_rows(data / "eval" / f"{name}.jsonl.gz")}
    found = []
    for row in read_rows(data / "eval" / "aggrefact_cliff_goyal.jsonl.gz"):
        if row["dataset"] != "CLIFF" or row["group"] in evaluated:
            continue
        if claims := tuple(_news_claims(row)):
            found.append(LabelledSource(row["group"], row["source"], claims))
    return found


def _news_claims(row: Row) -> Iterator[LabelledClaim]:
    """The sentences of a summary whose label is known: all of a consistent one, of another those that are marked."""
    sentences = split_sentences(row["summary"])
    marked = [words_of(span) for span in literal_eval(row["annotated_spans"] or "[]") if isinstance(span, str)]
    letter = "c" if all(kind.startswith("intrinsic") for kind in row["error_types"]) else "u"
    for before, text in pairwise(["", *sentences]):
        if row["consistent"]:
            yield LabelledClaim(text, "s", before)
        elif len(sentences) == 1 or any(_contains(words_of(text), span) for span in marked):
            yield LabelledClaim(text, letter, before)


def _contains(text: Sequence[str], span: Sequence[str]) -> bool:
    """Whether the words of the span follow each other in the text."""
    return bool(span) and any(text[start : start + len(span)] == span for start in range(len(text)))


def summaries(data: Path) -> list[LabelledSource]:
    """The evaluation set ``authored-summaries``: sentences of summaries, each with the previous one."""
    return _summaries(read_rows(data / "eval" / "authored_summaries.jsonl.gz"))


def own_summaries(own: Path = OWN_DIRECTORY) -> list[LabelledSource]:
    """Our own authored summaries, which the NLI model was not trained on."""
    return _summaries(read_own(own, "exam_sources"))


def _summaries(rows: Iterable[Row]) -> list[LabelledSource]:
    found = []
    for row in rows:
        texts = ["", *(sentence["t"] for sentence in row["sentences"])]
        claims = (
            LabelledClaim(sentence["t"], sentence["l"], before)
            for before, sentence in zip(texts, row["sentences"], strict=False)
        )
        found.append(LabelledSource(row["g"], row["source"], tuple(claims)))
    return found


async def features_of(sources: Sequence[LabelledSource], models: LocalModels) -> Features:
    """The features of all claims. Claims that are parsed as two sentences are left out."""
    return await gathered(len(CLASSES), (_of_source(source, models) for source in sources))


async def _of_source(source: LabelledSource, models: LocalModels) -> AsyncIterator[Case]:
    library = await open_library((SourceText(id="1", name="source", text=source.text),), models)
    for claim in source.claims:
        parsed = await models.parse(claim.text)
        if len(parsed.sentences) != 1:
            continue
        sentence = ComparableSentence(parsed.sentences[0])
        read = await read_for(sentence, library, models, claim.before if sentence.leans_on_previous else "")
        absent = absent_values(library, read, sentence)
        yield source_features(sentence, read, absent), CLASSES.index(claim.letter), source.group
