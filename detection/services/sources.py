"""The life of a source, apart from reading it: add, rename, keep, delete."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import timedelta
from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from .. import events
from ..core.plain_text import remove_unprintable
from ..models import Check, CheckSource, Finding, Source, SourceUpload
from ..storage.evidence import EVIDENCE, SEARCH
from .quotas import refuse_more_sources
from .task_messages import TaskName, send, send_on_commit
from .titles import title_of

#: Sources of forms that were never submitted are deleted after this time.
ABANDONED_AFTER = timedelta(days=1)

_NAME_CHARS = 200
_DELETED_TEXT = "Pasted text"


@transaction.atomic
def source_add_text(*, owner: str, text: str, is_kept: bool = False, payer: str = "") -> Source:
    """Add a text, which needs no reading. Its first line is its name."""
    data = text.encode()
    return _add(
        owner,
        data,
        is_kept=is_kept,
        payer=payer,
        kind=Source.Kind.PASTED,
        name=title_of(text),
        byte_size=len(data),
        text=text,
        characters=len(text),
        state=Source.State.READY,
    )


@transaction.atomic
def source_add_file(
    *, owner: str, name: str, data: bytes, media_type: str = "", is_kept: bool = False, payer: str = ""
) -> Source:
    """Add a file and queue it for reading. If the owner has the same bytes already, return that source."""
    source = _add(
        owner,
        data,
        is_kept=is_kept,
        payer=payer,
        kind=Source.Kind.FILE,
        name=clean_name(name),
        byte_size=len(data),
        media_type=media_type[:100],
    )
    if source.state == Source.State.QUEUED and not SourceUpload.objects.filter(source=source).exists():
        SourceUpload.objects.create(source=source, content=data)
        send_on_commit(TaskName.READ_SOURCE, source.pk)
    return source


@transaction.atomic
def source_add_page(*, owner: str, url: str, is_kept: bool = False, payer: str = "") -> Source:
    """Add the page at a web address and queue it for fetching. Later changes of the page are not read."""
    _drop_abandoned()
    underway = Source.objects.filter(owner=owner, url=url).exclude(state__in=Source.SETTLED).first()
    if underway is not None:
        return underway
    refuse_more_sources(owner=owner, payer=payer, new_bytes=0)
    name = clean_name(urlsplit(url).netloc + urlsplit(url).path.rstrip("/"))
    source = Source(owner=owner, payer=payer, kind=Source.Kind.PAGE, name=name, url=url, is_kept=is_kept)
    source.full_clean()
    source.save()
    send_on_commit(TaskName.READ_SOURCE, source.pk)
    return source


@transaction.atomic
def source_rename(*, source: Source, name: str) -> None:
    """Rename a source, also in the checks that use it. An empty name changes nothing."""
    if not name.strip():
        return
    Source.objects.filter(pk=source.pk).update(name=clean_name(name))
    CheckSource.objects.filter(source=source).update(name=clean_name(name))


def source_keep(*, source: Source) -> None:
    """Keep a source when no check uses it any more."""
    Source.objects.filter(pk=source.pk).update(is_kept=True)


@transaction.atomic
def source_delete(*, source: Source, with_checks: bool = False) -> None:
    """Delete a source: its text, its places and its bytes. An active reader finds the row missing and ends.

    Checks that used it keep their quotes; ``with_checks`` deletes these checks too.
    """
    uses = list(source.uses.select_related("parent_check"))
    if with_checks:
        checks = Check.objects.filter(pk__in=[use.parent_check_id for use in uses])
        beside = list(Source.objects.filter(uses__parent_check__in=checks).values_list("pk", flat=True))
        checks.delete()
        sources_drop_unused(beside)
    else:
        for use in uses:
            deleted = events.SourceDeleted(source=use.pk, findings=tuple(_findings_that_quote(use)))
            events.append(use.parent_check_id, [deleted])
        if source.kind == Source.Kind.PASTED:
            source.uses.update(name=_DELETED_TEXT)  # its name is its first line
    source.delete()


def source_discard(*, source: Source) -> None:
    """Remove a source from a form: delete it unless it is kept or in use."""
    sources_drop_unused([source.pk])


def sources_drop_unused(source_ids: Iterable[UUID]) -> None:
    """Delete the given sources that are not kept and not used by a check."""
    Source.objects.filter(pk__in=list(source_ids), is_kept=False, uses=None).delete()


def sources_recover() -> int:
    """Requeue every unread source and return their number. Only for a start when no reader can be alive."""
    reading = Source.objects.filter(state=Source.State.READING)
    reading.update(state=Source.State.QUEUED, read_token=None, lease_until=None)
    waiting = list(Source.objects.filter(state=Source.State.QUEUED).values_list("pk", flat=True))
    for source_id in waiting:
        send(TaskName.READ_SOURCE, source_id)
    return len(waiting)


def clean_name(name: str) -> str:
    """A name to show: one line without unprintable characters, shortened in the middle."""
    line = " ".join(remove_unprintable(name.replace("\n", " ")).split()) or "Untitled"
    if len(line) <= _NAME_CHARS:
        return line
    suffix = PurePath(line).suffix[:20]
    return f"{line[: _NAME_CHARS - len(suffix) - 1]}…{suffix}"


def _add(owner: str, data: bytes, *, is_kept: bool, payer: str, **fields: Any) -> Source:
    """Return the source with this content, or add it. Retry one that could not be read."""
    _drop_abandoned()
    digest = hashlib.sha256(fields["kind"].encode() + b"\0" + data).hexdigest()
    if not Source.objects.filter(owner=owner, digest=digest).exists():
        refuse_more_sources(owner=owner, payer=payer, new_bytes=len(data))
        fields["payer"] = payer
    Source(owner=owner, **fields).clean_fields(exclude=["text"])
    present, is_new = Source.objects.get_or_create(owner=owner, digest=digest, defaults={"is_kept": is_kept, **fields})
    if is_new:
        return present
    changes: dict[str, Any] = {"is_kept": True} if is_kept else {}
    if present.state == Source.State.FAILED:
        changes |= {"state": Source.State.QUEUED, "error": "", "attempts": 0}
    for name, value in changes.items():
        setattr(present, name, value)
    present.save(update_fields=list(changes))
    return present


def _drop_abandoned() -> None:
    old = Q(is_kept=False, uses=None, created_at__lt=timezone.now() - ABANDONED_AFTER)
    Source.objects.filter(old).delete()


def _findings_that_quote(use: CheckSource) -> list[int]:
    return [
        finding.pk
        for finding in Finding.objects.filter(parent_check_id=use.parent_check_id).select_related("unit")
        if str(use.pk) in _sources_of(finding)
    ]


def _sources_of(finding: Finding) -> set[str]:
    """The ids of the source uses that a finding quotes or that were searched for it."""
    quoted = {evidence.source for evidence in EVIDENCE.from_json(finding.evidence) if evidence.source}
    search = finding.unit.search
    return quoted | (SEARCH.from_json(search).sources if search else frozenset())
