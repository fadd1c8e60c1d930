"""Rewrites as small replacements, which editors apply at a mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..core.types import Finding, Sentence, Span, Suggestion


@dataclass(frozen=True, slots=True)
class Replacements:
    """The replacements for ``span`` (offsets of the text), best first."""

    span: Span
    texts: tuple[str, ...]


def offered(finding: Finding) -> list[Suggestion]:
    """The verified rewrites of one sentence. An editor cannot show unverified ones or those of several sentences."""
    return [
        suggestion
        for suggestion in finding.suggestions
        if suggestion.verified and suggestion.replacement and suggestion.is_of_one_sentence
    ]


def replacements_of(finding: Finding, sentences: Sequence[Sentence]) -> Replacements:
    """The rewrites of a finding as changes of one span: its words, and all words that any rewrite changes.

    Rewrites of other sentences are left out, because they change nothing at the mark.
    """
    own = sentences[finding.sentence]
    rewrites = [suggestion.replacement for suggestion in offered(finding) if suggestion.sentence == finding.sentence]
    changes = [_changed(own.text, rewrite) for rewrite in rewrites]
    start = min([finding.span.start - own.start, *(before for before, _ in changes)])
    behind = min([own.end - finding.span.end, *(after for _, after in changes)])
    end = len(own.text) - behind
    return Replacements(
        Span(own.start + start, own.start + end),
        tuple(dict.fromkeys(rewrite[start : len(rewrite) - behind] for rewrite in rewrites)),
    )


def _changed(old: str, new: str) -> tuple[int, int]:
    """The number of unchanged characters at the beginning and at the end, up to word boundaries."""
    most = min(len(old), len(new))
    before = next((i for i in range(most) if old[i] != new[i]), most)
    while before and not (_is_border(old, before) and _is_border(new, before)):
        before -= 1
    most -= before
    after = next((i for i in range(most) if old[-1 - i] != new[-1 - i]), most)
    while after and not (_is_border(old, len(old) - after) and _is_border(new, len(new) - after)):
        after -= 1
    return before, after


def _is_border(text: str, place: int) -> bool:
    return place in (0, len(text)) or not (text[place - 1].isalnum() and text[place].isalnum())
