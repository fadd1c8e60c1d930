"""The client of one OpenAI-compatible endpoint. The only module that imports openai."""

from __future__ import annotations

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field
from decimal import Decimal
from types import TracebackType
from typing import Protocol, TypedDict

import httpx2
import openai
from openai.types.chat import ChatCompletionMessageParam
from openai.types.shared_params import ResponseFormatJSONSchema

from ..errors import AnswerRefused, EmptyAnswer, EndpointRefused, ModelCallFailed
from .attribution import attribution
from .body import Unusable, read_completion
from .budget import Budget, Spending, refuse_beyond
from .failures import Failure, FailureKind, wait_before_retry
from .limiter import limiter_of
from .pricing import KNOWN_PRICES, Price
from .stream import Piece, read_line
from .transfer import TOO_LONG, body_of, cut_error, lines_of
from .types import CallOutcome, CallRecord, Message, ModelAnswer, ModelRequest, Role, TokenUsage

#: A wait that is worth telling the reader about.
_NOTICEABLE_WAIT_S = 2.0

#: No tokens are so long on average: an endpoint that sends more does not keep to what it was asked for.
_MOST_CHARACTERS_OF_TOKEN = 50


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the models are. Times are in seconds: for one attempt, and for a call with all its attempts."""

    base_url: str
    api_key: str = field(repr=False)
    attempt_timeout_s: float = 60.0
    deadline_s: float = 180.0
    max_concurrency: int = 64


class AnswerCache(Protocol):
    """Keeps answers, so that a run that is taken up again pays only for what is missing."""

    async def find(self, key: str) -> ModelAnswer | None: ...

    async def keep(self, key: str, answer: ModelAnswer) -> None: ...


class CallListener(Protocol):
    """Hears of every attempt, and of waits that the reader may wonder about."""

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


#: What a caller may want to tell from other failures.
_ERRORS = {FailureKind.EMPTY: EmptyAnswer, FailureKind.REFUSED: AnswerRefused}

_BROKEN_OFF = Failure(FailureKind.UNREACHABLE, "The connection to the endpoint broke off in mid-answer.")


@dataclass(slots=True)
class _Progress:
    """How far a streamed answer has come."""

    characters: int = 0
    is_whole: bool = False
    usage: TokenUsage | None = None
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started


class ModelClient:
    """Asks models, with retries, a deadline, a budget and a cache. One a run, used as ``async with``.

    It belongs to the event loop that enters it. A cancelled call is aborted at once, and its connection closed.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        budget: Budget | None = None,
        prices: Mapping[str, Price] = KNOWN_PRICES,
        cache: AnswerCache | None = None,
        listener: CallListener | None = None,
        spent: Spending | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.endpoint = endpoint
        self.spending = spent or Spending()
        self._budget = budget or Budget()
        self._prices = prices
        self._cache = cache or NoCache()
        self._listener = listener or NoListener()
        self._sleep = sleep
        self._limiter = limiter_of(endpoint.base_url, endpoint.max_concurrency)
        self._refusal: str | None = None
        self._knows_schemas = True
        self._knows_probabilities = True
        self._answers: dict[str, ModelAnswer] = {}
        self._under_way: list[ModelRequest] = []
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def __aenter__(self) -> ModelClient:
        self._openai = openai.AsyncOpenAI(
            api_key=self.endpoint.api_key or "none",  # local servers want none, the library wants one
            base_url=self.endpoint.base_url,
            timeout=self.endpoint.attempt_timeout_s,
            max_retries=0,
            # The reader was told where the text goes: it is not sent on to another address.
            http_client=openai.DefaultAsyncHttpxClient(follow_redirects=False, event_hooks={"response": [cut_error]}),
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._openai.close()

    @property
    def knows_schemas(self) -> bool:
        """False once the endpoint has refused a request for its JSON schema."""
        return self._knows_schemas

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        """Get an answer with ``request.samples`` texts.

        Raises:
            ModelCallFailed: this call came to nothing.
            EndpointRefused: no call of this run can succeed.
            BudgetExhausted: the call was not made.
        """
        key = request.key(self.endpoint.base_url)
        # Several facts may lead to the same question: whoever comes second waits for the answer of the first.
        async with self._turns[key]:
            known = self._answers.get(key) or await self._cache.find(key)
            if known is not None:
                await self._record(request, CallOutcome.REUSED, 0.0, known)
                return known
            answer = self._answers[key] = await self._attempt_until_answered(request)
            await self._cache.keep(key, answer)
            return answer

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Piece]:
        """Get the answer piece by piece, each with its text. It is tried again only as long as no piece has come.

        Whoever stops before the end closes the iterator (``contextlib.aclosing``): what came until then is paid for.

        Raises:
            ModelCallFailed, EndpointRefused, BudgetExhausted: as :meth:`complete`; also in mid-answer.
        """
        deadline = time.monotonic() + self.endpoint.deadline_s
        attempt = 0
        while True:
            attempt += 1
            progress, extras = _Progress(), self._extras(request)
            try:
                async with self._limiter.slot():
                    self._refuse_in_vain()
                    async with aclosing(self._pieces(request, extras, progress, deadline)) as pieces:
                        async for piece in pieces:
                            yield piece
            except Unusable as unusable:
                failure = unusable.failure
            except (GeneratorExit, asyncio.CancelledError):
                if progress.characters:
                    answer = ModelAnswer(("",), progress.usage or request.usage_so_far(progress.characters))
                    await self._record(request, CallOutcome.ANSWERED, progress.seconds, answer)
                raise
            else:
                self._limiter.answered()
                await self._record(request, CallOutcome.ANSWERED, progress.seconds, ModelAnswer(("",), progress.usage))
                return
            await self._record(request, CallOutcome.FAILED, progress.seconds, None, failure.reason)
            if progress.characters:
                raise _ERRORS.get(failure.kind, ModelCallFailed)(f"{failure.reason} The text broke off.")
            if self._can_do_without(extras, failure):
                continue
            await self._wait_or_give_up(failure, attempt, deadline)

    async def _pieces(
        self, request: ModelRequest, extras: _Extras, progress: _Progress, deadline: float
    ) -> AsyncGenerator[Piece]:
        """The pieces with text of one streamed attempt; whatever goes wrong comes as :class:`Unusable`."""
        try:
            async with AsyncExitStack() as stack:
                async with self._within(deadline):  # what an error says is read here as well
                    response = await stack.enter_async_context(
                        self._openai.chat.completions.with_streaming_response.create(
                            **_parameters(request, extras), stream=True, stream_options={"include_usage": True}
                        )
                    )
                lines = await stack.enter_async_context(aclosing(lines_of(response.http_response)))
                while piece := await self._next_piece(lines, deadline):
                    progress.is_whole |= piece.is_end
                    progress.usage = piece.usage or progress.usage
                    progress.characters += len(piece.text)
                    if progress.characters > _MOST_CHARACTERS_OF_TOKEN * request.max_tokens:
                        raise Unusable(TOO_LONG)
                    if piece.text or piece.is_cut:
                        yield piece
            if not progress.is_whole:
                raise Unusable(_BROKEN_OFF)
            if not progress.characters:
                raise Unusable(Failure(FailureKind.EMPTY, "The model gave an empty answer."))
        except (openai.OpenAIError, httpx2.HTTPError, TimeoutError) as error:
            raise Unusable(self._failure_of(error, request, self.endpoint.attempt_timeout_s)) from error

    async def _next_piece(self, lines: AsyncIterator[str], deadline: float) -> Piece | None:
        """The next piece of a stream; None at its end. Lines that say nothing may come without end, and at once."""
        while True:
            async with self._within(deadline):
                line = await anext(lines, None)
            if line is None:
                return None
            piece = read_line(line)
            if piece is not None:
                return piece

    def _within(self, deadline: float) -> asyncio.Timeout:
        """The time for one step of an attempt."""
        left = deadline - time.monotonic()
        if left < 0:
            raise TimeoutError
        return asyncio.timeout(min(self.endpoint.attempt_timeout_s, left))

    async def _attempt_until_answered(self, request: ModelRequest) -> ModelAnswer:
        deadline = time.monotonic() + self.endpoint.deadline_s
        attempt = 0
        while True:
            attempt += 1
            outcome = await self._attempt(request, deadline)
            if isinstance(outcome, ModelAnswer):
                self._limiter.answered()
                return outcome
            await self._wait_or_give_up(outcome, attempt, deadline)

    async def _wait_or_give_up(self, failure: Failure, attempt: int, deadline: float) -> None:
        if failure.kind is FailureKind.BUSY:
            self._limiter.busy()
        if failure.kind.is_final:
            self._refusal = failure.reason
            raise EndpointRefused(failure.reason)
        wait = wait_before_retry(failure, attempt, deadline - time.monotonic())
        if wait is None:
            raise _ERRORS.get(failure.kind, ModelCallFailed)(failure.reason)
        if wait >= _NOTICEABLE_WAIT_S:
            await self._listener.waiting(failure.reason, wait)
        await self._sleep(wait)

    def _refuse_in_vain(self) -> None:
        """Make no call that cannot succeed or must not be made."""
        if self._refusal:
            raise EndpointRefused(self._refusal)
        refuse_beyond(self._budget, self._committed())

    def _committed(self) -> Spending:
        """What has been spent, and what the calls under way will take: many start at the same time."""
        costs = [self._price(request.model, request.expected_usage) for request in self._under_way]
        usd = sum((cost for cost in costs if cost is not None), Decimal(0)) if None not in costs else None
        usage = sum((request.expected_usage for request in self._under_way), TokenUsage())
        return self.spending.with_under_way(len(self._under_way), usage, usd)

    async def _attempt(self, request: ModelRequest, deadline: float) -> ModelAnswer | Failure:
        async with self._limiter.slot():
            self._refuse_in_vain()
            started = time.monotonic()
            timeout = max(0.01, min(self.endpoint.attempt_timeout_s, deadline - started))
            self._under_way.append(request)
            try:
                outcome = await self._ask(request, timeout)
            finally:
                self._under_way.remove(request)
            seconds = time.monotonic() - started
        if isinstance(outcome, Failure):
            await self._record(request, CallOutcome.FAILED, seconds, None, outcome.reason)
        else:
            await self._record(request, CallOutcome.ANSWERED, seconds, outcome)
        return outcome

    async def _ask(self, request: ModelRequest, timeout_s: float) -> ModelAnswer | Failure:
        extras = self._extras(request)
        try:
            async with asyncio.timeout(timeout_s):
                return read_completion(await self._fetch(request, extras))
        except Unusable as unusable:
            return unusable.failure
        except (openai.OpenAIError, httpx2.HTTPError, TimeoutError) as error:
            failure = self._failure_of(error, request, timeout_s)
        return await self._ask(request, timeout_s) if self._can_do_without(extras, failure) else failure

    def _extras(self, request: ModelRequest) -> _Extras:
        return _Extras(
            schema=request.schema is not None and self._knows_schemas,
            probabilities=request.wants_probabilities and self._knows_probabilities,
        )

    def _can_do_without(self, extras: _Extras, failure: Failure) -> bool:
        """Whether to ask again for less. Many local servers refuse what they do not know.

        The prompt asks for the form as well and the parser is forgiving; probabilities may be missing anyway.
        """
        if failure.kind is not FailureKind.BAD_REQUEST:
            return False
        if extras.schema:
            self._knows_schemas = False
        elif extras.probabilities:
            self._knows_probabilities = False
        return extras.schema or extras.probabilities

    def _failure_of(self, error: Exception, request: ModelRequest, timeout_s: float) -> Failure:
        match error:
            case TimeoutError() | openai.APITimeoutError():
                return Failure(
                    FailureKind.TIMEOUT, f"The endpoint gave no answer within {max(1.0, timeout_s):.0f} seconds."
                )
            case openai.APIStatusError():
                return _failure_of_status(error, request.model)
            case openai.APIConnectionError():
                return Failure(FailureKind.UNREACHABLE, f"The endpoint {self.endpoint.base_url} cannot be reached.")
            case httpx2.HTTPError():
                # The library hands these through while the body is read.
                return _BROKEN_OFF
            case _:
                return Failure(
                    FailureKind.UNREADABLE, "The endpoint answered with something that is no chat completion."
                )

    async def _fetch(self, request: ModelRequest, extras: _Extras) -> bytes:
        async with self._openai.chat.completions.with_streaming_response.create(
            **_parameters(request, extras), response_format=_response_format(request, extras)
        ) as response:
            return await body_of(response.http_response)

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
            key=request.key(self.endpoint.base_url),
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
        price = self._prices.get(model)
        return price.of(usage) if price else None


