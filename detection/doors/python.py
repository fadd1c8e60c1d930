"""The check for scripts and notebooks: without Django, a database or a server. ``from detection import check``.

The first check loads the engine and its models, so that the import stays cheap.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ..core.types import Engine, Finding, SourceText, Strictness
from .report import Report

if TYPE_CHECKING:
    from ..core.reports import PipelineEvent
    from ..core.run.pipeline import CheckRequest
    from .checker import Checker, Listener

#: Longer texts are refused: sentences are compared with each other, so time grows faster than the text.
MAX_TEXT_CHARS = 200_000
MAX_SOURCE_CHARS = 4_000_000

#: A text, a file to read, or a text with a name and places.
Source = str | Path | SourceText
#: Called with the number of sentences that have a result, and of all.
Progress = Callable[[int, int], None]

Member = TypeVar("Member", Engine, Strictness)

_DATA = Path(__file__).resolve().parents[1] / "data"
_THREADS = 2


class BadInput(ValueError):
    """The input cannot be checked; the message says why."""


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """An OpenAI-compatible endpoint, for ``engine="llm"``. ``analyzer`` compares; by default the same model does."""

    base_url: str
    model: str
    analyzer: str = ""
    api_key: str = ""
    timeout_s: float = 60.0
    max_concurrency: int = 64

    @classmethod
    def from_environment(cls) -> LanguageModel:
        """The language model of the server's environment variables (README).

        Raises:
            BadInput: they name none.
        """
        values = {name: os.environ.get(f"CHATPROTECT_{name}", "").strip() for name in _VARIABLES}
        if not values["LLM_BASE_URL"] or not values["GENERATOR_MODEL"]:
            raise BadInput("No language model is set up: set CHATPROTECT_LLM_BASE_URL and CHATPROTECT_GENERATOR_MODEL.")
        return cls(values["LLM_BASE_URL"], values["GENERATOR_MODEL"], values["ANALYZER_MODEL"], values["LLM_API_KEY"])


_VARIABLES = ("LLM_BASE_URL", "GENERATOR_MODEL", "ANALYZER_MODEL", "LLM_API_KEY")


def check(
    text: str,
    sources: Iterable[Source] = (),
    *,
    engine: Engine | str = Engine.LOCAL,
    topic: str | None = None,
    prompt: str | None = None,
    strictness: Strictness | str = Strictness.BALANCED,
    detectors: Iterable[str] = (),
    language_model: LanguageModel | None = None,
    progress: Progress | None = None,
) -> Report:
    """Check ``text``, and return what was found.

    Args:
        text: what a language model wrote, in English.
        sources: what the text must agree with.
        engine: ``"local"`` uses the models that ship with the program; ``"llm"`` also asks a language model.
        topic: who or what the text is about, if it does not say so itself.
        prompt: the question that the text answers.
        strictness: ``"strict"`` shows more warnings, ``"lenient"`` only the surest.
        detectors: ids of the detectors to run; by default all that apply.
        language_model: the endpoint for ``engine="llm"``; by default that of the environment.
        progress: called with the number of sentences that have a result, and of all.

    Raises:
        BadInput: the text is empty or too long, or an option is invalid.
        DetectionError: the check failed.
    """
    work = check_async(
        text,
        sources,
        engine=engine,
        topic=topic,
        prompt=prompt,
        strictness=strictness,
        detectors=detectors,
        language_model=language_model,
        progress=progress,
    )
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    # A notebook already runs an event loop, which cannot be entered twice.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


async def check_async(
    text: str,
    sources: Iterable[Source] = (),
    *,
    engine: Engine | str = Engine.LOCAL,
    topic: str | None = None,
    prompt: str | None = None,
    strictness: Strictness | str = Strictness.BALANCED,
    detectors: Iterable[str] = (),
    language_model: LanguageModel | None = None,
    progress: Progress | None = None,
) -> Report:
    """The asynchronous form of :func:`check`."""
    from .checker import progress_of

    asked = _asked(engine, language_model)
    request = await asyncio.to_thread(
        request_for, text, sources, topic=topic, prompt=prompt, strictness=strictness, detectors=detectors
    )
    return await _run(request, asked, progress_of(progress) if progress else None)


async def check_stream(
    text: str,
    sources: Iterable[Source] = (),
    *,
    engine: Engine | str = Engine.LOCAL,
    topic: str | None = None,
    prompt: str | None = None,
    strictness: Strictness | str = Strictness.BALANCED,
    detectors: Iterable[str] = (),
    language_model: LanguageModel | None = None,
) -> AsyncIterator[Finding | Report]:
    """Yield each finding as soon as it is known, in no order, and the :class:`Report` last.

    The check ends when the caller stops iterating.
    """
    from ..core.reports import UnitDone

    asked = _asked(engine, language_model)
    request = await asyncio.to_thread(
        request_for, text, sources, topic=topic, prompt=prompt, strictness=strictness, detectors=detectors
    )
    queue: asyncio.Queue[Finding | None] = asyncio.Queue()

    async def listen(events: Sequence[PipelineEvent]) -> None:
        for event in events:
            if isinstance(event, UnitDone):
                for finding in event.findings:
                    queue.put_nowait(finding)

    running = asyncio.create_task(_run(request, asked, listen))
    running.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (finding := await queue.get()) is not None:
            yield finding
        yield await running
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.wait({running})


def request_for(
    text: str,
    sources: Iterable[Source] = (),
    *,
    topic: str | None = None,
    prompt: str | None = None,
    strictness: Strictness | str = Strictness.BALANCED,
    detectors: Iterable[str] = (),
) -> CheckRequest:
    """A request for the engine, with the texts of the sources.

    Raises:
        BadInput: the text is empty or too long, a source cannot be read, or an option is invalid.
    """
    from ..core.detectors import DETECTORS
    from ..core.plain_text import find_unprintable, normalise_line_ends
    from ..core.run.pipeline import CheckRequest

    if not isinstance(text, str):
        raise BadInput(f"The text is {type(text).__name__}, and not a string.")
    text = normalise_line_ends(text)
    if not text.strip():
        raise BadInput("The text is empty.")
    if len(text) > MAX_TEXT_CHARS:
        raise BadInput(f"The text has {len(text):,} characters; the limit is {MAX_TEXT_CHARS:,}.")
    if (unprintable := find_unprintable(text)) is not None:
        raise BadInput(f"The text holds {unprintable}.")
    chosen = tuple(detectors)
    if isinstance(detectors, str) or (unknown := [name for name in chosen if name not in DETECTORS]):
        wrong = detectors if isinstance(detectors, str) else unknown[0]
        raise BadInput(f"There is no detector {wrong!r} in a list of {', '.join(DETECTORS)}.")
    return CheckRequest(
        text=text,
        sources=_read_all(sources),
        topic=topic,
        prompt=prompt,
        strictness=_member(Strictness, strictness, "strictness"),
        detectors=chosen,
    )


def _read_all(sources: Iterable[Source]) -> tuple[SourceText, ...]:
    if isinstance(sources, (str, Path, SourceText)):
        sources = [sources]  # a frequent mistake: one source without a list
    return tuple(read_source(source, number) for number, source in enumerate(sources, 1))


def read_source(source: Source, number: int = 1) -> SourceText:
    """A source in the form of the engine. A string is its text, a path is a file of any supported format.

    Raises:
        BadInput: the source cannot be read, is empty or is too long.
    """
    from ..core.plain_text import normalise_line_ends

    match source:
        case SourceText():
            read = source
        case Path():
            read = _read_file(source, str(number))
        case str():
            read = SourceText(str(number), f"source {number}", normalise_line_ends(source))
        case _:
            raise BadInput(f"Source {number} is {type(source).__name__}; give a string, a Path or a SourceText.")
    if not read.text.strip():
        raise BadInput(f"{read.name} is empty.")
    if len(read.text) > MAX_SOURCE_CHARS:
        raise BadInput(f"{read.name} has {len(read.text):,} characters; the limit is {MAX_SOURCE_CHARS:,}.")
    return read


def _read_file(path: Path, source_id: str) -> SourceText:
    from ..core.documents import read_document
    from ..core.documents.types import DocumentLimits
    from ..core.errors import UnreadableDocument

    try:
        data = path.read_bytes()
        document = read_document(
            data,
            name=path.name,
            limits=DocumentLimits(characters=MAX_SOURCE_CHARS),
            progress=lambda _done, _total: None,
            stop=lambda: False,
        )
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from error
    except UnreadableDocument as error:
        raise BadInput(f"{path} cannot be read. {error}") from error
    return SourceText(source_id, str(path), document.text, document.places)


def _asked(engine: Engine | str, language_model: LanguageModel | None) -> LanguageModel | None:
    """The language model to ask, if any."""
    if _member(Engine, engine, "engine") is Engine.LOCAL:
        return None
    return language_model or LanguageModel.from_environment()


def _member(kind: type[Member], value: str, what: str) -> Member:
    try:
        return kind(value)
    except ValueError:
        raise BadInput(f"There is no {what} {value!r}; there are {', '.join(kind)}.") from None


async def _run(request: CheckRequest, asked: LanguageModel | None, listener: Listener | None) -> Report:
    if asked is None:
        return await checker().check(request, listener=listener)
    from .language_model import open_ports

    async with open_ports(asked, checker().models) as ports:
        return await checker().check(request, ports=ports, listener=listener)


_loading = threading.Lock()


def checker() -> Checker:
    """The checker of this process. The first check loads its models."""
    with _loading:
        return _checker()


@cache
def _checker() -> Checker:
    from ..core.local_models.nli.installed import InstalledModels
    from ..core.local_models.process import InProcessModels, ModelSettings
    from .checker import Checker

    installed = InstalledModels(Path(os.environ.get("CHATPROTECT_DATA_DIR") or _DATA.parents[1] / "var") / "models")
    return Checker(
        InProcessModels(
            ModelSettings(
                language=os.environ.get("CHATPROTECT_SPACY_MODEL") or str(_DATA / "spacy" / "en_detection_sm"),
                nli=Path(os.environ.get("CHATPROTECT_NLI_MODEL") or installed.chosen_folder(_DATA / "nli")),
                threads=_THREADS,
            )
        )
    )
