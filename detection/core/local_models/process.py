"""Run the local models in this process, or in one child process of the web server.

Parsing holds Python's interpreter lock and inference uses every core. In a server process both would slow down all
pages, so a server runs them in a child process of low priority.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import chain, count
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ..control import run_together
from ..errors import Cancelled, ModelUnavailable
from ..language import segment
from ..types import UNREAD, NliPair, NliScore, PairKind, ParsedSentence, ParsedText, Stretch
from . import lost_time
from .decision import Decision, LogisticDecision, load_decision
from .nli.batches import batches, estimated_tokens
from .processor_time import processor_seconds, wants_processor
from .vectors import Vector

if TYPE_CHECKING:
    from ..language.pipeline import LanguagePipeline
    from .nli.scorer import NliScorer

logger = logging.getLogger(__name__)

#: Characters of a text that are parsed in one call: less than a tenth of a second of work, like a batch of pairs.
CHUNK_CHARS = 300

#: Niceness of the child process, so that the server's process has priority.
LOW_PRIORITY = 10

#: The subfolder of an NLI model for the model that compares the slots of values.
SLOT_READER = "slots"

#: Time limit of a call, including the loading of the models in the first one.
CALL_SECONDS = 120.0
_CHECKS_PER_CALL = 8
_ATTEMPTS = 2
_REAP_S = 5.0

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which models to load. ``language`` is the path or the package name of a spaCy pipeline."""

    language: str
    nli: Path
    threads: int = 1
    call_seconds: float = CALL_SECONDS
    """Time that a child process may compute or be idle in one call before it counts as hanging."""

    @property
    def slot_reader(self) -> Path | None:
        """The folder of the model that compares slots; None if there is none, as beside an installed NLI model."""
        own = self.nli / SLOT_READER
        return own if own.is_dir() else None


class LocalModels(Protocol):
    """The interface of the local models."""

    async def parse(self, text: str) -> ParsedText: ...

    async def cut(self, text: str) -> tuple[Stretch, ...]:
        """Split the text at clear boundaries into stretches for :meth:`parse_stretches`."""
        ...

    async def parse_stretches(self, stretches: Sequence[Stretch]) -> list[tuple[ParsedSentence, ...]]:
        """The sentences of each stretch. All stretches of a text together give the same sentences as :meth:`parse`."""
        ...

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        """Judge every pair; the result has the order of ``pairs``."""
        ...

    async def vectors(self, texts: Sequence[str]) -> list[Vector]:
        """A vector of each text by which its topic can be compared; empty ones if the NLI model gives none."""
        ...

    def decision(self, about: Decision) -> LogisticDecision:
        """The trained decision that turns scores and other features into probabilities."""
        ...


