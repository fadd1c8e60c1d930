"""Leases of runs on checks, and of readers on sources.

All processes and machines use the clock of the database, because their own clocks may differ or be changed.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.db.models.functions import Now

#: A run that has written nothing for this time counts as dead, and another may take over.
LEASE = timedelta(seconds=settings.LEASE_SECONDS)


def until() -> Any:
    """The end of a lease that starts or is renewed now."""
    return Now() + LEASE


def is_over() -> Q:
    """Rows whose lease has expired, or is longer than any lease because the clock was set back."""
    return Q(lease_until__lt=Now()) | Q(lease_until__gt=Now() + 2 * LEASE)


def message_was_sent_before(ago: timedelta) -> Q:
    """Rows whose last message is older than ``ago``, or in the future because the clock was set back."""
    return Q(message_sent_at__lt=Now() - ago) | Q(message_sent_at__gt=Now() + LEASE)
