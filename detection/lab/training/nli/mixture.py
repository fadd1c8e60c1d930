"""Assemble the data of a stage from its parts, without held-out data."""

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from . import authored, data, edited, facts, natural, restated, source_edits
from .authored import CLAIM_LABELS, OWN_DIRECTORY, Origin, read_authored
from .config import Part, Stage
from .data import Example, Row
from .labels import Label
from .natural import Document
from .surrounded import surrounded_twins, surrounded_unit
from .table_cells import cells_units
from .units import Unit, singles

# One fold of the VitaminC pages is held out for evaluation.
_PAGE_FOLDS = 10
_HELD_OUT_PAGE_FOLD = 0
_ARTICLE_SETS = ("conli_qags_xsum", "conli_qags_cnndm", "conli_summeval")
_SHORT_PREMISE = range(101)
_LONG_PREMISE = range(101, 241)
_SHORT_UNIT, _LONG_UNIT = 12, 7
_PLANTED_WEIGHT_OF_OWN = 1.5
_EXCLUDED_SOURCES = frozenset({"fever_symmetric_dev"})


@dataclass(frozen=True)
class Sources:
    """The data sets on disk. ``held_out_fold`` is the held-out fold of topics; None trains on all."""

    root: Path
    topic_folds: int
    held_out_fold: int | None
    seed: int
    own: Path = OWN_DIRECTORY
    mined: Path | None = None
    letters: str = ""  # of our own files, see ``Part``

    def rows(self, name: str) -> list[dict[str, Any]]:
        """All rows of one file, named by its path in the data folder without its suffix."""
        return list(data.read_rows(self.root / f"{name}.jsonl.gz"))

    def is_held_out(self, topic: str) -> bool:
        """Whether the topic is in the held-out fold."""
        return self.held_out_fold is not None and data.fold_of(topic, self.topic_folds) == self.held_out_fold

    def training_topics(self, name: str) -> list[dict[str, Any]]:
        """Rows of a ChatProtect file with training topics."""
        return [row for row in self.rows(name) if not self.is_held_out(row["topic"])]

    def held_out_topics(self, name: str) -> list[dict[str, Any]]:
        """Rows of a ChatProtect file with held-out topics."""
        return [row for row in self.rows(name) if self.is_held_out(row["topic"])]

    @cached_property
    def protected_texts(self) -> frozenset[str]:
        """Sentences of FEVER symmetric, the only completely unseen set, which separates reasoning from word overlap."""
        rows = self.rows("eval/fever_symmetric")
        texts = {data.normalised(data.detokenise(row[key])) for row in rows for key in ("claim", "evidence")}
        return frozenset(texts)

    def held_out_revision_rows(self) -> list[dict[str, Any]]:
        """VitaminC rows of a tenth of the pages, held out since the second model, an ancestor of the weights."""
        rows = self.rows("eval/vitaminc_test")
        return [row for row in rows if data.fold_of(row["group"], _PAGE_FOLDS) == _HELD_OUT_PAGE_FOLD]

    def authored(self, kind: str, origin: Origin, *, held_out: bool = False) -> list[Row]:
        """Authored rows: the training ones or the held-out ones."""
        given = self.root / "train" / "authored"
        return read_authored(given, self.own, kind, origin, held_out=held_out, letters=self.letters)

    def own_rows(self, kind: str) -> list[Row]:
        """All rows of a kind in the repository, of which nothing is held out."""
        return list(authored.read_own(self.own, kind, self.letters))

    def documents(self) -> list[Document]:
        """Human texts of many kinds, and authored ones without contradictions."""
        found = natural.source_documents(self.rows("train/authored/sources"))
        found += natural.clean_texts(self.rows("train/authored/texts"))
        for name in _ARTICLE_SETS:
            found += natural.articles(self.rows(f"eval/{name}"))
        for path in sorted((self.root / "train" / "spacy" / "dep").glob("*.conllu.gz")):
            found += natural.treebank_documents(path)
        return found + natural.pages(self.rows("eval/bayes_pages")[:4000:4])

    def chooser(self, purpose: str) -> random.Random:
        """A random generator that depends only on the seed and the purpose."""
        return random.Random(f"{self.seed}:{purpose}")  # noqa: S311 - sampling, not secrecy


def _sides(sources: Sources) -> list[Unit]:
    chooser = sources.chooser("sides")
    return [authored.sides_unit(row, chooser) for origin in Origin for row in sources.authored("sides", origin)]


def _groups(sources: Sources) -> list[Unit]:
    chooser = sources.chooser("groups")
    return [authored.groups_unit(row, chooser) for origin in Origin for row in sources.authored("groups", origin)]


def _claims(sources: Sources) -> list[Unit]:
    chooser = sources.chooser("claims")
    rows = [row for origin in Origin for row in sources.authored("sources", origin)]
    return [unit for row in rows for unit in authored.sources_units(row, chooser)]


