"""Share links. Holders see the text, the warnings and the revised text, and can change nothing."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from ... import services
from ...models import Check
from ...selectors.checks import check_of_share_link
from ...selectors.detail import CheckDetail
from ..parameters import asked_page
from .answers import own_check


@require_POST
@own_check
def share_create(request: HttpRequest, check: Check) -> HttpResponse:
    services.share_create(check=check)
    return redirect(f"{reverse('check_detail', args=[check.pk])}?share=1")  # opens the dialog with the link


@require_POST
@own_check
def share_revoke(request: HttpRequest, check: Check) -> HttpResponse:
    services.share_revoke(check=check)
    return redirect("check_detail", check.pk)


@login_not_required
@require_GET
@never_cache
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """A check, for holders of its link."""
    check = check_of_share_link(token)
    if check is None:
        raise Http404
    detail = CheckDetail(check, asked=asked_page(request.GET))
    response = render(request, "detection/shared.html", {"detail": detail})
    response["Referrer-Policy"] = "no-referrer"  # the address is the key
    response["X-Robots-Tag"] = "noindex"
    return response
