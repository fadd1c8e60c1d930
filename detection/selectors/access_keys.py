"""Keys for other programs: those of an owner, and the one that a request brings."""

from __future__ import annotations

from ..core.types import SourceText
from ..models import AccessKey, Source
from ..storage.evidence import PLACES


def access_keys_of_owner(owner: str) -> list[AccessKey]:
    """The keys of an owner, newest first."""
    return list(AccessKey.objects.filter(owner=owner).prefetch_related("sources")) if owner else []


def access_key_of_digest(digest: str) -> AccessKey | None:
    """The key that has this digest; None for one that was never made, or was revoked."""
    return AccessKey.objects.filter(digest=digest).first()


def library_of_key(key: AccessKey) -> tuple[SourceText, ...]:
    """The default library of a key: those of its sources that could be read."""
    rows = key.sources.filter(state=Source.State.READY, owner=key.owner).order_by("created_at", "pk")
    return tuple(SourceText(str(row.pk), row.name, row.text, PLACES.from_json(row.places)) for row in rows)
