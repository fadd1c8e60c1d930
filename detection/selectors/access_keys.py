"""Keys for other programs: those of an owner, and the one that a request carries."""

from __future__ import annotations

from ..core.types import SourceText
from ..models import AccessKey, Source
from ..storage.evidence import PLACES


def access_keys_of_owner(owner: str) -> list[AccessKey]:
    """The keys of an owner, newest first."""
    return list(AccessKey.objects.filter(owner=owner).prefetch_related("sources")) if owner else []


def access_key_of_digest(digest: str) -> AccessKey | None:
    """The key with this digest; None if it does not exist or was revoked."""
    return AccessKey.objects.filter(digest=digest).first()


def library_of_key(key: AccessKey) -> tuple[SourceText, ...]:
    """The default library of a key: its readable sources."""
    rows = key.sources.filter(state=Source.State.READY, owner=key.owner).order_by("created_at", "pk")
    return tuple(SourceText(str(row.pk), row.name, row.text, PLACES.from_json(row.places)) for row in rows)
