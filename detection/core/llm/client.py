"""The model client of a run, with retries, a deadline, a budget and a cache."""

from __future__ import annotations

import asyncio
import math
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field, replace
from decimal import Decimal
from types import TracebackType
from typing import Protocol

from ..errors import AnswerRefused, EmptyAnswer, EndpointRefused, ModelCallFailed
from .abilities import Abilities, AbilityStore, MemoryAbilities
from .attribution import attribution
from .body import Unusable
from .budget import Budget, Spending, refuse_beyond
from .endpoint import Effort, Endpoint
from .failures import LONGEST_PAUSE_S, MAX_LOADING_SECONDS, Failure, FailureKind, wait_before_retry
from .lane import Lane
from .pricing import KNOWN_PRICES, Price, price_of
from .stream import Piece
from .types import CallOutcome, CallRecord, ModelAnswer, ModelRequest, TokenUsage

__all__ = ["AnswerCache", "CallListener", "Effort", "Endpoint", "ModelClient", "NoCache", "NoListener"]

#: Waits from this length on are reported to the reader.
_NOTICEABLE_WAIT_S = 2.0
#: A pause that is this much longer than the present one is told as a new one.
_NEW_PAUSE_S = 1.0
#: Maximum number of times that a refused request is changed and sent again.
_MAX_CHANGES = 10
#: Time limit of a stream that still delivers text, as a multiple of the limit of a call.
_LONGEST_STREAM = 10


class AnswerCache(Protocol):
    """Stores answers, so that a resumed run pays only for missing ones."""

    async def find(self, key: str) -> ModelAnswer | None: ...

    async def keep(self, key: str, answer: ModelAnswer) -> None: ...


class CallListener(Protocol):
    """Is notified of every attempt and of every long wait."""

    async def called(self, record: CallRecord, spending: Spending) -> None: ...

    async def waiting(self, reason: str, seconds: float) -> None: ...


class NoCache:
    async def find(self, key: str) -> ModelAnswer | None:
        return None

    async def keep(self, key: str, answer: ModelAnswer) -> None:
        return None


class NoListener:
    async def called(self, record: CallRecord, spending: Spending) -> None:
        return None

    async def waiting(self, reason: str, seconds: float) -> None:
        return None


#: Exceptions for the failures that callers distinguish.
_ERRORS = {FailureKind.EMPTY: EmptyAnswer, FailureKind.REFUSED: AnswerRefused}


@dataclass(slots=True)
class _Call:
    """The state of a call. Only the time of its requests counts, not the time in the queue."""

    request: ModelRequest
    abilities: Abilities
    attempts: int = 0
    changes: int = 0
    seconds: float = 0.0
    loading_s: float = 0.0


@dataclass(slots=True)
class _Progress:
    """The progress of a streamed answer."""

    characters: int = 0
    usage: TokenUsage | None = None
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started


