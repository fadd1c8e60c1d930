"""Remove the thoughts of a reasoning model from its answers. Only this module knows how servers mark them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from .probabilities import TokenProbability

#: DeepSeek-R1 and Qwen3 write <think>, Mistral's Magistral [THINK], gpt-oss the channels of its Harmony format.
_OPENING: Final = re.compile(
    r"\s*(?:<(?P<tag>think|thinking|thought|thoughts|reasoning|reflection)>|\[THINK\]"
    r"|(?:<\|start\|>assistant)?<\|channel\|>(?:analysis|commentary)\b[^<]*<\|message\|>)",
    re.IGNORECASE,
)
_CLOSING: Final = re.compile(
    r"</(?:think|thinking|thought|thoughts|reasoning|reflection)>|\[/THINK\]"
    r"|(?:<\|end\|>)?(?:<\|start\|>assistant)?<\|channel\|>final\b[^<]*<\|message\|>",
    re.IGNORECASE,
)
_LEFTOVER: Final = re.compile(r"<\|(?:end|return|start)\|>")
#: The longest tag that a stream may be in the middle of.
_LONGEST_TAG: Final = 80
_TAG_BEGINS: Final = re.compile(r"[<\[]")


@dataclass(frozen=True, slots=True)
class AnswerWithoutThoughts:
    """An answer without its thoughts. ``had_thoughts`` is True where there were any."""

    text: str
    had_thoughts: bool = False
    opens_unseen: bool = False
    """True if only the closing tag is present: some chat templates already contain the opening tag."""


def without_thoughts(answer: str) -> AnswerWithoutThoughts:
    """The answer without its thoughts; "" if the thoughts never end."""
    closings = list(_CLOSING.finditer(answer))
    opening = _OPENING.match(answer)
    if closings:
        text = _LEFTOVER.sub("", answer[closings[-1].end() :]).strip()
        return AnswerWithoutThoughts(text, had_thoughts=True, opens_unseen=opening is None)
    if opening:
        return AnswerWithoutThoughts("", had_thoughts=True)
    return AnswerWithoutThoughts(_LEFTOVER.sub("", answer) if "<|" in answer else answer)


class ThoughtsWithoutBeginning(Exception):
    """A stream closed thoughts that it had not opened: the pieces so far were thoughts."""


class ThoughtFilter:
    """Passes the answer of a stream on and removes its thoughts."""

    def __init__(self, *, begins_inside: bool = False) -> None:
        """``begins_inside`` is for models that are known to send the closing tag only."""
        self._is_inside = begins_inside
        self._is_settled = False
        """Whether the answer or the thoughts have certainly begun."""
        self._held = ""
        self.had_thoughts = begins_inside

    def add(self, text: str) -> str:
        """Add a piece, and return the text that certainly belongs to the answer.

        Raises:
            ThoughtsWithoutBeginning: the text returned so far was thoughts.
        """
        self._held += text
        if self._is_inside:
            return self._leave_thoughts()
        if not self._is_settled:
            return self._begin()
        return self._pass_on()

    def end(self) -> str:
        """The remaining text of the answer, without unfinished thoughts."""
        held, self._held = self._held, ""
        return "" if self._is_inside else held

    def _begin(self) -> str:
        opening = _OPENING.match(self._held)
        if opening:
            self._is_inside = self.had_thoughts = True
            self._held = self._held[opening.end() :]
            return self._leave_thoughts()
        start = self._held.lstrip()
        if not start or (start[0] in "<[" and len(start) < _LONGEST_TAG):
            return ""
        self._is_settled = True
        return self._pass_on()

    def _leave_thoughts(self) -> str:
        closing = _CLOSING.search(self._held)
        if closing is None:
            self._held = self._held[-_LONGEST_TAG:]
            return ""
        rest = self._held[closing.end() :].lstrip()
        if not rest:
            # White space after the thoughts is not part of the answer.
            self._held = self._held[closing.start() :]
            return ""
        self._is_inside, self._is_settled, self._held = False, True, rest
        return self._pass_on()

    def _pass_on(self) -> str:
        if _CLOSING.search(self._held):
            raise ThoughtsWithoutBeginning
        begins = [tag.start() for tag in _TAG_BEGINS.finditer(self._held)]
        cut = next((start for start in begins if self._may_be_tag(start)), len(self._held))
        text, self._held = self._held[:cut], self._held[cut:]
        return _LEFTOVER.sub("", text)

    def _may_be_tag(self, start: int) -> bool:
        """Whether the held text from here on may become a closing tag with the next piece."""
        rest = self._held[start:].casefold()
        return len(rest) < _LONGEST_TAG and any(
            tag.startswith(rest[: len(tag)]) and len(rest) < len(tag) for tag in _CLOSING_TAGS
        )


_CLOSING_TAGS: Final = (
    *(f"</{name}>" for name in ("think", "thinking", "thought", "thoughts", "reasoning", "reflection")),
    "[/think]",
    "<|end|>",
    "<|return|>",
    "<|channel|>final<|message|>",
    "<|start|>assistant<|channel|>final<|message|>",
)


def tokens_of(text: str, tokens: tuple[TokenProbability, ...]) -> tuple[TokenProbability, ...]:
    """The last tokens of a piece that form ``text``; none if they do not match."""
    wanted = text.encode()
    chosen: list[TokenProbability] = []
    length = 0
    for token in reversed(tokens):
        if length >= len(wanted):
            break
        chosen.append(token)
        length += len(token.data)
    if length != len(wanted):
        return ()
    chosen.reverse()
    return tuple(chosen) if b"".join(token.data for token in chosen) == wanted else ()
