"""``manage.py settings_page``: write docs/settings.md from the settings of the project."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from chatprotect_web import settings_page


class Command(BaseCommand):
    help = "Write docs/settings.md from the settings of the project."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="write nothing; fail if the page is out of date")

    def handle(self, *args: Any, **options: Any) -> None:
        page = Path(settings.BASE_DIR) / "docs" / "settings.md"
        text = settings_page.render(settings.VARIABLES)
        if options["check"]:
            if not page.is_file() or page.read_text(encoding="utf-8") != text:
                raise CommandError("docs/settings.md is out of date. Run: manage.py settings_page")
            return
        page.write_text(text, encoding="utf-8")
        self.stdout.write("wrote docs/settings.md")
