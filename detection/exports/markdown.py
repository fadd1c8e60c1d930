"""The revised text as Markdown, with the findings below it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

from ..core.retrieval.links import site_of
from ..core.types import BlockKind
from ..selectors.detail import CheckDetail
from ..selectors.sentences import SentenceView
from .document import BULLET, Block, document_of
from .notes import Note, words_of
from .summary import DISCLAIMER, Summary, summary_of
from .writing import WritingAccount, outcome_of, writing_of

_SPECIAL = re.compile(r"([\\`*_\[\]<>&|~$])")
_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)
_BLOCK_START = re.compile(r"^(\s*\d{0,9})([#+\-=:.)])", re.MULTILINE)
_NUMBER = re.compile(r"\d{1,9}[.)]$")
_TABLE_RULE = re.compile(r"[\s:|-]+$")
_BACKTICKS = re.compile(r"`+")
_INDENT = "   "

_MARKDOWN = MarkdownIt("commonmark")
#: The Markdown tokens that are harmless for the reader of a document.
_HARMLESS = frozenset({
    "text", "softbreak", "hardbreak", "em_open", "em_close", "strong_open", "strong_close", "code_inline",
    "link_open", "link_close",
})  # fmt: skip


def write(detail: CheckDetail) -> bytes:
    document = document_of(detail)
    blocks = [block for block in document.blocks if not block.is_removed]
    parts = [_joined(blocks), "---", *_report(summary_of(detail), document.notes), *_account(writing_of(detail))]
    return ("\n\n".join(part for part in parts if part) + "\n").encode()


# --- The text ---------------------------------------------------------------------------------------------------


def _joined(blocks: Iterable[Block]) -> str:
    """The blocks with an empty line between them; items of a list follow each other."""
    text, before = "", None
    for block in blocks:
        both_items = before is BlockKind.LIST_ITEM is block.kind
        text += ("" if before is None else "\n" if both_items else "\n\n") + _block(block)
        before = block.kind
    return text


def _block(block: Block) -> str:
    match block.kind:
        case BlockKind.HEADING:
            return f"{'#' * block.level} {as_written(' '.join(block.revised.splitlines()))}"
        case BlockKind.LIST_ITEM:
            is_number = _NUMBER.match(block.marker)
            marker = block.marker if is_number else "-"
            kept = "" if is_number or block.marker == BULLET else f"{escaped(block.marker)} "
            indent = _INDENT * block.level
            return f"{indent}{marker} {kept}{_continued(as_written(block.revised), f'{indent}{_INDENT}')}"
        case BlockKind.CODE:
            fence = "`" * max(3, 1 + max(map(len, _BACKTICKS.findall(block.revised)), default=0))
            return f"{fence}\n{block.revised}\n{fence}"
        case BlockKind.TABLE:
            return _table(block.revised)
        case BlockKind.PARAGRAPH:
            text = as_written(block.revised)
            return f"> {_continued(text, '> ')}" if block.is_quotation else text


def _continued(text: str, prefix: str) -> str:
    return f"\n{prefix}".join(text.splitlines())


def _table(text: str) -> str:
    """The rows unchanged if all cells are harmless."""
    rows = [row.replace("|", " ") for row in text.splitlines() if not _TABLE_RULE.match(row)]
    return text if all(map(_is_harmless, rows)) else "\n".join(map(escaped, text.splitlines()))


def as_written(text: str) -> str:
    """Keep harmless Markdown of the text, such as emphasis; otherwise escape the whole text.

    HTML, pictures and links to anything but web pages could act where the file is shown.
    """
    return text if _is_harmless(text) else escaped(text)


def _is_harmless(text: str) -> bool:
    tokens = _MARKDOWN.parse(text)
    if [token.type for token in tokens] != ["paragraph_open", "inline", "paragraph_close"]:
        return False
    return all(_says_only(token) for token in tokens[1].children or ())


def _says_only(token: Token) -> bool:
    if token.type == "link_open":
        return bool(site_of(str(token.attrGet("href"))))
    return token.type in _HARMLESS


def escaped(text: str) -> str:
    """The text with all Markdown escaped. Indentation is removed, because indented lines would be code."""
    return _BLOCK_START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", _INDENTATION.sub("", text)))


# --- The findings -----------------------------------------------------------------------------------------------


def _report(summary: Summary, notes: Iterable[Note]) -> Iterator[str]:
    yield f"## {_('What was found')}"
    date = date_format(summary.date, "j F Y")
    facts = [
        _("%(date)s, by %(engine)s") % {"date": date, "engine": summary.engine},
        summary.coverage,
        summary.warnings,
    ]
    if summary.topic:
        facts.append(_("Topic: %s") % summary.topic)
    if summary.prompt:
        facts.append(_("Answers the prompt: %s") % summary.prompt)
    facts += [_("Compared with: %s") % name for name in summary.sources]
    facts += [_("Searched: %s") % summary.looked_up] if summary.looked_up else []
    facts += [summary.usage] if summary.usage else []
    yield "\n".join(f"- {_line(fact)}" for fact in facts)
    for note in notes:
        yield from _note(note)
    if summary.unchecked:
        yield f"### {_('Not checked')}"
        yield "\n".join(f"- {_line(_unchecked(sentence))}" for sentence in summary.unchecked)
    yield _line(str(DISCLAIMER))


def _unchecked(sentence: SentenceView) -> str:
    label = f"{sentence.label}: {sentence.reason}" if sentence.reason else sentence.label
    told = _("Sentence %(number)s, %(label)s") % {"number": sentence.number, "label": label}
    return f"{told}: {sentence.text}"


def _account(account: WritingAccount | None) -> Iterator[str]:
    if account is None:
        return
    yield f"## {_('How the text was written')}"
    checked_by = _("Each sentence was checked before the next one was written: %s") % account.checked_by
    facts = [checked_by, *account.counts]
    facts += [account.ending] if account.ending else []
    yield "\n".join(f"- {_line(fact)}" for fact in facts)
    for sentence in account.changed:
        title = _("First version of sentence %s") % sentence.number
        yield f"### {title}"
        yield _line(sentence.first_version)
        for validation in sentence.refutations:
            yield f"{_line(validation.question)} {_line(validation.answer.capitalize())}. {_line(validation.reason)}"
            for quote in validation.quotes:
                link = f" ({_line(quote.href)})" if quote.site else ""
                yield f"> **{_line(quote.label)}:** {_line(words_of(quote))}{link}"
        yield f"- {_line(outcome_of(sentence))}"


def _note(note: Note) -> Iterator[str]:
    card = note.card
    sentence = _("sentence %s") % card.number
    yield f"### {note.number}. {_line(card.title)}: {sentence} ({card.sure}, {card.score:.2f})"
    yield _line(card.message)
    for quote in card.quotes:
        link = f" ({_line(quote.href)})" if quote.site else ""
        yield f"> **{_line(quote.label)}:** {_line(words_of(quote))}{link}"
    yield "\n".join(f"- {_line(line)}" for line in (*(offer.told for offer in note.offers), note.outcome))


def _line(text: str) -> str:
    return escaped(" ".join(text.split()))