class InProcessModels:
    """Models in this process, loaded on first use; for the command line, which serves no pages."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._loading = threading.Lock()
        self._parsing = threading.Lock()  # a pipeline of spaCy serves one thread at a time

    def warm_up(self) -> None:
        """Load all models now."""
        with self._parsing:
            _ = self.language
        with self._loading:
            _ = self.scorer, self.slot_scorer

    async def parse(self, text: str) -> ParsedText:
        return await asyncio.to_thread(self._parse_now, text)

    def _parse_now(self, text: str) -> ParsedText:
        with self._parsing:
            return self.language.parse(text)

    async def cut(self, text: str) -> tuple[Stretch, ...]:
        return await asyncio.to_thread(segment.cut, text)

    async def parse_stretches(self, stretches: Sequence[Stretch]) -> list[tuple[ParsedSentence, ...]]:
        return await asyncio.to_thread(self.parse_now, stretches)

    def parse_now(self, stretches: Sequence[Stretch]) -> list[tuple[ParsedSentence, ...]]:
        """Parse the stretches."""
        with self._parsing:
            return self.language.parse_stretches(stretches)

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        return await asyncio.to_thread(self.score_now, pairs)

    def score_now(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        """Judge every pair with the model for its kind."""
        scores: dict[int, NliScore] = {}
        for kind in {pair.kind for pair in pairs}:
            places = [place for place, pair in enumerate(pairs) if pair.kind is kind]
            scores.update(zip(places, self._score_kind(kind, [pairs[place] for place in places]), strict=True))
        return [scores[place] for place in range(len(pairs))]

    def _score_kind(self, kind: PairKind, pairs: Sequence[NliPair]) -> list[NliScore]:
        with self._loading:
            scorer = self.scorer if kind is PairKind.STATEMENTS else self.slot_scorer
        return scorer.score(pairs) if scorer else [UNREAD] * len(pairs)

    async def vectors(self, texts: Sequence[str]) -> list[Vector]:
        return await asyncio.to_thread(self.vectors_now, texts)

    def vectors_now(self, texts: Sequence[str]) -> list[Vector]:
        """A vector of each text."""
        with self._loading:
            scorer = self.scorer
        return scorer.vectors(texts)

    @cached_property
    def decision(self) -> Callable[[Decision], LogisticDecision]:
        return cache(partial(load_decision, self._settings.nli))

    # Lazy imports: a server that runs the models in a child never loads the libraries.
    @cached_property
    def language(self) -> LanguagePipeline:
        from ..language.pipeline import LanguagePipeline

        return LanguagePipeline(self._settings.language)

    @cached_property
    def scorer(self) -> NliScorer:
        from .nli.scorer import NliScorer

        return NliScorer(self._settings.nli, threads=self._settings.threads)

    @cached_property
    def slot_scorer(self) -> NliScorer | None:
        """The scorer for pairs about slots; None if no such model is installed."""
        from .nli.scorer import NliScorer

        folder = self._settings.slot_reader
        return NliScorer(folder, threads=self._settings.threads) if folder else None


class ProcessModels:
    """Models in one child process of low priority, started on first use, and again if it dies or hangs.

    The child runs ``settings.threads`` calls at a time, each on one core, first in, first out. If it dies, or does not
    answer the oldest call within ``settings.call_seconds``, each call that it was running is repeated once, alone, in a
    new child; queued calls are not affected. While the child waits for a processor, only its computing time counts.
    """

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._is_serving = False
        self._child: _Child | None = None
        self._turns = _Turns()
        self._closed = threading.Event()

    def warm_up(self) -> None:
        """Start the child and load its models in the background."""
        self._ask(_child_warm_up)

    def close(self) -> None:
        """Kill the child. Pending and later calls raise :class:`Cancelled`."""
        with self._lock:
            self._closed.set()
            for _ in range(self._settings.threads):
                self._calls.put(None)
            if self._child is not None:
                self._child.kill()

    async def parse(self, text: str) -> ParsedText:
        return ParsedText(text, tuple(chain.from_iterable(await self.parse_stretches(await self.cut(text)))))

    async def cut(self, text: str) -> tuple[Stretch, ...]:
        return await self._run(segment.cut, text)

    async def parse_stretches(self, stretches: Sequence[Stretch]) -> list[tuple[ParsedSentence, ...]]:
        parsed: list[tuple[ParsedSentence, ...]] = []
        before = 0
        for piece in _pieces(stretches):
            for of_stretch in await self._run(_child_parse_stretches, piece):
                parsed.append(tuple(_numbered(sentence, before + i) for i, sentence in enumerate(of_stretch)))
                before += len(of_stretch)
        return parsed

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        tokens = [estimated_tokens(pair.premise) + estimated_tokens(pair.hypothesis) for pair in pairs]
        return await self._run_in_batches(_child_score, pairs, tokens)

    async def vectors(self, texts: Sequence[str]) -> list[Vector]:
        return await self._run_in_batches(_child_vectors, texts, list(map(estimated_tokens, texts)))

    async def _run_in_batches(
        self, function: Callable[[Sequence[Item]], list[Result]], items: Sequence[Item], tokens: Sequence[int]
    ) -> list[Result]:
        """The results of ``items``, of which each has about so many ``tokens``."""
        results: dict[int, Result] = {}
        free = asyncio.Semaphore(self._settings.threads)  # more would let one check go before all others

        async def run_batch(positions: Sequence[int]) -> None:
            async with free:
                of_batch = await self._run(function, [items[i] for i in positions])
            results.update(zip(positions, of_batch, strict=True))

        cores = self._settings.threads if self._is_idle() else 1
        await run_together(run_batch(positions) for positions in batches(tokens, cores=cores))
        return [results[i] for i in range(len(items))]

    def _is_idle(self) -> bool:
        return self._calls.empty() and self._turns.oldest is None

    @cached_property
    def decision(self) -> Callable[[Decision], LogisticDecision]:
        return cache(partial(load_decision, self._settings.nli))

    async def _run(self, function: Callable[..., Result], *arguments: object) -> Result:
        lost = lost_time.current()
        with lost.waiting():
            result, seconds = await asyncio.wrap_future(self._ask(function, *arguments))
        lost.add_computed(seconds)
        return result

    def _ask(self, function: Callable[..., Result], *arguments: object) -> Future[tuple[Result, float]]:
        call = _Call(function, arguments)
        with self._lock:
            if self._closed.is_set():
                raise Cancelled
            if not self._is_serving:
                self._is_serving = True
                for _ in range(self._settings.threads):
                    threading.Thread(target=self._serve, name="local-models", daemon=True).start()
                threading.Thread(target=self._watch, name="local-models-watch", daemon=True).start()
            self._calls.put(call)
        return call.answer

    def _serve(self) -> None:
        while (call := self._calls.get()) is not None:
            if not call.answer.set_running_or_notify_cancel():
                continue
            try:
                answer = self._make(call)
            except Exception as error:
                call.answer.set_exception(error)
            else:
                call.answer.set_result(answer)

    def _make(self, call: _Call) -> Any:
        deaths: list[_ChildDied] = []
        while len(deaths) < _ATTEMPTS:
            # A call that kills its child must not take others along a second time.
            turn = self._turns.alone(call) if deaths else self._turns.beside_others(call)
            with turn:
                child = self._living_child()
                try:
                    return child.make(call)
                except _ChildDied as died:
                    self._forget(child)
                    deaths.append(died)
        if self._closed.is_set():
            raise Cancelled
        if all(died.was_slow for died in deaths):
            seconds = f"{self._settings.call_seconds:g} seconds"
            raise ModelUnavailable(f"The local models did not answer within {seconds}, nor after a new start.")
        raise ModelUnavailable("The process that runs the local models died twice; it may be short of memory.")

    def _forget(self, child: _Child) -> None:
        with self._lock:
            if self._child is child:
                self._child = None

    def _living_child(self) -> _Child:
        with self._lock:
            if self._closed.is_set():
                raise Cancelled
            self._child = self._child or _Child(self._settings)
            return self._child

    def _watch(self) -> None:
        """Kill a hanging child. Count intervals instead of clock time: a suspended process tree is not slow."""
        interval = self._settings.call_seconds / _CHECKS_PER_CALL
        seen, waited, computed = None, 0.0, 0.0
        while not self._closed.wait(interval):
            call, child = self._turns.oldest, self._child
            before, computed = computed, child.processor_seconds() if child is not None else 0.0
            if call is None or call is not seen or child is None:
                seen, waited = call, 0.0
                continue
            wants_processor = computed > before or child.wants_processor()
            waited += min(interval, computed - before) if wants_processor else interval
            if waited >= self._settings.call_seconds:
                logger.error("no answer of the local models for %g s: their process ends", self._settings.call_seconds)
                child.kill(as_slow=True)
                seen = None


def _pieces(stretches: Sequence[Stretch]) -> Iterator[list[Stretch]]:
    piece: list[Stretch] = []
    size = 0
    for stretch in stretches:
        if piece and size + len(stretch.text) > CHUNK_CHARS:
            yield piece
            piece, size = [], 0
        piece.append(stretch)
        size += len(stretch.text)
    if piece:
        yield piece


def _numbered(parsed: ParsedSentence, index: int) -> ParsedSentence:
    return parsed if parsed.sentence.index == index else replace(parsed, sentence=replace(parsed.sentence, index=index))


@dataclass(frozen=True, eq=False)
class _Call:
    """A call for the child. ``function`` is a function of a module."""

    function: Callable[..., Any]
    arguments: tuple[object, ...]
    answer: Future[Any] = field(default_factory=Future)


class _Turns:
    """Which calls are running. Some run beside each other, one that failed before runs alone."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running: dict[_Call, None] = {}  # in the order of their start
        self._is_reserved = False

    @property
    def oldest(self) -> _Call | None:
        with self._changed:
            return next(iter(self._running), None)

    @contextmanager
    def beside_others(self, call: _Call) -> Iterator[None]:
        """Run the body while no call has to run alone."""
        with self._changed:
            self._changed.wait_for(lambda: not self._is_reserved)
            self._running[call] = None
        try:
            yield
        finally:
            self._end(call)

    @contextmanager
    def alone(self, call: _Call) -> Iterator[None]:
        """Run the body while no other call runs."""
        with self._changed:
            self._changed.wait_for(lambda: not self._is_reserved)
            self._is_reserved = True
            self._changed.wait_for(lambda: not self._running)
            self._running[call] = None
        try:
            yield
        finally:
            self._is_reserved = False
            self._end(call)

    def _end(self, call: _Call) -> None:
        with self._changed:
            del self._running[call]
            self._changed.notify_all()


