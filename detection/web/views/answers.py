"""Shared by the views: dialogs, and responses to actions."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from ... import events
from ...core.plain_text import remove_unprintable
from ...models import Check
from ...selectors.card_pages import AskedPage
from ...selectors.checks import check_of_owner
from ...selectors.detail import CheckDetail
from ...services import DecisionImpossible
from ...services.review import Reviewed, keeping_review
from ..live import fragments
from ..owners import of_owner
from ..parameters import asked_page, whole_number

own_check = of_owner("check_id", check_of_owner)


def pane(request: HttpRequest, check: Check, template: str, **context: object) -> HttpResponse:
    """The content of a dialog of the review page, or a whole page if the browser asks for one."""
    page = template if request.headers.get("HX-Request") else "detection/pane.html"
    return render(request, page, {"check": check, "pane": template, **context})


#: The newest event that the page shows, in its requests; the newest that an answer shows, in answers.
PAGE_SEQ_HEADER = "X-Page-Seq"
#: Id of the check that a page continues with, in answers.
PAGE_CHECK_HEADER = "X-Page-Check"
#: Id of the requesting page.
PAGE_HEADER = "X-Page"


def answer(request: HttpRequest, check: Check, *, refusal: str = "", reviewed: Reviewed | None = None) -> HttpResponse:
    """The changes that the page does not show yet, including those of the action; a whole page for a plain form.

    ``check`` was read before the action, ``reviewed`` has the rows after it.
    """
    if not getattr(request, "htmx", False):
        if not refusal:
            return redirect("check_detail", check.pk)
        context = {"detail": CheckDetail(check), "notice": refusal}
        return render(request, "detection/review.html", context, status=409)
    # An outdated page must get what it missed, above all if its action is refused for being outdated.
    seq = min(_page_seq(request), check.last_seq)
    batch = fragments.since(check.pk, seq, notice=refusal, asked=_page_in_view(request), reviewed=reviewed)
    return HttpResponse(batch.html, status=409 if refusal else 200, headers={PAGE_SEQ_HEADER: str(batch.seq)})


def _page_seq(request: HttpRequest) -> int:
    """The newest event that the page shows; 0 (everything) if the page does not say."""
    return whole_number(request.headers.get(PAGE_SEQ_HEADER, "")) or 0


def _page_in_view(request: HttpRequest) -> AskedPage:
    """The page of warnings that the action came from; htmx sends its address."""
    query = request.headers.get("HX-Current-URL", "").partition("?")[2].partition("#")[0]
    return asked_page(QueryDict(query))


def decide(request: HttpRequest, check: Check, service: Callable[..., object], **arguments: object) -> HttpResponse:
    # Nudge other pages only after the answer is rendered: rendering theirs would delay it.
    with events.answered_to(request.headers.get(PAGE_HEADER, "")), keeping_review() as reviewed:
        refusal = ""
        try:
            service(check=check, **arguments)
        except DecisionImpossible as error:
            refusal = str(error)
        return answer(request, check, refusal=refusal, reviewed=reviewed)


def notice(request: HttpRequest, words: str, *, status: int) -> HttpResponse:
    """A message, for a page that does not change otherwise."""
    return render(request, "detection/partials/_notice.html", {"notice": words}, status=status)


def edited(request: HttpRequest, check: Check) -> HttpResponse:
    """The id of the check that a page continues with, and the part of the page that no event of it updates."""
    revised = fragments.render(CheckDetail(check), [fragments.Target(fragments.Part.REVISED)])
    return HttpResponse(revised, headers={PAGE_CHECK_HEADER: str(check.pk)})


def words_of(request: HttpRequest, name: str) -> str:
    """The text of a field without a form, without unprintable characters."""
    return remove_unprintable(request.POST.get(name, ""))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a request with an outdated or foreign CSRF token."""
    template = "detection/partials/_notice.html" if request.headers.get("HX-Request") else "detection/refused.html"
    notice = _("This page is no longer current, so nothing was changed. Reload it and try again.")
    return render(request, template, {"notice": notice}, status=403)
