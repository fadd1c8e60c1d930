"""Write a text sentence by sentence: hold a sentence, examine it, and continue from the result (METHODS D)."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from typing import Any

from ..control import CancelProbe, run_until_cancelled
from ..errors import AnswerRefused, BudgetExhausted, EmptyAnswer
from ..reasons import Reason
from ..self_contradiction.model import Place, is_same_wording, place_for_prompt, place_for_topic
from .drafts import DraftReader, DraftsEnd, line_to_go_on_with, writing_request
from .events import DraftsDropped, Report, SentenceHeld, SentenceSettled, WritingEnded
from .examination import Held
from .examinations import Examination, FormerExaminations
from .tools import WritingTools
from .types import Ending, SentenceState, WritingRequest, WrittenSentence, text_of

#: Number of following sentences to examine in parallel. Their results are reused if the model repeats the sentences
#: after a correction. After it did not, only the lower number is examined.
MAX_AHEAD, MIN_AHEAD = 10, 3
#: Maximum number of omitted sentences in a row.
MAX_LEFT_OUT = 3
#: Words of the text before a sentence, to resolve its pronouns.
_WORDS_BEFORE = 120

_REASONS = {
    Ending.COMPLETE: Reason.WRITING_COMPLETE.of(),
    Ending.LENGTH: Reason.TEXT_TOO_LONG.of(),
    Ending.REPEATED: Reason.TEXT_REPEATED.of(),
    Ending.STUCK: Reason.TOO_MANY_LEFT_OUT.of(MAX_LEFT_OUT),
    Ending.REFUSED: Reason.WRITING_REFUSED.of(),
    Ending.EMPTY: Reason.NOTHING_WRITTEN.of(),
}
#: Shorter sentences may occur twice in a text.
_MIN_WORDS_OF_REPEAT = 4


async def write(request: WritingRequest, tools: WritingTools, report: Report, *, cancelled: CancelProbe) -> None:
    """Write the text, and report each held and settled sentence and the reason of the end.

    Raises:
        Cancelled: ``cancelled`` returned True; settled sentences stay.
        DetectionError: a call failed, and no more can be written.
    """
    await run_until_cancelled(_Writer(request, tools, report).run(), cancelled)


@dataclass(slots=True, eq=False)
class _Waiting:
    """A held sentence. ``sentence`` is the version that the following text continues, which may be a correction before
    its validation.
    """

    index: int
    sentence: WrittenSentence
    examination: Examination = field(init=False)
    result: asyncio.Task[WrittenSentence] = field(init=False)
    """The outcome of its examination, or of a second one if the first is out of date."""


class _Writer:
    def __init__(self, request: WritingRequest, tools: WritingTools, report: Report) -> None:
        self._request = request
        self._options = request.options
        self._tools = tools
        self._report = report
        self._sentences = list(request.written)
        self._waiting: deque[_Waiting] = deque()
        self._former = FormerExaminations()
        self._repairs: asyncio.Queue[tuple[_Waiting, str]] = asyncio.Queue()
        self._ahead = MAX_AHEAD
        self._is_single = not self._options.drafts_ahead
        self._budget = ""

    async def run(self) -> None:
        ending = None
        try:
            while ending is None:
                ending = self._limit_reached() or await self._write_on()
        except BudgetExhausted as error:
            ending, self._budget = Ending.BUDGET, str(error)
        finally:
            await self._drop_from(len(self._sentences))
            await self._former.end_all()
        await self._report(WritingEnded(ending, self._budget or _REASONS[ending]))

    @property
    def _text(self) -> list[WrittenSentence]:
        """The sentences of the current text, including held ones."""
        return [*self._sentences, *(waiting.sentence for waiting in self._waiting)]

    async def _write_on(self) -> Ending | None:
        """Process the next output of the generator; None to call the generator again."""
        prefix = text_of(self._text)
        last = next((sentence for sentence in reversed(self._text) if sentence.text), None)
        reader = DraftReader(
            self._tools.client,
            self._tools.models,
            writing_request(self._tools.generator, self._request.prompt, self._request.style, prefix),
            after=last,
            line=line_to_go_on_with(last, prefix),
            is_single=self._is_single,
        )
        async with reader as drafts:
            return await self._take(drafts)

    async def _take(self, drafts: DraftReader) -> Ending | None:
        """Hold new sentences and settle them in order, until one changes or the stream ends."""
        end: DraftsEnd | Ending | None = None
        has_repeats = is_new = False
        coming = asyncio.create_task(drafts.next())
        repaired = asyncio.create_task(self._repairs.get())
        try:
            while True:
                has_room = len(self._waiting) < (1 if self._is_single else 1 + self._ahead)
                awaited: set[asyncio.Task[Any]] = {coming} if end is None and has_room else set()
                if self._waiting:
                    awaited |= {self._waiting[0].result, repaired}
                if not awaited:
                    break
                done, _ = await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
                if self._waiting and self._waiting[0].result in done:
                    if not await self._settle():
                        return self._stuck()
                elif repaired in done:
                    if await self._go_by_repair(*repaired.result()):
                        return None
                    repaired = asyncio.create_task(self._repairs.get())
                else:
                    item = coming.result()
                    if isinstance(item, DraftsEnd):
                        end = item
                        continue
                    coming = asyncio.create_task(drafts.next())
                    if self._is_repeated(item.sentence.text):
                        has_repeats = True
                        # A model that continues a text often repeats its end first.
                        end = Ending.REPEATED if is_new else None
                    elif self._is_beyond_limit(item.sentence):
                        end = Ending.LENGTH
                    else:
                        is_new = True
                        await self._hold(item)
                    if end is not None:
                        drafts.stop()  # a model that repeats itself would continue during the last examinations
        finally:
            coming.cancel()
            repaired.cancel()
        if isinstance(end, Ending):
            return end
        return self._ending(end or DraftsEnd(), is_new=is_new, has_repeats=has_repeats)

    def _ending(self, end: DraftsEnd, *, is_new: bool, has_repeats: bool) -> Ending | None:
        """The reason why the text ends with this answer; None if it continues.

        Raises:
            Exception: the error that ended the stream.
        """
        has_text = bool(text_of(self._sentences))
        if end.is_refused or isinstance(end.error, AnswerRefused):
            return Ending.REFUSED
        if isinstance(end.error, EmptyAnswer):
            return Ending.COMPLETE if has_text else Ending.EMPTY
        if end.error is not None:
            raise end.error
        if has_repeats and not is_new:
            return Ending.REPEATED
        if end.has_more:
            return None if is_new else Ending.LENGTH
        return Ending.COMPLETE if has_text else Ending.EMPTY

    async def _hold(self, held: Held) -> None:
        prefix = " ".join(text_of(self._text).split(" ")[-_WORDS_BEFORE:])
        topic, prompt = self._request.topic, self._request.prompt
        place = place_for_topic(topic, prefix) if topic else place_for_prompt(prompt, prefix)
        waiting = _Waiting(len(self._sentences) + len(self._waiting), held.sentence)
        self._examine(waiting, held, place)
        self._waiting.append(waiting)
        await self._report(SentenceHeld(waiting.index, held.sentence))

    def _examine(self, waiting: _Waiting, held: Held, place: Place) -> None:
        """Examine a sentence, or wait for its running examination."""

        def examine(on_repair: Callable[[str], None]) -> Coroutine[Any, Any, WrittenSentence]:
            return self._outcome(held, place, on_repair)

        def on_repair(wording: str) -> None:
            self._repairs.put_nowait((waiting, wording))

        if self._former.has(waiting.index):
            self._ahead = MIN_AHEAD
        former = self._former.find(held, self._options.threshold)
        self._former.end_before(waiting.index)
        if former is None:
            waiting.examination = Examination(held, examine, on_repair)
            waiting.result = waiting.examination.task
            return

        async def again() -> WrittenSentence:
            sentence = await asyncio.shield(former.task)
            if not self._former.holds(waiting.index, sentence):
                waiting.examination = Examination(held, examine, on_repair)
                sentence = await asyncio.shield(waiting.examination.task)
            return replace(sentence, lead=held.sentence.lead)

        self._ahead = MAX_AHEAD
        waiting.examination = former
        former.on_repair = on_repair
        if former.correction is not None:
            on_repair(former.correction)
        waiting.result = asyncio.create_task(again())

    async def _outcome(self, held: Held, place: Place, on_repair: Callable[[str], None]) -> WrittenSentence:
        if self._tools.examiner is None:
            return replace(held.sentence, state=SentenceState.NOT_CHECKED, reason=Reason.WRITTEN_ONLY.of())
        return await self._tools.examiner.examine(held, place, on_repair)

    async def _go_by_repair(self, waiting: _Waiting, wording: str) -> bool:
        """Continue the text from a correction; True if the current output does not."""
        if waiting not in self._waiting:
            return False
        former = waiting.sentence.text
        waiting.sentence = replace(waiting.sentence, text=wording)
        self._former.take_out(waiting.index, former, text_of(self._text[: waiting.index + 1]))
        await self._report(SentenceHeld(waiting.index, waiting.sentence))
        await self._drop_from(waiting.index + 1)
        return not self._is_single

    async def _settle(self) -> bool:
        """Settle the first held sentence; False if the following output must be discarded.

        Raises:
            BudgetExhausted: its examination did not finish.
        """
        waiting = self._waiting.popleft()
        try:
            sentence = waiting.result.result()
        except BudgetExhausted as error:
            unchecked = replace(waiting.sentence, state=SentenceState.NOT_CHECKED, reason=str(error))
            self._sentences.append(unchecked)
            await self._report(SentenceSettled(waiting.index, unchecked))
            raise
        self._sentences.append(sentence)
        await self._report(SentenceSettled(waiting.index, sentence))
        if sentence.text == waiting.sentence.text:
            return True
        self._former.take_out(waiting.index, waiting.sentence.text, text_of(self._sentences))
        await self._drop_from(waiting.index + 1)
        return False

    async def _drop_from(self, index: int) -> None:
        """Discard the held sentences from an index on. Their examinations may be reused."""
        gone = [waiting for waiting in self._waiting if waiting.index >= index]
        if not gone:
            return
        for waiting in gone:
            self._waiting.remove(waiting)
            self._former.keep(waiting.index, waiting.examination)
        again = [waiting.result for waiting in gone if waiting.result is not waiting.examination.task]
        for result in again:
            result.cancel()
        await asyncio.gather(*again, return_exceptions=True)
        await self._report(DraftsDropped(index))

    # --- Limits

    def _limit_reached(self) -> Ending | None:
        most = self._options.most_sentences
        is_full = most is not None and len(self._sentences) >= most and not self._waiting
        return Ending.LENGTH if is_full else None

    def _is_beyond_limit(self, sentence: WrittenSentence) -> bool:
        sentences = [*self._text, sentence]
        if self._options.most_sentences is not None and len(sentences) > self._options.most_sentences:
            return True
        return len(text_of(sentences)) > self._options.most_characters

    def _stuck(self) -> Ending | None:
        last = self._sentences[-MAX_LEFT_OUT:]
        is_stuck = len(last) == MAX_LEFT_OUT and all(sentence.state is SentenceState.LEFT_OUT for sentence in last)
        return Ending.STUCK if is_stuck else None

    def _is_repeated(self, text: str) -> bool:
        """Whether the text already has this sentence, or it was corrected or left out before."""
        if len(text.split()) < _MIN_WORDS_OF_REPEAT:
            return False
        wordings = (wording for other in self._text for wording in (other.first_version, other.text))
        return any(is_same_wording(text, wording) for wording in wordings)
