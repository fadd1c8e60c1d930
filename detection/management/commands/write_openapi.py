"""``manage.py write_openapi``: write docs/openapi.json, the document of the REST API."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from detection.doors.api.routes import schema_as_json


class Command(BaseCommand):
    help = "Write docs/openapi.json anew, after a change of the API."

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(settings.BASE_DIR) / "docs" / "openapi.json"
        path.write_text(schema_as_json(), encoding="utf-8")
        self.stdout.write(f"{path} is up to date.")
