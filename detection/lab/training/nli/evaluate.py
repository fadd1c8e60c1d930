"""Evaluate a model on the evaluation sets, one for each use."""

import random
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from detection.core.comparing.cell_claims import entry_of, kind_of, with_kind

from . import metrics
from .authored import Origin, places_of, untrained_texts
from .data import Example, Row, fold_of, split_examples, texts_of, verdict_examples, windows, with_topic
from .labels import InferenceClass, Label
from .metrics import Scores, Truths
from .mixture import Sources
from .scoring import Pair, Probabilities, Scorer

_IN_TEXT_RECALL = 0.6
_HALVES = 2
IN_TEXT_SAMPLE = 20
_FALSE_PAIRS = (5, 10, 20, 50)
#: Our own tables that train no stage, by letter, and how many of their other cells may seem wrong, in percent.
_UNTRAINED_TABLES = "deg"
_FALSE_CELLS_PERCENT = (1, 2, 5)
CONLI_SETS = ("conli_qags_xsum", "conli_qags_cnndm", "conli_summeval")


@dataclass(frozen=True, slots=True)
class PairScores:
    """Contradiction scores of sentence pairs generated for the same place, with human labels."""

    scores: Scores
    truths: Truths
    generators: tuple[str, ...]
    topics: tuple[str, ...]


def contradiction_scores(scorer: Scorer, statements: Sequence[tuple[str, str, str]]) -> Scores:
    """Mean contradiction probability of both directions for (topic, first, second); a copy scores 0."""
    forward = scorer([(with_topic(topic, first), second) for topic, first, second in statements])
    backward = scorer([(with_topic(topic, second), first) for topic, first, second in statements])
    scores = (forward + backward)[:, InferenceClass.CONTRADICTION] / 2
    copies = np.array([first.strip() == second.strip() for _, first, second in statements])
    return np.where(copies, 0.0, scores)


def pair_scores(scorer: Scorer, rows: Sequence[Mapping[str, Any]]) -> PairScores:
    """Score the pairs that the published figures count."""
    counted = [row for row in rows if row["in_paper_eval"]]
    return PairScores(
        scores=contradiction_scores(scorer, [(row["topic"], row["orig"], row["alt"]) for row in counted]),
        truths=np.array([row["contradictory"] for row in counted]),
        generators=tuple(row["glm"] for row in counted),
        topics=tuple(row["topic"] for row in counted),
    )


def pair_figures(pairs: PairScores, threshold: float) -> dict[str, Any]:
    """Detection figures at a threshold, pooled and by generator."""
    generators = np.array(pairs.generators)
    chosen = {"pooled": np.ones(len(generators), np.bool_)}
    chosen |= {name: generators == name for name in sorted(set(pairs.generators))}
    return {
        "threshold": threshold,
        "average_precision": metrics.average_precision(pairs.scores, pairs.truths),
        **{
            name: asdict(metrics.detection(pairs.scores[rows] > threshold, pairs.truths[rows]))
            for name, rows in chosen.items()
        },
    }


def in_text_statements(rows: Sequence[Mapping[str, Any]], per_text: int, seed: int) -> list[tuple[str, str, str]]:
    """A sample of pairs of different sentences of one text."""
    chooser = random.Random(seed)  # noqa: S311 - sampling, not secrecy
    statements = []
    for topic, texts in texts_of(rows).items():
        for sentences in texts:
            found = list(combinations(sentences, 2))
            statements += [(topic, *pair) for pair in chooser.sample(found, min(per_text, len(found)))]
    return statements


def in_text_figures(scores: Scores, pairs: PairScores) -> dict[str, float]:
    """The false alarm rate on pairs of different sentences.

    The threshold gives a fixed recall of labelled contradictions, so that models are comparable whatever their
    calibration. A few of the pairs are unlabelled real contradictions.
    """
    threshold = metrics.threshold_at_recall(pairs.scores, pairs.truths, _IN_TEXT_RECALL)
    return {
        "threshold_at_60_recall": threshold,
        "alarms_per_100_pairs": float(100 * (scores > threshold).mean()),
        "score_99_percentile": float(np.quantile(scores, 0.99)),
        "score_95_percentile": float(np.quantile(scores, 0.95)),
    }


def support_scores(
    scorer: Scorer, rows: Sequence[Mapping[str, Any]], *, window_words: int = 90, step_words: int = 45
) -> Scores:
    """For each response, the lowest support of a sentence: its entailment by the sentence's best window."""
    pairs: list[Pair] = []
    spans: list[list[tuple[int, int]]] = []
    for row in rows:
        cut = windows(row["source"], window_words, step_words)
        of_response = []
        for sentence in row["sentences"]:
            of_response.append((len(pairs), len(pairs) + len(cut)))
            pairs += [(window, sentence) for window in cut]
        spans.append(of_response)
    entailment = scorer(pairs)[:, InferenceClass.ENTAILMENT]
    return np.array([min(entailment[start:end].max() for start, end in of_response) for of_response in spans])


