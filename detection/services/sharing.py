"""Create and revoke share links."""

from __future__ import annotations

import secrets

from ..models import Check, ShareLink


def share_create(*, check: Check) -> ShareLink:
    """Return the link of a check; create it if there is none."""
    link, _ = ShareLink.objects.get_or_create(parent_check=check, defaults={"token": secrets.token_urlsafe(32)})
    return link


def share_revoke(*, check: Check) -> None:
    """Delete the link. Its address is refused from now on and never valid again."""
    ShareLink.objects.filter(parent_check=check).delete()
