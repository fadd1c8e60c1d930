"""One endpoint during one run: its connections, its known abilities, and whether it answers at all."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import replace

from .abilities import ROOM_TO_THINK, Abilities, AbilityStore, Complaint, what_to_change
from .body import NO_ANSWER, NO_COMPLETION, ONLY_THOUGHTS, Unusable, opens_unseen, read_completion
from .endpoint import Endpoint
from .failures import Failure, FailureKind
from .limiter import limiter_of
from .pace import pace_of
from .request_body import make_body
from .stream import Piece, read_line
from .thoughts import ThoughtFilter, ThoughtsWithoutBeginning, tokens_of
from .transfer import TOO_LONG, body_of, lines_of
from .transport import BROKEN_OFF, Transport
from .types import ModelAnswer, ModelRequest

#: After this many failed calls in a row the run makes no further calls.
MAX_FAILURES_IN_A_ROW = 6
#: Above any average token length: an endpoint that sends more ignores the token limit.
_MAX_CHARACTERS_PER_TOKEN = 50
_REFUSALS_THAT_TEACH = (FailureKind.BAD_REQUEST, FailureKind.BROKEN, FailureKind.TOO_LONG)
_STATUSES_THAT_TEACH = (400, 404, 415, 422, 500, 501)
_MIXED_THOUGHTS = Failure(
    FailureKind.UNREADABLE,
    "The model sent its thoughts as a part of the text. That is known now: start once more.",
)


class Lane:
    """Calls one endpoint. Calls that need an unproven ability run one by one, so that a refusal costs one call."""

    def __init__(self, endpoint: Endpoint, store: AbilityStore) -> None:
        self.endpoint = endpoint
        self.limiter = limiter_of(endpoint.base_url, endpoint.max_concurrency)
        self.pace = pace_of(endpoint.base_url, endpoint.requests_per_minute, endpoint.tokens_per_minute)
        self.refusal: str | None = None
        self._store = store
        self._proven: defaultdict[str, set[str]] = defaultdict(set)
        self._gates: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._has_tried_room: set[str] = set()
        self._failed_in_a_row = 0
        self._transport = Transport(endpoint)

    async def __aenter__(self) -> Lane:
        await self._transport.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._transport.__aexit__(*error)

    async def get(self, path: str) -> bytes:
        """GET a path below the endpoint and return the body. Raises :class:`Unusable`."""
        return await self._transport.get(path)

    def abilities(self, model: str) -> Abilities:
        """The known abilities of the endpoint for a model."""
        return self._store.find(self.endpoint.base_url, model)

    def is_proven(self, model: str) -> bool:
        """Whether the endpoint has answered in this run."""
        return model in self._proven

    # --- One at a time, until it is known

    @asynccontextmanager
    async def gate(self, request: ModelRequest, *, streams: bool = False) -> AsyncIterator[None]:
        """Wait while another call probes an ability that this request needs."""
        gate = self._gates[request.model]
        while not self._is_known(request, streams=streams):
            await gate.acquire()
            if self._is_known(request, streams=streams) or self.refusal:
                gate.release()
                break
            try:
                yield
            finally:
                gate.release()
            return
        yield

    def _is_known(self, request: ModelRequest, *, streams: bool) -> bool:
        uses = make_body(request, self.abilities(request.model), self.endpoint.effort, streams=streams).uses
        return request.model in self._proven and uses <= self._proven[request.model]

    # --- Asking

    async def ask(self, request: ModelRequest, abilities: Abilities) -> ModelAnswer:
        """Make one attempt.

        Raises:
            Unusable: the attempt failed.
            TimeoutError: the caller's time ran out.
        """
        body = make_body(request, abilities, self.endpoint.effort)
        async with self._transport.post("chat/completions", body.content, request.model) as response:
            content = await body_of(response)
        answer = read_completion(content, request.model)
        if answer.has_thoughts:
            abilities = replace(
                abilities,
                room=abilities.room or ROOM_TO_THINK,
                opens_unseen=abilities.opens_unseen or opens_unseen(content),
            )
        if len(answer.texts) < request.samples and "samples" in body.uses:
            abilities = replace(abilities, samples=False)  # it accepts the parameter, but returns one sample
        self.answered(request.model, abilities, body.uses)
        return replace(answer, texts=answer.texts[: request.samples])

    async def stream(self, request: ModelRequest, abilities: Abilities) -> AsyncGenerator[Piece]:
        """The pieces of one streamed attempt, without thoughts. Raises the errors of :meth:`ask`.

        The first piece may be empty: the endpoint has begun to answer.
        """
        body = make_body(request, abilities, self.endpoint.effort, streams=True)
        thoughts = ThoughtFilter(begins_inside=abilities.opens_unseen)
        async with AsyncExitStack() as stack:
            response = await stack.enter_async_context(
                self._transport.post("chat/completions", body.content, request.model)
            )
            lines = await stack.enter_async_context(aclosing(lines_of(response)))
            characters, is_whole, has_thoughts, is_cut = 0, False, False, False
            is_stream = False
            whole: list[str] = []
            async for line in lines:
                piece = read_line(line, request.model)
                if piece is None:
                    if whole or line.startswith("{"):
                        whole.append(line)
                    yield Piece("")
                    continue
                is_stream = True
                is_whole |= piece.is_end
                is_cut |= piece.is_cut
                has_thoughts |= piece.is_thought
                try:
                    text = thoughts.add(piece.text) + (thoughts.end() if piece.is_end else "")
                except ThoughtsWithoutBeginning:
                    self.answered(request.model, replace(abilities, opens_unseen=True, room=ROOM_TO_THINK), body.uses)
                    raise Unusable(_MIXED_THOUGHTS) from None
                characters += len(text)
                if characters > _MAX_CHARACTERS_PER_TOKEN * request.max_tokens:
                    raise Unusable(TOO_LONG)
                if text and not self.is_proven(request.model):
                    self.answered(request.model, abilities, body.uses)
                tokens = piece.tokens if text == piece.text else tokens_of(text, piece.tokens)
                # Truncated thoughts are not text that could be continued: the request is changed instead.
                yield replace(piece, text=text, tokens=tokens, is_cut=piece.is_cut and characters > 0)
            if whole and not is_whole:
                # An endpoint that does not stream.
                answer = read_completion("\n".join(whole).encode(), request.model)
                self.answered(request.model, abilities, body.uses)
                yield Piece(answer.text, answer.usage, is_end=True, is_cut=answer.is_cut)
                return
            if not is_whole:
                raise Unusable(BROKEN_OFF if is_stream else NO_COMPLETION)
            rest = thoughts.end()
            if rest:
                characters += len(rest)
                yield Piece(rest)
        has_thoughts |= thoughts.had_thoughts
        if not characters:
            raise Unusable(ONLY_THOUGHTS if is_cut else NO_ANSWER, had_thoughts=has_thoughts or is_cut)
        if has_thoughts:
            abilities = replace(abilities, room=abilities.room or ROOM_TO_THINK)
        self.answered(request.model, abilities, body.uses)

    # --- Learning

    def answered(self, model: str, abilities: Abilities, uses: frozenset[str]) -> None:
        """Record a success and its proven abilities."""
        self._failed_in_a_row = 0
        self._proven[model] |= uses
        if abilities != self.abilities(model):
            self._store.keep(self.endpoint.base_url, model, abilities)

    def change(
        self, request: ModelRequest, abilities: Abilities, unusable: Unusable, *, streams: bool = False
    ) -> Abilities | None:
        """The abilities for an immediate retry after a refusal; None if the refusal teaches nothing."""
        failure = unusable.failure
        if unusable.had_thoughts and not abilities.room and request.model not in self._has_tried_room:
            self._has_tried_room.add(request.model)
            return replace(abilities, room=ROOM_TO_THINK)
        error = failure.error
        if error is None or failure.kind not in _REFUSALS_THAT_TEACH or error.status not in _STATUSES_THAT_TEACH:
            return None
        complaint = Complaint(error.param, error.message)
        if failure.kind is not FailureKind.BAD_REQUEST and not error.param and not complaint.names_something:
            return None  # a fault of the endpoint, not of the request
        if failure.kind is FailureKind.TOO_LONG and not abilities.room:
            return None
        if failure.kind is FailureKind.TOO_LONG:
            return replace(abilities, room=0)
        uses = make_body(request, abilities, self.endpoint.effort, streams=streams).uses
        is_proven = request.model in self._proven and uses <= self._proven[request.model]
        if is_proven:
            # Another call may have learned the abilities meanwhile.
            known = self.abilities(request.model)
            return None if known == abilities else known
        return what_to_change(abilities, uses, complaint)

    def failed(self, model: str, failure: Failure) -> None:
        """Record a final failure, and whether it makes all further calls pointless."""
        self._failed_in_a_row += 1
        if failure.kind.is_final or (not self.is_proven(model) and not failure.kind.is_of_one_call):
            self.refusal = failure.reason
        elif self._failed_in_a_row >= MAX_FAILURES_IN_A_ROW and not self._proven:
            self.refusal = f"{self._failed_in_a_row} questions in a row came to nothing. {failure.reason}"
        elif self._failed_in_a_row >= 2 * MAX_FAILURES_IN_A_ROW and not failure.kind.is_of_one_call:
            self.refusal = failure.reason
