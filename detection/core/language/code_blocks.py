"""Parse code blocks: the content between the fences, and the language."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FENCED = re.compile(
    r"\A\s*(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)\n(?P<code>.*?)(?:\n?[ \t]*(?P=fence)[`~]*\s*)?\Z", re.DOTALL
)
_LANGUAGE = re.compile(r"[\w+#.-]{1,30}")


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """``language`` is that of the fence; "" if it names none."""

    language: str
    code: str


def code_block_of(text: str) -> CodeBlock:
    """The block without its fences, if it has any."""
    fenced = _FENCED.match(text)
    return CodeBlock(_language(fenced["info"]), fenced["code"]) if fenced else CodeBlock("", text.strip("\n"))


def language_before(text: str) -> str:
    """The language that the fence at the end of ``text`` names."""
    return _language(text.rstrip("\n").rpartition("\n")[2].strip().lstrip("`~"))


def _language(info: str) -> str:
    found = _LANGUAGE.match(info.strip())
    return found.group() if found else ""
