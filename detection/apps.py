from __future__ import annotations

from django.apps import AppConfig


class DetectionConfig(AppConfig):
    name = "detection"
    verbose_name = "Detection"

    def ready(self) -> None:
        from chatprotect_web import checks  # noqa: F401  (registers them)

        from .web import accounts  # noqa: F401  (listens to logins)
