"""Search a whole text for contradictions with a language model, window by window."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..comparing.sentence import ComparableSentence
from ..errors import Cancelled, DetectionError, ModelCallFailed
from ..llm.client import ModelClient
from ..llm.schemas import TEXT, list_of, object_of, schema_of
from ..llm.types import ModelAnswer, ModelRequest, Purpose
from ..prompts import Message, load
from .answers import NamedPair, NamedPairs, read_pairs
from .windows import Window, Windows

READ, READ_AGAIN = load("read_text.v3"), load("read_text_again.v2")

#: Room for about forty pairs. After a truncated answer, the window is read in two halves.
_MAX_TOKENS = 2_000
#: Maximum halvings of a window: more would multiply the calls if an endpoint truncates every answer.
_MAX_HALVINGS = 2

_NUMBER = {"type": "integer"}
_SCHEMA = schema_of(
    contradictions=list_of(object_of(first=_NUMBER, second=_NUMBER, first_words=TEXT, second_words=TEXT)),
    read=list_of(_NUMBER),
)

_UNREADABLE = "The model was asked to read the text, and did not answer in the form that was asked for."
_CUT = "The model read this part of the text, and its answer was cut off."
_NOT_TO_THE_END = "The model read only a part of these sentences, by what it says itself."
_NO_SUCH_SENTENCE = "The model set this sentence against one that does not exist."


@dataclass(frozen=True, slots=True)
class Reading:
    """The findings of a model in a text. ``unread`` has the reason for each sentence that was not read completely.

    ``told`` has the facts of earlier sentences in a window, in the words of its prompt: a model may quote those.
    """

    pairs: tuple[NamedPair, ...] = ()
    unread: Mapping[int, str] = field(default_factory=dict)
    told: Mapping[int, str] = field(default_factory=dict)


class TextReader:
    """Reads whole texts with the analyzer."""

    def __init__(self, client: ModelClient, analyzer: str) -> None:
        self._client = client
        self._analyzer = analyzer

    @property
    def analyzer(self) -> str:
        """The name of the model."""
        return self._analyzer

    async def read(self, sentences: Sequence[ComparableSentence], topic: str | None) -> Reading:
        """Read all windows in parallel; a failed window affects only its own sentences."""
        windows = Windows(sentences, topic)
        return _together(await asyncio.gather(*(self._read(windows, window) for window in windows.all())))

    async def _read(self, windows: Windows, window: Window, halvings: int = _MAX_HALVINGS) -> Reading:
        try:
            found = await self._ask(windows.render(window), window)
        except Cancelled:
            raise
        except DetectionError as error:
            return Reading(unread=dict.fromkeys(window.sentences, str(error)))
        if found is None:
            sure, unread = Reading(), dict.fromkeys(window.sentences, _CUT)
        else:
            doubtful = dict.fromkeys(found.doubtful, _NO_SUCH_SENTENCE)
            sure = Reading(found.pairs, doubtful, windows.told(window))
            unread = dict.fromkeys(found.unread, _NOT_TO_THE_END)
        if not unread:
            return sure
        if not halvings or len(window.sentences) < 2:
            return _together([sure, Reading(unread=unread)])
        halves = await asyncio.gather(*(self._read(windows, half, halvings - 1) for half in windows.halves(window)))
        return _together([sure, *halves])

    async def _ask(self, text: str, window: Window) -> NamedPairs | None:
        """The pairs that the model names; None if its answer was truncated.

        Raises:
            ModelCallFailed: also if the second answer cannot be parsed either.
        """
        messages = READ.render(text=text)
        answer = await self._complete(messages)
        found = None if answer.is_cut else read_pairs(answer.text, window)
        if found is None and not answer.is_cut:
            answer = await self._complete((*messages, *READ_AGAIN.render(answer=answer.text)))
            found = None if answer.is_cut else read_pairs(answer.text, window)
            if found is None and not answer.is_cut:
                raise ModelCallFailed(_UNREADABLE)
        return found

    async def _complete(self, messages: tuple[Message, ...]) -> ModelAnswer:
        return await self._client.complete(
            ModelRequest(Purpose.READ, READ.id, self._analyzer, messages, max_tokens=_MAX_TOKENS, schema=_SCHEMA)
        )


def _together(readings: Sequence[Reading]) -> Reading:
    pairs = dict.fromkeys(pair for reading in readings for pair in reading.pairs)
    unread = {index: reason for reading in readings for index, reason in reading.unread.items()}
    told = {index: text for reading in readings for index, text in reading.told.items()}
    return Reading(tuple(sorted(pairs, key=lambda pair: (pair.earlier, pair.later))), unread, told)