def _planted(origin: Origin, contradiction_weight: float = 1.0) -> Callable[[Sources], list[Unit]]:
    def units(sources: Sources) -> list[Unit]:
        chooser = sources.chooser(f"planted {origin}")
        return [
            authored.texts_unit(row, chooser, contradiction_weight=contradiction_weight)
            for row in sources.authored("texts", origin)
        ]

    return units


def _restated_claims(origin: Origin) -> Callable[[Sources], list[Unit]]:
    def units(sources: Sources) -> list[Unit]:
        chooser = sources.chooser(f"restated claims {origin}")
        found = (restated.restated_claims_unit(row, chooser) for row in sources.authored("sources", origin))
        return [unit for unit in found if unit is not None]

    return units


def _natural(sources: Sources) -> list[Unit]:
    return natural.natural_units(sources.documents(), sources.chooser("natural"))


def _twins(sources: Sources) -> list[Unit]:
    chooser = sources.chooser("twins")
    return [authored.twins_unit(row, chooser) for row in sources.authored("twins", Origin.OWN)]


def _marked_texts(sources: Sources) -> list[Unit]:
    chooser = sources.chooser("marked texts")
    return [authored.marked_text_unit(row, chooser) for row in sources.own_rows("fresh_texts")]


def _table_cells(sources: Sources) -> list[Unit]:
    chooser = sources.chooser("table cells")
    return [unit for table in sources.own_rows("fresh_tables") for unit in cells_units(table, chooser)]


def _surrounded_texts(sources: Sources) -> list[Unit]:
    chooser = sources.chooser("surrounded texts")
    return [surrounded_unit(row, chooser) for row in sources.own_rows("fresh_texts")]


def _surrounded_twins(sources: Sources) -> list[Unit]:
    return surrounded_twins(sources.authored("twins", Origin.OWN), sources.chooser("surrounded twins"))


def _two_sources(sources: Sources) -> list[Unit]:
    chooser = sources.chooser("two sources")
    rows = sources.authored("two_sources", Origin.OWN)
    return [unit for row in rows for unit in authored.two_sources_units(row, chooser)]


def _facts(sources: Sources) -> list[Unit]:
    chooser = sources.chooser("facts")
    rows = sources.authored("facts", Origin.OWN)
    weights = facts.WordingWeights(rows)
    return [unit for row in rows for unit in facts.facts_units(row, weights, chooser)]


def _fact_pairs(sources: Sources) -> list[Unit]:
    chooser = sources.chooser("fact pairs")
    return [facts.fact_pairs_unit(row, chooser) for row in sources.authored("facts", Origin.OWN)]


def _restated_facts(sources: Sources) -> list[Unit]:
    chooser = sources.chooser("restated facts")
    rows = sources.authored("facts", Origin.OWN)
    return [unit for row in rows for unit in restated.restated_facts_units(row, chooser)]


def _source_edits(sources: Sources) -> list[Unit]:
    chooser = sources.chooser("source edits")
    edits = source_edits.edits_by_group(sources.own_rows("source_edits"))
    rows = [row for origin in Origin for row in sources.authored("sources", origin) if row["g"] in edits]
    return [
        unit
        for row in rows
        for unit in source_edits.source_edit_units(row["source"], source_edits.edits_of(row, edits[row["g"]]), chooser)
    ]


def _edited_claims(sources: Sources) -> list[Unit]:
    chooser = sources.chooser("edited claims")
    rows = [row for origin in Origin for row in sources.authored("sources", origin)]
    return [unit for row in rows for unit in edited.edited_claims(row, chooser)]


def _edited_copies(sources: Sources) -> list[Unit]:
    return edited.edited_copies(sources.documents(), sources.chooser("edited copies"))


def _mined(sources: Sources) -> list[Unit]:
    if sources.mined is None:
        raise ValueError("the stage trains on mined pairs: name their file with --mined")
    rows = data.read_rows(sources.mined)
    examples = [Example(row["premise"], row["hypothesis"], Label.NOT_CONTRADICTION) for row in rows]
    return singles(examples, _SHORT_UNIT)


def _general(name: str) -> Callable[[Sources], list[Unit]]:
    return lambda sources: singles(data.split_examples(sources.rows(f"train/nli2/{name}"), "train"), _SHORT_UNIT)


def _pooled(premise_words: range, size: int) -> Callable[[Sources], list[Unit]]:
    def units(sources: Sources) -> list[Unit]:
        examples = data.pooled_examples(
            sources.rows("train/nli/train_permissive"),
            excluded_sources=_EXCLUDED_SOURCES,
            excluded_texts=sources.protected_texts,
            premise_words=premise_words,
        )
        return singles(examples, size)

    return units


