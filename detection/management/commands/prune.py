"""``manage.py prune``: delete data beyond the retention time. Workers do this every hour."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from detection import services
from detection.management.output import bad_input


class Command(BaseCommand):
    help = "Delete checks and unused sources that are older than so many days, expired sessions and old keys."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--days", type=int, help="by default CHATPROTECT_RETENTION_DAYS; 0 keeps checks and sources"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        days = settings.RETENTION_DAYS if options["days"] is None else options["days"]
        if days < 0:
            raise bad_input("--days must not be negative.")
        pruned = services.prune(days=days)
        self.stdout.write(f"deleted: {pruned.checks} checks, {pruned.sources} sources, {pruned.keys} keys")