@dataclass(frozen=True, slots=True)
class _Extras:
    """What one attempt asks for that not every endpoint knows."""

    schema: bool
    probabilities: bool


def _response_format(request: ModelRequest, extras: _Extras) -> ResponseFormatJSONSchema | openai.Omit:
    if request.schema is None or not extras.schema:
        return openai.omit
    schema: dict[str, object] = json.loads(request.schema)
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}


class _Parameters(TypedDict):
    model: str
    messages: list[ChatCompletionMessageParam]
    temperature: float
    n: int
    max_tokens: int
    logprobs: bool | openai.Omit
    top_p: float | openai.Omit


def _parameters(request: ModelRequest, extras: _Extras) -> _Parameters:
    return _Parameters(
        model=request.model,
        messages=[_as_parameter(message) for message in request.messages],
        temperature=request.temperature,
        n=request.samples,
        max_tokens=request.max_tokens,
        logprobs=True if extras.probabilities else openai.omit,
        top_p=openai.omit if request.top_p is None else request.top_p,
    )


def _as_parameter(message: Message) -> ChatCompletionMessageParam:
    match message.role:
        case Role.SYSTEM:
            return {"role": "system", "content": message.text}
        case Role.ASSISTANT:
            return {"role": "assistant", "content": message.text}
        case Role.USER:
            return {"role": "user", "content": message.text}


