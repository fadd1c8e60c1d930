"""Small data files with invented content, in the format of the real ones."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

WriteRows = Callable[..., Path]


def write_rows_into(folder: Path, name: str, rows: Sequence[dict[str, Any]], *, packed: bool = False) -> Path:
    """Write rows as JSON lines, plain or compressed, and return the folder."""
    data = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    if packed:
        (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(data))
    else:
        (folder / f"{name}.jsonl").write_bytes(data)
    return folder


@pytest.fixture
def write_rows(tmp_path: Path) -> WriteRows:
    """Write rows into the folder of the test, and return it."""
    return partial(write_rows_into, tmp_path)


def pair(orig: str, alt: str, *, contradictory: bool, **others: Any) -> dict[str, Any]:
    """A row of ``chatprotect_pairs``; the recorded ChatGPT judgements are all correct."""
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


#: Pairs of sentences of :data:`TEXTS`, of a revision, and one of another extractor, which does not count.
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

#: The labels of two biographies; the sentences are :data:`SUBCLAIMS`. The first has recorded judgements of others.
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


_BIOGRAPHY = (
    "Marta Lindqvist was born in Harwick in 1932.",
    "She studied botany in Uppsala and drew mosses all her life.",
    "Marta Lindqvist was born in Harwick in 1936.",
    "Her drawings hang in the museum of the town.",
)

#: One text with a contradiction and correct wordings for its second sentence, and one without errors.
AUTHORED_TEXTS: list[dict[str, Any]] = [
    {
        "g": "t-1",
        "genre": "biography",
        "sentences": _BIOGRAPHY,
        "pairs": [
            {
                "a": 0,
                "b": 2,
                "kind": "date",
                "difficulty": "easy",
                "what": "two years",
                "fix": ["Marta Lindqvist was born in Harwick in 1932."],
            }
        ],
        "clean": False,
    },
    {
        "g": "t-2",
        "genre": "news",
        "sentences": ("The Sorrel Bridge crosses the river Tell.", "Rye and flax grow on the fields of the valley."),
        "pairs": [],
        "clean": True,
    },
]

AUTHORED_SUMMARIES: list[dict[str, Any]] = [
    {
        "g": "s-1",
        "genre": "news",
        "source": _SOURCE,
        "sentences": [
            {"t": "The Sorrel Bridge was opened in May 1911.", "l": "s"},
            {
                "t": "In 1968 the wooden deck was replaced with steel.",
                "l": "c",
                "w": "1958",
                "fix": "In 1958 the wooden deck was replaced with steel.",
            },
            {"t": "A railway company from Oslo paid three million dollars for it.", "l": "u", "w": "sale"},
        ],
    }
]

AUTHORED_TABLES: list[dict[str, Any]] = [
    {
        "g": "t-1",
        "before": "Two bridges cross the river.",
        "source": f"{_SOURCE} The Arn Bridge was opened in 1925.",
        "head": ["Bridge", "Opened"],
        "rows": [
            {"name": "Sorrel Bridge", "cells": [{"t": "1911", "l": "s"}]},
            {"name": "Arn Bridge", "cells": [{"t": "1952", "l": "c"}]},
        ],
    }
]

#: ``g-2`` is held out by its name, ``g-0`` is not.
SIDES: list[dict[str, Any]] = [
    {
        "g": name,
        "genre": "report",
        "topic": "Sorrel Bridge",
        "a": "The Sorrel Bridge was opened in 1911.",
        "b": "The Sorrel Bridge was opened in 1935.",
        "only_a": ["The opening of the Sorrel Bridge was in 1911."],
        "only_b": ["The opening of the Sorrel Bridge was in 1935."],
        "both": ["It crosses the river Tell."],
    }
    for name in ("g-2", "g-0")
]


def response(*, is_bad: bool, **others: Any) -> dict[str, Any]:
    """A row of the sets of labelled responses; a bad one has a wrong year at the end."""
    text = str(RESPONSES[1 if is_bad else 0]["response"])
    return {
        "group": "bridge",
        "model": "some-model",
        "source": _SOURCE,
        "response": text,
        "label": int(is_bad),
        "spans": [[28, len(text) - 1, "Evident Conflict"]] if is_bad else [],
        **others,
    }


LABELLED_RESPONSES: list[dict[str, Any]] = [response(is_bad=True), response(is_bad=False)]

BIOGRAPHY_CLAIMS: list[dict[str, Any]] = [
    {
        "group": "bridge",
        "model": "some-model",
        "source": _SOURCE,
        "claims": [
            ["The Sorrel Bridge was opened in May 1911.", "entailment", "When?"],
            ["The Sorrel Bridge was opened in May 1935.", "contradiction", "When?"],
        ],
    }
]

EXCERPTS: list[dict[str, Any]] = [
    {
        "group": "one",
        "text": " ".join(_BIOGRAPHY),
        "sure": True,
        "scope": "local",
        "doc_type": "wiki",
        "spans": [[105, 149]],
    },
    {"group": "two", "text": _SOURCE, "sure": True, "scope": None, "doc_type": "news", "spans": []},
    {"group": "three", "text": _SOURCE, "sure": None, "scope": None, "doc_type": "news", "spans": []},
]

INFERENCES: list[dict[str, Any]] = [
    {"premise": "A dog runs.", "hypothesis": hypothesis, "label": label, "source": "own", "split": split}
    for hypothesis, label, split in [
        ("An animal runs.", "entailment", "dev"),
        ("No dog moves.", "contradiction", "dev"),
        ("The dog is brown.", "neutral", "train"),
    ]
]

TREEBANK = """\
# newdoc id = weblog-one
# sent_id = 1
1\tRain\train\tNOUN\tNN\t_\t2\tnsubj\t_\t_
2\tfell\tfall\tVERB\tVBD\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# sent_id = 2
1\tIt\tit\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\tstopped\tstop\tVERB\tVBD\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# newpar
# sent_id = 3
1\tWe\twe\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\twalked\twalk\tVERB\tVBD\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# newdoc id = weblog-two
# sent_id = 4
1\tAlone\talone\tADV\tRB\t_\t0\troot\t_\tSpaceAfter=No
2\t.\t.\tPUNCT\t.\t_\t1\tpunct\t_\t_
"""
