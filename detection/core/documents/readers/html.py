"""Read the main text of an HTML page, without navigation, menus and scripts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

import lxml.html
from lxml import etree

from ...errors import UnreadableDocument
from ..assembly import TextBuilder
from ..encodings import decode_bytes
from ..types import Document, DocumentLimits
from .html_blocks import Block, is_document, main_text_blocks, visible_blocks
from .html_main import MainWords

#: Below this share of the visible text, the extraction of the main text has failed.
_MIN_MAIN_SHARE = 0.4

_DECLARED_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{1,40})""", re.I)
_DECLARED_WITHIN = 2048

#: Limit for libxml2, which compares each attribute of an element with all its others.
_MAX_ATTRIBUTES = 2_000
_TAG = re.compile(r"""<[a-z](?:[^>="']++|=\s*+"[^"]*+"|=\s*+'[^']*+'|[="'])*+""", re.I)
_VALUE = re.compile(r"""=\s*+(?:"[^"]*+"|'[^']*+')""")
_SEPARATOR = re.compile(r"[\s/]++")


def read_html(data: bytes, charset: str, limits: DocumentLimits) -> Document:
    tree = _parse(decode_bytes(data, declared=charset or _declared_charset(data)))
    if tree is None:
        return Document(title="", text="")
    visible = visible_blocks(tree, without_surroundings=True) or visible_blocks(tree)
    main = visible if is_document(tree) else MainWords(_main_blocks(tree)).among(visible)
    builder = TextBuilder(limits)
    _add(builder, main if _length(main) >= _MIN_MAIN_SHARE * _length(visible) else visible)
    return builder.document(title=tree.findtext(".//title") or "")


def add_visible_text(builder: TextBuilder, html: str) -> None:
    """Add all visible text of a piece of HTML."""
    tree = _parse(html)
    if tree is not None:
        _add(builder, visible_blocks(tree))


def _declared_charset(data: bytes) -> str:
    declared = _DECLARED_CHARSET.search(data[:_DECLARED_WITHIN])
    charset = declared.group(1).decode("ascii", errors="ignore") if declared else ""
    # A declaration in single bytes cannot be in UTF-16.
    return "" if charset.lower().startswith(("utf-16", "utf-32")) else charset


def _parse(html: str) -> lxml.html.HtmlElement | None:
    """The tree of a page; None for one without any element."""
    _refuse_wide_elements(html)
    parser = lxml.html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    tree = None
    with suppress(etree.ParserError, etree.XMLSyntaxError):
        tree = lxml.html.document_fromstring(html.encode(errors="replace"), parser=parser)
    # At its limits of memory, depth and length the parser stops and returns a truncated tree.
    errors = {entry.type for entry in parser.error_log}
    if etree.ErrorTypes.ERR_NO_MEMORY in errors:
        raise MemoryError
    if etree.ErrorTypes.ERR_RESOURCE_LIMIT in errors:
        raise UnreadableDocument("Its elements are nested too deeply, or one of them is too long.")
    return tree


def _refuse_wide_elements(html: str) -> None:
    for tag in _TAG.finditer(_without_scripts(html)):
        if len(tag.group()) > _MAX_ATTRIBUTES and _attributes_in(tag.group()) > _MAX_ATTRIBUTES:
            raise UnreadableDocument(f"One of its elements has more than {_MAX_ATTRIBUTES:,} attributes.")


def _attributes_in(tag: str) -> int:
    return len(_SEPARATOR.findall(_VALUE.sub(" ", tag)))


def _without_scripts(html: str) -> str:
    """Remove scripts, which may contain ``<``. Each byte is scanned only a few times, even with unclosed tags."""
    lower, parts, end = html.lower(), [], 0
    while (start := lower.find("<script", end)) >= 0 and (close := lower.find("</script", start)) >= 0:
        parts.append(html[end:start])
        end = close
    return "".join([*parts, html[end:]])


def _main_blocks(tree: lxml.html.HtmlElement) -> list[Block]:
    import trafilatura  # slow to import, and not needed for HTML in Markdown

    # Prefer recall: text that is missing from a source looks made up.
    found = trafilatura.bare_extraction(
        tree, favor_recall=True, include_comments=False, include_formatting=True, prune_xpath="//*[@hidden]"
    )
    body = getattr(found, "body", None)
    return main_text_blocks(body) if body is not None else []


def _add(builder: TextBuilder, blocks: Sequence[Block]) -> None:
    for block in blocks:
        builder.add(block.kind, block.text)


def _length(blocks: Sequence[Block]) -> int:
    return sum(len(block.text) for block in blocks)
