"""A check: its page, the list of checks, and actions on a whole check."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ... import services
from ...core.plain_text import remove_unprintable
from ...models import Check
from ...selectors import estimates
from ...selectors.beside import BesideReader
from ...selectors.detail import CheckDetail
from ...selectors.history import listed_checks
from ...services import DecisionImpossible
from ..examples import EXAMPLES
from ..forms.check import AgainForm
from ..forms.sources import errors_of
from ..owners import owner_of
from ..parameters import asked_page, span_from_range, whole_number
from .answers import answer, edited, notice, own_check, words_of


@require_GET
@own_check
def check_detail(request: HttpRequest, check: Check) -> HttpResponse:
    # ``check`` was read before the rest: later changes arrive as events, and applying those twice is safe.
    return render(request, "detection/review.html", {"detail": CheckDetail(check, asked=asked_page(request.GET))})


@require_GET
@own_check
def sentence_report(request: HttpRequest, check: Check, index: int) -> HttpResponse:
    """The details of a sentence, as a part of the page: evidence, reasons, how much was read."""
    detail = CheckDetail(check)
    report = detail.sentence_report(index)
    if report is None:
        raise Http404
    return render(request, "detection/partials/_sentence_report.html", {"detail": detail, "report": report})


@require_GET
@own_check
def source_beside(request: HttpRequest, check: Check) -> HttpResponse:
    """A source with its passages, as a part of the page: for a sentence, else the chosen source, else the first."""
    reader = BesideReader(check)
    sentence = whole_number(request.GET.get("sentence", ""))
    if sentence is not None:
        beside = reader.of_sentence(sentence)
    else:
        beside = reader.of_use(request.GET.get("source", ""), window=span_from_range(request.GET.get("show", "")))
    if beside is None and sentence is not None:
        return HttpResponse(status=204)  # no passage bears on it: the page keeps what it shows
    if beside is None:
        raise Http404
    return render(request, "detection/partials/_beside.html", {"beside": beside})


@require_GET
@never_cache
def history(request: HttpRequest) -> HttpResponse:
    return history_page(request)


def history_page(request: HttpRequest, *, errors: Sequence[str] = (), status: int = 200) -> HttpResponse:
    """The list of checks. ``errors`` are those of a file that could not be loaded."""
    words = remove_unprintable(request.GET.get("words", "")).strip()[:200]
    checks = listed_checks(owner_of(request.session), words)
    context = {"checks": checks, "words": words, "examples": EXAMPLES.values(), "errors": errors}
    return render(request, "detection/history.html", context, status=status)


@require_POST
@own_check
def check_cancel(request: HttpRequest, check: Check) -> HttpResponse:
    services.check_cancel(check=check)
    return answer(request, check)


@require_POST
@own_check
def check_resume(request: HttpRequest, check: Check) -> HttpResponse:
    services.check_resume(check=check)
    return answer(request, check)


@require_http_methods(["GET", "POST"])
@own_check
def check_again(request: HttpRequest, check: Check) -> HttpResponse:
    """The form for a changed text with its estimate; on POST, its check."""
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
    """The estimate for the text being edited, as a part of the page."""
    estimate = estimates.again_estimate(check, request.POST.get("text", "")[: settings.MAX_TEXT_CHARS])
    return render(request, "detection/partials/_again_estimate.html", {"check": check, "estimate": estimate})


@require_POST
@own_check
def block_edit(request: HttpRequest, check: Check, block: int) -> HttpResponse:
    """Check a paragraph that was edited in place. The page continues with the check that the answer names."""
    try:
        text = services.text_with_block(
            check=check, block=block, before=words_of(request, "before"), wording=words_of(request, "wording")
        )
        form = AgainForm({"text": text})
        if not form.is_valid():
            return notice(request, " ".join(errors_of(form)), status=409)
        again = services.check_again(check=check, text=form.cleaned_data["text"], is_edit=True)
    except DecisionImpossible as refusal:
        return notice(request, str(refusal), status=409)
    return edited(request, again)


@require_POST
@own_check
def check_rename(request: HttpRequest, check: Check) -> HttpResponse:
    services.check_rename(check=check, title=words_of(request, "title"))
    return redirect("history")


@require_POST
@own_check
def check_delete(request: HttpRequest, check: Check) -> HttpResponse:
    services.check_delete(check=check)
    return redirect("history")
