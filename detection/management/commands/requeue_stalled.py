"""``manage.py requeue_stalled``: requeue abandoned work now; workers do this at intervals."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from kombu.exceptions import OperationalError

from detection import services


class Command(BaseCommand):
    help = "Queue the checks and sources again that nobody is at: their worker died, or their message was lost."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            checks, sources = services.requeue_stalled()
        except OperationalError as error:
            raise CommandError(
                "Redis cannot be reached, so nothing can be queued. Try again when it is there."
            ) from error
        self.stdout.write(f"queued again: {checks} checks, {sources} sources")
