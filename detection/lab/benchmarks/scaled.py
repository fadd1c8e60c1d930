"""Redis, PostgreSQL, a web process and workers, each a process on this machine. Benchmarks and tests use them."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
import redis

from .server import ROOT, answers, free_port

#: All of them start at the same time.
START_TIMEOUT_S = 180

_NOT_ROOT = ("postgres", "nobody")


class Process(ABC):
    """A process that can be started, killed, suspended and restarted."""

    def __init__(self, command: Sequence[str], log: Path, **options: Any) -> None:
        self._command = command
        self._options = options
        self._running: subprocess.Popen[bytes] | None = None
        self._log_began = 0
        self.log = log

    def start(self, *, wait: bool = True) -> None:
        """Start it, and return when it is ready."""
        self._log_began = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self._running = subprocess.Popen(self._command, stdout=log, stderr=log, cwd=ROOT, **self._options)
        if wait:
            self.wait_until_ready()

    @abstractmethod
    def is_ready(self) -> bool:
        """Whether it works."""

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        self._end(signal.SIGKILL)

    def ask_to_stop(self) -> None:
        self._alive.send_signal(signal.SIGTERM)

    def wait_for_end(self) -> int:
        """The exit status of what was asked to stop."""
        return self._alive.wait(timeout=60)

    def halt(self) -> None:
        """Suspend it."""
        self._alive.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._alive.send_signal(signal.SIGCONT)

    def is_running(self) -> bool:
        return self._running is not None and self._running.poll() is None

    @property
    def pid(self) -> int:
        return self._alive.pid

    def wait_until_ready(self) -> None:
        """Raises:
        RuntimeError: the program ended, or it took too long.
        """
        deadline = time.monotonic() + START_TIMEOUT_S
        while not self.is_ready():
            if not self.is_running() or time.monotonic() > deadline:
                raise RuntimeError(f"{self._command[0]} is not ready:\n{self.log.read_text()[-3000:]}")
            time.sleep(0.05)

    def _end(self, number: signal.Signals) -> int:
        self._alive.send_signal(number)
        return self._alive.wait(timeout=60)

    @property
    def _alive(self) -> subprocess.Popen[bytes]:
        if self._running is None:
            raise RuntimeError("it was never started")
        return self._running


class Clock:
    """The clock of a process: that of the machine plus an offset that can change at any moment."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "clock"
        self.move(0)
        self.environment = {
            "LD_PRELOAD": _faketime(),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",  # the clock of a machine is one for all its processes, at every moment
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def move(self, seconds: int) -> None:
        """So far from the time of the machine; 0 puts it right."""
        self._file.write_text(f"{seconds:+d}\n")


class Redis(Process):
    """Keeps nothing on disk: started again, it is empty."""

    def __init__(self, folder: Path) -> None:
        port = free_port()
        self.url = f"redis://127.0.0.1:{port}/0"
        command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        super().__init__([*command, "--dir", str(folder)], folder / "redis.log")

    def is_ready(self) -> bool:
        try:
            with redis.Redis.from_url(self.url) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False


class PostgreSQL(Process):
    """A new database cluster, open to connections from this machine."""

    def __init__(self, folder: Path, *, has_clock: bool = False) -> None:
        port = free_port()
        self.url = f"postgresql://chatprotect@127.0.0.1:{port}/postgres"
        # Not below ``folder``: PostgreSQL does not run as root, and others must not look into that.
        self.folder = Path(tempfile.mkdtemp(prefix="chatprotect-postgresql-"))
        user: dict[str, Any] = {"user": _somebody(), "extra_groups": [], "group": _group()} if os.geteuid() == 0 else {}
        if user:
            shutil.chown(self.folder, user["user"])
        made = subprocess.run(
            [_postgresql("initdb"), "-D", self.folder, "-U", "chatprotect", "-A", "trust", "-E", "UTF8", "--no-sync"],
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
            **user,
        )
        if made.returncode:
            raise RuntimeError(f"no database could be made:\n{made.stderr}")
        options = ["-p", str(port), "-h", "127.0.0.1", "-k", "", "-c", "fsync=off"]
        # In the folder of the database: everybody who is to read the clock may read there.
        self.clock = Clock(self.folder) if has_clock else None
        environment = {**os.environ, **(self.clock.environment if self.clock else {})}
        command = [_postgresql("postgres"), "-D", str(self.folder), *options]
        super().__init__(command, folder / "postgresql.log", env=environment, **user)

    def cut(self) -> None:
        """Kill it with all its connections, like a power cut."""
        self._end(signal.SIGQUIT)

    def rows(self, query: str, *parameters: object) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url) as connection:
            return connection.execute(query.encode(), parameters).fetchall()

    def remove(self) -> None:
        if self.is_running():
            self.cut()
        shutil.rmtree(self.folder, ignore_errors=True)

    def is_ready(self) -> bool:
        try:
            return bool(self.rows("SELECT 1"))
        except psycopg.OperationalError:
            return False


