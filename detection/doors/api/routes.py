"""The operations of the API: authenticate, call a service, return the result."""

from __future__ import annotations

import asyncio
import json
import logging
from functools import cache
from typing import Annotated, Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.exceptions import ValidationError as FieldsRefused
from django.db import OperationalError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from ninja import Body, File, NinjaAPI, Query, Status
from ninja.errors import HttpError
from ninja.errors import ValidationError as BodyRefused
from ninja.files import UploadedFile
from ninja.security import HttpBearer
from pydantic import WithJsonSchema

from ... import services, wiring
from ...core.errors import DetectionError
from ...core.types import Engine
from ...exports import FORMATS
from ...models import AccessKey, Check, Source
from ...selectors.checks import check_of_owner
from ...selectors.detail import CheckDetail
from ...selectors.history import checks_of_owner
from ...selectors.sources import source_of_owner, sources_of_owner
from ...services.sources import clean_name
from .. import server
from ..access import Scope, bearer_of, key_of, payer_of_key
from ..comparison import compare
from ..errors import DoorError, problem, response_of
from .following import follow
from .schemas import (
    AcceptIn,
    BatchIn,
    CheckIn,
    CheckList,
    CheckOut,
    CheckRow,
    DecisionIn,
    EditIn,
    FileSourceIn,
    KnownSourceIn,
    NewSourceIn,
    PairIn,
    PairOut,
    Problem,
    ReopenIn,
    SourceIn,
    SourceList,
    SourceOut,
    TextSourceIn,
    TurnDownIn,
)
from .views import check_out, new_check_out, source_out

logger = logging.getLogger(__name__)


class _File(UploadedFile):
    """The document says that an empty file is refused."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: Any) -> dict[str, Any]:
        return {"type": "string", "format": "binary", "minLength": 1}


FormatId = Annotated[str, WithJsonSchema({"type": "string", "enum": list(FORMATS)})]

_FIRST_PROBLEM = 400
_PROBLEMS = frozenset({400, 401, 403, 404, 405, 409, 413, 422, 429, 503})


class KeyWithScope(HttpBearer):
    """Requires a key with the scope of the operation."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self._scope = scope

    def __call__(self, request: HttpRequest) -> AccessKey:
        return self.authenticate(request, bearer_of(request))

    def authenticate(self, request: HttpRequest, token: str) -> AccessKey:
        return key_of(request, self._scope, token)


_READ, _WRITE = KeyWithScope(Scope.READ), KeyWithScope(Scope.WRITE)


class _Api(NinjaAPI):
    """Names operations by their functions, and documents the format of problems."""

    def get_openapi_operation_id(self, operation: Any) -> str:
        return str(operation.view_func.__name__)

    def get_openapi_schema(self, *, path_prefix: str | None = None, path_params: Any = None) -> Any:
        """Built once in a process: it takes a second of processor time, and anybody may request it."""
        return self._schema_at(self.get_root_path(path_params or {}) if path_prefix is None else path_prefix)

    @cache  # noqa: B019 - there is one API, which lives as long as the process
    def _schema_at(self, path_prefix: str) -> Any:
        schema = super().get_openapi_schema(path_prefix=path_prefix)
        for methods in schema["paths"].values():
            for operation in methods.values():
                answers = {int(status): answer for status, answer in operation["responses"].items()}
                for status, answer in answers.items():
                    if status >= _FIRST_PROBLEM and "content" in answer:
                        answer["content"] = {"application/problem+json": answer["content"].pop("application/json")}
                operation["responses"] = {str(status): answers[status] for status in sorted(answers)}
        return schema


api = _Api(
    title="ChatProtect",
    version="1",
    description="Finds made-up statements in texts that language models wrote. Offsets count code points.",
    urls_namespace="api",
    docs_url="/docs",
    openapi_url="/openapi.json",
)


def _with_problems(good: dict[int, Any]) -> dict[Any, Any]:
    return {**good, _PROBLEMS: Problem}


# --- Checks ---------------------------------------------------------------------------------------------------------


