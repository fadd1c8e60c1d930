"""The published figures of papers, on all of their rows. Recorded answers for single rows are in the data."""

from __future__ import annotations

from collections.abc import Mapping

from .base import Baseline, Origin
from .metrics import FactualityMetrics, PairMetrics, TextMetrics

#: ChatProtect (Mündler et al. 2024), tables 3, 4 and 9: by the model that wrote the text, then by the judge.
_PUBLISHED_PAIRS: Mapping[str, Mapping[str, PairMetrics]] = {
    "gpt4": {"chatgpt": PairMetrics(80.1, 79.7, 79.9)},
    "chatgpt": {
        "chatgpt": PairMetrics(84.2, 83.2, 83.7),
        "gpt4": PairMetrics(91.3, 82.1, 86.5),
        "llama-2-70b-chat": PairMetrics(95.3, 45.8, 61.9),
        "vicuna-13b-1.1": PairMetrics(90.0, 25.1, 39.3),
        "chatgpt, asked directly": PairMetrics(83.0, 65.4, 73.1),
        "chatgpt, step by step": PairMetrics(89.0, 54.2, 67.4),
        "chatgpt, multi-path": PairMetrics(86.9, 77.7, 82.0),
    },
    "llama-2-70b-chat": {"chatgpt": PairMetrics(72.9, 89.0, 80.2)},
    "vicuna-13b-1.1": {"chatgpt": PairMetrics(74.4, 83.2, 78.6)},
}


def published_pairs(generator: str) -> list[Baseline]:
    """The paper's figures for the texts of one model; none for all models together, which it does not print."""
    published = _PUBLISHED_PAIRS.get(generator, {})
    return [Baseline(judge, Origin.PUBLISHED, metrics) for judge, metrics in published.items()]


#: ChatProtect, tables 3 and 4: contradicted sentences removed and facts kept, by the model that wrote the text, then by
#: the reviser; table 10 for the steps of ChatGPT on its own texts.
_PUBLISHED_TEXTS: Mapping[str, Mapping[str, TextMetrics]] = {
    "gpt4": {"chatgpt": TextMetrics(removed=76.3, facts_kept=99.9)},
    "chatgpt": {
        "chatgpt": TextMetrics(removed=89.5, facts_kept=100.8),
        "chatgpt, iteration1": TextMetrics(removed=69.3, facts_kept=101.6),
        "chatgpt, iteration2": TextMetrics(removed=74.5, facts_kept=102.2),
        "chatgpt, iteration3": TextMetrics(removed=75.8, facts_kept=102.3),
        "chatgpt, naive drop": TextMetrics(removed=94.8, facts_kept=89.4),
        "gpt4": TextMetrics(removed=79.7, facts_kept=97.7),
        "llama-2-70b-chat": TextMetrics(removed=44.4, facts_kept=98.8),
        "vicuna-13b-1.1": TextMetrics(removed=25.5, facts_kept=100.2),
    },
    "llama-2-70b-chat": {"chatgpt": TextMetrics(removed=85.4, facts_kept=95.5)},
    "vicuna-13b-1.1": {"chatgpt": TextMetrics(removed=82.7, facts_kept=95.1)},
}


def published_texts(generator: str) -> list[Baseline]:
    """The paper's figures for revisions of the texts of one model; none for all models together."""
    published = _PUBLISHED_TEXTS.get(generator, {})
    return [Baseline(reviser, Origin.PUBLISHED, metrics) for reviser, metrics in published.items()]


#: On all 238 biographies: SelfCheckGPT (Manakul et al. 2023), and the Bayesian sequential test (Wang et al. 2023),
#: tables 1 and 2, with the costs of a miss and of a false alarm. In the order of the fields of the figures.
_PUBLISHED_WIKIBIO: Mapping[str, FactualityMetrics] = {
    "sequential, 14 and 24": FactualityMetrics(82.42, 57.01, 80.24, 71.37, 64.55, 3.05),
    "sequential, 28 and 96": FactualityMetrics(86.45, 61.96, 82.39, 81.18, 74.20, 6.22),
    "sequential, whole sentences": FactualityMetrics(80.04, 53.71, 79.19),
    "SelfCheck-BERTScore": FactualityMetrics(81.96, 44.23, pearson=58.18, spearman=55.90),
    "SelfCheck-QA": FactualityMetrics(84.26, 48.14, pearson=61.07, spearman=59.29),
    "SelfCheck-Unigram": FactualityMetrics(85.63, 58.47, pearson=64.71, spearman=64.91),
    "SelfCheck, the three together": FactualityMetrics(87.33, 61.83, pearson=69.05, spearman=67.77),
    "SelfCheck-NLI": FactualityMetrics(92.50, 66.08, pearson=74.14),
    "SelfCheck-Prompt, gpt-3.5": FactualityMetrics(93.42, 67.09, pearson=78.32),
}


def published_wikibio() -> list[Baseline]:
    return [Baseline(name, Origin.PUBLISHED, metrics) for name, metrics in _PUBLISHED_WIKIBIO.items()]
