"""Leases: how long a run holds a check, and a reader a source.

One clock counts for all processes and machines, that of the database: those of the others may differ, and be set.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.db.models.functions import Now

#: A run that has written nothing for this long counts as dead, and another may take over.
LEASE = timedelta(seconds=settings.LEASE_SECONDS)


def until() -> Any:
    """The end of a lease that starts or is renewed now."""
    return Now() + LEASE


def is_over() -> Q:
    """Rows whose lease ran out, or is from before the clock was set back: no lease lasts that long."""
    return Q(lease_until__lt=Now()) | Q(lease_until__gt=Now() + 2 * LEASE)


def is_rung_before(ago: timedelta) -> Q:
    """Rows whose last message is older than ``ago``, or from before the clock was set back."""
    return Q(rung_at__lt=Now() - ago) | Q(rung_at__gt=Now() + LEASE)
