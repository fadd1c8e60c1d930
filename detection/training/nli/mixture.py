"""Assembles the data of a stage from its parts, keeping held-out topics and pages out of it."""

import random
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from . import data, synthesis
from .config import Part, Stage
from .data import Example
from .labels import Label

# VitaminC pages that never train, so that a figure on them means something.
_PAGE_FOLDS = 10
_HELD_OUT_PAGE_FOLD = 0
# The sets that people wrote about encyclopedic text: what training should end on.
_ENCYCLOPEDIC = frozenset(
    {"fever_dev", "feverous_dev", "fool_me_twice_dev", "vitaminc_real", "wice_claim_dev", "wice_partial_dev"}
)
_LONGEST_PREMISE = 100


@dataclass(frozen=True)
class Sources:
    """The data sets on disk. ``held_out_fold`` names the fold of topics to leave out, None trains on all."""

    root: Path
    topic_folds: int
    held_out_fold: int | None
    seed: int

    def rows(self, name: str) -> list[dict[str, Any]]:
        """All rows of one file, named from the root of the data without its ending."""
        return list(data.read_rows(self.root / f"{name}.jsonl.gz"))

    def is_held_out(self, topic: str) -> bool:
        """Whether the topic belongs to the fold that must not train."""
        return self.held_out_fold is not None and data.fold_of(topic, self.topic_folds) == self.held_out_fold

    def training_topics(self, name: str) -> list[dict[str, Any]]:
        """Rows of a ChatProtect file whose topic trains."""
        return [row for row in self.rows(name) if not self.is_held_out(row["topic"])]

    def held_out_topics(self, name: str) -> list[dict[str, Any]]:
        """Rows of a ChatProtect file whose topic does not train."""
        return [row for row in self.rows(name) if self.is_held_out(row["topic"])]

    @cached_property
    def protected_texts(self) -> frozenset[str]:
        """Sentences of FEVER symmetric, the one set that stays unseen to tell reasoning from word overlap."""
        rows = self.rows("eval/fever_symmetric")
        texts = {data.normalised(data.detokenise(row[key])) for row in rows for key in ("claim", "evidence")}
        return frozenset(texts)

    @cached_property
    def revision_rows(self) -> list[dict[str, Any]]:
        """VitaminC rows of the pages that train, none of a claim that FEVER symmetric has in another wording."""
        protected_groups = {row["group"] for row in self.rows("eval/fever_symmetric")}
        return [
            row
            for row in self.rows("eval/vitaminc_test")
            if data.fold_of(row["group"], _PAGE_FOLDS) != _HELD_OUT_PAGE_FOLD and row["group"] not in protected_groups
        ]

    def held_out_revision_rows(self) -> list[dict[str, Any]]:
        """VitaminC rows of the pages that do not train."""
        rows = self.rows("eval/vitaminc_test")
        return [row for row in rows if data.fold_of(row["group"], _PAGE_FOLDS) == _HELD_OUT_PAGE_FOLD]

    @cached_property
    def documents(self) -> dict[str, str]:
        """Texts of web pages, by the name of the page."""
        return {row["page_id"]: row["text"] for row in self.rows("eval/bayes_pages")}

    def chooser(self, purpose: str) -> random.Random:
        """Random choices that depend on the seed and the purpose alone, not on what ran before."""
        return random.Random(f"{self.seed}:{purpose}")  # noqa: S311 - sampling, not secrecy


def _pooled(sources: Sources) -> list[Example]:
    return data.pooled_examples(
        sources.rows("train/nli/train_permissive"),
        excluded_sources={"fever_symmetric_dev"},
        excluded_texts=sources.protected_texts,
        longest_premise=_LONGEST_PREMISE,
    )


def _pooled_encyclopedic(sources: Sources) -> list[Example]:
    return [example for example in _pooled(sources) if example.source in _ENCYCLOPEDIC]


def _pooled_other(sources: Sources) -> list[Example]:
    return [example for example in _pooled(sources) if example.source not in _ENCYCLOPEDIC]


def _revisions(sources: Sources) -> list[Example]:
    return data.revision_examples(
        sources.revision_rows,
        excluded_texts=sources.protected_texts,
        title_share=0.5,
        chooser=sources.chooser("revision titles"),
    )


def _page_windows(sources: Sources) -> list[Example]:
    claims = [
        synthesis.PageClaim(
            page=row["page"],
            case=row["case_id"],
            claim=data.detokenise(row["claim"]),
            evidence=data.detokenise(row["evidence"]),
            label=data.VERDICT_LABELS[row["label"]],
            group=row["group"],
        )
        for row in sources.revision_rows
    ]
    return synthesis.page_windows(claims, chooser=sources.chooser("page windows"))


def _edited_revisions(sources: Sources) -> list[Example]:
    return synthesis.edited_values(
        [example for example in _revisions(sources) if example.label is Label.ENTAILMENT],
        source="edited_revision",
        least_overlap=0.5,
        chooser=sources.chooser("edited revisions"),
    )