@api.post("/checks", auth=_WRITE, response=_with_problems({202: CheckOut}), tags=["checks"])
def start_check(request: HttpRequest, body: CheckIn) -> Any:
    """Start a check. Follow it by its events, or read it until its state is done."""
    key = _key(request)
    payer = payer_of_key(request, key)
    _refuse_long(body.text, settings.MAX_TEXT_CHARS, "text")
    if body.engine is Engine.LLM and not wiring.has_language_model():
        raise DoorError(422, "No language model is set up here. Use the engine “local”.")
    previous = _check(request, body.previous) if body.previous else None
    with transaction.atomic():  # a refused check must leave no sources
        check = services.check_create(
            owner=key.owner,
            payer=payer,
            text=body.text,
            sources=[_source_in(source, owner=key.owner, payer=payer) for source in body.sources],
            topic=body.topic,
            strictness=body.strictness,
            engine=body.engine,
            detectors=body.detectors,
            previous=previous,
        )
    return Status(202, new_check_out(check))


@api.get("/checks", auth=_READ, response=_with_problems({200: CheckList}), tags=["checks"])
def list_checks(
    request: HttpRequest,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    offset: Annotated[int, Query(ge=0, le=2**31)] = 0,
) -> CheckList:
    """Your checks, newest first."""
    found = checks_of_owner(_key(request).owner)
    rows = [
        CheckRow(
            id=row.id,
            title=row.title,
            state=row.state,
            created_at=row.created_at,
            previous=row.previous,
            sentences=row.sentences,
            findings=row.findings,
        )
        for row in found[offset : offset + limit]
    ]
    return CheckList(items=rows, count=len(found))


@api.get("/checks/{uuid:check_id}", auth=_READ, response=_with_problems({200: CheckOut}), tags=["checks"])
def read_check(request: HttpRequest, check_id: UUID) -> CheckOut:
    """A check with everything that was found so far."""
    return check_out(_check(request, check_id))


@api.get(
    "/checks/{uuid:check_id}/events",
    auth=_READ,
    response=_with_problems({}),
    tags=["checks"],
    openapi_extra={
        "responses": {
            200: {
                "description": "Events as docs/events.md lists them, and “end” last. Send Last-Event-ID to go on.",
                "content": {"text/event-stream": {"schema": {"type": "string"}}},
            }
        }
    },
)
def follow_check(
    request: HttpRequest, check_id: UUID, since: Annotated[int, Query(ge=0, le=2**31)] = 0
) -> HttpResponse:
    """Follow a check, as server-sent events, until it has ended."""
    check = _check(request, check_id)
    last = request.headers.get("Last-Event-ID", "")
    return follow(check.pk, int(last) if last.isascii() and last.isdigit() and len(last) < 10 else since)  # type: ignore[return-value]


@api.post("/checks/{uuid:check_id}/cancel", auth=_WRITE, response=_with_problems({202: CheckOut}), tags=["checks"])
def cancel_check(request: HttpRequest, check_id: UUID) -> Any:
    """Stop a check. What was found by then stays."""
    check = _check(request, check_id)
    services.check_cancel(check=check)
    check.refresh_from_db()
    return Status(202, check_out(check))


@api.post("/checks/{uuid:check_id}/decisions", auth=_WRITE, response=_with_problems({200: CheckOut}), tags=["checks"])
def decide(request: HttpRequest, check_id: UUID, body: Annotated[DecisionIn, Body(...)]) -> CheckOut:
    """Accept, edit, reject, dismiss, reopen; accept all; undo, redo."""
    check = _check(request, check_id)
    _decide(check, body)
    check.refresh_from_db()
    return check_out(check)


@api.get(
    "/checks/{uuid:check_id}/exports/{format_id}",
    auth=_READ,
    response=_with_problems({}),
    tags=["checks"],
    openapi_extra={
        "responses": {
            200: {
                "description": "The file.",
                "content": {format_.media_type.partition(";")[0]: {} for format_ in FORMATS.values()},
            }
        }
    },
)
def export_check(
    request: HttpRequest,
    check_id: UUID,
    format_id: FormatId,
) -> HttpResponse:
    """A check as a file."""
    check = _check(request, check_id)
    if format_id not in FORMATS:
        raise DoorError(404, f"There is no format {format_id!r}; there are {', '.join(FORMATS)}.")
    format_ = FORMATS[format_id]
    response = HttpResponse(format_.write(CheckDetail(check)), content_type=format_.media_type)
    response["Content-Disposition"] = content_disposition_header(True, format_.file_name(check))
    return response


