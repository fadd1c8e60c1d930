"""The English words by which short sentences are told from those of other languages.

``python -m detection.lab.training.language.english_words`` writes them anew, from the texts in ``training/authored``.
"""

from __future__ import annotations

import gzip
import json
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from ....core.language import english

_AUTHORED = Path(__file__).resolve().parents[1] / "authored"
#: A word that is rarer may be a name, a misspelling, or a quoted word of another language.
_MIN_ROWS = 5
#: Lower case only: what has a capital letter may be a name.
_WORD = re.compile(r"(?<![\w’'])[a-z]+(?!\w)")
#: Fields with names of rows and labels.
_NO_TEXT = frozenset({"g", "genre", "kind", "l"})
_HEAD = """\
# Lower-case words in five or more rows of detection/lab/training/authored, by
# `python -m detection.lab.training.language.english_words`.

"""


def main() -> None:
    rows = (json.loads(line) for path in sorted(_AUTHORED.glob("*.jsonl.gz")) for line in _lines(path))
    words = " ".join(frequent_words(rows, at_least=_MIN_ROWS))
    english.ENGLISH_WORDS_FILE.write_text(f"{_HEAD}{textwrap.fill(words, width=120)}\n", encoding="utf-8")


def frequent_words(rows: Iterable[object], *, at_least: int) -> list[str]:
    """The lower-case words that stand in so many rows, sorted."""
    counted = Counter(word for row in rows for word in {word for text in _texts(row) for word in _WORD.findall(text)})
    return sorted(word for word, count in counted.items() if count >= at_least)


def _lines(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from lines


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name not in _NO_TEXT:
                yield from _texts(item)


if __name__ == "__main__":
    main()
