"""Where the local models run: in this process, or in one child process beside the web server.

Parsing holds Python's interpreter lock and inference fills every core. In a server process both would slow down
the pages of everybody else, so there they run in a child process of low priority.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from .errors import Cancelled, ModelUnavailable
from .language import segment
from .types import NliPair, NliScore, ParsedSentence, ParsedText, Stretch

if TYPE_CHECKING:
    from .language.pipeline import LanguagePipeline
    from .nli.scorer import NliScorer

#: Pairs sent to the child at once: a few hundred milliseconds of work, so that a check that ends early leaves
#: little behind, and two checks that run at the same time take turns.
CHUNK_PAIRS = 32

#: Niceness of the child process: the server's process goes first whenever it has something to do.
LOW_PRIORITY = 10

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which models to load. ``language`` is the path or the package name of a spaCy pipeline."""

    language: str
    nli: Path
    threads: int = 1


class LocalModels(Protocol):
    """The local models, as the pipeline sees them."""

    async def parse(self, text: str) -> ParsedText: ...

    async def cut(self, text: str) -> tuple[Stretch, ...]:
        """The text at its clear boundaries: what :meth:`parse_stretches` can read some of, where the text is long."""
        ...

    async def parse_stretches(self, stretches: Sequence[Stretch]) -> list[tuple[ParsedSentence, ...]]:
        """The sentences of each stretch; of all stretches of a text, the same as :meth:`parse` gives."""
        ...

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        """Judge every pair; the result has the order of ``pairs``."""
        ...


class InProcessModels:
    """Models in this process, loaded on first use: for the command line, where there are no pages to slow down."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings

    def warm_up(self) -> None:
        """Load both models now."""
        _ = self.language, self.scorer

    async def parse(self, text: str) -> ParsedText:
        return await asyncio.to_thread(self.language.parse, text)

    async def cut(self, text: str) -> tuple[Stretch, ...]:
        return await asyncio.to_thread(segment.cut, text)

    async def parse_stretches(self, stretches: Sequence[Stretch]) -> list[tuple[ParsedSentence, ...]]:
        return await asyncio.to_thread(self.language.parse_stretches, stretches)

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        return await asyncio.to_thread(self.scorer.score, pairs)

    # The libraries are imported when a model is loaded: a server that leaves the models to a child stays small.
    @cached_property
    def language(self) -> LanguagePipeline:
        from .language.pipeline import LanguagePipeline

        return LanguagePipeline(self._settings.language)

    @cached_property
    def scorer(self) -> NliScorer:
        from .nli.scorer import NliScorer

        return NliScorer(self._settings.nli, threads=self._settings.threads)


class ProcessModels:
    """Models in one child process of low priority, started on first use and started again when it dies."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._executor: ProcessPoolExecutor | None = None

    def warm_up(self) -> None:
        """Start the child, and have it load its models while the caller goes on."""
        self._submit(_child_warm_up)

    def close(self) -> None:
        with self._lock:
            if self._executor is not None:
                self._executor.shutdown(wait=False, cancel_futures=True)
                self._executor = None

    async def parse(self, text: str) -> ParsedText:
        return await self._run(_child_parse, text)

    async def cut(self, text: str) -> tuple[Stretch, ...]:
        return await self._run(segment.cut, text)

    async def parse_stretches(self, stretches: Sequence[Stretch]) -> list[tuple[ParsedSentence, ...]]:
        return await self._run(_child_parse_stretches, stretches)

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        by_length = sorted(range(len(pairs)), key=lambda i: len(pairs[i].premise) + len(pairs[i].hypothesis))
        scores: dict[int, NliScore] = {}
        for start in range(0, len(by_length), CHUNK_PAIRS):
            positions = by_length[start : start + CHUNK_PAIRS]
            chunk = await self._run(_child_score, [pairs[i] for i in positions])
            scores.update(zip(positions, chunk, strict=True))
        return [scores[i] for i in range(len(pairs))]

    async def _run(self, function: Callable[..., Result], *arguments: object) -> Result:
        """Call ``function`` in the child; once more in a fresh child if the first one died under it."""
        for _attempt in range(2):
            try:
                return await asyncio.wrap_future(self._submit(function, *arguments))
            except BrokenProcessPool:
                self._forget_broken_executor()
        raise ModelUnavailable("The process that runs the local models died twice; it may be short of memory.")

    def _submit(self, function: Callable[..., Result], *arguments: object) -> Future[Result]:
        with self._lock:
            if self._executor is None:
                self._executor = ProcessPoolExecutor(
                    max_workers=1,
                    mp_context=multiprocessing.get_context("spawn"),  # a forked child would share locks and sockets
                    initializer=_child_start,
                    initargs=(self._settings,),
                )
            try:
                return self._executor.submit(function, *arguments)
            except BrokenProcessPool:
                raise
            except RuntimeError as error:
                # Python closes its executors before it waits for the threads that still use them.
                raise Cancelled from error

    def _forget_broken_executor(self) -> None:
        self.close()


# --- In the child -----------------------------------------------------------------------------------------------

_models: InProcessModels


def _child_start(settings: ModelSettings) -> None:
    global _models
    os.nice(LOW_PRIORITY)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches the whole process group; the parent decides
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _models = InProcessModels(settings)


def _end_with_parent() -> None:
    """A server killed with -9 takes its child along: nothing else would ever tell the child to end."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _child_warm_up() -> None:
    _models.warm_up()


def _child_parse(text: str) -> ParsedText:
    return _models.language.parse(text)


def _child_parse_stretches(stretches: Sequence[Stretch]) -> list[tuple[ParsedSentence, ...]]:
    return _models.language.parse_stretches(stretches)


def _child_score(pairs: Sequence[NliPair]) -> list[NliScore]:
    return _models.scorer.score(pairs)
