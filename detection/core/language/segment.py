"""Sentences with exact offsets. Rules decide the clear boundaries; the doubtful ones are left to a parser.

A boundary only occurs after final punctuation. Each candidate is examined once, with bounded context on both sides, so
that the time is linear in the length of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from detection.core.language.abbreviations import (
    AFTER_COUNTRY,
    AMBIGUOUS,
    BEFORE_LETTER,
    BEFORE_NUMBERS,
    CLEAR_OPENERS,
    JOINING,
    MONTHS_AND_DAYS,
    SENTENCE_OPENERS,
    SPEECH_VERBS,
    TITLES,
)
from detection.core.language.blocks import Block, split_blocks
from detection.core.types import BlockKind, Span, Stretch


class _Decision(Enum):
    BREAK = "break"
    JOIN = "join"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Final punctuation of a block with its context; ``next_start`` is where a new sentence would begin."""

    stop: str
    before: str
    """The word before the punctuation, with inner full stops, without the final one."""
    word_before: str
    """The word before ``before``."""
    closers: str
    gap: str
    after: str
    """The following text, up to the lookahead of the rules."""
    stop_start: int
    next_start: int


_VIEW = 60
_CLOSERS = "'\"”’»›)\\]}*_"
_CANDIDATE = re.compile(
    rf"(?P<stop>[.!?…]+|[。！？؟۔।])"
    rf"(?P<closers>[{_CLOSERS}]{{0,6}}(?:\s?\[[\w ,–-]{{1,24}}\]){{0,6}}(?:[ \t](?:''|”|\)))?[¹²³⁰-⁹]{{0,4}})"
    rf"(?P<gap>[\s\u200b\ufeff]*)"
)
_LAST_WORD = re.compile(r"[^\s\"“”‘(\[{<>—–/]+$")
_FIRST_WORD = re.compile(r"[\"'“‘«(\[*_`¿¡]*\s?([^\W_][\w'’.-]*)")
_INITIALS = re.compile(r"(?:[A-Za-z]\.)*[A-Za-z]$")
_NUMBER = re.compile(r"[#(]?\d[\d,.]*[a-z]{0,2}$")
_BARE_NUMBER = re.compile(r"\W*(?:\d{1,3}|[A-Za-z])$")
_DIALOGUE_TAG = re.compile(
    rf"(?:[A-Z][\w'’-]{{0,20}} ){{1,2}}(?:{'|'.join(sorted(SPEECH_VERBS))})\b|I (?:said|asked|replied)\b"
)
_MISSING_SPACE = re.compile(r"(?:The|He|She|It|They|This|These|His|Her|Their|However|But|In|After|When)\s")
_TOKENISED_DECIMAL = re.compile(r"\d{1,2} ?(?:[mbt]r?illion|per ?cent|%)")
_UNSPACED = "。！？؟۔।"
_QUOTES = "'\"”’»›"
_MAX_BRACKETED = 400


def cut(text: str) -> tuple[Stretch, ...]:
    """Cut ``text`` at the clear boundaries: stretches in order, not overlapping, without outer white space.

    Every visible character outside the markup between blocks belongs to exactly one stretch. This needs no parser, so
    that a text of hundreds of pages takes less than a second.
    """
    stretches = []
    for number, block in enumerate(split_blocks(text)):
        clear, doubtful = _starts(text, block)
        for span in _spans(text, block.span, clear):
            first, last = bisect_right(doubtful, span.start), bisect_left(doubtful, span.end)
            places = tuple(place - span.start for place in doubtful[first:last])
            stretches.append(Stretch(span, span.of(text), number, block.kind, places))
    return tuple(stretches)


def split(stretch: Stretch, starts: frozenset[int]) -> Iterator[Span]:
    """The sentences of a stretch, as spans of its document, if exactly its places in ``starts`` begin a sentence."""
    whole = Span(0, len(stretch.text))
    chosen = [place for place in stretch.places if place in starts and any(map(str.isalnum, stretch.text[place:]))]
    return (span.shifted(stretch.span.start) for span in _spans(stretch.text, whole, chosen))


def _starts(text: str, block: Block) -> tuple[list[int], list[int]]:
    """Where sentences of a block certainly begin, without its own start, and where they may begin."""
    if block.kind is BlockKind.CODE:
        return [], []
    if block.kind is BlockKind.TABLE:
        return list(_row_starts(text, block.span)), []
    clear: list[int] = []
    doubtful: list[int] = []
    for place, decision in _decide(block.span.of(text)):
        if decision is not _Decision.JOIN:
            (clear if decision is _Decision.BREAK else doubtful).append(block.span.start + place)
    return clear, doubtful


def _row_starts(text: str, span: Span) -> Iterator[int]:
    """The starts of the table rows; the rule under the header belongs to the header."""
    position = span.start
    for row in span.of(text).splitlines(keepends=True):
        if position > span.start and row.strip(" \t\r\n|:-"):
            yield position
        position += len(row)