class ModelClient:
    """Calls models with retries, a deadline, a budget and a cache. One per run, used as ``async with``.

    It belongs to the event loop that enters it. Cancelling a call aborts it at once and closes its connection.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        analyzer_endpoint: Endpoint | None = None,
        abilities: AbilityStore | None = None,
        budget: Budget | None = None,
        prices: Mapping[str, Price] = KNOWN_PRICES,
        cache: AnswerCache | None = None,
        listener: CallListener | None = None,
        spent: Spending | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """``analyzer_endpoint`` is the endpoint of the analyzer, if it differs from that of the generator."""
        self.endpoint = endpoint
        self.spending = spent or Spending()
        self._budget = budget or Budget()
        self._prices = prices
        self._cache = cache or NoCache()
        self._listener = listener or NoListener()
        self._sleep = sleep
        store = abilities or MemoryAbilities()
        self._generator = Lane(endpoint, store)
        self._analyzer = Lane(analyzer_endpoint, store) if analyzer_endpoint else self._generator
        self._answers: dict[str, ModelAnswer] = {}
        self._under_way: list[ModelRequest] = []
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def __aenter__(self) -> ModelClient:
        self._stack = AsyncExitStack()
        for lane in dict.fromkeys((self._generator, self._analyzer)):
            await self._stack.enter_async_context(lane)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    def abilities(self, model: str) -> Abilities:
        """The known abilities of the generator's endpoint for a model."""
        return self._generator.abilities(model)

    async def fetch(self, path: str) -> bytes:
        """GET a path below the generator's endpoint, such as ``models``, and return the body.

        Raises:
            ModelCallFailed: the request failed.
        """
        try:
            async with asyncio.timeout(self.endpoint.attempt_timeout_s):
                return await self._generator.get(path)
        except Unusable as unusable:
            raise ModelCallFailed(unusable.failure.reason) from None
        except TimeoutError:
            raise ModelCallFailed(_timeout(self.endpoint.attempt_timeout_s).reason) from None

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        """Get an answer with ``request.samples`` texts; fewer if some of them failed.

        Raises:
            ModelCallFailed: this call failed.
            EndpointRefused: no call of this run can succeed.
            BudgetExhausted: the call was not made.
        """
        lane = self._lane(request)
        if request.samples > 1 and not lane.abilities(request.model).samples:
            return await self._one_by_one(request, None)
        answer = await self._complete_at_once(request, lane)
        return answer if len(answer.texts) >= request.samples else await self._one_by_one(request, answer)

    async def _complete_at_once(self, request: ModelRequest, lane: Lane) -> ModelAnswer:
        key = request.key(lane.endpoint.base_url)
        # Several facts may lead to the same request: later callers wait for the answer to the first.
        async with self._turns[key]:
            known = self._answers.get(key) or await self._cache.find(key)
            if known is not None:
                await self._record(request, CallOutcome.REUSED, 0.0, known)
                return known
            answer = self._answers[key] = await self._attempt_until_answered(request, lane)
            await self._cache.keep(key, answer)
            return answer

    async def _one_by_one(self, request: ModelRequest, first: ModelAnswer | None) -> ModelAnswer:
        """Get each missing sample by a separate call, for endpoints that return one at a time."""
        have = len(first.texts) if first else 0
        parts = [replace(request, samples=1, part=number) for number in range(have + 1, request.samples + 1)]
        lane = self._lane(request)
        results = await asyncio.gather(*(self._complete_at_once(part, lane) for part in parts), return_exceptions=True)
        answers = [*([first] if first else []), *(result for result in results if isinstance(result, ModelAnswer))]
        if not answers:
            raise next(result for result in results if isinstance(result, BaseException))
        usages = [answer.usage for answer in answers if answer.usage]
        return ModelAnswer(
            tuple(text for answer in answers for text in answer.texts),
            sum(usages[1:], usages[0]) if usages else None,
            is_cut=any(answer.is_cut for answer in answers),
            has_thoughts=any(answer.has_thoughts for answer in answers),
            tokens=tuple(tokens for answer in answers for tokens in answer.tokens),
        )

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Piece]:
        """Stream the answer in pieces. The call is retried only before the first piece.

        A caller that stops early must close the iterator (``contextlib.aclosing``), so that its cost is recorded.

        Raises:
            ModelCallFailed, EndpointRefused, BudgetExhausted: as :meth:`complete`; also after some pieces.
        """
        lane = self._lane(request)
        async with AsyncExitStack() as gate:
            await gate.enter_async_context(lane.gate(request, streams=True))
            call = _Call(request, lane.abilities(request.model))
            while True:
                call.attempts += 1
                progress = _Progress()
                unusable: Unusable
                try:
                    async with lane.limiter.slot():
                        await self._begin(request, lane)
                        progress.started = time.monotonic()
                        async with aclosing(self._pieces(call, lane, progress)) as pieces:
                            async for piece in pieces:
                                if lane.is_proven(request.model):
                                    await gate.aclose()
                                if piece.text or piece.is_cut:
                                    yield piece
                except Unusable as error:
                    unusable = error
                except (GeneratorExit, asyncio.CancelledError):
                    if progress.characters:
                        answer = ModelAnswer(("",), progress.usage or request.usage_so_far(progress.characters))
                        await self._record(request, CallOutcome.ANSWERED, progress.seconds, answer)
                    raise
                else:
                    lane.limiter.answered()
                    answer = ModelAnswer(("",), progress.usage)
                    await self._record(request, CallOutcome.ANSWERED, progress.seconds, answer)
                    return
                call.seconds += progress.seconds
                failure = unusable.failure
                await self._record(request, CallOutcome.FAILED, progress.seconds, None, failure.reason)
                if progress.characters:
                    raise _ERRORS.get(failure.kind, ModelCallFailed)(f"{failure.reason} The text broke off.")
                await self._go_on(call, lane, unusable, streams=True)

    async def _pieces(self, call: _Call, lane: Lane, progress: _Progress) -> AsyncGenerator[Piece]:
        """The pieces of one streamed attempt; every failure is raised as :class:`Unusable`."""
        endpoint = lane.endpoint
        started = heard = time.monotonic()
        try:
            async with aclosing(lane.stream(call.request, call.abilities)) as pieces:
                while True:
                    now = time.monotonic()
                    left = min(
                        endpoint.attempt_timeout_s,
                        heard + endpoint.deadline_s - now,
                        started + _LONGEST_STREAM * endpoint.deadline_s - now,
                    )
                    if left <= 0:
                        raise TimeoutError
                    async with asyncio.timeout(left):
                        piece = await anext(pieces, None)
                    if piece is None:
                        return
                    progress.usage = piece.usage or progress.usage
                    progress.characters += len(piece.text)
                    if piece.text or piece.is_thought:
                        heard = time.monotonic()
                    yield piece
        except TimeoutError:
            raise Unusable(_timeout(endpoint.attempt_timeout_s)) from None

    async def _attempt_until_answered(self, request: ModelRequest, lane: Lane) -> ModelAnswer:
        async with lane.gate(request):
            call = _Call(request, lane.abilities(request.model))
            while True:
                call.attempts += 1
                outcome = await self._attempt(call, lane)
                if isinstance(outcome, ModelAnswer):
                    return outcome
                await self._go_on(call, lane, outcome)

    async def _attempt(self, call: _Call, lane: Lane) -> ModelAnswer | Unusable:
        request = call.request
        outcome: ModelAnswer | Unusable
        async with lane.limiter.slot() as limit:
            await self._begin(request, lane)
            started = time.monotonic()
            timeout = max(0.01, min(lane.endpoint.attempt_timeout_s, lane.endpoint.deadline_s - call.seconds))
            self._under_way.append(request)
            try:
                async with asyncio.timeout(timeout):
                    outcome = await lane.ask(request, call.abilities)
            except Unusable as unusable:
                outcome = unusable
            except TimeoutError:
                outcome = Unusable(_timeout(timeout))
            finally:
                self._under_way.remove(request)
            seconds = time.monotonic() - started
        call.seconds += seconds
        if isinstance(outcome, Unusable):
            usage = ModelAnswer((), outcome.usage) if outcome.usage else None
            await self._record(request, CallOutcome.FAILED, seconds, usage, outcome.failure.reason)
        else:
            lane.limiter.answered(seconds, timeout, limit)
            await self._record(request, CallOutcome.ANSWERED, seconds, outcome)
        return outcome

    async def _begin(self, request: ModelRequest, lane: Lane) -> None:
        """Wait for the rate limit, and refuse a call that cannot succeed or exceeds the budget."""
        _raise_if_refused(lane)
        await lane.pace.turn(request.expected_usage.total, self._sleep)
        _raise_if_refused(lane)
        refuse_beyond(self._budget, self._committed())

    async def _go_on(self, call: _Call, lane: Lane, unusable: Unusable, *, streams: bool = False) -> None:
        """Change the request or wait, before the next attempt.

        Raises:
            ModelCallFailed, EndpointRefused: another attempt would be pointless.
        """
        failure = unusable.failure
        changed = lane.change(call.request, call.abilities, unusable, streams=streams)
        if changed is not None and call.changes < _MAX_CHANGES:
            call.abilities, call.changes = changed, call.changes + 1
            call.attempts -= 1
            return
        if failure.kind in (FailureKind.BUSY, FailureKind.TIMEOUT):
            lane.limiter.busy()
        wait = self._wait(call, lane, failure)
        if wait is None:
            lane.failed(call.request.model, failure)
            if failure.kind.is_final:
                raise EndpointRefused(failure.reason)
            raise _ERRORS.get(failure.kind, ModelCallFailed)(failure.reason)
        if failure.retry_after_s is not None and failure.kind is not FailureKind.LOADING:
            await self._pause(lane, failure, wait)
            return
        if wait >= _NOTICEABLE_WAIT_S:
            await self._listener.waiting(failure.reason, wait)
        call.seconds += wait if failure.kind is not FailureKind.LOADING else 0.0
        await self._sleep(wait)

    def _wait(self, call: _Call, lane: Lane, failure: Failure) -> float | None:
        """Seconds to wait before the next attempt; None to give up."""
        if failure.is_certain and not lane.is_proven(call.request.model):
            return None
        wait = wait_before_retry(failure, call.attempts, lane.endpoint.deadline_s - call.seconds)
        if wait is None:
            return None
        if failure.kind is FailureKind.LOADING:
            call.attempts -= 1
            call.loading_s += wait
            return wait if call.loading_s <= MAX_LOADING_SECONDS else None
        if failure.retry_after_s is not None and wait > max(LONGEST_PAUSE_S, 0.0):
            lane.refusal = f"The endpoint asks to wait {_in_words(wait)}. {failure.reason}"
            return None
        return wait

    async def _pause(self, lane: Lane, failure: Failure, wait: float) -> None:
        """Pause all calls to the endpoint, and notify the reader once."""
        is_new = wait - max(0.0, lane.limiter.pause_left_s) > _NEW_PAUSE_S
        lane.limiter.pause(wait)
        if is_new and wait >= _NOTICEABLE_WAIT_S:
            await self._listener.waiting(failure.reason, wait)

    def _lane(self, request: ModelRequest) -> Lane:
        return self._generator if request.purpose.is_writing else self._analyzer

    def _committed(self) -> Spending:
        """The spending including the expected cost of running calls, because many start at the same time."""
        costs = [self._price(request.model, request.expected_usage) for request in self._under_way]
        usd = sum((cost for cost in costs if cost is not None), Decimal(0)) if None not in costs else None
        usage = sum((request.expected_usage for request in self._under_way), TokenUsage())
        return self.spending.with_under_way(len(self._under_way), usage, usd)

    async def _record(
        self,
        request: ModelRequest,
        outcome: CallOutcome,
        seconds: float,
        answer: ModelAnswer | None,
        reason: str = "",
    ) -> None:
        usage = answer.usage if answer else None
        record = CallRecord(
            key=request.key(self._lane(request).endpoint.base_url),
            purpose=request.purpose,
            prompt=request.prompt,
            model=request.model,
            outcome=outcome,
            seconds=seconds,
            usage=usage,
            cost_usd=self._cost(request.model, outcome, answer),
            reason=reason,
            attribution=attribution(),
            answer=answer if outcome is CallOutcome.ANSWERED and answer and any(answer.texts) else None,
        )
        self.spending = self.spending.plus(record)
        await self._listener.called(record, self.spending)

    def _cost(self, model: str, outcome: CallOutcome, answer: ModelAnswer | None) -> Decimal | None:
        if outcome is CallOutcome.REUSED:
            return Decimal(0)
        return self._price(model, answer.usage) if answer and answer.usage else None

    def _price(self, model: str, usage: TokenUsage) -> Decimal | None:
        price = price_of(self._prices, model)
        return price.of(usage) if price else None


def _raise_if_refused(lane: Lane) -> None:
    if lane.refusal:
        raise EndpointRefused(lane.refusal)


def _timeout(seconds: float) -> Failure:
    return Failure(FailureKind.TIMEOUT, f"The endpoint gave no answer within {max(1.0, seconds):.0f} seconds.")


def _in_words(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} seconds"
    return f"{math.ceil(seconds / 60)} minutes"
