from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from detection.core.types import Verdict
from detection.lab.evaluation.checked import CheckAnswer
from detection.lab.evaluation.documents import CONTRADOC, HUMAN_DOCUMENTS
from detection.lab.evaluation.rows import BadData

from .conftest import EXCERPTS, RESPONSES, TREEBANK, WriteRows
from .test_authored import answer, finding

SENTENCES = ("It rained.", "It stopped.", "We walked.", "It rained again.")


@pytest.fixture
def folder(write_rows: WriteRows) -> Path:
    """A folder of evaluation files with three summaries of one article, and a treebank next to it."""
    root = write_rows("conli_qags_xsum", RESPONSES)
    (root / "eval").mkdir()
    (root / "conli_qags_xsum.jsonl").rename(root / "eval" / "conli_qags_xsum.jsonl")
    treebanks = root / "train" / "spacy" / "dep"
    treebanks.mkdir(parents=True)
    (treebanks / "ewt-dev.conllu.gz").write_bytes(gzip.compress(TREEBANK.encode()))
    return root / "eval"


def test_documents_are_put_together_and_articles_count_once(folder: Path) -> None:
    documents = HUMAN_DOCUMENTS.load(folder)
    assert [(row.question.text, row.truth.part) for row in documents] == [
        ("Rain fell. It stopped.\n\nWe walked.", "EWT weblog"),
        (RESPONSES[0]["source"], "articles BBC"),
    ]


def test_without_documents_the_reason_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="no articles"):
        HUMAN_DOCUMENTS.load(tmp_path)


def test_two_warnings_about_the_same_two_sentences_count_once(folder: Path) -> None:
    truths = [row.truth for row in HUMAN_DOCUMENTS.load(folder)]
    answers = [answer(SENTENCES), answer(SENTENCES, finding(2, 0), finding(0, 2), finding(3, 1))]
    measured = HUMAN_DOCUMENTS.measure(truths, answers)
    figures = measured.overall.metrics.values()
    assert (figures["false_per_100"], figures["flagged_documents"]) == (25.0, 50.0)
    assert {group.name: group.metrics.values()["false_per_100"] for group in measured.groups} == {
        "EWT weblog": 0.0,
        "articles BBC": 50.0,
    }


# --- ContraDoc --------------------------------------------------------------------------------------------------


def excerpt_figures(folder: Path, *answers: CheckAnswer) -> dict[str, float]:
    truths = [row.truth for row in CONTRADOC.load(folder)]
    return CONTRADOC.measure(truths, answers).overall.metrics.values()


def test_the_changed_sentence_is_found_by_a_warning_that_names_it(write_rows: WriteRows) -> None:
    folder = write_rows("contradoc_excerpt", EXCERPTS)
    text = EXCERPTS[0]["text"]
    sentences = [part + "." for part in text.rstrip(".").split(". ")]
    silent = answer(SENTENCES)
    for found, recall in ((finding(2, 0), 100.0), (finding(3, 2), 100.0), (finding(1, 0), 0.0)):
        figures = excerpt_figures(folder, answer(sentences, found), silent)
        assert (figures["recall"], figures["false_per_100"]) == (recall, 0.0)
    assert excerpt_figures(folder, answer(sentences), answer(SENTENCES, finding(1, 0)))["false_per_100"] == 25.0


def test_verdicts_do_not_matter_without_findings(write_rows: WriteRows) -> None:
    folder = write_rows("contradoc_excerpt", EXCERPTS)
    answers = [answer(SENTENCES, verdicts=[Verdict.UNSURE] * 4)] * 2
    assert excerpt_figures(folder, *answers)["recall"] == 0.0
