"""A file instead of the text of a form."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, QueryDict
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from ...core.errors import UnreadableDocument
from ...services import text_of_file
from ...services.sources import clean_name

FIELD = "text_file"


class TextFileRefused(Exception):
    """The file cannot be used as text. The message is for the reader."""


def text_of_upload(file: UploadedFile[Any]) -> str:
    """The text of an uploaded file. Raises ``TextFileRefused``."""
    name = clean_name(file.name or "")
    if (file.size or 0) > settings.MAX_SOURCE_BYTES:
        limit = filesizeformat(settings.MAX_SOURCE_BYTES)
        raise TextFileRefused(
            _("%(name)s is larger than %(limit)s. Take the part that matters.") % {"name": name, "limit": limit}
        )
    try:
        return text_of_file(name=name, data=file.read(), media_type=file.content_type or "")
    except UnreadableDocument as error:
        raise TextFileRefused(str(error)) from error


def posted_with_text_of_file(request: HttpRequest) -> tuple[QueryDict, str]:
    """The posted fields with the text of the chosen file, and why that file was refused ("" if it was not)."""
    file = request.FILES.get(FIELD)
    if file is None:
        return request.POST, ""
    if request.POST.get("text", "").strip():
        return request.POST, _("There is a text and a file. Keep one of them.")
    data = request.POST.copy()
    try:
        data["text"] = text_of_upload(file)
    except TextFileRefused as refusal:
        return data, str(refusal)
    return data, ""
