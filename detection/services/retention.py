"""Delete data whose retention time is over."""

from __future__ import annotations

import logging
import time
from dataclasses import asdict, dataclass
from datetime import timedelta
from importlib import import_module
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from ..models import ApiKey, Check, DailySpending, Source
from .checks import check_delete
from .keys import LIFETIME as KEY_LIFETIME
from .sources import ABANDONED_AFTER

logger = logging.getLogger(__name__)

_PRUNE_INTERVAL_S = 3600.0
_ENDED = (Check.State.DONE, Check.State.FAILED, Check.State.CANCELLED)

_pruned_at = float("-inf")


@dataclass(frozen=True, slots=True)
class Pruned:
    """How much was deleted."""

    checks: int
    sources: int
    keys: int


def prune(*, days: int) -> Pruned:
    """Delete checks that ended, and unused sources that were added, more than ``days`` ago; 0 keeps them.

    Expired keys, sources that were never used and expired sessions are deleted in any case.
    """
    now = timezone.now()
    checks, old = 0, Q(is_kept=False, created_at__lt=now - ABANDONED_AFTER)
    if days:
        cutoff = now - timedelta(days=days)
        ended = Check.objects.annotate(ended_at=Coalesce("finished_at", "created_at"))
        for check in ended.filter(state__in=_ENDED, ended_at__lt=cutoff).iterator(chunk_size=100):
            check_delete(check=check)
            checks += 1
        old |= Q(created_at__lt=cutoff)
    sources = Source.objects.filter(old, uses=None)
    keys = ApiKey.objects.filter(created_at__lt=now - KEY_LIFETIME)
    pruned = Pruned(checks, _delete(sources), _delete(keys))
    DailySpending.objects.filter(day__lt=now.date() - timedelta(days=2)).delete()
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    return pruned


def prune_if_due() -> None:
    """Prune by the retention time of the settings, at most once an hour."""
    global _pruned_at
    if time.monotonic() - _pruned_at < _PRUNE_INTERVAL_S:
        return
    _pruned_at = time.monotonic()
    pruned = prune(days=settings.RETENTION_DAYS)
    if any(asdict(pruned).values()):
        logger.info("deleted as too old: %s", asdict(pruned))


def _delete(rows: QuerySet[Any]) -> int:
    _, by_model = rows.delete()
    return by_model.get(rows.model._meta.label, 0)