def _spans(text: str, block: Span, starts: Sequence[int]) -> Iterator[Span]:
    edges = [block.start, *starts, block.end]
    pending = block.start
    for end in edges[1:]:
        piece = text[pending:end]
        visible = piece.strip()
        # A piece without a letter or digit is joined with the next one, or with the last one at the end.
        if end < block.end and not any(map(str.isalnum, visible)) and len(visible) < _VIEW:
            continue
        if visible:
            start = pending + len(piece) - len(piece.lstrip())
            yield Span(start, start + len(visible))
        pending = end


def _decide(content: str) -> Iterator[tuple[int, _Decision]]:
    """Each possible boundary in ``content`` with the decision of the rules."""
    brackets = _bracketed(content)
    is_lower_case = _is_lower_case(content)
    sentence_start = 0
    for match in _CANDIDATE.finditer(content):
        candidate = _candidate(content, match)
        if candidate is None:
            continue
        decision = _judge(candidate, is_lower_case=is_lower_case)
        if decision is not _Decision.JOIN:
            opened = brackets.opened_before(candidate.stop_start)
            inside = opened is not None and content[sentence_start:opened].strip(" \t\"'“‘*_")
            if inside or _BARE_NUMBER.match(content[sentence_start : min(candidate.stop_start, sentence_start + 8)]):
                decision = _Decision.JOIN
        if decision is not _Decision.JOIN:
            yield candidate.next_start, decision
        if decision is _Decision.BREAK:
            sentence_start = candidate.next_start


def _candidate(content: str, match: re.Match[str]) -> _Candidate | None:
    """The context of ``match``, or None if nothing follows or the punctuation is inside a word."""
    stop_start, next_start = match.start(), match.end()
    if next_start == len(content):
        return None
    stop, closers, gap = match["stop"], match["closers"], match["gap"]
    after = content[next_start : next_start + _VIEW]
    before_text = content[max(0, stop_start - _VIEW) : stop_start]
    if not gap and stop[-1] not in _UNSPACED and not _lacks_space(before_text, closers, after):
        return None
    before = _LAST_WORD.search(before_text.rstrip() if stop_start and before_text[-1:].isspace() else before_text)
    word = before.group() if before else ""
    rest = before_text[: before.start()].rstrip() if before else ""
    earlier = _LAST_WORD.search(rest)
    return _Candidate(
        stop=stop,
        before=word,
        word_before=earlier.group() if earlier else "",
        closers=closers,
        gap=gap,
        after=content[next_start : next_start + _VIEW],
        stop_start=stop_start,
        next_start=next_start,
    )


def _lacks_space(before: str, closers: str, after: str) -> bool:
    """Whether the writer forgot the space ("in 1920.She moved", "ended.[1]The next")."""
    if not _MISSING_SPACE.match(after):
        return False
    return "]" in closers or (before[-1:].isalnum() and before[-2:-1].isalnum())


class _Brackets:
    """The pairs of round and square brackets, without those that never close or close far away."""

    def __init__(self, pairs: list[tuple[int, int]]) -> None:
        self._pairs = sorted(pairs)
        self._opens = [start for start, _ in self._pairs]

    def opened_before(self, position: int) -> int | None:
        """The position of the outermost bracket that is open at ``position``, or None."""
        number = bisect_right(self._opens, position) - 1
        if number < 0:
            return None
        start, end = self._pairs[number]
        return start if start < position < end else None


def _bracketed(content: str) -> _Brackets:
    stack: list[int] = []
    pairs: list[tuple[int, int]] = []
    for match in re.finditer(r"[()]", content):
        if match.group() == "(":
            stack.append(match.start())
        elif stack:
            start = stack.pop()
            if match.start() - start <= _MAX_BRACKETED:
                # Only outermost pairs are kept: they are disjoint, so that one search finds the pair around a position.
                while pairs and pairs[-1][0] > start:
                    pairs.pop()
                pairs.append((start, match.start()))
    return _Brackets(pairs)


def _is_lower_case(content: str) -> bool:
    """Whether the text has no capitals, so that a small letter does not exclude a boundary."""
    letters = sum(map(str.isalpha, content))
    capitals = sum(map(str.isupper, content))
    return letters >= 12 and capitals * 100 <= letters


def _judge(candidate: _Candidate, *, is_lower_case: bool) -> _Decision:
    first = _FIRST_WORD.match(candidate.after)
    word_after = first.group(1) if first else ""
    if "..." in candidate.stop or "…" in candidate.stop:
        return _after_ellipsis(candidate, word_after)
    if candidate.stop[-1] in "!?":
        return _after_mark(candidate, word_after, is_lower_case=is_lower_case)
    if candidate.stop != ".":
        return _Decision.BREAK
    return _after_full_stop(candidate, word_after, is_lower_case=is_lower_case)


def _goes_on(word_after: str) -> bool:
    return word_after[:1].islower()


