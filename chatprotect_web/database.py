"""The two databases: SQLite in the data folder, or the one that ``DATABASE_URL`` names."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.db.backends.signals import connection_created

#: A process that halts within a transaction holds its locks, and no other process could take over its work.
#: Transactions here wait for nothing but the database, so the server may end one that is idle for this time.
_IDLE_IN_TRANSACTION_MS = 15_000
_ENGINES = ("django.db.backends.postgresql", "django.db.backends.sqlite3")


def keep_private(connection: Any, **kwargs: object) -> None:
    """Make the SQLite file readable for its owner only; SQLite creates its log files with the same mode."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor != "sqlite" or not Path(name).is_file():
        return
    state = Path(name).stat()
    if state.st_uid == os.geteuid() and state.st_mode & 0o077:
        Path(name).chmod(0o600)


connection_created.connect(keep_private, dispatch_uid="private database")


def sqlite(path: Path | str) -> dict[str, Any]:
    """One file, for one machine."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            # IMMEDIATE takes the write lock at BEGIN. A transaction that starts by reading and then writes would
            # otherwise fail at once with "database is locked", whatever the timeout.
            "transaction_mode": "IMMEDIATE",
            "timeout": 5,
            # Without secure_delete a deleted text stays in the file until its page is used again.
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA journal_size_limit=67108864;"
                "PRAGMA secure_delete=ON;"
            ),
        },
    }


def from_url(url: str, *, pool_size: int) -> dict[str, Any]:
    """The database at ``url``. Each process keeps at most ``pool_size`` connections to PostgreSQL.

    Raises:
        ImproperlyConfigured: the address is invalid. The message omits it, because it may contain a password.
    """
    try:
        parsed: dict[str, Any] = dict(dj_database_url.parse(url))
    except ValueError:
        parsed = {}
    if parsed.get("ENGINE") not in _ENGINES:
        raise ImproperlyConfigured(
            "DATABASE_URL must begin with postgresql:// (or sqlite:///), as in postgresql://user:password@host/name."
        )
    if parsed["ENGINE"] == _ENGINES[1]:
        return sqlite(parsed["NAME"])
    options = parsed.setdefault("OPTIONS", {})
    # Test connections when they leave the pool: a restart of the database may have broken them.
    parsed["CONN_HEALTH_CHECKS"] = True
    options["pool"] = {"min_size": 1, "max_size": pool_size, "timeout": 10}
    options.setdefault("connect_timeout", 5)
    options.setdefault("application_name", "chatprotect")
    options.setdefault("options", f"-c idle_in_transaction_session_timeout={_IDLE_IN_TRANSACTION_MS}")
    return parsed