def hallucination_figures(support: Scores, rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Figures of each half of the documents, with the best threshold of the other half."""
    truths = np.array([row["hallucinated"] for row in rows])
    folds = [fold_of(row["group"], _HALVES) for row in rows]
    predicted = metrics.cross_fitted(-support, truths, folds)
    return {
        "macro_f1": metrics.macro_f1(predicted, truths),
        "f1_hallucinated": metrics.detection(predicted, truths).f1,
        "f1_consistent": metrics.detection(~predicted, ~truths).f1,
        "threshold": -metrics.best_macro_f1_threshold(-support, truths),
        "average_precision_hallucinated": metrics.average_precision(-support, truths),
    }


def verdict_accuracy(scorer: Scorer, examples: Sequence[Example]) -> dict[str, float]:
    """Accuracy over all three classes, and over support and refutation only."""
    probabilities = scorer([(example.premise, example.hypothesis) for example in examples])
    classes = np.array([Label(example.label).allowed for example in examples]).argmax(axis=1)
    figures = {"accuracy": float(100 * (probabilities.argmax(axis=1) == classes).mean()), "rows": float(len(classes))}
    if InferenceClass.NEUTRAL not in classes:
        figures["accuracy_two_way"] = float(100 * (_two_way(probabilities) == classes).mean())
    return figures


def _two_way(probabilities: Probabilities) -> Truths:
    supported = probabilities[:, InferenceClass.ENTAILMENT] >= probabilities[:, InferenceClass.CONTRADICTION]
    return np.where(supported, InferenceClass.ENTAILMENT, InferenceClass.CONTRADICTION)


def page_support(scorer: Scorer, rows: Sequence[Mapping[str, Any]]) -> Scores:
    """Entailment by the best window, for pairs of page text and sub-claim."""
    wrapped = [{"source": row["premise"], "sentences": [row["hypothesis"]]} for row in rows]
    return support_scores(scorer, wrapped)


def biography_statements(rows: Sequence[Mapping[str, Any]], per_text: int, seed: int) -> list[tuple[str, str, str]]:
    """Pairs of different sentences of biographies, which never train; the topic is the subject."""
    texts = [{"topic": _subject(row["sentences"][0]), "sentences": row["sentences"]} for row in rows]
    return in_text_statements(texts, per_text, seed)


def _subject(first_sentence: str) -> str:
    """The name that a biography opens with."""
    return re.split(r" \(|, | is | was ", first_sentence, maxsplit=1)[0]


def two_sided_figures(scorer: Scorer, rows: Sequence[Row]) -> dict[str, float]:
    """How often a sentence's contradiction score is higher for the opposite side than for its own; chance is 50.

    The sentence is the same for both sides, so its own wording cannot reveal the label.
    """
    cases = [
        (row[fitting], row[excluded], sentence)
        for row in rows
        for fitting, excluded in (("a", "b"), ("b", "a"))
        for sentence in row[f"only_{fitting}"]
    ]
    fitted = contradiction_scores(scorer, [("", fitting, sentence) for fitting, _, sentence in cases])
    excluded = contradiction_scores(scorer, [("", other, sentence) for _, other, sentence in cases])
    return {"accuracy": float(100 * (excluded > fitted).mean()), "rows": float(len(cases))}


def text_figures(scorer: Scorer, rows: Sequence[Row]) -> dict[str, float]:
    """How many contradictions of whole texts score higher than all but a few of the other pairs of their sentences.

    The score of a pair is the mean of both directions.
    """
    pairs, truths = [], []
    for row in rows:
        planted = {places_of(pair) for pair in row["pairs"]}
        for places in combinations(range(len(row["sentences"])), 2):
            pairs.append(("", *(row["sentences"][place] for place in places)))
            truths.append(places in planted)
    scores, contradictory = contradiction_scores(scorer, pairs), np.array(truths)
    return {
        "contradictions": float(contradictory.sum()),
        "other_pairs": float((~contradictory).sum()),
        **{
            f"found_with_{false}_false": float(metrics.found_with_false(scores, contradictory, false))
            for false in _FALSE_PAIRS
        },
        "area_under_roc": metrics.area_under_roc(scores, contradictory),
    }


def cell_figures(scorer: Scorer, tables: Sequence[Row]) -> dict[str, float]:
    """How well the cells of tables that their source bears out are told from those that it contradicts."""
    pairs, letters = [], []
    for of_table in tables:
        corner, *headings = of_table["head"]
        for row in of_table["rows"]:
            thing = with_kind(row["name"], kind_of(corner))
            for heading, cell in zip(headings, row["cells"], strict=True):
                pairs.append((of_table["source"], entry_of(thing, heading, cell["t"])))
                letters.append(cell["l"])
    found, labels = scorer(pairs), np.array(letters)
    wrong, decided = labels == "c", labels != "u"
    contradiction = found[:, InferenceClass.CONTRADICTION]
    return {
        "cells": float(len(labels)),
        "wrong": float(wrong.sum()),
        "area_under_roc": metrics.area_under_roc(found[decided, InferenceClass.ENTAILMENT], ~wrong[decided]),
        **{
            f"wrong_found_with_{percent}_percent_false": float(
                metrics.found_with_false(contradiction, wrong, percent * int((~wrong).sum()) // 100)
            )
            for percent in _FALSE_CELLS_PERCENT
        },
    }


def table(figures: Mapping[str, Any]) -> str:
    """One line per figure: data set, metric, value."""
    lines = [("set", "figure", "value")]
    for name, of_set in figures.items():
        lines += [(name, figure, f"{value:.4g}") for figure, value in _flat(of_set)]
    widths = [max(len(line[column]) for line in lines) for column in range(2)]
    return "".join(f"{name:{widths[0]}}  {figure:{widths[1]}}  {value:>8}\n" for name, figure, value in lines)


def _flat(figures: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, float]]:
    for name, value in figures.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield before + name, value


def report(scorer: Scorer, sources: Sources, sets: Collection[str] = ()) -> dict[str, Any]:
    """The figures of the named sets, or of all. With a held-out fold, ChatProtect sets have only its topics."""
    return {name: figures(scorer, sources) for name, figures in _FIGURES.items() if not sets or name in sets}


def _pairs_and_texts(scorer: Scorer, sources: Sources) -> dict[str, Any]:
    topics = sources.training_topics if sources.held_out_fold is None else sources.held_out_topics
    pairs = pair_scores(scorer, topics("eval/chatprotect_pairs"))
    texts = in_text_statements(topics("eval/chatprotect_texts"), IN_TEXT_SAMPLE, sources.seed)
    biographies = biography_statements(sources.rows("eval/wikibio_gpt3"), IN_TEXT_SAMPLE, sources.seed)
    return {
        "pairs": pair_figures(pairs, metrics.best_f1_threshold(pairs.scores, pairs.truths)),
        "in_text": in_text_figures(contradiction_scores(scorer, texts), pairs),
        "in_text_biographies": in_text_figures(contradiction_scores(scorer, biographies), pairs),
    }


def _verdicts(file: str) -> Callable[[Scorer, Sources], dict[str, Any]]:
    return lambda scorer, sources: verdict_accuracy(scorer, verdict_examples(sources.rows(file)))


def _general(file: str) -> Callable[[Scorer, Sources], dict[str, Any]]:
    return lambda scorer, sources: verdict_accuracy(scorer, split_examples(sources.rows(file), "dev"))


def _sides(scorer: Scorer, sources: Sources) -> dict[str, Any]:
    return {
        origin.value: two_sided_figures(scorer, sources.authored("sides", origin, held_out=True)) for origin in Origin
    }


def _texts(scorer: Scorer, sources: Sources) -> dict[str, Any]:
    return text_figures(scorer, untrained_texts(sources.root, sources.own))


def _table_cells(scorer: Scorer, sources: Sources) -> dict[str, Any]:
    return {
        letter: cell_figures(scorer, replace(sources, letters=letter).own_rows("fresh_tables"))
        for letter in _UNTRAINED_TABLES
    }


def _held_out_revisions(scorer: Scorer, sources: Sources) -> dict[str, Any]:
    return verdict_accuracy(scorer, verdict_examples(sources.held_out_revision_rows()))


def _page_support(scorer: Scorer, sources: Sources) -> dict[str, Any]:
    rows = sources.rows("eval/bayes_nbc")
    factual = np.array([row["factual"] for row in rows])
    return {"average_precision": metrics.average_precision(page_support(scorer, rows), factual)}


def _hallucinations(file: str) -> Callable[[Scorer, Sources], dict[str, Any]]:
    def figures(scorer: Scorer, sources: Sources) -> dict[str, Any]:
        rows = sources.rows(file)
        return hallucination_figures(support_scores(scorer, rows), rows)

    return figures


_FIGURES: Mapping[str, Callable[[Scorer, Sources], dict[str, Any]]] = {
    "lingnli_dev": _general("train/nli2/nli_lingnli"),
    "counterfactual_dev": _general("train/nli2/nli_cad"),
    "sides": _sides,
    "texts": _texts,
    "table_cells": _table_cells,
    "chatprotect": _pairs_and_texts,
    "fever_symmetric": _verdicts("eval/fever_symmetric"),
    "anli": _verdicts("eval/anli_test"),
    "vitaminc_held_out": _held_out_revisions,
    "page_support": _page_support,
    **{name: _hallucinations(f"eval/{name}") for name in CONLI_SETS},
}
SETS = tuple(_FIGURES)
