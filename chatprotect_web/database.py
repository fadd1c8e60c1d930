"""The two databases: SQLite in the data folder, and whatever ``DATABASE_URL`` names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

_ENGINES = ("django.db.backends.postgresql", "django.db.backends.sqlite3")


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
            # Deleted means deleted: without secure_delete the text stays in the file until its page is used again.
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA journal_size_limit=67108864;"
                "PRAGMA secure_delete=ON;"
            ),
        },
    }


def from_url(url: str, *, pool_size: int) -> dict[str, Any]:
    """The database at ``url``. To PostgreSQL each process keeps at most ``pool_size`` connections.

    Raises:
        ImproperlyConfigured: the address cannot be used. It is not repeated, as it may carry a password.
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
    # A connection that a restart of the database broke is noticed when it is taken out of the pool.
    parsed["CONN_HEALTH_CHECKS"] = True
    options["pool"] = {"min_size": 1, "max_size": pool_size, "timeout": 10}
    options.setdefault("connect_timeout", 5)
    options.setdefault("application_name", "chatprotect")
    return parsed
