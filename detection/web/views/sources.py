"""Pages and actions about sources. Sources of other owners are reported as missing."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ... import services
from ...models import Source
from ...selectors.history import checks_that_use
from ...selectors.sources import source_excerpt, source_of_owner, sources_among, sources_of_owner
from ..forms.sources import ACCEPTED_FILES, AddSourcesForm, errors_of
from ..owners import make_owner, of_owner, owner_of, payer_of
from ..parameters import span_from_range, uuids

own_source = of_owner("source_id", source_of_owner)

# --- Reading ----------------------------------------------------------------------------------------------------


@require_GET
@never_cache
def library(request: HttpRequest) -> HttpResponse:
    return _library_page(request, AddSourcesForm())


@require_GET
@own_source
def source_detail(request: HttpRequest, source: Source) -> HttpResponse:
    """A source, from its beginning or at a quote: as a page, or as the pane beside the text."""
    ranges = {
        name: [span for value in request.GET.getlist(name) if (span := span_from_range(value))]
        for name in ("quote", "words", "show")
    }
    excerpt = source_excerpt(
        source,
        quote=next(iter(ranges["quote"]), None),
        conflict=ranges["words"],
        window=next(iter(ranges["show"]), None),
    )
    template = "detection/partials/_excerpt.html" if _wants_part(request) else "detection/source.html"
    return render(request, template, {"source": source, "excerpt": excerpt})


@require_GET
@never_cache
def source_rows(request: HttpRequest) -> HttpResponse:
    """The current rows of the sources chosen in a form."""
    rows = sources_among(owner_of(request.session), uuids(request.GET.getlist("id")))
    return render(request, "detection/partials/_source_rows.html", {"rows": rows})


def _library_page(request: HttpRequest, form: AddSourcesForm, *, status: int = 200) -> HttpResponse:
    rows = sources_of_owner(owner_of(request.session))
    context = {
        "form": form,
        "errors": errors_of(form),
        "sources": rows,
        "is_reading": any(not row.is_settled for row in rows),
        "accepted_files": ACCEPTED_FILES,
        "max_source_bytes": settings.MAX_SOURCE_BYTES,
    }
    return render(request, "detection/library.html", context, status=status)


# --- Actions ----------------------------------------------------------------------------------------------------


@require_POST
def source_add(request: HttpRequest) -> HttpResponse:
    """Add files and a web page to the library, or to a form that is being filled in."""
    form = AddSourcesForm(request.POST, request.FILES)
    is_valid = form.is_valid()
    if is_valid and not any(form.cleaned_data.values()):
        form.add_error(None, _("Choose a file, or give a web address."))
        is_valid = False
    owner, payer = make_owner(request.session), payer_of(request)
    if not _wants_part(request):
        form.add_sources(owner=owner, payer=payer, is_kept=True)
        return redirect("library") if is_valid else _library_page(request, form, status=422)
    if not is_valid:
        return HttpResponse(" ".join(errors_of(form)), content_type="text/plain; charset=utf-8", status=422)
    added = form.add_sources(owner=owner, payer=payer)
    rows = sources_among(owner, [source.pk for source in added])
    return render(request, "detection/partials/_source_rows.html", {"rows": rows})


@require_POST
@own_source
def source_rename(request: HttpRequest, source: Source) -> HttpResponse:
    services.source_rename(source=source, name=request.POST.get("name", ""))
    return redirect("library")


@require_POST
@own_source
def source_keep(request: HttpRequest, source: Source) -> HttpResponse:
    services.source_keep(source=source)
    return redirect("library")


@require_POST
@own_source
def source_discard(request: HttpRequest, source: Source) -> HttpResponse:
    """Remove a source from a form."""
    services.source_discard(source=source)
    return HttpResponse(status=204)


@require_http_methods(["GET", "POST"])
@own_source
def source_delete(request: HttpRequest, source: Source) -> HttpResponse:
    """Ask for confirmation; on POST, delete."""
    if request.method == "POST":
        services.source_delete(source=source, with_checks=request.POST.get("with_checks") == "1")
        return redirect("library")
    checks = checks_that_use(source)
    return render(request, "detection/source_delete.html", {"source": source, "checks": checks})


def _wants_part(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))
