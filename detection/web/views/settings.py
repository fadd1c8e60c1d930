"""The settings of a user, and the help."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ... import services, wiring
from ...selectors import estimates
from ...selectors.access_keys import access_keys_of_owner
from ...selectors.sources import sources_of_owner
from ...services.access_keys import MOST_REQUESTS_PER_MINUTE
from ...wording import SCOPE_LABELS, STRICTNESS_LABELS
from .. import operator_settings
from ..forms.settings import AccessKeyForm, PreferencesForm
from ..forms.sources import errors_of
from ..language_models import chosen_of
from ..owners import make_owner, owner_of
from ..parameters import uuids, whole_number
from ..preferences import preferences_keep, preferences_of


@require_http_methods(["GET", "POST"])
@never_cache
def settings_page(request: HttpRequest) -> HttpResponse:
    """The user's defaults for new checks, the keys for other programs, and the operator's settings."""
    is_saved = False
    if request.method == "POST":
        form = PreferencesForm(request.POST)
        is_saved = form.is_valid()
        if is_saved:
            preferences_keep(request.session, form.preferences)
    return _page(request, is_saved=is_saved)


@require_POST
@never_cache
def access_key_create(request: HttpRequest) -> HttpResponse:
    """Create a key for another program and show it once."""
    form = AccessKeyForm(request.POST)
    if not form.is_valid():
        return _page(request, key_errors=errors_of(form), status=422)
    try:
        _key, secret = services.access_key_create(
            owner=make_owner(request.session),
            name=form.cleaned_data["key_name"],
            scopes=form.cleaned_data["scopes"],
            requests_per_minute=form.cleaned_data["requests_per_minute"],
            sources=uuids(request.POST.getlist("key_sources")),
        )
    except services.KeyRefused as error:
        return _page(request, key_errors=[str(error)], status=422)
    return _page(request, new_key=secret)


@require_POST
def access_key_revoke(request: HttpRequest) -> HttpResponse:
    key_id = whole_number(request.POST.get("key", ""))
    if key_id is not None:
        services.access_key_revoke(owner=owner_of(request.session), key_id=key_id)
    return redirect("settings")


def _page(
    request: HttpRequest,
    *,
    is_saved: bool = False,
    new_key: str = "",
    key_errors: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    owner = owner_of(request.session)
    kept = services.services_with_key(owner)
    model = wiring.language_model(chosen_of(request.session))
    context = {
        "is_saved": is_saved,
        "new_key": new_key,
        "key_errors": key_errors,
        "access_keys": access_keys_of_owner(owner),
        "scopes": SCOPE_LABELS.items(),
        "scope_labels": SCOPE_LABELS,
        "most_requests": MOST_REQUESTS_PER_MINUTE,
        "library": [source for source in sources_of_owner(owner) if source.is_usable],
        "preferences": preferences_of(request.session),
        "strictness_options": STRICTNESS_LABELS.items(),
        "estimates": estimates.estimates(model) if model else None,
        "has_operator_key": bool(settings.LLM_API_KEY),
        "keys": [operator_settings.service_label(service) for service in sorted(kept)],
        "model": model,
        "can_choose_model": bool(wiring.presets()) or wiring.may_discover(),
        "unused_keys": operator_settings.unused_model_keys(kept, model),
        "language_model_rows": operator_settings.language_model_rows(),
        "server_rows": operator_settings.server_rows(),
    }
    return render(request, "detection/settings.html", context, status=status)


@require_GET
def help_page(request: HttpRequest) -> HttpResponse:
    return render(request, "detection/help.html")