def _pairs(sources: Sources) -> list[Example]:
    return data.statement_pairs(sources.training_topics("eval/chatprotect_pairs"), source="pairs")


def _temperature_pairs(sources: Sources) -> list[Example]:
    rows = sources.training_topics("eval/chatprotect_temperature_pairs")
    return data.statement_pairs(rows, source="temperature_pairs", label_key="human_contradictory")


def _trigger_pairs(sources: Sources) -> list[Example]:
    rows = sources.training_topics("eval/chatprotect_trigger_ablation_pairs")
    return data.statement_pairs(rows, source="trigger_pairs")


def _silver(sources: Sources) -> list[Example]:
    return data.statement_pairs(sources.rows("train/nli/chatprotect_silver"), source="silver")


def _in_text(sources: Sources) -> list[Example]:
    texts = data.texts_of(sources.training_topics("eval/chatprotect_texts"))
    return data.in_text_examples(texts, per_text=40, chooser=sources.chooser("in text"))


def _in_text_silver(sources: Sources) -> list[Example]:
    texts = data.texts_of_prefixes(sources.rows("train/nli/chatprotect_silver"))
    return data.in_text_examples(texts, per_text=12, chooser=sources.chooser("in text silver"))


def _edited_pairs(sources: Sources) -> list[Example]:
    return synthesis.edited_values(
        [*_pairs(sources), *_silver(sources)],
        source="edited_pair",
        least_overlap=0.55,
        chooser=sources.chooser("edited pairs"),
    )


def _document_windows(sources: Sources) -> list[Example]:
    return synthesis.document_windows(sources.documents, per_document=2, chooser=sources.chooser("document windows"))


def _neighbours(sources: Sources) -> list[Example]:
    return synthesis.neighbours(sources.documents, per_document=2, chooser=sources.chooser("neighbours"))


PARTS: Mapping[str, Callable[[Sources], list[Example]]] = {
    "pooled_encyclopedic": _pooled_encyclopedic,
    "pooled_other": _pooled_other,
    "revisions": _revisions,
    "page_windows": _page_windows,
    "edited_revisions": _edited_revisions,
    "pairs": _pairs,
    "temperature_pairs": _temperature_pairs,
    "trigger_pairs": _trigger_pairs,
    "silver": _silver,
    "in_text": _in_text,
    "in_text_silver": _in_text_silver,
    "edited_pairs": _edited_pairs,
    "document_windows": _document_windows,
    "neighbours": _neighbours,
}


def training_examples(stage: Stage, sources: Sources) -> list[Example]:
    """The mix of a stage."""
    return [example for part in stage.mix for example in _taken(part, sources)]


def _taken(part: Part, sources: Sources) -> list[Example]:
    if part.name not in PARTS:
        raise ValueError(f"no data part {part.name!r}; there are: {', '.join(PARTS)}")
    chooser = sources.chooser(f"rows of {part.name}")
    examples = PARTS[part.name](sources)
    if part.rows_per_set:
        examples = _capped_by_set(examples, part.rows_per_set, chooser)
    if part.rows:
        examples = _sample(examples, part.rows, chooser)
    return [replace(example, weight=example.weight * part.weight) for example in examples]


def development_examples(sources: Sources, per_use: int = 1200) -> dict[str, list[Example]]:
    """Examples of every use that training does not see; early stopping weighs the uses alike."""
    uses = {
        "pooled": data.pooled_examples(
            sources.rows("train/nli/dev_permissive"),
            excluded_sources={"fever_symmetric_dev"},
            excluded_texts=frozenset(),
            longest_premise=_LONGEST_PREMISE,
        ),
        "revisions": data.revision_examples(
            sources.held_out_revision_rows(),
            excluded_texts=frozenset(),
            title_share=0.5,
            chooser=sources.chooser("development titles"),
        ),
        "pairs": data.statement_pairs(
            [row for row in sources.held_out_topics("eval/chatprotect_pairs") if row["in_paper_eval"]], source="pairs"
        ),
        "in_text": data.in_text_examples(
            data.texts_of(sources.held_out_topics("eval/chatprotect_texts")),
            per_text=20,
            chooser=sources.chooser("development in text"),
        ),
    }
    return {
        use: _sample(examples, per_use, sources.chooser(f"development {use}"))
        for use, examples in uses.items()
        if examples
    }


def _capped_by_set(examples: Collection[Example], cap: int, chooser: random.Random) -> list[Example]:
    by_set: dict[str, list[Example]] = defaultdict(list)
    for example in examples:
        by_set[example.source].append(example)
    return [example for of_set in by_set.values() for example in _sample(of_set, cap, chooser)]


def _sample(examples: Collection[Example], size: int, chooser: random.Random) -> list[Example]:
    return chooser.sample(list(examples), min(size, len(examples)))