def _silver(sources: Sources) -> list[Unit]:
    rows = sources.rows("train/nli/chatprotect_silver")
    return singles(data.statement_pairs(rows, chooser=sources.chooser("silver")), _SHORT_UNIT)


def _pairs(sources: Sources) -> list[Unit]:
    rows = sources.training_topics("eval/chatprotect_pairs")
    examples = data.statement_pairs(rows, chooser=sources.chooser("pairs"), contradiction_weight=2.0)
    return singles(examples, _SHORT_UNIT)


def _answers(sources: Sources) -> list[Unit]:
    rows = [row for row in sources.rows("train/nli2/ragtruth_qa_train") if row["split"] == "train"]
    return singles(data.answer_examples(rows, chooser=sources.chooser("answers")), _LONG_UNIT)


def _summaries(name: str) -> Callable[[Sources], list[Unit]]:
    return lambda sources: singles(data.summary_examples(sources.rows(f"train/nli2/{name}")), _LONG_UNIT)


PARTS: Mapping[str, Callable[[Sources], list[Unit]]] = {
    "sides": _sides,
    "groups": _groups,
    "claims": _claims,
    "planted_given": _planted(Origin.GIVEN),
    "planted_own": _planted(Origin.OWN, _PLANTED_WEIGHT_OF_OWN),
    "twins": _twins,
    "marked_texts": _marked_texts,
    "surrounded_texts": _surrounded_texts,
    "surrounded_twins": _surrounded_twins,
    "table_cells": _table_cells,
    "two_sources": _two_sources,
    "facts": _facts,
    "fact_pairs": _fact_pairs,
    "restated_facts": _restated_facts,
    "restated_claims_given": _restated_claims(Origin.GIVEN),
    "restated_claims_own": _restated_claims(Origin.OWN),
    "source_edits": _source_edits,
    "edited_claims": _edited_claims,
    "edited_copies": _edited_copies,
    "natural": _natural,
    "mined": _mined,
    "lingnli": _general("nli_lingnli"),
    "counterfactual": _general("nli_cad"),
    "pooled": _pooled(_SHORT_PREMISE, _SHORT_UNIT),
    "pooled_long": _pooled(_LONG_PREMISE, _LONG_UNIT),
    "silver": _silver,
    "pairs": _pairs,
    "ragtruth": _answers,
    "defacto": _summaries("defacto"),
    "bump": _summaries("bump"),
}


def training_units(stage: Stage, sources: Sources) -> list[Unit]:
    """The mix of a stage."""
    return [unit for part in stage.mix for unit in _taken(part, sources)]


def _taken(part: Part, sources: Sources) -> list[Unit]:
    if part.name not in PARTS:
        raise ValueError(f"no data part {part.name!r}; there are: {', '.join(PARTS)}")
    units = [unit for unit in PARTS[part.name](replace(sources, letters=part.letters)) if unit.examples]
    if part.rows:
        sources.chooser(f"rows of {part.name}").shuffle(units)
        units = list(_up_to(units, part.rows))
    return [unit.weighted(part.weight) for unit in units]


def _up_to(units: Sequence[Unit], rows: int) -> Iterator[Unit]:
    """The first units with this total number of examples."""
    for unit in units:
        if rows <= 0:
            return
        rows -= len(unit.examples)
        yield unit


def development_examples(sources: Sources, per_use: int = 1200) -> dict[str, list[Example]]:
    """Held-out examples of every use, for the temperature and the export check."""
    uses = {
        "pooled": data.pooled_examples(
            sources.rows("train/nli/dev_permissive"),
            excluded_sources=_EXCLUDED_SOURCES,
            excluded_texts=frozenset(),
            premise_words=_SHORT_PREMISE,
        ),
        "pairs": data.statement_pairs(
            [row for row in sources.held_out_topics("eval/chatprotect_pairs") if row["in_paper_eval"]],
            chooser=sources.chooser("development pairs"),
        ),
        "claims": [
            Example(row["source"], claim["t"], CLAIM_LABELS[claim["l"]])
            for origin in Origin
            for row in sources.authored("sources", origin, held_out=True)
            for claim in row["claims"]
        ],
        "sides": [
            Example(row[side], sentence, Label.CONTRADICTION if side == opposed else Label.NOT_CONTRADICTION)
            for origin in Origin
            for row in sources.authored("sides", origin, held_out=True)
            for side in ("a", "b")
            for opposed, sentences in (("b", row["only_a"]), ("a", row["only_b"]))
            for sentence in sentences
        ],
    }
    return {
        use: _sample(examples, per_use, sources.chooser(f"development {use}"))
        for use, examples in uses.items()
        if examples
    }


def _sample(examples: Collection[Example], size: int, chooser: random.Random) -> list[Example]:
    return chooser.sample(list(examples), min(size, len(examples)))
