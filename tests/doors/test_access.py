"""Keys for other programs: shown once, stored hashed, with scopes and a rate limit, and revocable."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from detection import services
from detection.doors.api.routes import api as the_api
from detection.lab.benchmarks.server import Server
from detection.models import AccessKey
from detection.services.access_keys import MOST_KEYS
from detection.web.owners import SESSION_KEY
from tests.detection.addresses import DOORS
from tests.doors.conftest import Person
from tests.factories import OWNER

#: Public addresses that need no key.
OPEN = {"api/v1/docs", "api/v1/openapi.json", "v2/languages", "v2/healthcheck"}
#: Addresses that check texts without a key, like the pages, unless a login is required.
OPEN_WITHOUT_LOGIN = {"v2/check"}


def _routes(patterns: Any, prefix: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = f"{prefix}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern) and route.startswith(DOORS):
            yield route


ROUTES = sorted(set(_routes(get_resolver().url_patterns)))


def _path(route: str) -> str:
    no_such = "00000000-0000-4000-8000-000000000000"
    values = {"check_id": no_such, "source_id": no_such, "format_id": "json", "rest": "no/such"}
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda match: values[match[1]], route)


def _make(*scopes: str, owner: str = OWNER, rate: int = 600) -> str:
    return services.access_key_create(owner=owner, name="a program", scopes=scopes, requests_per_minute=rate)[1]


@pytest.mark.django_db
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("secret", ["", "cpk_no-such-key", "nul\0", "é"])
def test_nothing_opens_without_a_key(route: str, secret: str) -> None:
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    for method in ("get", "post", "delete", "put"):
        answer = getattr(Client(), method)(_path(route), headers=headers)
        if route in OPEN:
            assert answer.status_code in (200, 405)
        elif route in OPEN_WITHOUT_LOGIN:
            assert answer.status_code in (400, 405)
        else:
            assert answer.status_code in (401, 404, 405), (route, method)


@pytest.mark.django_db
@pytest.mark.parametrize("route", [route for route in ROUTES if route.startswith("api/") and route not in OPEN])
def test_every_refusal_of_the_api_is_a_problem(route: str) -> None:
    for method in ("get", "post", "patch"):
        answer = getattr(Client(), method)(_path(route))
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json()["status"] == answer.status_code
        assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_where_a_login_is_required_keys_of_browsers_open_nothing(settings: Any) -> None:
    secret = _make("read", "writing_tools")
    settings.REQUIRE_LOGIN = True
    headers = {"Authorization": f"Bearer {secret}"}
    assert Client().get("/api/v1/checks", headers=headers).status_code == 401
    assert Client().post("/v2/check", {"text": "A text.", "language": "en"}).status_code == 401


@pytest.mark.django_db
def test_the_secret_is_stored_nowhere() -> None:
    secret = _make("read")
    (row,) = AccessKey.objects.values()
    assert secret not in json.dumps(row, default=str)
    assert row["hint"] == secret[:8]
    assert len(secret) > 40


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("get", "/api/v1/checks", "read"),
        ("get", "/api/v1/sources", "read"),
        ("post", "/api/v1/checks", "write"),
        ("post", "/api/v1/sources", "write"),
        ("post", "/v2/check", "writing_tools"),
        ("get", "/guard/v1/models", "guard"),
        ("post", "/guard/v1/chat/completions", "guard"),
    ],
)
def test_a_key_opens_what_its_scope_says(method: str, path: str, scope: str) -> None:
    others = set(AccessKey.Scope.values) - {scope}
    answer = getattr(Client(), method)(path, {"text": "A."}, headers={"Authorization": f"Bearer {_make(*others)}"})
    assert answer.status_code == 403
    assert scope in answer.content.decode()
    answer = getattr(Client(), method)(path, {"text": "A."}, headers={"Authorization": f"Bearer {_make(scope)}"})
    assert answer.status_code not in (401, 403)


@pytest.mark.django_db
def test_a_key_has_a_rate_of_its_own(settings: Any) -> None:
    settings.THROTTLE = True
    slow, other = _make("read", rate=2), _make("read", rate=2)
    client = Client()
    statuses = [client.get("/api/v1/checks", headers={"Authorization": f"Bearer {slow}"}) for _ in range(3)]
    assert [answer.status_code for answer in statuses] == [200, 200, 429]
    assert statuses[-1]["Retry-After"] == "60"
    assert client.get("/api/v1/checks", headers={"Authorization": f"Bearer {other}"}).status_code == 200


@pytest.mark.django_db
def test_guesses_are_counted(settings: Any) -> None:
    settings.THROTTLE = True
    client = Client(REMOTE_ADDR="192.0.2.77")
    statuses = {
        client.get("/api/v1/checks", headers={"Authorization": f"Bearer cpk_{n}"}).status_code for n in range(40)
    }
    assert statuses == {401, 429}


@pytest.mark.django_db
def test_checks_of_others_are_not_there() -> None:
    check = services.check_create(owner="somebody-else", text="It is theirs.")
    source = services.source_add_text(owner="somebody-else", text="Theirs as well.", is_kept=True)
    client = Client(headers={"Authorization": f"Bearer {_make(*AccessKey.Scope.values)}"})
    for method, path, body in (
        ("get", f"checks/{check.pk}", None),
        ("get", f"checks/{check.pk}/events", None),
        ("get", f"checks/{check.pk}/exports/json", None),
        ("post", f"checks/{check.pk}/cancel", {}),
        ("post", f"checks/{check.pk}/decisions", {"action": "undo"}),
        ("delete", f"checks/{check.pk}", None),
        ("get", f"sources/{source.pk}", None),
        ("delete", f"sources/{source.pk}", None),
        ("post", "checks", {"text": "Mine.", "sources": [{"id": str(source.pk)}]}),
        ("post", "checks", {"text": "Mine.", "previous": str(check.pk)}),
    ):
        answer = getattr(client, method)(f"/api/v1/{path}", body, content_type="application/json")
        assert answer.status_code == 404, path
        assert "heirs" not in answer.content.decode()
    assert client.get("/api/v1/checks").json()["count"] == 0
    assert client.get("/api/v1/sources").json()["items"] == []


@pytest.mark.django_db
def test_a_browser_revokes_only_its_own_keys() -> None:
    secret = _make("read")
    stranger = Client()
    session = stranger.session
    session[SESSION_KEY] = "somebody-else"
    session.save()
    stranger.post("/settings/keys/revoke/", {"key": AccessKey.objects.get().pk})
    headers = {"Authorization": f"Bearer {secret}"}
    assert Client().get("/api/v1/checks", headers=headers).status_code == 200
    services.access_key_revoke(owner=OWNER, key_id=AccessKey.objects.get().pk)
    answer = Client().get("/api/v1/checks", headers=headers)
    assert answer.status_code == 401
    assert "revoked" in answer.json()["detail"]


@pytest.mark.django_db
def test_keys_go_along_and_go_with_their_owner() -> None:
    secret = _make("read")
    services.owner_move(owner=OWNER, to="another")
    assert AccessKey.objects.get().owner == "another"
    services.owner_delete(owner="another")
    answer = Client().get("/api/v1/checks", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 401


@pytest.mark.django_db
@pytest.mark.parametrize(
    "fields",
    [
        {"name": ""},
        {"name": "x" * 81},
        {"scopes": ()},
        {"scopes": ("everything",)},
        {"requests_per_minute": 0},
        {"requests_per_minute": 10_000},
    ],
)
def test_keys_that_make_no_sense_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(services.KeyRefused):
        services.access_key_create(**{"owner": OWNER, "name": "x", "scopes": ("read",), **fields})


@pytest.mark.django_db
def test_nobody_has_keys_without_end() -> None:
    for _ in range(MOST_KEYS):
        _make("read")
    with pytest.raises(services.KeyRefused, match="Revoke one"):
        _make("read")


@pytest.mark.django_db
def test_sources_of_others_are_no_library() -> None:
    theirs = services.source_add_text(owner="somebody-else", text="Theirs.", is_kept=True)
    key, _ = services.access_key_create(owner=OWNER, name="x", scopes=("read",), sources=(theirs.pk,))
    assert key.sources.count() == 0


def test_a_person_makes_and_revokes_a_key_on_the_settings_page(server: Server, person: Person) -> None:
    secret = person.make_key("read")
    headers = {"Authorization": f"Bearer {secret}"}
    address = f"{server.url}/api/v1/checks"
    assert httpx2.get(address, headers=headers, timeout=60).status_code == 200
    person.revoke(secret)
    assert httpx2.get(address, headers=headers, timeout=60).status_code == 401
    assert secret not in server.log.read_text()


def test_the_document_of_the_api_is_built_once() -> None:
    """It is public, and building it takes about a second of processor time."""
    assert the_api.get_openapi_schema() is the_api.get_openapi_schema(path_prefix="/api/v1/")


def test_the_schema_names_the_key() -> None:
    schemes = the_api.get_openapi_schema(path_prefix="")["components"]["securitySchemes"]
    assert [scheme["scheme"] for scheme in schemes.values()] == ["bearer"]
