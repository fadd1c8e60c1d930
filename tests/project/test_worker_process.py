"""A worker that ends by itself is started again; one that is asked to stop is not."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chatprotect_web.worker_process import WorkerProcess

#: Ends badly as often as it is told, and then well.
_FRAGILE = """
import pathlib, sys
path = pathlib.Path(sys.argv[1])
left = int(path.read_text())
path.write_text(str(left - 1))
sys.exit(70 if left else 0)
"""
_SUPERVISED = """
import sys
from chatprotect_web.worker_process import WorkerProcess
child = "import signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit(0)); "
child += "print('works', flush=True); signal.pause()"
sys.exit(WorkerProcess([sys.executable, "-c", child]).run())
"""


@pytest.fixture(autouse=True)
def _handlers():  # type: ignore[no-untyped-def]
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


def _run(folder: Path, *, times: int) -> tuple[int, int]:
    path = folder / "left"
    path.write_text(str(times))
    status = WorkerProcess([sys.executable, "-c", _FRAGILE, str(path)], first_pause_s=0.01).run()
    return status, int(path.read_text())


def test_a_worker_that_ends_badly_is_started_again(tmp_path: Path) -> None:
    assert _run(tmp_path, times=3) == (0, -1)


def test_one_that_never_comes_to_work_is_given_up(tmp_path: Path) -> None:
    assert _run(tmp_path, times=100) == (70, 95)


def test_who_stops_it_stops_the_worker() -> None:
    with subprocess.Popen([sys.executable, "-c", _SUPERVISED], stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"works\n"
        process.terminate()
        assert process.wait(60) == 0
