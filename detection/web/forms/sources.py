"""Forms for sources: several files at once, and web pages. Each refused file has a message; the others are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ...core.documents.formats import KIND_OF_SUFFIX
from ...models import Source
from ...services import source_add_file, source_add_page
from ...services.sources import clean_name

#: Most sources of a check.
MAX_SOURCES = 20
#: The suffixes that the file dialog offers. The content decides the actual format.
ACCEPTED_FILES = ",".join(KIND_OF_SUFFIX)


class SeveralFilesInput(forms.FileInput):
    allow_multiple_selected = True


class SeveralFilesField(forms.Field):
    """Any number of files. Empty and too large ones are refused by name; ``clean`` returns the others.

    Errors do not empty the field: a bad file must not discard the good ones.
    """

    widget = SeveralFilesInput

    def clean(self, value: Any) -> list[UploadedFile[Any]]:
        return list(value or ())


class AddSourcesForm(forms.Form):
    """Files and the address of a web page, which become sources."""

    uploads = SeveralFilesField(required=False)
    page = forms.URLField(
        required=False,
        max_length=2000,
        assume_scheme="https",
        error_messages={"invalid": gettext_lazy("Enter an address starting with https://.")},
    )

    def clean_uploads(self) -> list[UploadedFile[Any]]:
        """The valid files; the others are errors of the field."""
        taken = []
        for file in self.cleaned_data["uploads"]:
            problem = _problem_of(file)
            if problem:
                self.add_error(None, problem)
            else:
                taken.append(file)
        return taken

    def clean_page(self) -> str:
        url: str = self.cleaned_data["page"]
        if url and not url.startswith(("http://", "https://")):
            raise forms.ValidationError(_("Enter an address starting with https:// or http://."))
        return url

    def add_sources(self, *, owner: str, payer: str, is_kept: bool = False) -> list[Source]:
        """Add the valid sources, also those of a form that was refused for another reason."""
        sources = [
            source_add_file(
                owner=owner,
                payer=payer,
                name=file.name or "",
                data=file.read(),
                media_type=file.content_type or "",
                is_kept=is_kept,
            )
            for file in self.cleaned_data.get("uploads", ())
        ]
        if self.cleaned_data.get("page"):
            sources.append(source_add_page(owner=owner, payer=payer, url=self.cleaned_data["page"], is_kept=is_kept))
        return sources


def too_many_sources(count: int) -> str:
    return f"{count} sources are too many: a check compares with up to {MAX_SOURCES}. Take some out."


def errors_of(form: forms.Form) -> Sequence[str]:
    """The error messages of a form."""
    return [str(error) for errors in form.errors.values() for error in errors]


def _problem_of(file: UploadedFile[Any]) -> str:
    name, size = clean_name(file.name or ""), file.size or 0
    if size > settings.MAX_SOURCE_BYTES:
        limit = filesizeformat(settings.MAX_SOURCE_BYTES)
        return f"{name} has {filesizeformat(size)}; the limit is {limit}. Take the part that matters, or split it."
    if not size:
        return f"{name} is empty."
    return ""
