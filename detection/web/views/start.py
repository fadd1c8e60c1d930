"""Start a check: the form and its submission."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from ... import services, wiring
from ...core.active_generation.types import ValidationMode
from ...core.evidence.plan import SearchEffort
from ...models import Source
from ...selectors import estimates
from ...selectors.searches import search_options, search_options_wanting_key
from ...selectors.sources import sources_among, sources_of_owner
from ...wording import EFFORT_CHOICES, EFFORT_LABELS, EFFORT_NAMES, STRICTNESS_LABELS
from ..examples import EXAMPLES
from ..forms.check import CheckForm
from ..forms.language_model import PresetForm
from ..forms.sources import ACCEPTED_FILES, MAX_SOURCES, errors_of
from ..forms.text_file import FIELD, TextFileRefused, posted_with_text_of_file, text_of_upload
from ..language_models import chosen_of
from ..owners import make_owner, owner_of, payer_of
from ..parameters import uuids
from ..preferences import preferences_of

_PLAIN = "text/plain; charset=utf-8"


@require_GET
def start(request: HttpRequest) -> HttpResponse:
    """The form, empty or filled with an example."""
    example = EXAMPLES.get(request.GET.get("example", ""))
    initial = {"text": example.text, "source": example.source, "topic": example.topic} if example else {}
    strictness = preferences_of(request.session).strictness
    return start_page(request, CheckForm(initial={"strictness": strictness, **initial}))


@require_POST
def check_create(request: HttpRequest) -> HttpResponse:
    owner, payer = make_owner(request.session), payer_of(request)
    data, problem = posted_with_text_of_file(request)
    form = CheckForm(data, request.FILES, owner=owner, chosen=chosen_of(request.session))
    if problem:
        form.errors.pop("text", None)  # the file error explains the missing text
        form.add_error("text", problem)
    if not form.is_valid():
        # A form cannot return uploaded files: they are shown as chosen sources.
        added = form.add_sources(owner=owner, payer=payer)
        return start_page(request, form, added=added, status=422)
    if form.cleaned_data["api_key"]:
        model = wiring.language_model(form.language_model)
        service = services.model_service(model.preset if model else "")
        services.api_key_keep(owner=owner, key=form.cleaned_data["api_key"], service=service)
    if form.cleaned_data["search_key"] and form.cleaned_data["retriever"]:
        key, service = form.cleaned_data["search_key"], form.cleaned_data["retriever"]
        services.api_key_keep(owner=owner, key=key, service=service)
    check = services.check_create(
        owner=owner,
        payer=payer,
        text=form.cleaned_data["text"],
        prompt=form.cleaned_data["prompt"],
        sources=form.all_sources(owner=owner, payer=payer),
        topic=form.cleaned_data["topic"],
        strictness=form.cleaned_data["strictness"],
        engine=form.cleaned_data["engine"],
        retriever=form.cleaned_data["retriever"],
        search_effort=form.cleaned_data["search_effort"],
        search_plan=form.search_plan,
        validation=form.cleaned_data["validation"],
        language_model=form.language_model,
    )
    return redirect("check_detail", check.pk)


@require_POST
def text_read(request: HttpRequest) -> HttpResponse:
    """The text of a file, for the field of the form. Nothing is stored."""
    file = request.FILES.get(FIELD)
    if file is None:
        return HttpResponse(_("No file arrived. Choose it again."), status=422, content_type=_PLAIN)
    try:
        return HttpResponse(text_of_upload(file), content_type=_PLAIN)
    except TextFileRefused as refusal:
        return HttpResponse(str(refusal), status=422, content_type=_PLAIN)


@require_POST
def api_keys_forget(request: HttpRequest) -> HttpResponse:
    services.api_keys_forget(owner=owner_of(request.session))
    return redirect("start")


def start_page(
    request: HttpRequest,
    form: CheckForm,
    *,
    added: Sequence[Source] = (),
    preset_form: PresetForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The form for a check, and the form of language models if none is chosen."""
    owner = owner_of(request.session)
    chosen_ids = [*uuids(request.POST.getlist("sources")), *(source.pk for source in added)]
    chosen = sources_among(owner, chosen_ids)
    chosen_model = chosen_of(request.session)
    model = wiring.language_model(chosen_model)
    wants_key = model is not None and not model.is_local and (bool(model.preset) or not settings.LLM_API_KEY)
    context = {
        "form": form,
        "examples": EXAMPLES.values(),
        "strictness_options": STRICTNESS_LABELS.items(),
        "search_options": search_options(),
        "search_options_wanting_key": search_options_wanting_key(services.services_with_key(owner)),
        "is_search_keyed": form["retriever"].value() in wiring.retrievers_wanting_key(),
        "effort_options": EFFORT_LABELS.items(),
        "efforts": [(EFFORT_NAMES[effort], effort.costs) for effort in SearchEffort],
        "validation": form["validation"].value() or ValidationMode.NONE,
        "max_documents": settings.MAX_DOCUMENTS,
        "estimates": estimates.estimates(model) if model else None,
        "language_model": model,
        "may_choose_model": model is not None and (model.is_chosen or wiring.may_choose_model()),
        "may_discover": wiring.may_discover() and model is None,
        "presets": {} if model else wiring.presets(),
        "preset_form": preset_form or PresetForm(),
        "effort_choices": EFFORT_CHOICES.items(),
        "chosen_effort": form["effort"].value() or (model.effort.value if model else ""),
        "wants_key": wants_key,
        "has_key": wants_key and bool(services.api_key_of(owner, chosen_model)),
        "engine": form["engine"].value() or preferences_of(request.session).engine,
        "max_text_chars": settings.MAX_TEXT_CHARS,
        "max_source_chars": settings.MAX_SOURCE_CHARS,
        "max_source_bytes": settings.MAX_SOURCE_BYTES,
        "max_sources": MAX_SOURCES,
        "accepted_files": ACCEPTED_FILES,
        "errors": errors_of(form) if form.is_bound else errors_of(preset_form) if preset_form else [],
        "chosen": chosen,
        "library": [row for row in sources_of_owner(owner) if row.is_usable and row not in chosen],
    }
    return render(request, "detection/start.html", context, status=status)
