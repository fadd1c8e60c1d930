"""All data of one owner: moved to an account, or deleted."""

from __future__ import annotations

from django.db import transaction

from ..models import AccessKey, ApiKey, Check, CheckSource, Dismissal, Source


@transaction.atomic
def owner_move(*, owner: str, to: str) -> None:
    """Move everything of ``owner`` to ``to``. If both have the same content or key, that of ``to`` stays."""
    Check.objects.filter(owner=owner).update(owner=to, payer=to)
    present = {source.digest: source for source in Source.objects.filter(owner=to).exclude(digest="")}
    for source in Source.objects.filter(owner=owner, digest__in=present):
        CheckSource.objects.filter(source=source).update(source=present[source.digest])
        source.delete()
    Source.objects.filter(owner=owner).update(owner=to, payer=to)
    kept = ApiKey.objects.filter(owner=to).values_list("service", flat=True)
    ApiKey.objects.filter(owner=owner, service__in=list(kept)).delete()
    ApiKey.objects.filter(owner=owner).update(owner=to)
    AccessKey.objects.filter(owner=owner).update(owner=to)
    known = Dismissal.objects.filter(owner=to).values_list("fingerprint", flat=True)
    Dismissal.objects.filter(owner=owner, fingerprint__in=list(known)).delete()
    Dismissal.objects.filter(owner=owner).update(owner=to)


@transaction.atomic
def owner_delete(*, owner: str) -> None:
    """Delete everything that belongs to an owner. Active runs and readers find their rows missing and end."""
    if not owner:
        return
    Check.objects.filter(owner=owner).delete()
    Source.objects.filter(owner=owner).delete()
    Dismissal.objects.filter(owner=owner).delete()
    ApiKey.objects.filter(owner=owner).delete()
    AccessKey.objects.filter(owner=owner).delete()
