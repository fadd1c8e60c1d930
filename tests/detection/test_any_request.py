"""Malformed requests to every address cause no server error.

The tests check database parameters as well, because SQLite accepts values that are errors on PostgreSQL.
"""

from __future__ import annotations

import re
import string
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from detection import services
from detection.exports import FORMATS
from detection.models import Check, ShareLink, Source
from detection.web.owners import SESSION_KEY
from tests.detection.addresses import all_addresses, path_of
from tests.factories import OWNER, checked, finding, segment

pytestmark = pytest.mark.django_db

TEXTS = ("It was founded in 1894.", "It has two gates.")
YEAR = finding(segment(*TEXTS)[1], 0, "1894", TEXTS[0].replace("1894", "1849"))
FIELDS = [
    *("text", "source", "topic", "prompt", "wording", "name", "page", "sources", "id", "quote", "words", "show"),
    *("title", "reason", "question", "decision", "suggestion", "kind", "seen", "with_checks", "remove_unprintable"),
    *("strictness", "engine", "retriever", "search_effort", "validation", "api_key", "search_key", "costs"),
    *("most_documents", "example", "next", "username", "password", "csrfmiddlewaretoken"),
]

ODD_WORDS = (
    "0-0",
    "9-1",
    "-1",
    "1" * 30,
    "9" * 5_000,
    "NaN",
    "1e400",
    "\0",
    "a\0b",
    "\r\nX-Injected: 1",
    "../../x",
    "%00",
    "[]",
)
words = st.sampled_from(ODD_WORDS) | st.text(max_size=40) | st.text(string.printable, max_size=40)
fields = st.dictionaries(st.sampled_from(FIELDS), words | st.lists(words, max_size=3), max_size=6)
header_words = st.text(st.characters(codec="latin-1", exclude_characters="\r\n\0"), max_size=40)
HEADERS = (
    *("HX-Request", "HX-Target", "HX-Current-URL", "Accept-Language", "Origin", "Referer", "X-Request-ID", "Range"),
    "If-Modified-Since",
)
headers = st.dictionaries(st.sampled_from(HEADERS), header_words | st.just("true"), max_size=3)
bodies = st.binary(max_size=60) | st.sampled_from([b'{"a":' * 2_000, b"--b\r\n\r\n", b"text=%ff%fe%00&" * 20])
TYPES = (
    "application/json", "multipart/form-data; boundary=b", "multipart/form-data", "text/plain; charset=nonsense",
    "application/x-www-form-urlencoded; charset=utf-16", "",
)  # fmt: skip
METHODS = ("get", "post", "head", "put", "patch", "delete", "options", "trace")


@contextmanager
def postgresql_would_take_it() -> Iterator[None]:
    """Refuse values that only SQLite accepts: null characters, lone surrogates, numbers beyond 64 bits."""

    def look(execute: Callable[..., Any], sql: str, values: Any, many: bool, context: Any) -> Any:
        for value in (value for row in (values or ()) if many for value in row) if many else values or ():
            if isinstance(value, str):
                assert "\0" not in value, f"a null character in {value[:80]!r}"
                value.encode()
            if isinstance(value, int):
                assert -(2**63) <= value < 2**63
        return execute(sql, values, many, context)

    with connection.execute_wrapper(look):
        yield


def browser_with_check() -> tuple[Client, dict[str, object]]:
    """The browser of an owner of all objects in the addresses. Objects are recreated if a request has deleted them."""
    check = Check.objects.filter(owner=OWNER, findings__suggestions__isnull=False).first() or checked(TEXTS, [YEAR])
    source = Source.objects.filter(owner=OWNER).first() or services.source_add_text(owner=OWNER, text="It has a name.")
    services.share_create(check=check)
    found = check.findings.all()[0]
    client = Client(raise_request_exception=True)
    session = client.session
    session[SESSION_KEY] = OWNER
    session.save()
    return client, {
        "check_id": check.pk,
        "source_id": source.pk,
        "finding_id": found.pk,
        "suggestion_id": found.suggestions.all()[0].pk,
        "token": ShareLink.objects.all()[0].token,
        "index": 0,
        "block": 0,
        "format_id": "json",
    }


def assert_orderly(response: Any) -> None:
    assert response.status_code < 500
    for name, value in response.headers.items():
        assert not {*"\r\n\0"} & {*name, *value}


@pytest.mark.parametrize("value", ["a\0b", "9" * 5_000, "\u202e\ufffe\u2028"])
def test_odd_words_in_every_field_of_every_address_are_no_error(db: None, value: str) -> None:
    for name in all_addresses():
        for method in ("get", "post"):
            client, values = browser_with_check()
            headers = {"HX-Request": "true"} if method == "post" else {}
            with postgresql_would_take_it():
                response = getattr(client, method)(path_of(name, values), dict.fromkeys(FIELDS, value), headers=headers)
            assert_orderly(response)


