"""Export a check as a file, and load one."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET, require_POST

from ... import services
from ...exports import FORMATS
from ...exports.loading import CheckFileRefused
from ...models import Check
from ...selectors.detail import CheckDetail
from ..forms.check_file import CheckFileForm
from ..forms.sources import errors_of
from ..owners import make_owner, payer_of
from .answers import own_check
from .check import history_page


@require_GET
@own_check
def check_export(request: HttpRequest, check: Check, format_id: str) -> HttpResponse:
    """The check as a download, never shown as a page of this site."""
    export_format = FORMATS.get(format_id)
    if export_format is None:
        raise Http404
    response = HttpResponse(export_format.write(CheckDetail(check)), content_type=export_format.media_type)
    response["Content-Disposition"] = content_disposition_header(True, export_format.file_name(check))
    return response


@require_POST
def check_import(request: HttpRequest) -> HttpResponse:
    form = CheckFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return history_page(request, errors=errors_of(form), status=422)
    try:
        check = services.check_import(
            owner=make_owner(request.session), payer=payer_of(request), data=form.cleaned_data["file"].read()
        )
    except CheckFileRefused as error:
        return history_page(request, errors=[str(error)], status=422)
    return redirect("check_detail", check.pk)