@api.delete("/checks/{uuid:check_id}", auth=_WRITE, response=_with_problems({204: None}), tags=["checks"])
def delete_check(request: HttpRequest, check_id: UUID) -> Any:
    """Delete a check with everything that belongs to it."""
    services.check_delete(check=_check(request, check_id))
    return Status(204, None)


# --- Sources --------------------------------------------------------------------------------------------------------


@api.get("/sources", auth=_READ, response=_with_problems({200: SourceList}), tags=["sources"])
def list_sources(request: HttpRequest) -> SourceList:
    """Your sources, newest first."""
    return SourceList(items=list(map(source_out, sources_of_owner(_key(request).owner))))


@api.post("/sources", auth=_WRITE, response=_with_problems({201: SourceOut}), tags=["sources"])
def add_source(request: HttpRequest, body: Annotated[NewSourceIn, Body(...)]) -> Any:
    """Add a source that many checks may use. A file is read in the background; its state says how that went."""
    key = _key(request)
    source = _source_in(body, owner=key.owner, payer=payer_of_key(request, key), is_kept=True)
    return Status(201, source_out(source))


@api.post("/sources/files", auth=_WRITE, response=_with_problems({201: SourceOut}), tags=["sources"])
def add_source_file(request: HttpRequest, file: Annotated[_File, File(...)]) -> Any:
    """Add a source as an uploaded file (multipart/form-data): for files too large for Base64."""
    _refuse_large(file.size or 0)
    key = _key(request)
    source = services.source_add_file(
        owner=key.owner,
        payer=payer_of_key(request, key),
        name=clean_name(file.name or ""),
        data=file.read(),
        media_type=file.content_type or "",
        is_kept=True,
    )
    return Status(201, source_out(source))


@api.get("/sources/{uuid:source_id}", auth=_READ, response=_with_problems({200: SourceOut}), tags=["sources"])
def read_source(request: HttpRequest, source_id: UUID) -> SourceOut:
    """A source, and how far it is read."""
    return source_out(_source(_key(request), source_id))


@api.delete("/sources/{uuid:source_id}", auth=_WRITE, response=_with_problems({204: None}), tags=["sources"])
def delete_source(request: HttpRequest, source_id: UUID) -> Any:
    """Delete a source with its text. Checks that used it keep what they quote."""
    services.source_delete(source=_source(_key(request), source_id))
    return Status(204, None)


# --- Pairs ----------------------------------------------------------------------------------------------------------


@api.post("/pairs", auth=_READ, response=_with_problems({200: PairOut}), tags=["pairs"])
def compare_pair(request: HttpRequest, body: PairIn) -> Any:
    """Compare two statements, or a claim with a sentence of a source. Nothing is stored."""
    return asyncio.run(compare(server.checker().models, body.first, body.second, body.topic)).as_json()


# --- Helpers --------------------------------------------------------------------------------------------------------


def _key(request: HttpRequest) -> AccessKey:
    key: AccessKey = request.auth  # type: ignore[attr-defined]  # ninja sets it
    return key


def _check(request: HttpRequest, check_id: UUID) -> Check:
    check = check_of_owner(check_id, _key(request).owner)
    if check is None:
        raise DoorError(404)
    return check


def _source(key: AccessKey, source_id: UUID) -> Source:
    source = source_of_owner(source_id, key.owner)
    if source is None:
        raise DoorError(404, f"There is no source {source_id}, or it is not yours.")
    return source


