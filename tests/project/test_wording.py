"""What people read is in the catalogue of a language: no module that serves them composes an English sentence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "detection"
#: What writes to people in the browser, or stores what they read. The doors speak to programs, in English.
ROOMS = ("services", "selectors", "web", "exports", "events", "storage", "templatetags")
#: Its texts are examples of what can be checked: English, whatever the page speaks.
EXAMPLES = ROOT / "web" / "examples.py"

_TRANSLATED = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy"}
#: A capital first, three words at least, and a full stop, question or exclamation mark.
_SENTENCE = re.compile(r"\s*[A-Z“]\S*\s+\S+\s.*[.?!]\s*", re.DOTALL)


@pytest.mark.parametrize("room", ROOMS)
def test_every_sentence_can_be_translated(room: str) -> None:
    modules = [path for path in (ROOT / room).rglob("*.py") if path != EXAMPLES]
    assert modules
    untranslated = [
        f"{path.relative_to(ROOT)}:{line}: {words}"
        for path in modules
        for line, words in sentences(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not untranslated


@pytest.mark.parametrize(
    ("code", "found"),
    [
        pytest.param('raise Refused("There is no such file.")', True, id="a text"),
        pytest.param('raise Refused(f"There are {count} files.")', True, id="a text with a value in it"),
        pytest.param('raise Refused(_("There is no such file."))', False, id="in the catalogue"),
        pytest.param('"""There is no such file."""', False, id="a docstring"),
        pytest.param('logger.error("There is no such file.")', False, id="for the log"),
        pytest.param('raise ValueError("no such file")', False, id="for a programmer"),
    ],
)
def test_a_sentence_in_the_code_is_found(code: str, found: bool) -> None:
    assert bool(list(sentences(ast.parse(code)))) is found


def sentences(node: ast.AST) -> Iterator[tuple[int, str]]:
    """The English sentences of a module that no call translates, but for docstrings and what is logged."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.Call) and is_left_out(node.func):
        return
    if isinstance(node, ast.Constant | ast.JoinedStr):
        words = text_of(node)
        if _SENTENCE.fullmatch(words):
            yield node.lineno, words
        return
    for child in ast.iter_child_nodes(node):
        yield from sentences(child)


def is_left_out(called: ast.expr) -> bool:
    if isinstance(called, ast.Attribute):
        return called.attr in _TRANSLATED or (isinstance(called.value, ast.Name) and called.value.id == "logger")
    return isinstance(called, ast.Name) and called.id in _TRANSLATED


def text_of(node: ast.Constant | ast.JoinedStr) -> str:
    """A text, with a dash in the place of each value."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(text_of(part) if isinstance(part, ast.Constant) else "–" for part in node.values)
