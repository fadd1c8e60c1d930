"""Put replacements into a text. All functions are pure: they compute the revised text and never edit the original.

A suggestion replaces a whole sentence, but changes a few words of it. Two suggestions for one sentence are compatible
if they change different words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache

from ..errors import StaleSuggestion
from ..labels import SuggestionLabel, read_label
from ..types import Evidence, Finding, FindingKind, Sentence, Span, Suggestion, SuggestionMethod

#: Minimum score ("fairly sure") at which a source decides the correct value.
CERTAIN = 0.75
#: A number is one word, with its commas and points.
_TOKEN = re.compile(r"\d+(?:[.,:]\d+)+|\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace ``span`` of a sentence (counted from the sentence's start) by ``text``."""

    span: Span
    text: str

    def clashes_with(self, other: Edit) -> bool:
        """Two edits clash when they touch the same words; the same edit twice does not."""
        if self == other:
            return False
        return self.span.overlaps(other.span) or self.span.start == other.span.start or self.span.end == other.span.end


class DiffKind(StrEnum):
    EQUAL = "equal"
    DELETED = "deleted"
    INSERTED = "inserted"


@dataclass(frozen=True, slots=True)
class DiffPart:
    kind: DiffKind
    text: str


# Cached because a page requests the same edits each time a part of it is rendered.
@lru_cache(maxsize=4_096)
def edits(original: str, replacement: str) -> tuple[Edit, ...]:
    """The word-level changes that lead from ``original`` to ``replacement``, in order."""
    before, after = _TOKEN.findall(original), _TOKEN.findall(replacement)
    offsets = _offsets(before)
    changes = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes():
        if tag != "equal":
            changes.append(Edit(Span(offsets[i1], offsets[i2]), "".join(after[j1:j2])))
    return tuple(changes)


def compose(original: str, replacements: Iterable[str]) -> str:
    """The sentence with all ``replacements`` applied. A removal (an empty one) overrides all others.

    Raises:
        StaleSuggestion: two replacements change the same words in different ways.
    """
    changes: set[Edit] = set()
    for replacement in replacements:
        if not replacement:
            return ""
        changes.update(edits(original, replacement))
    ordered = sorted(changes)
    for i, edit in enumerate(ordered):
        if any(edit.clashes_with(other) for other in ordered[i + 1 :]):
            raise StaleSuggestion("Another accepted change has altered the same words.")
    for edit in reversed(ordered):
        original = original[: edit.span.start] + edit.text + original[edit.span.end :]
    return original


def touches(original: str, revised: str, span: Span) -> bool:
    """True if going from ``original`` to ``revised`` changes any of the words at ``span`` (counted in ``original``)."""
    if not revised:
        return True
    return any(edit.span.overlaps(span) for edit in edits(original, revised))


def lost_its_words(
    finding_span: Span,
    sentence: int,
    evidence: Iterable[Evidence],
    sentences: Mapping[int, Sentence],
    wordings: Mapping[int, str],
) -> bool:
    """True if ``wordings`` (new wordings by index) remove the words that a finding is about.

    These are the words at ``finding_span`` and, if the evidence is another sentence, those that clash with them. A
    finding about a whole sentence stays until the sentence is removed.
    """
    spans = [(sentence, finding_span)]
    for item in evidence:
        if item.sentence is not None:
            spans += [(item.sentence, span) for span in item.conflict or (item.span,)]
    return any(index in wordings and _is_lost(sentences[index], span, wordings[index]) for index, span in spans)


def _is_lost(sentence: Sentence, span: Span, wording: str) -> bool:
    if span == sentence.span:
        return not wording
    return touches(sentence.text, wording, span.shifted(-sentence.start))


def is_decided_by_source(kind: FindingKind, score: float, evidence: Iterable[Evidence]) -> bool:
    """Whether a source certainly gives another value, in words that can be named.

    A contradiction within the text does not show which sentence is right, and a silent source decides nothing.
    """
    if kind is not FindingKind.CONFLICTS_WITH_SOURCE or score < CERTAIN:
        return False
    return any(item.source is not None and item.conflict for item in evidence)


def suits_accept_all(label: str, *, verified: bool) -> bool:
    """Whether accept all may take a suggestion of a finding that a source decides.

    It must insert the value of the source and be verified. It must not remove words or a sentence.
    """
    known = read_label(label)
    return verified and known is not None and known[0] is SuggestionLabel.USE_SOURCE


def accept_all(sentences: Sequence[Sentence], findings: Iterable[Finding]) -> dict[int, str]:
    """New wordings by index: the first suitable suggestion that still applies, of findings that a source decides."""
    decided = (found for found in findings if is_decided_by_source(found.kind, found.score, found.evidence))
    return _accepted(sentences, decided, lambda one: suits_accept_all(one.label, verified=one.verified))