_STATUS_KINDS = {
    401: (FailureKind.KEY_REFUSED, "The endpoint refuses the API key."),
    402: (FailureKind.NO_QUOTA, "The endpoint says that the account has no credit left."),
    403: (FailureKind.KEY_REFUSED, "The endpoint does not allow this with the API key."),
    408: (FailureKind.TIMEOUT, "The endpoint ran out of time."),
    409: (FailureKind.BROKEN, "The endpoint reports a conflict."),
    429: (FailureKind.BUSY, "The endpoint is busy and asks to wait."),
}


def _failure_of_status(error: openai.APIStatusError, model: str) -> Failure:
    code = str(error.code or "")
    status = error.status_code
    if 300 <= status < 400:
        return Failure(
            FailureKind.MOVED,
            f"The endpoint leads to another address (status {status}), and nothing is sent there. "
            "Whoever runs this server can set that address instead.",
        )
    if code == "insufficient_quota":
        return Failure(FailureKind.NO_QUOTA, "The endpoint says that the account has no credit left.")
    if status == 404 or code == "model_not_found":
        return Failure(FailureKind.UNKNOWN_MODEL, f"The endpoint has no model {model!r}, or nothing at this address.")
    if code == "context_length_exceeded" or status == 413:
        return Failure(FailureKind.TOO_LONG, "The text is too long for the model.")
    if status in _STATUS_KINDS:
        kind, reason = _STATUS_KINDS[status]
        return Failure(kind, reason, _retry_after(error))
    if status >= 500:
        return Failure(
            FailureKind.BROKEN, f"The endpoint has a problem of its own (status {status}).", _retry_after(error)
        )
    return Failure(FailureKind.BAD_REQUEST, f"The endpoint does not accept the request (status {status}).")


def _retry_after(error: openai.APIStatusError) -> float | None:
    """What the endpoint asks to wait, in seconds; dates are not worth the trouble."""
    try:
        seconds = float(error.response.headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds < 3600 else None