class _ChildDied(Exception):
    def __init__(self, *, was_slow: bool) -> None:
        super().__init__()
        self.was_slow = was_slow


class _Child:
    """The process and the pipe to it. The standard library's executors cannot kill a hanging process."""

    def __init__(self, settings: ModelSettings) -> None:
        context = multiprocessing.get_context("spawn")  # a forked child would share locks and sockets
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_child_main, args=(theirs, settings), name="local models", daemon=True)
        self._process.start()
        theirs.close()  # otherwise the child's death would not close the pipe
        self._was_slow = False
        self._sending, self._lock = threading.Lock(), threading.Lock()
        self._numbers = count()
        self._pending: dict[int, Future[tuple[Any, float]]] = {}
        self._is_dead = False
        threading.Thread(target=self._receive, name="local-models-answers", daemon=True).start()

    def make(self, call: _Call) -> tuple[Any, float]:
        """The answer, and its computing time in seconds. Thread-safe.

        Raises:
            _ChildDied: the child ended or was killed.
            Exception: any error of the function in the child.
        """
        answer: Future[tuple[Any, float]] = Future()
        with self._lock:
            if self._is_dead:
                raise _ChildDied(was_slow=self._was_slow)
            number = next(self._numbers)
            self._pending[number] = answer
        try:
            with self._sending:
                self._pipe.send((number, call.function, call.arguments))
        except OSError:
            pass  # the child is dead, which the receiving thread will notice
        except Exception:
            with self._lock:
                self._pending.pop(number, None)
            raise
        return answer.result()

    def _receive(self) -> None:
        try:
            while True:
                number, answer, error, seconds = self._pipe.recv()
                with self._lock:
                    waiting = self._pending.pop(number)
                if error is None:
                    waiting.set_result((answer, seconds))
                else:
                    waiting.set_exception(error)
        except (EOFError, OSError):
            pass  # the child ended
        except Exception:
            logger.exception("an answer of the local models cannot be read: their process ends")
        self.kill()
        self._process.join(_REAP_S)
        with self._lock:
            self._is_dead = True
            left = list(self._pending.values())
        self._pipe.close()
        for waiting in left:
            waiting.set_exception(_ChildDied(was_slow=self._was_slow))

    def processor_seconds(self) -> float:
        """The computing time so far."""
        return processor_seconds(self._process.pid or 0)

    def wants_processor(self) -> bool:
        return wants_processor(self._process.pid or 0)

    def kill(self, *, as_slow: bool = False) -> None:
        self._was_slow |= as_slow
        self._process.kill()