@dataclass(frozen=True)
class Nonsense:
    """One request. Without ``fields`` it has a raw body."""

    name: str
    method: str
    fields: dict[str, str | list[str]] | None
    body: bytes
    media_type: str
    headers: dict[str, str]
    query: str
    number: int | None


nonsense = st.builds(
    Nonsense,
    name=st.sampled_from(sorted(all_addresses())),
    method=st.sampled_from(METHODS),
    fields=st.none() | fields,
    body=bodies,
    media_type=st.sampled_from(TYPES),
    headers=headers,
    query=st.text(string.printable, max_size=20),
    number=st.none() | st.integers(0, 2**70),
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(nonsense)
def test_no_request_is_an_error_of_the_server(db: None, request: Nonsense) -> None:
    client, values = browser_with_check()
    if request.number is not None:
        values |= dict.fromkeys(("finding_id", "suggestion_id", "index", "block"), request.number)
        values["source_id"] = uuid.UUID(int=request.number % 2**128)
    path = path_of(request.name, values)
    with postgresql_would_take_it():
        if request.fields is None:
            call = {"data": request.body, "content_type": request.media_type, "QUERY_STRING": request.query}
            response = client.generic(request.method.upper(), path, headers=request.headers, **call)
        elif request.method in ("get", "head", "post"):
            response = getattr(client, request.method)(path, request.fields, headers=request.headers)
        else:
            response = getattr(client, request.method)(path, query_params=request.fields, headers=request.headers)
    assert_orderly(response)


@pytest.mark.parametrize("value", ["abcdefgh\\000", "\\303\\050" * 4, "x" * 5_000, '"', "\\000" * 40])
def test_no_cookie_is_an_error_of_the_server(db: None, value: str) -> None:
    for name in ("chatprotect_session", "chatprotect_csrf", "messages", "sessionid"):
        with postgresql_would_take_it():
            client = Client(headers={"Cookie": f'{name}="{value}"'})
            assert_orderly(client.get("/checks/"))
            assert_orderly(client.post("/checks/new/", {"text": ""}))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.text(st.characters(exclude_characters="?#\0", exclude_categories=["Cs"]), max_size=60))
@example(path="checks/" + "a" * 10_000)
@example(path="static/../../../etc/passwd")
@example(path="static/%2e%2e/%2e%2e/etc/passwd")
@example(path="shared/\r\nX-Injected: 1/")
def test_no_address_is_an_error_of_the_server(db: None, path: str) -> None:
    assert_orderly(Client().get(f"/{path}"))


NAMES = (
    *(
        "../../../etc/passwd",
        "/etc/passwd",
        "C:\\Windows\\x.txt",
        "..\\..\\x.txt",
        "CON",
        "NUL.txt",
        "aux.",
        "",
        ".",
        "..",
    ),
    *(
        "a\0b.txt",
        "a\r\nX-Injected: 1.txt",
        "x" * 10_000 + ".txt",
        "\u202etxt.exe",
        "~root/.ssh/id",
        "$(id).txt",
        "`id`",
    ),
    *("-rf", "a/b/c", "%2e%2e%2fx", "name*=UTF-8''x", '"; filename="other.txt', "\ufffd.txt", "=1+1.txt"),
)


@pytest.mark.parametrize("field", ["uploads", "file"])
def test_names_of_files_are_words_and_nothing_else(db: None, field: str, tmp_path: Any, monkeypatch: Any) -> None:
    client, _ = browser_with_check()
    path = "/sources/add/" if field == "uploads" else "/checks/load/"
    monkeypatch.chdir(tmp_path)  # stray files would be written here, or above
    for number, name in enumerate(NAMES):
        file = SimpleUploadedFile("x", f"Number {number} and {field}.".encode(), content_type="text/plain")
        file._name = name  # Django's client would shorten it
        with postgresql_would_take_it():
            assert_orderly(client.post(path, {field: file}))
    assert list(tmp_path.iterdir()) == []
    for source in Source.objects.filter(kind=Source.Kind.FILE):
        assert source.name.isprintable() or "\u202e" in source.name
        assert 0 < len(source.name) <= 200
        assert_orderly(client.get(f"/sources/{source.pk}/"))


@pytest.mark.parametrize(
    "title", ["a\r\nX-Injected: 1", 'a"; filename="b.exe', "../../x", "\u202etxt.exe", "é" * 100, "-"]
)
def test_a_download_is_named_by_letters_and_nothing_else(db: None, title: str) -> None:
    client, values = browser_with_check()
    Check.objects.update(title=title)
    for export_format in FORMATS.values():
        response = client.get(path_of("check_export", {**values, "format_id": export_format.id}))
        assert_orderly(response)
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        name = unquote(re.findall(r"filename\*?=(?:utf-8''|\")([^\";]+)", response.headers["Content-Disposition"])[0])
        assert re.fullmatch(r"checked-[\w-]+", name.removesuffix(export_format.suffix)), name
