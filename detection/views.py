"""Pages and the actions of their buttons: parse the request, call a service, render. No logic lives here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from . import estimates, events, fragments, operator_settings, services, wiring
from .core.active_generation.types import ValidationMode
from .core.evidence.plan import SearchEffort
from .core.plain_text import remove_unprintable
from .examples import EXAMPLES
from .forms import AgainForm, CheckForm, PreferencesForm
from .models import Check, Source
from .owners import make_owner, of_owner, owner_of
from .parameters import uuids, whole_number
from .preferences import preferences_keep, preferences_of
from .selectors.accept_all import preview_of
from .selectors.checks import check_of_owner
from .selectors.decisions import decisions_of_check
from .selectors.detail import CheckDetail
from .selectors.history import checks_of_owner
from .selectors.searches import search_options, search_options_wanting_key
from .selectors.sources import sources_among, sources_of_owner
from .services import DecisionImpossible
from .source_forms import ACCEPTED_FILES, MAX_SOURCES, errors_of
from .wording import EFFORT_LABELS, EFFORT_NAMES, STRICTNESS_LABELS

# --- Starting a check -------------------------------------------------------------------------------------------


@require_GET
def start(request: HttpRequest) -> HttpResponse:
    """The form, empty or filled with an example."""
    example = EXAMPLES.get(request.GET.get("example", ""))
    initial = {"text": example.text, "source": example.source, "topic": example.topic} if example else {}
    strictness = preferences_of(request.session).strictness
    return _start_page(request, CheckForm(initial={"strictness": strictness, **initial}))


@require_POST
def check_create(request: HttpRequest) -> HttpResponse:
    owner = make_owner(request.session)
    form = CheckForm(request.POST, request.FILES, owner=owner)
    if not form.is_valid():
        # What was uploaded cannot be put back into a form: it stays as sources that are already chosen.
        added = form.add_sources(owner=owner)
        return _start_page(request, form, added=added, status=422)
    if form.cleaned_data["api_key"]:
        services.api_key_keep(owner=owner, key=form.cleaned_data["api_key"])
    if form.cleaned_data["search_key"] and form.cleaned_data["retriever"]:
        key, service = form.cleaned_data["search_key"], form.cleaned_data["retriever"]
        services.api_key_keep(owner=owner, key=key, service=service)
    check = services.check_create(
        owner=owner,
        text=form.cleaned_data["text"],
        prompt=form.cleaned_data["prompt"],
        sources=form.all_sources(owner=owner),
        topic=form.cleaned_data["topic"],
        strictness=form.cleaned_data["strictness"],
        engine=form.cleaned_data["engine"],
        retriever=form.cleaned_data["retriever"],
        search_effort=form.cleaned_data["search_effort"],
        search_plan=form.search_plan,
        validation=form.cleaned_data["validation"],
    )
    return redirect("check_detail", check.pk)


@require_POST
def language_model_test(request: HttpRequest) -> HttpResponse:
    """Whether the endpoint works, in a sentence."""
    key = request.POST.get("api_key", "").strip() or services.api_key_of(owner_of(request.session))
    return HttpResponse(services.language_model_test(api_key=key), content_type="text/plain; charset=utf-8")


@require_POST
def api_keys_forget(request: HttpRequest) -> HttpResponse:
    services.api_keys_forget(owner=owner_of(request.session))
    return redirect("start")


def _start_page(
    request: HttpRequest, form: CheckForm, *, added: Sequence[Source] = (), status: int = 200
) -> HttpResponse:
    owner = owner_of(request.session)
    chosen_ids = [*uuids(request.POST.getlist("sources")), *(source.pk for source in added)]
    chosen = sources_among(owner, chosen_ids)
    wants_key = wiring.has_language_model() and not settings.LLM_API_KEY
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
        "estimates": estimates.estimates() if wiring.has_language_model() else None,
        "wants_key": wants_key,
        "has_key": wants_key and bool(services.api_key_of(owner)),
        "engine": form["engine"].value() or preferences_of(request.session).engine,
        "max_text_chars": settings.MAX_TEXT_CHARS,
        "max_source_chars": settings.MAX_SOURCE_CHARS,
        "max_source_bytes": settings.MAX_SOURCE_BYTES,
        "max_sources": MAX_SOURCES,
        "accepted_files": ACCEPTED_FILES,
        "errors": errors_of(form),
        "chosen": chosen,
        "library": [row for row in sources_of_owner(owner) if row.is_usable and row not in chosen],
    }
    return render(request, "detection/start.html", context, status=status)


# --- Reading ----------------------------------------------------------------------------------------------------


own_check = of_owner("check_id", check_of_owner)


@require_GET
@own_check
def check_detail(request: HttpRequest, check: Check) -> HttpResponse:
    # ``check`` was read before the rest: what happens in between comes as events, and applying those twice is safe.
    return render(request, "detection/review.html", {"detail": CheckDetail(check)})


@require_GET
@own_check
def sentence_report(request: HttpRequest, check: Check, index: int) -> HttpResponse:
    """What supports a sentence, and how much was read for it: a part of the page."""
    detail = CheckDetail(check)
    report = detail.sentence_report(index)
    if report is None:
        raise Http404
    return render(request, "detection/partials/_sentence_report.html", {"detail": detail, "report": report})


@require_GET
@own_check
def decisions(request: HttpRequest, check: Check) -> HttpResponse:
    """What was decided, and when."""
    made = decisions_of_check(check)
    return _pane(request, check, "detection/partials/_decisions.html", decisions=made)


def _pane(request: HttpRequest, check: Check, template: str, **context: object) -> HttpResponse:
    """The content of a dialog of the review page; a whole page for a browser that asks for one."""
    page = template if request.headers.get("HX-Request") else "detection/pane.html"
    return render(request, page, {"check": check, "pane": template, **context})


@require_GET
@never_cache
def history(request: HttpRequest) -> HttpResponse:
    return history_page(request)


def history_page(request: HttpRequest, *, errors: Sequence[str] = (), status: int = 200) -> HttpResponse:
    """``errors`` are those of a file that was to be loaded."""
    words = remove_unprintable(request.GET.get("words", "")).strip()[:200]
    checks = checks_of_owner(owner_of(request.session), words)
    context = {"checks": checks, "words": words, "examples": EXAMPLES.values(), "errors": errors}
    return render(request, "detection/history.html", context, status=status)


@require_http_methods(["GET", "POST"])
@never_cache
def settings_page(request: HttpRequest) -> HttpResponse:
    """What somebody can choose for new checks, and what the operator has chosen."""
    if request.method == "POST":
        form = PreferencesForm(request.POST)
        if form.is_valid():
            preferences_keep(request.session, form.preferences)
    kept = services.services_with_key(owner_of(request.session))
    context = {
        "is_saved": request.method == "POST" and form.is_valid(),
        "preferences": preferences_of(request.session),
        "strictness_options": STRICTNESS_LABELS.items(),
        "estimates": estimates.estimates() if wiring.has_language_model() else None,
        "has_operator_key": bool(settings.LLM_API_KEY),
        "keys": [operator_settings.service_label(service) for service in sorted(kept)],
        "language_model_rows": operator_settings.language_model_rows(),
        "server_rows": operator_settings.server_rows(),
    }
    return render(request, "detection/settings.html", context)


@require_GET
def help_page(request: HttpRequest) -> HttpResponse:
    return render(request, "detection/help.html")


# --- Actions on a check -----------------------------------------------------------------------------------------


#: The newest event that the page shows, in its requests; the newest that an answer shows, in answers.
PAGE_SEQ_HEADER = "X-Page-Seq"
#: Which of the open pages asks.
PAGE_HEADER = "X-Page"


def _answer(request: HttpRequest, check: Check, *, refusal: str = "") -> HttpResponse:
    """What the page does not show yet, what an action did among it; the whole page again for a plain form.

    ``check`` was read before the action.
    """
    if not getattr(request, "htmx", False):
        if not refusal:
            return redirect("check_detail", check.pk)
        context = {"detail": CheckDetail(check), "notice": refusal}
        return render(request, "detection/review.html", context, status=409)
    # A page that has fallen behind must see what it missed, above all when its action is refused for that.
    batch = fragments.since(check.pk, min(_page_seq(request), check.last_seq), notice=refusal)
    return HttpResponse(batch.html, status=409 if refusal else 200, headers={PAGE_SEQ_HEADER: str(batch.seq)})


def _page_seq(request: HttpRequest) -> int:
    """The newest event that the page shows; 0, and so everything, where it does not say."""
    return whole_number(request.headers.get(PAGE_SEQ_HEADER, "")) or 0


@require_POST
@own_check
def check_cancel(request: HttpRequest, check: Check) -> HttpResponse:
    services.check_cancel(check=check)
    return _answer(request, check)


@require_POST
@own_check
def check_resume(request: HttpRequest, check: Check) -> HttpResponse:
    services.check_resume(check=check)
    return _answer(request, check)


@require_http_methods(["GET", "POST"])
@own_check
def check_again(request: HttpRequest, check: Check) -> HttpResponse:
    """The revised text to be edited, with what it would take to check it; then the check of what was sent."""
    if request.method == "GET":
        return _again_page(request, check, AgainForm(initial={"text": CheckDetail(check).revised_text}))
    form = AgainForm(request.POST)
    if form.is_valid():
        try:
            again = services.check_again(check=check, text=form.cleaned_data["text"])
        except DecisionImpossible as error:
            form.add_error(None, str(error))
        else:
            return redirect("check_detail", again.pk)
    return _again_page(request, check, form, status=422)


def _again_page(request: HttpRequest, check: Check, form: AgainForm, status: int = 200) -> HttpResponse:
    context = {
        "check": check,
        "form": form,
        "estimate": estimates.again_estimate(check, form["text"].value() or ""),
        "max_text_chars": settings.MAX_TEXT_CHARS,
        "errors": errors_of(form),
    }
    return render(request, "detection/again.html", context, status=status)


@require_POST
@own_check
def again_estimate(request: HttpRequest, check: Check) -> HttpResponse:
    """What it would take to check the text that is being edited: a part of the page."""
    estimate = estimates.again_estimate(check, request.POST.get("text", "")[: settings.MAX_TEXT_CHARS])
    return render(request, "detection/partials/_again_estimate.html", {"check": check, "estimate": estimate})


@require_POST
@own_check
def check_rename(request: HttpRequest, check: Check) -> HttpResponse:
    services.check_rename(check=check, title=_words(request, "title"))
    return redirect("history")


@require_POST
@own_check
def premise_decide(request: HttpRequest, check: Check) -> HttpResponse:
    """Answer the question that was sent, whatever it takes for granted."""
    refusal = ""
    try:
        services.premise_decide(check=check, question=request.POST.get("question", ""))
    except ValidationError as error:
        refusal = " ".join(error.messages)
    return _answer(request, check, refusal=refusal)


@require_POST
@own_check
def first_version_restore(request: HttpRequest, check: Check, index: int) -> HttpResponse:
    """The text that is being written goes on from what the model wrote first."""
    return _decide(request, check, services.first_version_restore, index=index)


@require_POST
@own_check
def correction_restore(request: HttpRequest, check: Check, index: int) -> HttpResponse:
    return _decide(request, check, services.correction_restore, index=index)


@require_POST
@own_check
def check_delete(request: HttpRequest, check: Check) -> HttpResponse:
    services.check_delete(check=check)
    return redirect("history")


def _decide(request: HttpRequest, check: Check, service: Callable[..., object], **arguments: object) -> HttpResponse:
    refusal = ""
    try:
        with events.answered_to(request.headers.get(PAGE_HEADER, "")):
            service(check=check, **arguments)
    except DecisionImpossible as error:
        refusal = str(error)
    return _answer(request, check, refusal=refusal)


def _words(request: HttpRequest, name: str) -> str:
    """What was typed into a field that has no form of its own, without what can be neither shown nor stored."""
    return remove_unprintable(request.POST.get(name, ""))


def _seen(request: HttpRequest) -> str:
    return request.POST.get("seen", "")


@require_POST
@own_check
def suggestion_accept(request: HttpRequest, check: Check, suggestion_id: int) -> HttpResponse:
    return _decide(request, check, services.suggestion_accept, suggestion_id=suggestion_id, seen=_seen(request))


@require_POST
@own_check
def finding_edit(request: HttpRequest, check: Check, finding_id: int) -> HttpResponse:
    own = {"finding_id": finding_id, "wording": _words(request, "wording"), "seen": _seen(request)}
    return _decide(request, check, services.finding_edit, **own)


@require_POST
@own_check
def finding_reject(request: HttpRequest, check: Check, finding_id: int) -> HttpResponse:
    own = {"finding_id": finding_id, "reason": _words(request, "reason"), "seen": _seen(request)}
    return _decide(request, check, services.finding_reject, **own)


@require_POST
@own_check
def finding_dismiss(request: HttpRequest, check: Check, finding_id: int) -> HttpResponse:
    own = {"finding_id": finding_id, "reason": _words(request, "reason"), "seen": _seen(request)}
    return _decide(request, check, services.finding_dismiss, **own)


@require_POST
@own_check
def finding_reopen(request: HttpRequest, check: Check, finding_id: int) -> HttpResponse:
    return _decide(request, check, services.finding_reopen, finding_id=finding_id, seen=_seen(request))


@require_http_methods(["GET", "POST"])
@own_check
def accept_all(request: HttpRequest, check: Check) -> HttpResponse:
    """What accept all would do, of one kind or of all; and then what was ticked of it."""
    if request.method == "GET":
        preview = preview_of(check, request.GET.get("kind", ""))
        return _pane(request, check, "detection/partials/_accept_all.html", preview=preview)
    numbers = map(whole_number, request.POST.getlist("suggestion"))
    ticked = [number for number in numbers if number is not None]
    return _decide(request, check, services.findings_accept_all, suggestion_ids=ticked)


@require_POST
@own_check
def undo(request: HttpRequest, check: Check) -> HttpResponse:
    return _decide(request, check, services.decision_undo, decision_id=_meant(request))


@require_POST
@own_check
def redo(request: HttpRequest, check: Check) -> HttpResponse:
    return _decide(request, check, services.decision_redo, decision_id=_meant(request))


def _meant(request: HttpRequest) -> int | None:
    """The decision that the button named when it was pressed."""
    return whole_number(request.POST.get("decision", ""))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The page was open too long, or was not opened here: say what to do, in place where the page asked in place."""
    template = "detection/partials/_notice.html" if request.headers.get("HX-Request") else "detection/refused.html"
    notice = "This page is no longer current, so nothing was changed. Reload it and try again."
    return render(request, template, {"notice": notice}, status=403)
