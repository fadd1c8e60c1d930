"""The program as it is measured under load, in either of its two modes."""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...core.errors import DetectionError
from .processes import children, family
from .scaled import Cluster, missing_servers
from .server import Server, running_server

Times = dict[tuple[str, int], float]
_STATES = "SELECT id, state FROM detection_check"
_UNFINISHED = "SELECT count(*) FROM detection_check WHERE state IN ('queued', 'running')"


class Site(ABC):
    """A server with its workers, and what it has stored."""

    url: str

    @abstractmethod
    def event_times(self) -> Times:
        """When each event was written, by check and number, in seconds since 1970."""

    @abstractmethod
    def states(self) -> dict[str, str]:
        """The state of each check."""

    @abstractmethod
    def count(self, query: str) -> int:
        """The one number that a query gives."""

    @abstractmethod
    def stored_bytes(self) -> int:
        """How large the database is."""

    @abstractmethod
    def processes(self) -> dict[str, list[int]]:
        """The process ids of each part."""

    def unfinished(self) -> int:
        return self.count(_UNFINISHED)


class EmbeddedSite(Site):
    """One process with SQLite."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.url = server.url

    def event_times(self) -> Times:
        rows = self._server.rows(
            "SELECT parent_check_id, seq, (julianday(created_at) - 2440587.5) * 86400 FROM detection_checkevent"
        )
        return {(str(check_id), int(str(seq))): float(str(seconds)) for check_id, seq, seconds in rows}

    def states(self) -> dict[str, str]:
        return {str(check_id): str(state) for check_id, state in self._server.rows(_STATES)}

    def count(self, query: str) -> int:
        return int(str(self._server.rows(query)[0][0]))

    def stored_bytes(self) -> int:
        return self.count("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")

    def processes(self) -> dict[str, list[int]]:
        pid = self._server.pid
        return {"server": [pid], "models": children(pid)}


class ScaledSite(Site):
    """Processes on Redis and PostgreSQL: one for pages, one worker for what is short and one for what is long."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.url = cluster.web.url

    def event_times(self) -> Times:
        rows = self._cluster.database.rows(
            "SELECT parent_check_id, seq, extract(epoch FROM created_at) FROM detection_checkevent"
        )
        return {(check_id.hex, seq): float(seconds) for check_id, seq, seconds in rows}

    def states(self) -> dict[str, str]:
        return {check_id.hex: state for check_id, state in self._cluster.database.rows(_STATES)}

    def count(self, query: str) -> int:
        return int(self._cluster.database.rows(query)[0][0])

    def stored_bytes(self) -> int:
        return self.count("SELECT pg_database_size(current_database())")

    def processes(self) -> dict[str, list[int]]:
        cluster = self._cluster
        long_workers = [worker.pid for worker in cluster.long_workers]
        return {
            "web": [cluster.web.pid],
            "worker_long": long_workers,
            "models_long": [child for pid in long_workers for child in children(pid)],
            "worker_short": [cluster.short_worker.pid],
            "models_short": children(cluster.short_worker.pid),
            "postgresql": family(cluster.database.pid),
            "redis": [cluster.redis.pid],
        }


@contextmanager
def embedded_site(**environment: str) -> Iterator[Site]:
    with running_server(**environment) as server:
        yield EmbeddedSite(server)


@contextmanager
def scaled_site(**environment: str) -> Iterator[Site]:
    """Raises:
    DetectionError: Redis or PostgreSQL is not installed.
    """
    if missing := missing_servers():
        raise DetectionError(missing)
    with (
        tempfile.TemporaryDirectory(prefix="chatprotect-benchmark-") as folder,
        Cluster(Path(folder), long_workers=1, has_clock=False, **environment) as cluster,
    ):
        yield ScaledSite(cluster)
