"""Django's ``manage.py migrate`` with a lock timeout.

A migration locks a table for a moment. While it waits for a session that reads the table for long (a backup), all later
queries wait behind it. So it gives up after a while.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import OperationalError, connections

#: The SQLSTATE codes of PostgreSQL for a lock timeout and a deadlock.
_NOT_GIVEN = ("55P03", "40P01")


class Command(migrate.Command):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--lock-timeout",
            type=float,
            default=5.0,
            metavar="SECONDS",
            help="How long to wait for a table that is in use (PostgreSQL); others wait behind it. 0: no limit.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        seconds: float = options["lock_timeout"]
        connection = connections[options["database"]]
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{int(seconds * 1000)}ms"])
        try:
            super().handle(*args, **options)
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", None) not in _NOT_GIVEN:
                raise
            raise CommandError(
                f"A table was in use for more than {seconds:g} seconds, so the migration was given up, and nothing of "
                "it is left. Run it again; not while a backup is made."
            ) from error
