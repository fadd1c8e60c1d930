"""Replace one paragraph of the revised text by what its reader typed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from ..core.rewriting import revise
from ..core.types import Sentence
from ..models import Check
from ..selectors.rows import CheckRows
from .decisions import DecisionImpossible

#: A blank line would split the paragraph and renumber all paragraphs after it.
_BLANK_LINES = re.compile(r"\s*\n\s*\n\s*")


def text_with_block(*, check: Check, block: int, before: str, wording: str) -> str:
    """The revised text of ``check`` with one block replaced by ``wording``; "" removes the block.

    ``before`` is the block as the page showed it; white space that the page does not show is ignored.

    Raises:
        DecisionImpossible: the block does not exist or has changed, or no text would be left.
    """
    rows = CheckRows(check)
    sentences = [row.as_value() for row in rows.sentences]
    own = [sentence for sentence in sentences if sentence.block == block]
    if not own:
        raise DecisionImpossible(_("This paragraph is no longer part of the check. Reload the page."))
    start, end = own[0].start, own[-1].end
    if _words(before) != _words(_revised(check.text, start, end, sentences, rows.wordings)):
        raise DecisionImpossible(
            _("This paragraph has changed since this page showed it, so your wording was not checked. Reload the page.")
        )
    wording = _BLANK_LINES.sub(" ", wording.strip())
    if wording:
        head = _revised(check.text, 0, start, sentences, rows.wordings)
        tail = _revised(check.text, end, len(check.text), sentences, rows.wordings)
        text = f"{head}{wording}{tail}"
    else:
        text = revise.apply(check.text, sentences, {**rows.wordings, **{sentence.index: "" for sentence in own}})
    if not text.strip():
        raise DecisionImpossible(_("Nothing would be left of the text. Leave a few words."))
    return text


def _revised(text: str, start: int, end: int, sentences: Sequence[Sentence], wordings: Mapping[int, str]) -> str:
    """The revised text of a span of the original that contains only whole sentences."""
    inside = [
        replace(sentence, start=sentence.start - start, end=sentence.end - start)
        for sentence in sentences
        if start <= sentence.start < end
    ]
    return revise.apply(text[start:end], inside, wordings)


def _words(text: str) -> list[str]:
    return text.split()