def accept_for_measurement(sentences: Sequence[Sentence], findings: Iterable[Finding]) -> dict[int, str]:
    """New wordings by index with every first suggestion that was checked again or that a language model wrote.

    Elsewhere a person decides about the rewrite of a model. Accepting all measures revision as the paper does.
    """

    def suits(one: Suggestion) -> bool:
        is_proposal = one.method is SuggestionMethod.LLM and bool(one.replacement)
        return (one.verified or is_proposal) and one.is_of_one_sentence

    return _accepted(sentences, findings, suits)


def _accepted(
    sentences: Sequence[Sentence], findings: Iterable[Finding], suits: Callable[[Suggestion], bool]
) -> dict[int, str]:
    by_index = {sentence.index: sentence for sentence in sentences}
    accepted: dict[int, list[str]] = {}
    wordings: dict[int, str] = {}
    for finding in findings:
        if lost_its_words(finding.span, finding.sentence, finding.evidence, by_index, wordings):
            continue
        for suggestion in filter(suits, finding.suggestions):
            replacements = [*accepted.get(suggestion.sentence, []), suggestion.replacement]
            try:
                wording = compose(by_index[suggestion.sentence].text, replacements)
            except StaleSuggestion:
                continue
            accepted[suggestion.sentence] = replacements
            wordings[suggestion.sentence] = wording
            break
    return wordings


def diff(original: str, revised: str) -> tuple[DiffPart, ...]:
    """Deletions and insertions word by word; adjacent changes with only a space between them are joined."""
    parts: list[DiffPart] = []
    position = 0
    for edit in _joined(edits(original, revised), original):
        if edit.span.start > position:
            parts.append(DiffPart(DiffKind.EQUAL, original[position : edit.span.start]))
        if len(edit.span):
            parts.append(DiffPart(DiffKind.DELETED, edit.span.of(original)))
        if edit.text:
            parts.append(DiffPart(DiffKind.INSERTED, edit.text))
        position = edit.span.end
    if position < len(original):
        parts.append(DiffPart(DiffKind.EQUAL, original[position:]))
    return tuple(parts)


def apply(text: str, sentences: Sequence[Sentence], replacements: Mapping[int, str]) -> str:
    """The revised text. ``replacements`` maps the index of a sentence to its new wording; "" removes it.

    Removing a sentence also removes the space before it (at the start of a paragraph, the space after it). Removing the
    last sentence of a block also removes its marker and its line break.
    """
    parts = text_diff(text, sentences, replacements)
    return "".join(part.text for part in parts if part.kind is not DiffKind.DELETED)


def text_diff(text: str, sentences: Sequence[Sentence], replacements: Mapping[int, str]) -> tuple[DiffPart, ...]:
    """What :func:`apply` changes in the whole text, word by word: each of its sentences as :func:`diff` shows it."""
    parts: list[DiffPart] = []
    position = 0
    for sentence in sentences:
        if sentence.index not in replacements:
            continue
        replacement = replacements[sentence.index]
        cut = sentence.span if replacement else _removal_span(text, sentence, sentences, replacements)
        start, end = max(position, cut.start), max(position, cut.end)
        parts.append(DiffPart(DiffKind.EQUAL, text[position:start]))
        parts += diff(text[start:end], replacement)
        position = end
    parts.append(DiffPart(DiffKind.EQUAL, text[position:]))
    return tuple(part for part in parts if part.text)


def _removal_span(
    text: str, sentence: Sentence, sentences: Sequence[Sentence], replacements: Mapping[int, str]
) -> Span:
    block = [other for other in sentences if other.block == sentence.block]
    kept = [other for other in block if replacements.get(other.index, other.text)]
    if not kept:
        return _block_span(text, block)
    if any(other.start < sentence.start for other in kept):
        start = len(text[: sentence.start].rstrip())
        return Span(start, sentence.end)
    following = text[sentence.end :]
    return Span(sentence.start, sentence.end + len(following) - len(following.lstrip()))


def _block_span(text: str, block: Sequence[Sentence]) -> Span:
    """The lines of a block with the line breaks before them; at the start of the text, with those after them."""
    line_start = text.rfind("\n", 0, block[0].start) + 1
    start = len(text[:line_start].rstrip())
    line_end = text.find("\n", block[-1].end)
    if line_end == -1:
        return Span(start, len(text))
    if start:
        return Span(start, line_end)
    rest = text[line_end:]
    return Span(0, line_end + len(rest) - len(rest.lstrip()))


def _joined(changes: Sequence[Edit], original: str) -> list[Edit]:
    joined: list[Edit] = []
    for edit in changes:
        if joined:
            last = joined[-1]
            between = original[last.span.end : edit.span.start]
            if between.isspace():
                joined[-1] = Edit(Span(last.span.start, edit.span.end), last.text + between + edit.text)
                continue
        joined.append(edit)
    return joined


def _offsets(tokens: Sequence[str]) -> list[int]:
    offsets = [0]
    for token in tokens:
        offsets.append(offsets[-1] + len(token))
    return offsets
