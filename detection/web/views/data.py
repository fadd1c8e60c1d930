"""Delete all data of one owner."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ... import services
from ..owners import owner_of


@require_http_methods(["GET", "POST"])
@never_cache
def data_delete(request: HttpRequest) -> HttpResponse:
    """Ask for confirmation; on POST, delete."""
    if request.method == "POST":
        services.owner_delete(owner=owner_of(request.session))
        return redirect("start")
    return render(request, "detection/data_delete.html")