def _source_in(source: SourceIn, *, owner: str, payer: str, is_kept: bool = False) -> Source:
    match source:
        case TextSourceIn():
            _refuse_long(source.text, settings.MAX_SOURCE_CHARS, "source")
            return services.source_add_text(owner=owner, payer=payer, text=source.text, is_kept=is_kept)
        case FileSourceIn():
            data, name = source.file.data, clean_name(source.file.name)
            _refuse_large(len(data))
            return services.source_add_file(owner=owner, payer=payer, name=name, data=data, is_kept=is_kept)
        case KnownSourceIn():
            known = source_of_owner(source.id, owner)
            if known is None:
                raise DoorError(404, f"There is no source {source.id}, or it is not yours.")
            return known


def _refuse_long(text: str, most: int, what: str) -> None:
    if len(text) > most:
        raise DoorError(413, f"The {what} has {len(text):,} characters; the limit is {most:,}.")


def _refuse_large(size: int) -> None:
    if size > settings.MAX_SOURCE_BYTES:
        raise DoorError(413, f"The file has {size:,} bytes; the limit is {settings.MAX_SOURCE_BYTES:,}.")
    if not size:
        raise DoorError(422, "The file is empty.")


def _decide(check: Check, body: DecisionIn) -> None:
    match body:
        case AcceptIn():
            services.suggestion_accept(check=check, suggestion_id=body.suggestion)
        case EditIn():
            services.finding_edit(check=check, finding_id=body.finding, wording=body.wording)
        case TurnDownIn(action="reject"):
            services.finding_reject(check=check, finding_id=body.finding, reason=body.reason)
        case TurnDownIn():
            services.finding_dismiss(check=check, finding_id=body.finding, reason=body.reason)
        case ReopenIn():
            services.finding_reopen(check=check, finding_id=body.finding)
        case BatchIn(action="accept_all"):
            services.findings_accept_all(check=check)
        case BatchIn(action="undo"):
            services.decision_undo(check=check)
        case BatchIn():
            services.decision_redo(check=check)


# --- Errors ---------------------------------------------------------------------------------------------------------


@api.exception_handler(DoorError)
def _refused(request: HttpRequest, error: Any) -> HttpResponse:
    return response_of(error, problem)


@api.exception_handler(BodyRefused)
def _body_refused(request: HttpRequest, error: Any) -> HttpResponse:
    errors = [{"at": [str(part) for part in one["loc"]], "reason": one["msg"]} for one in error.errors]
    said = "; ".join(f"{'.'.join(one['at'][1:])}: {one['reason']}" for one in errors[:3])
    return response_of(DoorError(422, said, {"errors": errors}), problem)


@api.exception_handler(HttpError)
def _http_error(request: HttpRequest, error: Any) -> HttpResponse:
    return response_of(DoorError(error.status_code, str(error)), problem)


@api.exception_handler(Http404)
def _not_found(request: HttpRequest, error: Any) -> HttpResponse:
    return response_of(DoorError(404), problem)


@api.exception_handler(services.DecisionImpossible)
def _impossible(request: HttpRequest, error: Any) -> HttpResponse:
    return response_of(DoorError(409, str(error)), problem)


@api.exception_handler(services.TooMuch)
def _too_much(request: HttpRequest, error: Any) -> HttpResponse:
    return response_of(DoorError(429, str(error), retry_after=60), problem)


@api.exception_handler(FieldsRefused)
def _fields_refused(request: HttpRequest, error: Any) -> HttpResponse:
    return response_of(DoorError(422, "; ".join(error.messages)), problem)


@api.exception_handler(DetectionError)
def _failed(request: HttpRequest, error: Any) -> HttpResponse:
    return response_of(DoorError(503, str(error), retry_after=10), problem)


@api.exception_handler(RequestDataTooBig)
def _too_big(request: HttpRequest, error: Any) -> HttpResponse:
    return response_of(DoorError(413), problem)


@api.exception_handler(OperationalError)
def _not_stored(request: HttpRequest, error: Any) -> HttpResponse:
    logger.error("nothing can be stored: %s", str(error).partition("\n")[0])
    return response_of(DoorError(503, retry_after=60), problem)


def schema_as_json() -> str:
    """The OpenAPI document, as stored in the repository."""
    return json.dumps(api.get_openapi_schema(path_prefix="/api/v1/"), indent=2, ensure_ascii=False) + "\n"
