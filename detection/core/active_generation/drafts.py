"""The sentences of the generator, read in the background and returned one by one."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace

from ..llm.client import ModelClient
from ..llm.types import ModelRequest, Purpose
from ..local_models.process import LocalModels
from ..prompts import Prompt, load
from ..self_contradiction.model import EXCUSE
from ..types import BlockKind, Span, Stretch
from .concepts import Draft
from .examination import Held
from .sentence_stream import SentenceStream, WholeStretch
from .types import SentenceState, Style, WrittenSentence

#: The prompts to begin and to continue a text.
PROMPTS: dict[Style, tuple[Prompt, Prompt]] = {
    Style.TEXT: (load("generate.v1"), load("go_on.v1")),
    Style.STEPS: (load("steps.v2"), load("steps_go_on.v2")),
}
_MAX_TOKENS = 2_000
_NO_MORE = re.compile(r"\W*END\W*")
_LINES = frozenset({BlockKind.HEADING, BlockKind.CODE, BlockKind.TABLE})


@dataclass(frozen=True, slots=True)
class DraftsEnd:
    """The stream has ended: the model finished, was cut off, refused to continue, or failed."""

    has_more: bool = False
    """True when the answer was truncated: the model may be asked to continue."""
    is_refused: bool = False
    error: Exception | None = None


def writing_request(model: str, prompt: str, style: Style, prefix: str) -> ModelRequest:
    """The prompt for the generator: begin a text, or continue after ``prefix``.

    Temperature 0, as in the paper, so that the probabilities are those of the likeliest text.
    """
    first, further = PROMPTS[style]
    chosen = further if prefix else first
    messages = chosen.render(prompt=prompt, prefix=prefix) if prefix else chosen.render(prompt=prompt)
    return ModelRequest(Purpose.GENERATE, chosen.id, model, messages, max_tokens=_MAX_TOKENS, wants_probabilities=True)


class DraftReader:
    """Reads one answer of the generator. Used as ``async with``; unread sentences are discarded.

    The stream is read as fast as it arrives, without waiting for the caller: it would otherwise occupy one of the few
    parallel calls of an endpoint and leave none for the validation. With ``is_single`` it ends after the first complete
    sentences.
    """

    def __init__(
        self,
        client: ModelClient,
        models: LocalModels,
        request: ModelRequest,
        *,
        after: WrittenSentence | None,
        line: str,
        is_single: bool,
    ) -> None:
        """``after`` is the last sentence of the text, and ``line`` its unfinished line."""
        self._client = client
        self._models = models
        self._request = request
        self._after = after
        self._line = line
        self._is_single = is_single
        self._queue: asyncio.Queue[Held | DraftsEnd] = asyncio.Queue()

    async def __aenter__(self) -> DraftReader:
        self._task = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *error: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def stop(self) -> None:
        """Stop reading. :meth:`next` still returns the sentences read so far, but no end."""
        self._task.cancel()

    async def next(self) -> Held | DraftsEnd:
        """The next sentence; after the last one, every call returns the end."""
        item = await self._queue.get()
        if isinstance(item, DraftsEnd):
            self._queue.put_nowait(item)
        return item

    async def _read(self) -> None:
        try:
            end = await self._read_all()
        except Exception as error:  # the sentences before any error come first
            end = DraftsEnd(error=error)
        self._queue.put_nowait(end)

    async def _read_all(self) -> DraftsEnd:
        last = self._after
        async with aclosing(self._stretches()) as stretches:
            async for stretch in stretches:
                if stretch is None:
                    return DraftsEnd(has_more=True)
                if last is self._after:
                    if last is not None and _NO_MORE.fullmatch(stretch.text):
                        return DraftsEnd()
                    if EXCUSE.match(stretch.text):
                        return DraftsEnd(is_refused=True)
                    stretch = replace(stretch, lead=_lead(last, stretch))
                for held in await self._sentences(stretch):
                    self._queue.put_nowait(held)
                    last = held.sentence
                if self._is_single:
                    return DraftsEnd(has_more=True)
        return DraftsEnd()

    async def _stretches(self) -> AsyncGenerator[WholeStretch | None]:
        """The completed stretches. None marks a truncated answer, which cut the last sentence."""
        stream = SentenceStream(self._line)
        async with aclosing(self._client.stream(self._request)) as pieces:
            async for piece in pieces:
                for stretch in stream.add(piece.text, piece.tokens):
                    yield stretch
                if piece.is_cut:
                    for stretch in list(stream.end())[:-1]:
                        yield stretch
                    yield None
                    return
        for stretch in stream.end():
            yield stretch

    async def _sentences(self, stretch: WholeStretch) -> list[Held]:
        text = stretch.text
        whole = Stretch(Span(0, len(text)), text, 0, stretch.kind, stretch.places)
        (parsed,) = await self._models.parse_stretches([whole])
        held, end = [], 0
        for sentence in parsed:
            span = sentence.sentence.span
            lead = text[end : span.start] if end else stretch.lead
            probabilities = stretch.probabilities[span.start : span.end] if stretch.probabilities else None
            written = WrittenSentence(lead, sentence.text, sentence.text, stretch.kind, SentenceState.HELD)
            held.append(Held(Draft(sentence, probabilities), written))
            end = span.end
        return held


def line_to_go_on_with(last: WrittenSentence | None, text: str) -> str:
    """The unfinished line at the end of ``text``, if its last sentence leaves one."""
    return text.rpartition("\n")[2] if last is not None and last.kind not in _LINES else ""


def _lead(last: WrittenSentence | None, stretch: WholeStretch) -> str:
    """The space before the first sentence of an answer. Models omit the empty line at the beginning."""
    if last is None:
        return stretch.lead.lstrip()
    if stretch.lead[:1].isspace():
        return stretch.lead
    is_row = last.kind is stretch.kind and stretch.kind in (BlockKind.LIST_ITEM, BlockKind.TABLE)
    return ("\n" if is_row else "\n\n") + stretch.lead
