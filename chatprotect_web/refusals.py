"""Report a failed start in one line, and exit with status 1."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError


@contextmanager
def errors_in_one_line() -> Iterator[None]:
    try:
        yield
    except ImproperlyConfigured as error:
        _end(str(error))
    except DatabaseError as error:
        _end(f"The database cannot be used: {error}. Restore it from a backup, or look at its permissions.")
    except PermissionError as error:
        _end(f"{error.filename}: permission denied. Set CHATPROTECT_DATA_DIR to a folder that can be written to.")


def probe_database() -> None:
    """Raises:
    DatabaseError: the SQLite file cannot be read. Other databases may become available later.
    PermissionError: the SQLite file cannot be written.
    """
    import django
    from django.db import connection

    django.setup()
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM sqlite_master")
        connection.close()
        with Path(connection.settings_dict["NAME"]).open("ab"):
            pass


def _end(reason: str) -> None:
    line = " ".join(reason.split()).replace("..", ".")
    print(f"ChatProtect cannot start: {line}", file=sys.stderr)  # noqa: T201  # logging is not configured yet
    sys.exit(1)
