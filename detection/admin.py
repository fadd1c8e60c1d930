"""The admin: accounts and check outcomes. Texts belong to their owners and are not shown."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from .models import Check


@admin.register(Check)
class CheckAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # generic for the type checker only
    """Check outcomes, read-only."""

    list_display = ("id", "state", "engine", "attempts", "created_at", "started_at", "finished_at")
    list_filter = ("state", "engine")
    ordering = ("-created_at",)
    fields = (*list_display, "error", "lease_until", "last_seq")
    readonly_fields = fields

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Check | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Check | None = None) -> bool:
        return False
