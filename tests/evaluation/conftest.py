"""Small data files with invented content, in the form of the real ones."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

WriteRows = Callable[..., Path]


@pytest.fixture
def write_rows(tmp_path: Path) -> WriteRows:
    """Writes rows as JSON lines, plain or packed, and gives the folder."""

    def write(name: str, rows: Sequence[dict[str, Any]], *, packed: bool = False) -> Path:
        data = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
        if packed:
            (tmp_path / f"{name}.jsonl.gz").write_bytes(gzip.compress(data))
        else:
            (tmp_path / f"{name}.jsonl").write_bytes(data)
        return tmp_path

    return write


def pair(orig: str, alt: str, *, contradictory: bool, **others: Any) -> dict[str, Any]:
    """A row of ``chatprotect_pairs``; ChatGPT is on record as always right about it."""
    return {
        "glm": "chatgpt",
        "topic": "Marta Lindqvist",
        "target": "Please tell me about Marta Lindqvist",
        "prefix": "",
        "triple_source": "compactie",
        "triple": ["Marta Lindqvist", "was born", "in 1932"],
        "orig": orig,
        "alt": alt,
        "contradictory": contradictory,
        "in_paper_eval": True,
        "verdicts": {"chatgpt": {"score": float(contradictory), "contradictory": contradictory}},
        "ablations": None,
        **others,
    }


PAIRS = [
    pair("Marta Lindqvist was born in 1932.", "Marta Lindqvist was born in 1936.", contradictory=True),
    pair("She studied botany in Uppsala.", "She studied botany in Uppsala.", contradictory=False),
    pair(
        "The Sorrel Bridge is 210 metres long.",
        "The Sorrel Bridge crosses the river Tell.",
        contradictory=False,
        glm="gpt4",
        topic="Sorrel Bridge",
    ),
    pair(
        "The Sorrel Bridge was opened in May 1911.",
        "The Sorrel Bridge was opened in October 1925.",
        contradictory=True,
        glm="gpt4",
        topic="Sorrel Bridge",
    ),
    pair("Not counted.", "Left out.", contradictory=True, in_paper_eval=False),
]

_SOURCE = (
    "The Sorrel Bridge was opened in May 1911 by the mayor of Harwick, Ada Fenn. It crosses the river Tell and carries "
    "two lanes of traffic. In 1958 the wooden deck was replaced with steel."
)

RESPONSES = [
    {"source": _SOURCE, "response": text, "sentences": [text], "hallucinated": hallucinated}
    for text, hallucinated in [
        ("The Sorrel Bridge was opened in May 1911.", False),
        ("The Sorrel Bridge was opened in May 1935.", True),
        ("Ada Fenn sold the bridge to a railway company from Oslo for three million dollars.", True),
    ]
]

CLAIMS = [
    {"evidence": "The Sorrel Bridge was opened in May 1911.", "claim": claim, "label": label, "part": part}
    for claim, label, part in [
        ("The Sorrel Bridge opened in 1911.", "SUPPORTS", "real"),
        ("The Sorrel Bridge was opened in 1935.", "REFUTES", "real"),
        ("The Sorrel Bridge is painted green.", "NOT ENOUGH INFO", "synthetic"),
    ]
]

_TEXT = ("Marta Lindqvist was a botanist.", "She was born in 1932.", "She lived in Harwick.")


def _text_pair(orig: str, *, contradictory: bool, **others: Any) -> dict[str, Any]:
    return pair(orig, "Another sentence.", contradictory=contradictory, **others)


#: Pairs of the sentences of :data:`TEXTS`, of a revision of them, and one of another extractor, which does not count.
TEXT_PAIRS = [
    _text_pair(_TEXT[0], contradictory=False),
    _text_pair(_TEXT[0], contradictory=False),
    _text_pair(_TEXT[1], contradictory=True),
    _text_pair(_TEXT[2], contradictory=False),
    _text_pair("Marta Lindqvist was born in spring 1932.", contradictory=True, in_paper_eval=False),
    _text_pair(_TEXT[2], contradictory=True, triple_source="native"),
]


def _revision(*sentences: str) -> dict[str, Any]:
    return {"text": " ".join(sentences), "sentences": sentences, "decisions": []}


TEXTS = [
    {
        "glm": "chatgpt",
        "topic": "Marta Lindqvist",
        "prompt": "Please tell me about Marta Lindqvist",
        "text": " ".join(_TEXT),
        "sentences": _TEXT,
        "revisions": {
            "chatgpt": {
                "iteration1": _revision(_TEXT[0], "Marta Lindqvist was born in spring 1932.", _TEXT[2]),
                "final": _revision(_TEXT[0], _TEXT[2]),
            }
        },
    }
]


_PAGE = "The Sorrel Bridge was opened in May 1911 by the mayor of Harwick, Ada Fenn. It crosses the river Tell."
_OTHER_PAGE = "Rye and flax grow on small fields, and the farmers sell their harvest at the market on Mondays."

PAGES = [
    {"page_id": "bridge", "url": "", "text": _PAGE},
    {"page_id": "farms", "url": "", "text": _OTHER_PAGE},
]

#: The labels of two biographies; the sentences are :data:`SUBCLAIMS`. Other judges are on record for the first.
BIOGRAPHIES = [
    {
        "passage": 4,
        "labels": ["accurate", "major_inaccurate"],
        "replicated_scores": {"nli": [0.1, 0.9], "prompt": [0, 1]},
    },
    {"passage": 9, "labels": ["minor_inaccurate"], "replicated_scores": None},
]


def _sentence(passage: int, index: int, subclaims: dict[str, list[str]]) -> dict[str, Any]:
    return {
        "passage": passage,
        "sentence_index": index,
        "subclaims": [{"subclaim": text, "pages": pages} for text, pages in subclaims.items()],
    }


SUBCLAIMS = [
    _sentence(
        4,
        0,
        {"The Sorrel Bridge was opened in 1911.": ["bridge"] * 10, "Ada Fenn was mayor of Harwick.": ["bridge"] * 10},
    ),
    _sentence(4, 1, {"The Sorrel Bridge was sold to a railway company from Oslo.": ["farms"] * 10}),
    _sentence(9, 0, {"Ada Fenn was born in Lisbon.": ["farms", "farms"]}),
]