class Web(Process):
    """A web process, as ``make web`` starts it."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        command = [sys.executable, "-m", "chatprotect_web.server", "-b", "127.0.0.1", "-p", str(self.port)]
        super().__init__([*command, "chatprotect_web.asgi:application"], folder / "web.log", env=environment)

    def is_ready(self) -> bool:
        return answers(f"{self.url}/readyz")


class Worker(Process):
    """A worker for some of the queues, as ``make worker`` starts it."""

    def __init__(self, folder: Path, environment: dict[str, str], *queues: str, name: str) -> None:
        command = [sys.executable, "-m", "celery", "-q", "-A", "chatprotect_web", "worker", "-Q", ",".join(queues)]
        super().__init__([*command, "--hostname", f"{name}@%h"], folder / f"{name}.log", env=environment)

        self.name = name

    def is_ready(self) -> bool:
        """Whether it takes messages."""
        return b"worker ready" in self.log.read_bytes()[self._log_began :]


class Cluster:
    """All of them together. Used as ``with``."""

    def __init__(self, folder: Path, *, long_workers: int = 1, has_clock: bool = False, **environment: str) -> None:
        self.folder = folder
        self.redis, self.database = Redis(folder), PostgreSQL(folder, has_clock=has_clock)
        self.clock = self.database.clock
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("CHATPROTECT_", "DJANGO_"))}
        self.environment = {
            **clean,
            "CHATPROTECT_DATA_DIR": str(folder),
            "CHATPROTECT_REDIS_URL": self.redis.url,
            "DATABASE_URL": self.database.url,
            **environment,
        }
        self.web = Web(folder, self.environment)
        self.short_worker = self._worker("short", "checks", "sources")
        self.long_workers = [self._worker(f"long{i}", "long") for i in range(long_workers)]

    def _worker(self, name: str, *queues: str) -> Worker:
        """Its connections to the database carry its name."""
        url = f"{self.database.url}?application_name={name}"
        return Worker(self.folder, {**self.environment, "DATABASE_URL": url}, *queues, name=name)

    @property
    def workers(self) -> list[Worker]:
        return [self.short_worker, *self.long_workers]

    def manage(self, *arguments: str) -> str:
        """What a management command prints."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, check=True, capture_output=True, text=True)
        return done.stdout

    def logs(self) -> str:
        """The logs of the program's processes."""
        return "".join(process.log.read_text() for process in (self.web, *self.workers) if process.log.exists())

    def __enter__(self) -> Cluster:
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _start(self) -> None:
        self.redis.start()
        self.database.start()
        self.manage("migrate", "--verbosity=0")
        for process in (self.web, *self.workers):
            process.start(wait=False)
        for process in (self.web, *self.workers):
            process.wait_until_ready()

    def __exit__(self, *error: object) -> None:
        for process in (*self.workers, self.web, self.redis):
            if process.is_running():
                process.go_on()
                process.kill()
        self.database.remove()


def missing_servers(*, with_clock: bool = False) -> str:
    """A sentence that names the missing programs; "" if there are none."""
    missing = [
        package
        for package, program in (
            ("redis-server", shutil.which("redis-server")),
            ("postgresql", _postgresql("initdb")),
            *((("libfaketime", _faketime()),) if with_clock else ()),
        )
        if not program
    ]
    return f"Not installed: {', '.join(missing)}. On Debian or Ubuntu: sudo apt install {' '.join(missing)}" * bool(
        missing
    )


def _postgresql(program: str) -> str:
    """The path of a PostgreSQL server program, which Debian keeps outside of PATH; "" if there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))
    return shutil.which(program) or next(map(str, found), "")


def _faketime() -> str:
    """The library that moves the clock of a process; "" if there is none."""
    return next(map(str, Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), "")


def _somebody() -> str:
    known = {user.pw_name for user in pwd.getpwall()}
    return next(name for name in _NOT_ROOT if name in known)


def _group() -> int:
    return pwd.getpwnam(_somebody()).pw_gid