def _after_ellipsis(candidate: _Candidate, word_after: str) -> _Decision:
    if _goes_on(word_after) or candidate.closers.startswith((")", "]")):
        return _Decision.JOIN
    return _Decision.BREAK if word_after.lower() in SENTENCE_OPENERS else _Decision.ASK


def _after_mark(candidate: _Candidate, word_after: str, *, is_lower_case: bool) -> _Decision:
    """After "!" and "?": a small letter or a speaker's name continues the sentence ('"Why?" he asked')."""
    if _goes_on(word_after):
        if not is_lower_case:
            return _Decision.JOIN
        return _Decision.ASK if candidate.closers else _Decision.BREAK
    if candidate.closers[:1] and candidate.closers[0] in _QUOTES and _DIALOGUE_TAG.match(candidate.after):
        return _Decision.JOIN
    return _Decision.BREAK


def _after_full_stop(candidate: _Candidate, word_after: str, *, is_lower_case: bool) -> _Decision:
    word = candidate.before.strip("'’*_")
    lowered = word.lower()
    if not candidate.closers:
        special = _after_abbreviation(candidate, word, lowered, word_after)
        if special is not None:
            return special
    elif lowered in AMBIGUOUS and word_after.lower() not in SENTENCE_OPENERS:
        return _Decision.JOIN if _goes_on(word_after) and not is_lower_case else _Decision.ASK
    if candidate.after[:1] in ",;:":
        return _Decision.JOIN
    if _goes_on(word_after) and not is_lower_case:
        return _Decision.JOIN if candidate.closers else _Decision.ASK
    if not candidate.closers and _NUMBER.match(word) and word_after[:1].isdigit() and len(word) < 4:
        # Tokenised decimals: "3. 6 billion".
        return _Decision.JOIN if _TOKENISED_DECIMAL.match(candidate.after) else _Decision.ASK
    return _Decision.BREAK


def _after_abbreviation(candidate: _Candidate, word: str, lowered: str, word_after: str) -> _Decision | None:
    """The decision for a full stop after an abbreviation, initial or ordinal; None for other words."""
    is_opener = word_after.lower() in SENTENCE_OPENERS and word_after[:1].isupper()
    is_clear_opener = is_opener and word_after.lower() in CLEAR_OPENERS
    starts_with_digit = candidate.after[:1].isdigit()
    if lowered in JOINING:
        return _Decision.JOIN
    if lowered in TITLES and (word[:1].isupper() or _goes_on(word_after)):
        # "on Main St. He moved": a pronoun cannot be the name of a saint.
        return _Decision.BREAK if is_clear_opener else _Decision.JOIN
    if lowered in BEFORE_NUMBERS and starts_with_digit:
        return _Decision.JOIN
    if lowered in MONTHS_AND_DAYS and word[:1].isupper():
        if starts_with_digit or _goes_on(word_after):
            return _Decision.JOIN
        return _Decision.BREAK if is_opener else _Decision.ASK
    if lowered in AMBIGUOUS or ("." in word and _INITIALS.match(word)):
        return _after_ambiguous(candidate, lowered, word_after, is_opener=is_opener)
    if _INITIALS.match(word) and len(word) == 1 and word.isupper():
        return _after_initial(candidate, word, word_after, is_clear_opener=is_clear_opener)
    return None


def _after_ambiguous(candidate: _Candidate, lowered: str, word_after: str, *, is_opener: bool) -> _Decision:
    if _goes_on(word_after) or candidate.after[:1] in ",;:)-–—/&":
        return _Decision.JOIN if "." in lowered or candidate.after[:1] in ",;:)-–—/&" else _after_small(lowered)
    if lowered in {"u.s", "u.k", "u.n", "u.s.a", "e.u"} and word_after.lower().rstrip(".") in AFTER_COUNTRY:
        return _Decision.JOIN
    if is_opener:
        return _Decision.BREAK
    if "." in lowered and lowered not in AMBIGUOUS and word_after[:1].isupper():
        # "J.R.R. Tolkien"
        return _Decision.JOIN
    return _Decision.ASK


def _after_small(lowered: str) -> _Decision:
    """A small letter after an abbreviation that is also a word ("in the min. then"): the parser decides."""
    return (
        _Decision.ASK
        if lowered in {"in.", "min", "am.", "pm.", "mi", "mo", "miss", "ill", "la", "pa", "wash"}
        else _Decision.JOIN
    )


def _after_initial(candidate: _Candidate, word: str, word_after: str, *, is_clear_opener: bool) -> _Decision:
    """A single capital: an initial of a name, or the end of "vitamin C", "World War I"."""
    if not word_after[:1].isupper() and not candidate.after[:1].isdigit():
        return _Decision.JOIN
    named = candidate.word_before.lower().strip("\"'") in BEFORE_LETTER
    if is_clear_opener:
        return _Decision.BREAK
    if named or (word == "I" and candidate.word_before[:1].islower()):
        return _Decision.BREAK
    if candidate.word_before[:1].islower() and word_after.lower() in SENTENCE_OPENERS:
        return _Decision.BREAK
    return _Decision.JOIN
