"""Limits for each payer. A payer is an account, or the network that anonymous visitors come from.

Limits for owners alone would not hold: an anonymous visitor becomes a new owner by deleting a cookie.
"""

from __future__ import annotations

from django.conf import settings
from django.db.models import Count, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from ..models import Check, Source
from ..storage import leases

_UNFINISHED = (Check.State.QUEUED, Check.State.RUNNING)


class TooMuch(Exception):
    """A limit is reached; the message is for the reader."""


class TooManyChecks(TooMuch):
    """There are too many unfinished checks."""


class TooManySources(TooMuch):
    """There are too many sources, or too much of them."""


def refuse_more_checks(*, owner: str, payer: str) -> None:
    """Raises:
    TooManyChecks: the owner, the payer, or all owners together have too many unfinished checks.
    """
    counts = Check.objects.filter(state__in=_UNFINISHED).aggregate(
        all=Count("pk"), owner=Count("pk", filter=Q(owner=owner)), payer=Count("pk", filter=Q(payer=payer))
    )
    if counts["owner"] >= settings.MAX_WAITING:
        raise TooManyChecks(
            _("%(count)d of your checks are not finished yet. Wait for one, or stop some.")
            % {"count": settings.MAX_WAITING}
        )
    if payer and counts["payer"] >= settings.MAX_WAITING_OF_ADDRESS:
        raise TooManyChecks(_("Too many checks from your network are not finished yet. Try again in a few minutes."))
    if counts["all"] >= settings.MAX_WAITING_ALL:
        raise TooManyChecks(_("Too many checks are waiting on this server. Try again in a few minutes."))


def refuse_more_sources(*, owner: str, payer: str, new_bytes: int) -> None:
    """Raises:
    TooManySources: the owner or the payer has too many sources or too many bytes.
    """
    limits = [(Q(owner=owner), 1)]
    if payer:
        limits.append((Q(payer=payer), settings.ADDRESS_FACTOR))
    for whose, factor in limits:
        rows = Source.objects.filter(whose)
        if rows.count() >= factor * settings.MAX_SOURCES_STORED:
            raise TooManySources(_("You have too many sources. Delete some that you do not need any more."))
        # The text and the bytes it is extracted from.
        held = rows.aggregate(sum=Sum("byte_size"))["sum"] or 0
        if held + new_bytes > factor * settings.MAX_SOURCES_BYTES:
            raise TooManySources(_("Your sources take too much space. Delete some that you do not need any more."))


def may_run(*, owner: str, payer: str) -> bool:
    """Whether another check may run. Row locks make a second worker count what the first one has claimed.

    One owner or payer never takes all places. In one process, reading has threads of its own.
    """
    if settings.CHECK_PLACES and _running().count() >= settings.CHECK_PLACES:
        return False
    whose = Q(owner=owner) | Q(payer=payer) if payer else Q(owner=owner)
    unfinished = Check.objects.filter(whose, state__in=_UNFINISHED).order_by("pk").select_for_update()
    rows = list(unfinished.values_list("pk", "owner"))
    running = Check.objects.filter(pk__in=[pk for pk, _owner in rows], state=Check.State.RUNNING)
    running = running.exclude(leases.is_over())
    if running.filter(owner=owner).count() >= settings.MAX_RUNNING:
        return False
    return not payer or running.filter(payer=payer).count() < settings.MAX_RUNNING_OF_ADDRESS


def next_to_run() -> Check | None:
    """The check to start when another one ends: the oldest of a payer that has none running."""
    busy = set(_running().values_list("payer", flat=True))
    queued = Check.objects.filter(state=Check.State.QUEUED).order_by("created_at")
    return queued.exclude(payer__in=busy).first() or queued.first()


def may_read(*, payer: str) -> bool:
    """Whether another source may be read: a place is free and not reserved for other payers."""
    reading = _being_read()
    if reading.count() >= settings.READING_PLACES:
        return False
    return not payer or reading.filter(payer=payer).count() < max(1, settings.READING_PLACES - 1)


def next_to_read() -> Source | None:
    """The source to read next: of the payers with the fewest readers, the one with the oldest message."""
    busy = set(_being_read().values_list("payer", flat=True))
    queued = Source.objects.filter(state=Source.State.QUEUED).defer(*Source.LONG_FIELDS).order_by("created_at")
    return queued.exclude(payer__in=busy).first() or queued.first()


def _running() -> QuerySet[Check]:
    return Check.objects.filter(state=Check.State.RUNNING).exclude(leases.is_over())


def _being_read() -> QuerySet[Source]:
    return Source.objects.filter(state=Source.State.READING).exclude(leases.is_over())
