"""Decisions of a reader about warnings; undo and redo."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ... import services
from ...models import Check
from ...selectors.decisions import decisions_of_check
from ...services.accept_all_preview import preview_of
from ..parameters import whole_number
from .answers import answer, decide, own_check, pane, words_of


@require_GET
@own_check
def decisions(request: HttpRequest, check: Check) -> HttpResponse:
    """Decisions and their times."""
    made = decisions_of_check(check)
    return pane(request, check, "detection/partials/_decisions.html", decisions=made)


@require_POST
@own_check
def premise_decide(request: HttpRequest, check: Check) -> HttpResponse:
    """Answer the question that was sent, whatever its premise."""
    refusal = ""
    try:
        services.premise_decide(check=check, question=request.POST.get("question", ""))
    except ValidationError as error:
        refusal = " ".join(error.messages)
    return answer(request, check, refusal=refusal)


@require_POST
@own_check
def first_version_restore(request: HttpRequest, check: Check, index: int) -> HttpResponse:
    """Continue the text from the first version of a sentence."""
    return decide(request, check, services.first_version_restore, index=index)


@require_POST
@own_check
def correction_restore(request: HttpRequest, check: Check, index: int) -> HttpResponse:
    return decide(request, check, services.correction_restore, index=index)


def _card(request: HttpRequest) -> dict[str, object]:
    """The decision is made on a card, which the page showed in this state."""
    return {"seen": request.POST.get("seen", ""), "on_card": True}


@require_POST
@own_check
def suggestion_accept(request: HttpRequest, check: Check, suggestion_id: int) -> HttpResponse:
    return decide(request, check, services.suggestion_accept, suggestion_id=suggestion_id, **_card(request))


@require_POST
@own_check
def finding_edit(request: HttpRequest, check: Check, finding_id: int) -> HttpResponse:
    own = {"finding_id": finding_id, "wording": words_of(request, "wording"), **_card(request)}
    return decide(request, check, services.finding_edit, **own)


@require_POST
@own_check
def finding_reject(request: HttpRequest, check: Check, finding_id: int) -> HttpResponse:
    own = {"finding_id": finding_id, "reason": words_of(request, "reason"), **_card(request)}
    return decide(request, check, services.finding_reject, **own)


@require_POST
@own_check
def finding_dismiss(request: HttpRequest, check: Check, finding_id: int) -> HttpResponse:
    own = {"finding_id": finding_id, "reason": words_of(request, "reason"), **_card(request)}
    return decide(request, check, services.finding_dismiss, **own)


@require_POST
@own_check
def finding_reopen(request: HttpRequest, check: Check, finding_id: int) -> HttpResponse:
    return decide(request, check, services.finding_reopen, finding_id=finding_id, **_card(request))


@require_http_methods(["GET", "POST"])
@own_check
def accept_all(request: HttpRequest, check: Check) -> HttpResponse:
    """Preview accept all; on POST, accept the selected changes."""
    if request.method == "GET":
        return pane(request, check, "detection/partials/_accept_all.html", changes=preview_of(check))
    numbers = map(whole_number, request.POST.getlist("suggestion"))
    ticked = [number for number in numbers if number is not None]
    return decide(request, check, services.findings_accept_all, suggestion_ids=ticked)


@require_POST
@own_check
def undo(request: HttpRequest, check: Check) -> HttpResponse:
    return decide(request, check, services.decision_undo, decision_id=_named_decision(request))


@require_POST
@own_check
def redo(request: HttpRequest, check: Check) -> HttpResponse:
    return decide(request, check, services.decision_redo, decision_id=_named_decision(request))


def _named_decision(request: HttpRequest) -> int | None:
    """The decision that the pressed button named."""
    return whole_number(request.POST.get("decision", ""))
