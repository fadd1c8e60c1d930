"""The protocol of LanguageTool: programs that accept another server address show our warnings and rewrites."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from itertools import chain
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from ..core.errors import DetectionError
from ..core.plain_text import find_unprintable
from ..core.run.pipeline import CheckRequest
from ..core.types import Finding, FindingKind, Sentence, SourceText, Strictness
from ..models import AccessKey
from ..selectors.access_keys import library_of_key
from . import server
from .access import Scope, basic_password_of, bearer_of, key_of, refuse_too_many_without_key
from .errors import DoorError, plain, response_of
from .positions import Utf16Offsets, utf16_length
from .replacing import replacements_of
from .report import Report, kind_label

#: The LanguageTool version that these answers imitate. Clients choose their requests by it.
_LIKE_VERSION = "6.5"
_LANGUAGES = {"en": "English", "en-US": "English (US)", "en-GB": "English (GB)"}
_CONTEXT_CHARS = 40
_CATEGORY = {"id": "CHATPROTECT", "name": "Made-up statements"}


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """The text to check, and the mapping of its offsets to those of the request.

    ``starts`` are the offsets in ``text`` at which a part begins; ``shifts`` are the numbers of UTF-16 units that the
    request has more than ``text`` before that part.
    """

    text: str
    starts: tuple[int, ...]
    shifts: tuple[int, ...]

    def sent_offset(self, units: int, offset: int, *, is_end: bool) -> int:
        """The offset in the request, in UTF-16 units. ``units`` is ``offset`` of ``text`` in UTF-16 units."""
        part = bisect_right(self.starts, offset - 1 if is_end else offset) - 1
        return units + self.shifts[max(part, 0)]


@csrf_exempt  # authenticated by key, not by cookie
async def check(request: HttpRequest) -> HttpResponse:
    """``POST /v2/check``. Nothing is stored."""
    try:
        if request.method != "POST":
            raise DoorError(405, "Send the text by POST.")
        form = _form_of(request)
        key = await sync_to_async(_key)(request, form)
        annotated = _text_of(form)
        language = _language_of(form.get("language", ""))
        strictness = Strictness.STRICT if form.get("level") == "picky" else Strictness.BALANCED
        library = await sync_to_async(library_of_key)(key) if key else ()
        report = await _report(annotated.text, library, key, strictness)
    except DoorError as error:
        return response_of(error, plain)
    except RequestDataTooBig:
        return response_of(DoorError(413), plain)
    except DetectionError as error:
        return response_of(DoorError(503, str(error)), plain)
    return JsonResponse(_answer(report, annotated, language, _Filter.of(form)))


def languages(request: HttpRequest) -> HttpResponse:
    """``GET /v2/languages``."""
    rows = [{"name": name, "code": "en", "longCode": code} for code, name in _LANGUAGES.items()]
    return JsonResponse(rows, safe=False)


def healthcheck(request: HttpRequest) -> HttpResponse:
    """``GET /v2/healthcheck``: the first request of many clients."""
    return HttpResponse("OK", content_type="text/plain")


async def _report(text: str, library: tuple[SourceText, ...], key: AccessKey | None, strictness: Strictness) -> Report:
    request = CheckRequest(text=text, sources=library, strictness=strictness)
    return await server.check(request, whose=f"languagetool {key.pk if key else ''}")


# --- What was sent --------------------------------------------------------------------------------------------------


def _form_of(request: HttpRequest) -> dict[str, str]:
    form = {name: str(value) for name, value in request.POST.items()}
    if not form:
        raise DoorError(400, "Missing 'text' or 'data' parameter. Send a form (application/x-www-form-urlencoded).")
    return form


def _key(request: HttpRequest, form: Mapping[str, str]) -> AccessKey | None:
    """The key in the form or in the header: programs without a field for a key accept "name:key@" in the address."""
    secret = form.get("apiKey", "").strip() or bearer_of(request) or basic_password_of(request)
    if secret:
        return key_of(request, Scope.WRITING_TOOLS, secret)
    refuse_too_many_without_key(request)
    return None


def _text_of(form: Mapping[str, str]) -> AnnotatedText:
    if ("text" in form) == ("data" in form):
        raise DoorError(400, "Set either 'text' or 'data', not both and not none.")
    found = _assembled(_pieces(form["data"]) if "data" in form else [(form["text"], "", "")])
    if len(found.text) > settings.MAX_TEXT_CHARS:
        raise DoorError(
            413,
            f"Your text exceeds the limit of {settings.MAX_TEXT_CHARS} characters "
            f"(it's {len(found.text)} characters). Please submit a shorter text.",
        )
    if (unprintable := find_unprintable(found.text)) is not None:
        raise DoorError(400, f"The text holds {unprintable}.")
    return found


#: A part of the request: text, markup, and the interpretation of the markup.
_Piece = tuple[str, str, str]


def _pieces(data: str) -> list[_Piece]:
    """A text with markup: ``{"annotation": [{"text": ...}, {"markup": ..., "interpretAs": ...}]}``."""
    try:
        parts = json.loads(data)["annotation"]
        return [
            (_string(part.get("text")), _string(part.get("markup")), _string(part.get("interpretAs"))) for part in parts
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DoorError(400, "'data' is no JSON object with a list 'annotation' of text and markup.") from error


def _assembled(pieces: Iterable[_Piece]) -> AnnotatedText:
    text, starts, shifts = [], [0], [0]
    sent = length = units = 0
    for own, markup, interpreted in chain.from_iterable(map(_without_carriage_returns, pieces)):
        sent += utf16_length(markup)
        length += len(interpreted)  # replaces the markup and is not in the request
        units += utf16_length(interpreted)
        starts.append(length)
        shifts.append(sent - units)
        text += [interpreted, own]
        length += len(own)
        sent += utf16_length(own)
        units += utf16_length(own)
    return AnnotatedText("".join(text), tuple(starts), tuple(shifts))


def _without_carriage_returns(piece: _Piece) -> Iterator[_Piece]:
    """The piece with CR LF as markup and one character, because clients count both characters."""
    own, markup, interpreted = piece
    first, *others = own.split("\r\n")
    yield first.replace("\r", "\n"), markup, interpreted
    for line in others:
        yield "\n" + line.replace("\r", "\n"), "\r", ""


def _string(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _language_of(code: str) -> str:
    if not code:
        raise DoorError(400, "Missing 'language' parameter, e.g. 'language=en-US' or 'language=auto'.")
    if code == "auto" or code.lower().partition("-")[0] == "en":
        return code if code in _LANGUAGES else "en-US"
    raise DoorError(400, f"'{code[:35]}' is not a language code known to this server. It reads English only.")


@dataclass(frozen=True, slots=True)
class _Filter:
    """The kinds of findings that the client wants, by the ids of rules."""

    disabled: frozenset[str]
    enabled: frozenset[str]
    is_enabled_only: bool

    @classmethod
    def of(cls, form: Mapping[str, str]) -> _Filter:
        def ids(name: str) -> frozenset[str]:
            return frozenset(filter(None, form.get(name, "").split(",")))

        if _CATEGORY["id"] in ids("disabledCategories"):
            return cls(frozenset(map(_rule_id, FindingKind)), frozenset(), False)
        is_only = form.get("enabledOnly") in ("true", "yes") and _CATEGORY["id"] not in ids("enabledCategories")
        return cls(ids("disabledRules"), ids("enabledRules"), is_only)

    def shows(self, finding: Finding) -> bool:
        rule = _rule_id(finding.kind)
        return rule in self.enabled if self.is_enabled_only else rule not in self.disabled


def _rule_id(kind: FindingKind) -> str:
    return f"CHATPROTECT_{kind.value.upper()}"


# --- The answer -----------------------------------------------------------------------------------------------------


def _answer(report: Report, annotated: AnnotatedText, language: str, wanted: _Filter) -> dict[str, Any]:
    units = Utf16Offsets(report.text)
    sentences = [checked.sentence for checked in report.sentences]
    named = {"name": _LANGUAGES[language], "code": language}
    return {
        "software": {
            "name": "LanguageTool",
            "version": _LIKE_VERSION,
            "buildDate": f"ChatProtect {version('chatprotect-web')}",
            "apiVersion": 1,
            "premium": False,
            "premiumHint": "",
            "status": "",
        },
        "warnings": {"incompleteResults": False},
        "language": {**named, "detectedLanguage": {**named, "confidence": 1.0, "source": "chatprotect"}},
        "matches": [
            _match(finding, sentences, annotated, units) for finding in report.findings if wanted.shows(finding)
        ],
        "sentenceRanges": [
            [_sent(annotated, units, sentence.start), _sent(annotated, units, sentence.end, is_end=True)]
            for sentence in sentences
        ],
    }


def _match(
    finding: Finding, sentences: list[Sentence], annotated: AnnotatedText, units: Utf16Offsets
) -> dict[str, Any]:
    replacements = replacements_of(finding, sentences)
    span, text = replacements.span, annotated.text
    start, end = _sent(annotated, units, span.start), _sent(annotated, units, span.end, is_end=True)
    before, after = max(0, span.start - _CONTEXT_CHARS), span.end + _CONTEXT_CHARS
    quotes = "".join(f" “{evidence.quote}”" for evidence in finding.evidence[:1])
    return {
        "message": f"{finding.message}{quotes}",
        "shortMessage": kind_label(finding.kind),
        "offset": start,
        "length": end - start,
        "replacements": [{"value": value} for value in replacements.texts],
        "context": {
            "text": text[before:after],
            "offset": utf16_length(text[before : span.start]),
            "length": utf16_length(text[span.start : span.end]),
        },
        "sentence": sentences[finding.sentence].text,
        "type": {"typeName": "Other"},
        "rule": {
            "id": _rule_id(finding.kind),
            "description": kind_label(finding.kind),
            "issueType": "inconsistency",
            "category": _CATEGORY,
        },
        "ignoreForIncompleteSentence": False,
        "contextForSureMatch": -1,
    }


def _sent(annotated: AnnotatedText, units: Utf16Offsets, offset: int, *, is_end: bool = False) -> int:
    return annotated.sent_offset(units.of(offset), offset, is_end=is_end)
