"""The form that loads a check."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy


class CheckFileForm(forms.Form):
    """A check that was saved as JSON. ``exports.loading`` validates the content."""

    file = forms.FileField(
        allow_empty_file=True,
        error_messages=dict.fromkeys(("required", "invalid"), gettext_lazy("Choose a file first.")),
    )

    def clean_file(self) -> UploadedFile[Any]:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        size = file.size or 0
        if size > settings.MAX_CHECK_FILE_BYTES:
            limit = filesizeformat(settings.MAX_CHECK_FILE_BYTES)
            raise forms.ValidationError(
                _("The file has %(size)s; the limit is %(limit)s.") % {"size": filesizeformat(size), "limit": limit}
            )
        return file
