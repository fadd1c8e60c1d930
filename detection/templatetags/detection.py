"""Small helpers of the templates."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django import template
from django.template.base import Node, NodeList, Parser, TextNode, Token
from django.template.context import Context
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from .. import wording
from ..core.llm.budget import Spending
from ..core.rewriting.revise import DiffPart
from ..exports import FORMATS, ExportFormat
from ..selectors.markup import parts_without_marks

register = template.Library()


@register.filter
def thousands(number: int) -> str:
    """12000 -> 12,000"""
    return f"{number:,}"


@register.filter
def counted(number: int, noun: str) -> str:
    """``3|counted:"warning"`` -> "3 warnings"; of the nouns in ``wording``."""
    return wording.count_of(number, noun)


@register.filter
def percent(probability: float) -> str:
    """0.236 -> 24 %"""
    return wording.percent(probability)


@register.filter
def time_left(seconds: int) -> str:
    """An estimate in words."""
    return wording.time_left(seconds)


@register.filter
def spending(value: Spending) -> str:
    """Calls, tokens and cost in words."""
    return wording.spending_in_words(value)


@register.filter
def reason(stored: str) -> str:
    """Why something was not done, in words."""
    return wording.reason_words(stored)


@register.filter
def without_marks(parts: Sequence[DiffPart]) -> tuple[DiffPart, ...]:
    """The parts of a change without the Markdown marks that the text does not show."""
    return parts_without_marks(parts)


@register.simple_tag
def textarea_value(value: str | None) -> SafeString:
    """The content of a textarea. Browsers drop one leading line break, so one is put before it."""
    return format_html("\n{}", value or "")


@register.simple_tag
def export_formats() -> tuple[ExportFormat, ...]:
    """The export formats, in order."""
    return tuple(FORMATS.values())


@register.simple_tag
def icon(name: str) -> SafeString:
    """An icon of the sprite in ``partials/_icons.html``; decoration, so hidden from screen readers."""
    return format_html('<svg class="icon" aria-hidden="true" focusable="false"><use href="#icon-{}"/></svg>', name)


@register.simple_tag
def tight(template_name: str, **context: object) -> SafeString:
    """Include a template without the white space around it: inside a sentence a line break would show as a space."""
    return mark_safe(render_to_string(template_name, context).strip())  # noqa: S308  # the template has escaped it


class _Unbroken(Node):
    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        return self.nodelist.render(context)


@register.tag
def unbroken(parser: Parser, token: Token) -> _Unbroken:
    """Remove the line breaks and indents of the template up to ``endunbroken``.

    For markup inside a sentence, where a line break would show as a space. Values are unchanged.
    """
    nodelist = parser.parse(("endunbroken",))
    parser.delete_first_token()
    for node in nodelist.get_nodes_by_type(TextNode):
        if isinstance(node, TextNode):  # as the name says; the types do not know
            node.s = re.sub(r"\n\s*", "", node.s)
    return _Unbroken(nodelist)
