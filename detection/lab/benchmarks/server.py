"""The real server in its own process, started like ``make run``. Benchmarks and tests use it."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
START_TIMEOUT_S = 180
STOP_TIMEOUT_S = 30
DATABASE_NAME = "chatprotect.sqlite3"
#: The database with its tables and nothing in them, once there is one.
_migrated: list[bytes] = []


class Server:
    """Daphne with the embedded worker, on a free port, with a data folder of its own."""

    def __init__(self, data_dir: Path, **environment: str) -> None:
        self.data_dir = data_dir
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = data_dir / "server.log"
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("CHATPROTECT_", "DJANGO_"))},
            "CHATPROTECT_DATA_DIR": str(data_dir),
            **environment,
        }
        self._process: subprocess.Popen[bytes] | None = None
        self._migrate()

    def start(self) -> None:
        """Start the server, and return when it answers."""
        command = [sys.executable, "-m", "chatprotect_web.server", "-b", "127.0.0.1", "-p", str(self.port)]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "chatprotect_web.asgi:application"],
                cwd=ROOT,
                env=self._environment,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + START_TIMEOUT_S
        while not answers(self.url):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server did not start:\n{self.log.read_text()[-3000:]}")
            time.sleep(0.05)

    def kill(self) -> None:
        """Kill the process with SIGKILL."""
        self._running.send_signal(signal.SIGKILL)
        self._running.wait()

    def stop(self) -> int:
        """Stop the process in an orderly way, and return its exit status.

        Raises:
            RuntimeError: it did not end, and was killed.
        """
        self._running.send_signal(signal.SIGTERM)  # background processes of a script ignore SIGINT
        try:
            return self._running.wait(timeout=STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise RuntimeError(f"the server did not end:\n{self.log.read_text()[-3000:]}") from None

    @property
    def pid(self) -> int:
        return self._running.pid

    @property
    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise RuntimeError("the server was never started")
        return self._process

    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def rows(self, query: str, *parameters: object) -> list[tuple[object, ...]]:
        """Read the database of the server, as a second process may."""
        with sqlite3.connect(self.data_dir / DATABASE_NAME, timeout=10) as connection:
            return connection.execute(query, parameters).fetchall()

    def wait_for_check(self, check_id: str) -> dict[str, float]:
        """Wait until a check is done, and say when each type of its events came first, in seconds since 1970.

        Raises:
            RuntimeError: the check failed.
        """
        while True:
            rows = self.rows(
                "SELECT type, (julianday(created_at) - 2440587.5) * 86400 FROM detection_checkevent "
                "WHERE parent_check_id = ? ORDER BY seq DESC",
                check_id.replace("-", ""),
            )
            times = {str(event_type): float(str(seconds)) for event_type, seconds in rows}
            if "check.failed" in times:
                raise RuntimeError("the check failed")
            if "check.done" in times:
                return times
            time.sleep(0.02)

    def _migrate(self) -> None:
        """Make the tables. The first server of this process does, and the others copy its database, still empty."""
        database = self.data_dir / DATABASE_NAME
        if not database.exists() and _migrated:
            database.touch(mode=0o600)
            database.write_bytes(_migrated[0])
            return
        is_new = not database.exists()
        self._run("manage.py", "migrate", "--verbosity=0")
        if is_new:
            _migrated.append(_content(database))

    def _run(self, *arguments: str) -> None:
        subprocess.run([sys.executable, *arguments], cwd=ROOT, env=self._environment, check=True, capture_output=True)


@contextmanager
def running_server(**environment: str) -> Iterator[Server]:
    """A server on a new data folder, which is deleted afterwards. The caller may stop the server."""
    with tempfile.TemporaryDirectory(prefix="chatprotect-benchmark-") as folder:
        server = Server(Path(folder), **environment)
        server.start()
        try:
            yield server
        finally:
            if server.is_running():
                server.stop()


def _content(database: Path) -> bytes:
    """The bytes of an unused database, including its log."""
    with closing(sqlite3.connect(database)) as connection:
        return connection.serialize()


def answers(url: str) -> bool:
    """Whether a page is there, and not an error."""
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except (urllib.error.URLError, OSError):
        return False


def free_port() -> int:
    """A free port."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
