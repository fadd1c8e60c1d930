"""Keys for other programs: made, shown once, and revoked."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterable
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from ..core.plain_text import remove_unprintable
from ..models import AccessKey, Source

#: How many keys one owner may have.
MOST_KEYS = 20
MOST_REQUESTS_PER_MINUTE = 600
#: The prefix of every key, by which secret scanners recognise published keys.
PREFIX = "cpk_"

_HINT_CHARS = 8
_NAME_CHARS = 80


class KeyRefused(Exception):
    """The key cannot be made; the message is for the reader."""


@transaction.atomic
def access_key_create(
    *,
    owner: str,
    name: str,
    scopes: Collection[str],
    requests_per_minute: int = 120,
    sources: Iterable[UUID] = (),
) -> tuple[AccessKey, str]:
    """Create a key and return it with its secret, which cannot be read again.

    ``sources`` are its default library, for requests that cannot name sources.

    Raises:
        KeyRefused: it has no name or scope, or there are too many keys.
    """
    name = " ".join(remove_unprintable(name).split())
    if not name or len(name) > _NAME_CHARS:
        raise KeyRefused(_("The name of a key has 1 to %s characters.") % _NAME_CHARS)
    if not scopes or not set(scopes) <= set(AccessKey.Scope.values):
        raise KeyRefused(_("Choose at least one thing that the key may do."))
    if not 1 <= requests_per_minute <= MOST_REQUESTS_PER_MINUTE:
        raise KeyRefused(_("A key may send 1 to %s requests a minute.") % MOST_REQUESTS_PER_MINUTE)
    if AccessKey.objects.filter(owner=owner).count() >= MOST_KEYS:
        raise KeyRefused(_("You have %s keys. Revoke one first.") % MOST_KEYS)
    secret = PREFIX + secrets.token_urlsafe(32)
    key = AccessKey.objects.create(
        owner=owner,
        name=name,
        digest=digest_of(secret),
        hint=secret[:_HINT_CHARS],
        scopes=sorted(set(scopes)),
        requests_per_minute=requests_per_minute,
    )
    library = Source.objects.filter(owner=owner, pk__in=list(sources))
    library.update(is_kept=True)
    key.sources.set(library)
    return key, secret


def access_key_revoke(*, owner: str, key_id: int) -> None:
    """Delete a key. It is refused from the next request on."""
    AccessKey.objects.filter(owner=owner, pk=key_id).delete()


def digest_of(secret: str) -> str:
    """The stored hash of a key. A key is random and long, so guessing cannot reverse even a fast hash."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
