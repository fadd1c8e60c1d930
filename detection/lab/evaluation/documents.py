"""Sets ``human-documents`` and ``contradoc``: false warnings on human texts, and detection of one changed sentence.

A contradiction flagged inside a human text is nearly always false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from detection.core.types import Span
from detection.lab.training.language.conllu import TreebankSentence, read_treebank

from .base import Baseline, Conditions, EvaluationSet, Measured, Origin
from .checked import CheckAnswer, CheckQuestion, in_text_judges
from .rows import BadData, Fields, Row, find_folder, read_rows
from .tallies import Tally, figures, measure, share

#: The places of the treebanks, relative to the folder of the training data or its siblings.
_TREEBANKS = ("train/spacy/dep", "spacy/dep")
_ARTICLES = {"conli_summeval": "CNN/DM", "conli_qags_cnndm": "CNN/DM", "conli_qags_xsum": "BBC"}
#: The patterns of the document names of the treebanks.
_PARTS: dict[str, Callable[[str], str]] = {
    "ewt": lambda name: f"EWT {name.split('-')[0]}",
    "gum": lambda name: f"GUM {name.split('_')[1]}",
    "pud": lambda name: "PUD Wikipedia" if name.startswith("w") else "PUD news",
}

_HUMAN = {"false_per_100": share("false", "sentences"), "flagged_documents": share("flagged", "documents")}
_CONTRADOC = {"recall": share("found", "planted"), **_HUMAN}
_NO_FIGURES = (
    "false_per_100: warnings for each 100 sentences of texts by people. Nobody has published figures for these."
)
_EXCERPTS = (
    "The documents are cut at 2,000 characters: published figures for whole documents cannot be compared. Recall "
    "counts texts whose changed sentence is inside for certain, found when a warning names it; false_per_100 is that "
    "of the clean ones."
)


# --- Human documents --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DocumentTruth:
    """``part`` is the collection of the document, which has no known contradiction."""

    name: str
    part: str


Document = Row[CheckQuestion, DocumentTruth]


def load_documents(folder: Path) -> list[Document]:
    """The documents of the treebanks, and the articles that summaries were written of, each once.

    A document of one sentence cannot contradict itself and does not count.

    Raises:
        BadData: there are neither.
    """
    documents = [*_treebank_documents(folder), *_articles(folder)]
    if not documents:
        raise BadData(
            f"{folder} has no articles (conli_*.jsonl), and there are no treebanks beside it (train/spacy/dep). "
            "Give the folder that has them: --data DIR."
        )
    return list({document.question.text: document for document in documents}.values())


def _treebank_documents(folder: Path) -> Iterator[Document]:
    treebanks = find_folder(folder, _TREEBANKS)
    for path in sorted(treebanks.glob("*.conllu*")) if treebanks else ():
        part_of = next((part for prefix, part in _PARTS.items() if path.name.startswith(prefix)), str)
        by_document: dict[str, list[TreebankSentence]] = {}
        for sentence in read_treebank(path):
            by_document.setdefault(sentence.document, []).append(sentence)
        for name, sentences in by_document.items():
            if len(sentences) > 1:
                yield Row(CheckQuestion(_text(sentences)), DocumentTruth(name, part_of(name)))


def _text(sentences: Sequence[TreebankSentence]) -> str:
    text = ""
    for sentence in sentences:
        between = "\n\n" if sentence.starts_paragraph else " "
        words = "".join(word.text + " " * word.space_after for word in sentence.words).strip()
        text += between + words if text else words
    return text


def _articles(folder: Path) -> Iterator[Document]:
    for file, part in _ARTICLES.items():
        try:
            articles = read_rows(folder, file, _read_article)
        except BadData:
            continue  # the set uses the files that exist
        for number, row in enumerate(articles):
            yield Row(row.question, DocumentTruth(f"{file} {number}", f"articles {part}"))


def _read_article(fields: Fields) -> Row[CheckQuestion, None]:
    return Row(CheckQuestion(fields.text("source")), None)


def measure_documents(truths: Sequence[DocumentTruth], answers: Sequence[CheckAnswer]) -> Measured:
    """Figures of all documents, and of each collection."""
    tallies = [
        Tally(truth.name, warnings_in(answer), (truth.part,)) for truth, answer in zip(truths, answers, strict=True)
    ]
    silent = [Tally(tally.cluster, {**tally.counts, "false": 0, "flagged": 0}) for tally in tallies]
    baseline = Baseline("no warnings", Origin.TRIVIAL, figures(silent, _HUMAN, intervals=False))
    return measure(tallies, _HUMAN, rows=len(tallies), notes=(_NO_FIGURES,), baselines=(baseline,))


def warnings_in(answer: CheckAnswer) -> dict[str, float]:
    """The warnings in a text without contradictions, one for each two sentences, and its sentences."""
    named = {
        frozenset({finding.sentence, evidence.sentence})
        for finding in answer.findings
        for evidence in finding.evidence
        if evidence.sentence is not None
    }
    return {
        "sentences": len(answer.sentences),
        "false": len(named),
        "documents": 1,
        "flagged": bool(named),
    }


# --- ContraDoc --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExcerptTruth:
    """``changed`` are the spans of the changed sentence; empty in a clean document."""

    name: str
    kind: str
    scope: str
    changed: tuple[Span, ...]


def read_excerpt(fields: Fields) -> Row[CheckQuestion, ExcerptTruth] | None:
    """A document; None if truncation may have removed its contradiction."""
    if not (fields.is_known("sure") and fields.flag("sure")):
        return None
    changed = fields.spans("spans")
    scope = f"scope: {fields.text('scope')}" if changed else "clean"
    truth = ExcerptTruth(fields.text("group"), f"kind: {fields.text('doc_type')}", scope, changed)
    return Row(CheckQuestion(fields.text("text")), truth)


def measure_excerpts(truths: Sequence[ExcerptTruth], answers: Sequence[CheckAnswer]) -> Measured:
    """Figures of all documents, by kind of text and by the distance of the two sides."""
    tallies = [_excerpt_tally(truth, answer) for truth, answer in zip(truths, answers, strict=True)]
    silent = [
        Tally(
            tally.cluster, {name: 0 if name in ("found", "false", "flagged") else n for name, n in tally.counts.items()}
        )
        for tally in tallies
    ]
    baseline = Baseline("no warnings", Origin.TRIVIAL, figures(silent, _CONTRADOC, intervals=False))
    return measure(tallies, _CONTRADOC, rows=len(tallies), notes=(_EXCERPTS,), baselines=(baseline,))


def _excerpt_tally(truth: ExcerptTruth, answer: CheckAnswer) -> Tally:
    groups = (truth.kind, truth.scope)
    if not truth.changed:
        return Tally(truth.name, warnings_in(answer), groups)
    changed = {index for span in truth.changed for index in answer.at(span)}
    named = {
        index
        for finding in answer.findings
        for index in (finding.sentence, *(evidence.sentence for evidence in finding.evidence))
    }
    return Tally(truth.name, {"planted": 1, "found": bool(changed & named)}, groups)


# --- The sets ---------------------------------------------------------------------------------------------------


HUMAN_DOCUMENTS = EvaluationSet(
    name="human-documents",
    load=load_documents,
    judges=in_text_judges(Conditions()),
    judges_at=in_text_judges,
    measure=measure_documents,
    chunk=4,
)
CONTRADOC = EvaluationSet(
    name="contradoc",
    load=partial(read_rows, name="contradoc_excerpt", read=read_excerpt),
    judges=in_text_judges(Conditions()),
    judges_at=in_text_judges,
    measure=measure_excerpts,
    chunk=4,
)
