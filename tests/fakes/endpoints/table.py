"""The table of docs/endpoints.md."""

from __future__ import annotations

from tests.fakes.endpoints import ENDPOINTS

_HEAD = """\
# Endpoints

What becomes of a check, a check with a source, and a text that is to be written, at the endpoints that people have.
Printed by `python -m tests.fakes.endpoints > docs/endpoints.md`; `tests/core/test_endpoints.py` runs each row against a
scripted server that behaves like the one that it is named after, and holds the table to what happens there. In no row
is a sentence called fine that was not compared.

*works*: everything is as with the classic. *degrades*: the results are the same, at a cost or without a comfort.
*fails*: no sentence is called fine, and the reader is told these words, followed by those of the endpoint.

| endpoint | check | check with a source | write | what it does, and how that is known |
|---|---|---|---|---|
"""


def render() -> str:
    """The page, as it must read."""
    rows = [
        f"| {row.name} | {_cell(row.check)} | {_cell(row.source)} | {_cell(row.write)} | {_cell(row.knowledge)} |\n"
        for row in ENDPOINTS
    ]
    return _HEAD + "".join(rows)


def _cell(text: str) -> str:
    kind, colon, rest = text.partition(": ")
    marked = f"*{kind}*{colon}{rest}" if kind in ("works", "degrades", "fails") else text
    return marked.replace("|", "\\|")
