"""Language models: those on this machine, the list of an endpoint, and a trial."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from ... import services, wiring
from ...core.llm.model_list import LocalServer
from ...core.types import Engine
from ..forms.check import CheckForm
from ..forms.language_model import PresetForm
from ..language_models import choose, chosen_of, forget
from ..owners import make_owner, owner_of
from ..preferences import Preferences, preferences_keep, preferences_of
from .start import start_page

#: Cache time of the servers found on this machine, because every opened start page asks for them.
_LOOK_AGAIN_AFTER_S = 15


@require_GET
@never_cache
def language_models_here(request: HttpRequest) -> HttpResponse:
    """A part of the start page: the language models on this machine. Only their lists are asked for."""
    servers: list[LocalServer] | None = []
    if wiring.may_discover() and not chosen_of(request.session):
        own_port = int(request.get_port() or 0)
        servers = cache.get_or_set("local_servers", lambda: services.local_servers_find(own_port), _LOOK_AGAIN_AFTER_S)
    return render(request, "detection/partials/_local_models.html", {"servers": servers})


@require_POST
def language_model_use(request: HttpRequest) -> HttpResponse:
    """Use a language model on this machine for new checks."""
    chosen = {"base_url": request.POST.get("base_url", ""), "model": request.POST.get("model", "")[:200]}
    if not choose(request.session, chosen):
        return HttpResponseBadRequest(_("There is no such language model on this machine."))
    _prefer_it(request)
    return redirect("start")


@require_POST
@never_cache
def preset_use(request: HttpRequest) -> HttpResponse:
    """Use a known vendor or server for new checks, with the user's own key."""
    form = PresetForm(request.POST)
    if not form.is_valid():
        return start_page(request, CheckForm(), preset_form=form, status=422)
    choose(request.session, form.language_model)
    if form.cleaned_data["api_key"]:
        service = services.model_service(form.cleaned_data["preset"])
        services.api_key_keep(owner=make_owner(request.session), key=form.cleaned_data["api_key"], service=service)
    _prefer_it(request)
    return redirect("start")


@require_POST
def language_model_forget(request: HttpRequest) -> HttpResponse:
    forget(request.session)
    return redirect("start")


@require_POST
@never_cache
def language_model_list(request: HttpRequest) -> HttpResponse:
    """The models of the endpoint, as options of the field."""
    chosen = _preset_in(request) or chosen_of(request.session)
    names = services.language_model_list(api_key=_key_of(request, chosen), chosen=chosen)
    return JsonResponse({"models": list(names)})


@require_POST
def language_model_test(request: HttpRequest) -> HttpResponse:
    """Lines that say whether the endpoint works and what it can do."""
    chosen = {**chosen_of(request.session), **_model_in(request)}
    told = services.language_model_test(api_key=_key_of(request, chosen), chosen=chosen)
    return HttpResponse(told, content_type="text/plain; charset=utf-8")


def _prefer_it(request: HttpRequest) -> None:
    strictness = preferences_of(request.session).strictness
    preferences_keep(request.session, Preferences(strictness, Engine.LLM))


def _key_of(request: HttpRequest, chosen: Mapping[str, str]) -> str:
    return request.POST.get("api_key", "").strip() or services.api_key_of(owner_of(request.session), chosen)


def _preset_in(request: HttpRequest) -> dict[str, str]:
    """The vendor or server in the form; the page requests its list of models before one is chosen."""
    names = ("preset", "resource")
    found = {name: request.POST.get(name, "").strip()[:200] for name in names}
    return {**found, "model": "?"} if found["preset"] else {}


def _model_in(request: HttpRequest) -> dict[str, str]:
    model = request.POST.get("model", "").strip()[:200]
    return {"model": model} if model else {}
