"""Read Markdown without its markup.

Markup would disturb the comparison of a sentence with its source: numbers in the address of a link are not facts, and
``**Karsholm**`` is not the name of a town. Quotes still match the rendered text.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ...types import BlockKind
from ..assembly import TextBuilder, table_row
from ..encodings import decode_bytes
from ..types import Document, DocumentLimits
from .html import add_visible_text

_FRONT_MATTER = re.compile(r"---\n(.*?\n)---\n", re.S)


def read_markdown(data: bytes, charset: str, limits: DocumentLimits) -> Document:
    source = decode_bytes(data, declared=charset)
    builder = TextBuilder(limits)
    if front_matter := _FRONT_MATTER.match(source):
        builder.add(BlockKind.CODE, front_matter.group(1))
        source = source[front_matter.end() :]
    _Walk(builder).over(MarkdownIt("commonmark").enable("table").parse(source))
    return builder.document()


class _Walk:
    """Traverses the tokens of a text once and adds a block for each paragraph, heading, item and row."""

    def __init__(self, builder: TextBuilder) -> None:
        self._builder = builder
        self._is_heading = False
        self._marker = ""
        self._row: list[str] | None = None

    def over(self, tokens: list[Token]) -> None:
        for token in tokens:
            match token.type:
                case "heading_open" | "heading_close":
                    self._is_heading = token.type == "heading_open"
                case "list_item_open":
                    self._marker = f"{token.info}{token.markup} " if token.info else "- "
                case "list_item_close":
                    self._marker = ""
                case "inline":
                    self._add(_words(token.children or []))
                case "fence" | "code_block":
                    self._builder.add(BlockKind.CODE, token.content)
                case "html_block":
                    add_visible_text(self._builder, token.content)
                case "tr_open":
                    self._row = []
                case "tr_close":
                    self._builder.add(BlockKind.TABLE, table_row(self._row or []))
                    self._row = None

    def _add(self, words: str) -> None:
        if self._row is not None:
            self._row.append(words)
        elif self._is_heading:
            self._builder.add(BlockKind.HEADING, words)
        elif self._marker:
            self._builder.add(BlockKind.LIST_ITEM, self._marker + words)
            self._marker = ""
        else:
            self._builder.add(BlockKind.PARAGRAPH, words)


def _words(tokens: list[Token]) -> str:
    """The visible words of a paragraph."""
    words = []
    for token in tokens:
        match token.type:
            case "text" | "code_inline" | "text_special" | "image":
                words.append(token.content)  # the alternative text of an image
            case "softbreak":
                words.append(" ")
            case "hardbreak":
                words.append("\n")
    return "".join(words)
