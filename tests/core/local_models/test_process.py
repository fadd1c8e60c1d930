"""The child process of the models: same results as in this process, and a restart after its death."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from detection.core.errors import Cancelled, ModelUnavailable
from detection.core.language import segment
from detection.core.local_models.process import InProcessModels, ProcessModels
from detection.core.types import NliPair, NliScore, PairKind
from detection.wiring import model_settings

#: More than a start of the child computes, and less than any test wants to wait.
_CALL_SECONDS = 1.0
#: Rounds of PBKDF2 that are timed, to know how fast the processor is.
_TIMED_ROUNDS = 50_000
TEXT = "Ada Lind was born in Oslo. She painted."
PAIRS = [NliPair("Ada Lind was born in Oslo.", f"She was born in {place}.") for place in ("Bergen", "Oslo", "a house")]


@pytest.fixture(scope="module")
def process_models() -> Iterator[ProcessModels]:
    """Shared by all tests that keep it usable, because each start loads the models."""
    models = ProcessModels(model_settings())
    yield models
    models.close()


def _child(models: ProcessModels) -> int:
    assert models._child is not None
    pid = models._child._process.pid
    assert pid is not None
    return pid


async def test_the_child_gives_the_same_results(process_models: ProcessModels, local_models: InProcessModels) -> None:
    assert await process_models.parse(TEXT) == await local_models.parse(TEXT)
    stretches = await process_models.cut(TEXT)
    assert stretches == await local_models.cut(TEXT)
    assert await process_models.parse_stretches(stretches) == await local_models.parse_stretches(stretches)
    many = PAIRS * 30
    expected = await local_models.score(PAIRS)
    scores = await process_models.score(many)
    assert len(scores) == len(many)
    for score, wanted in zip(scores, expected * 30, strict=True):
        # The rounding of activations depends on the rest of the batch.
        assert tuple(score) == pytest.approx(tuple(wanted), abs=0.1)


async def test_the_child_gives_the_same_vectors(process_models: ProcessModels, local_models: InProcessModels) -> None:
    texts = [pair.premise for pair in PAIRS] * 5
    for found, wanted in zip(await process_models.vectors(texts), await local_models.vectors(texts), strict=True):
        assert found == pytest.approx(wanted, abs=0.01)
        assert float(found @ found) == pytest.approx(1.0)


async def test_masked_values_are_read_by_the_model_for_slots(local_models: InProcessModels) -> None:
    shop = "You can return any item within [MASK] of delivery."
    same, other = await local_models.score(
        [
            NliPair(shop, "Items may be sent back within [MASK].", PairKind.SLOT),
            NliPair(shop, "The shop employs [MASK] people.", PairKind.SLOT),
        ]
    )
    assert same.entailment > 0.5 > other.entailment


async def test_beside_another_nli_model_no_slots_are_compared(tmp_path: Path) -> None:
    for file in model_settings().nli.iterdir():
        if file.is_file():
            (tmp_path / file.name).symlink_to(file)
    models = InProcessModels(replace(model_settings(), nli=tmp_path))
    pair = NliPair("It costs [MASK].", "It costs [MASK].", PairKind.SLOT)
    assert await models.score([pair]) == [NliScore(0.0, 1.0, 0.0)]


async def test_a_long_text_lets_others_take_turns(process_models: ProcessModels, local_models: InProcessModels) -> None:
    long = TEXT * 120
    parsing = asyncio.create_task(process_models.parse(long))
    while process_models._turns.oldest is None:
        await asyncio.sleep(0)
    assert len((await process_models.parse(TEXT)).sentences) == 2
    assert not parsing.done()
    assert await parsing == await local_models.parse(long)


async def test_the_child_gives_way_to_the_server(process_models: ProcessModels) -> None:
    await process_models.parse(TEXT)
    assert os.getpriority(os.PRIO_PROCESS, _child(process_models)) > os.getpriority(os.PRIO_PROCESS, 0)


async def test_a_child_that_dies_is_started_again(process_models: ProcessModels) -> None:
    await process_models.parse(TEXT)
    first = _child(process_models)
    os.kill(first, signal.SIGKILL)
    assert len((await process_models.parse(TEXT)).sentences) == 2
    assert _child(process_models) != first


async def test_a_child_that_hangs_is_started_again_and_nobody_else_notices() -> None:
    models = ProcessModels(replace(model_settings(), call_seconds=_CALL_SECONDS))
    await models.cut(TEXT)
    first = _child(models)
    os.kill(first, signal.SIGSTOP)
    # Larger than the buffer of a pipe, so that sending the call already blocks.
    long = TEXT * 5_000
    async with asyncio.timeout(60):
        answers = await asyncio.gather(models.cut(long), *(models.cut(TEXT) for _ in range(3)))
    assert answers == [segment.cut(text) for text in (long, TEXT, TEXT, TEXT)]
    assert _child(models) != first
    models.close()


def _rounds_of(seconds: float) -> int:
    """The rounds of PBKDF2 that take this processor time."""
    begun = time.thread_time()
    hashlib.pbkdf2_hmac("sha256", b"", b"", _TIMED_ROUNDS)
    return int(_TIMED_ROUNDS * seconds / (time.thread_time() - begun))


async def test_a_child_that_gets_little_of_a_busy_machine_is_waited_for() -> None:
    models = ProcessModels(replace(model_settings(), call_seconds=_CALL_SECONDS))
    await models.cut(TEXT)
    first = _child(models)
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        async with asyncio.timeout(300):
            await models._run(hashlib.pbkdf2_hmac, "sha256", b"", b"", _rounds_of(_CALL_SECONDS / 4))
    finally:
        for other in others:
            other.kill()
            other.wait()
    assert _child(models) == first
    models.close()


async def test_a_call_that_computes_for_ever_fails() -> None:
    models = ProcessModels(replace(model_settings(), call_seconds=_CALL_SECONDS))
    with pytest.raises(ModelUnavailable, match="did not answer within 1 seconds, nor after a new start"):
        async with asyncio.timeout(120):
            await models._run(hashlib.pbkdf2_hmac, "sha256", b"", b"", 2**31 - 1)
    models.close()


async def test_a_call_that_never_returns_fails_alone_and_says_so() -> None:
    models = ProcessModels(replace(model_settings(), call_seconds=_CALL_SECONDS))
    endless, other = asyncio.create_task(models._run(time.sleep, 600)), asyncio.create_task(models.cut(TEXT))
    with pytest.raises(ModelUnavailable, match="did not answer within 1 seconds, nor after a new start"):
        async with asyncio.timeout(60):
            await endless
    assert len(await other) == 2
    models.close()


async def test_models_that_are_closed_cancel_whoever_waits_for_them() -> None:
    models = ProcessModels(model_settings())
    await models.cut(TEXT)
    os.kill(_child(models), signal.SIGSTOP)
    waiting = [asyncio.create_task(models.parse(TEXT)) for _ in range(2)]
    await asyncio.sleep(0.1)
    models.close()
    async with asyncio.timeout(60):
        answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(answer) for answer in answers] == [Cancelled] * 2
    with pytest.raises(Cancelled):
        await models.parse(TEXT)


async def test_a_child_that_keeps_dying_is_an_error_with_words_for_the_reader() -> None:
    models = ProcessModels(replace(model_settings(), nli=Path("/nowhere")))
    with pytest.raises(ModelUnavailable, match="cannot be loaded"):
        await models.score(PAIRS)
    models.close()


async def test_a_check_that_is_cancelled_leaves_the_child_usable(process_models: ProcessModels) -> None:
    await process_models.parse(TEXT)
    task = asyncio.create_task(process_models.score(PAIRS * 200))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len((await process_models.parse(TEXT)).sentences) == 2


PARENT = """
import asyncio, multiprocessing, sys
from detection.core.local_models.process import ModelSettings, ProcessModels
from pathlib import Path

if __name__ == "__main__":
    models = ProcessModels(ModelSettings(sys.argv[1], Path(sys.argv[2])))
    asyncio.run(models.parse("One."))
    print(multiprocessing.active_children()[0].pid, flush=True)
    input()
"""


@pytest.mark.cluster
def test_a_server_killed_with_9_takes_its_child_along(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    settings = model_settings()
    root = Path(__file__).resolve().parents[3]
    parent = subprocess.Popen(
        [sys.executable, str(script), settings.language, str(settings.nli)],
        env={**os.environ, "PYTHONPATH": str(root)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.communicate()
    deadline = time.monotonic() + 20
    while _is_alive(child):
        assert time.monotonic() < deadline, "the child outlived its parent"
        time.sleep(0.1)


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