# --- In the child -----------------------------------------------------------------------------------------------

_models: InProcessModels


def _child_main(pipe: Connection, settings: ModelSettings) -> None:
    global _models
    os.nice(LOW_PRIORITY)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches the whole process group; the parent decides
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _models = InProcessModels(replace(settings, threads=1))  # calls have a core each
    sending = threading.Lock()
    with ThreadPoolExecutor(settings.threads, thread_name_prefix="call") as calls:
        while True:
            try:
                number, function, arguments = pipe.recv()
            except EOFError:
                return
            calls.submit(_answer, pipe, sending, number, function, arguments)


def _answer(
    pipe: Connection,
    sending: threading.Lock,
    number: int,
    function: Callable[..., object],
    arguments: tuple[object, ...],
) -> None:
    began, computed = time.monotonic(), time.thread_time()
    answer: object = None
    failure: Exception | None = None
    try:
        answer = function(*arguments)
    except Exception as error:
        error.add_note(f"In the process of the local models:\n{traceback.format_exc()}")
        failure = error
    seconds = min(time.monotonic() - began, time.thread_time() - computed)
    with sending:
        try:
            pipe.send((number, answer, failure, seconds))
        except Exception as error:  # an answer that cannot be pickled
            pipe.send((number, None, ModelUnavailable(f"The local models gave no answer: {error}"), seconds))


def _end_with_parent() -> None:
    """Exit with the parent: a server killed by SIGKILL cannot stop its child."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _child_warm_up() -> None:
    _models.warm_up()


def _child_parse_stretches(stretches: Sequence[Stretch]) -> list[tuple[ParsedSentence, ...]]:
    return _models.parse_now(stretches)


def _child_vectors(texts: Sequence[str]) -> list[Vector]:
    return _models.vectors_now(texts)


def _child_score(pairs: Sequence[NliPair]) -> list[NliScore]:
    return _models.score_now(pairs)
