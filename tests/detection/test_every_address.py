"""Every address refuses other visitors, other sites and users without permission."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from detection import services
from detection.models import Check, Decision, ShareLink, Source
from detection.web.live.routing import websocket_urlpatterns
from detection.web.owners import SESSION_KEY
from tests.detection.addresses import ACCESS, WEBSOCKETS, Access, all_addresses, path_of
from tests.factories import OWNER, checked, finding, segment

pytestmark = pytest.mark.django_db

SECRET = "Quetzalcoatl"
TEXTS = (f"{SECRET} was founded in 1894.", "It has two gates.")
METHODS = ("get", "head", "post", "put", "patch", "delete", "options")
CHANGING = ("post", "put", "patch", "delete")


@dataclass(frozen=True)
class Possessions:
    """The objects of a visitor, as form fields and address parameters; they are read once."""

    check: Check
    source: Source

    @cached_property
    def in_addresses(self) -> dict[str, object]:
        found = self.check.findings.all()[0]
        return {
            "check_id": self.check.pk,
            "source_id": self.source.pk,
            "index": 0,
            "block": 0,
            "format_id": "json",
            "finding_id": found.pk,
            "suggestion_id": found.suggestions.all()[0].pk,
            "token": "no-such-token",
        }

    @cached_property
    def in_forms(self) -> dict[str, object]:
        values = self.in_addresses
        decision = self.check.decisions.first()
        return {
            "sources": values["source_id"],
            "id": values["source_id"],
            "suggestion": values["suggestion_id"],
            "decision": decision.pk if decision else 0,
            "title": "Mine now", "name": "Mine now", "text": "Mine now.", "wording": "Mine now.", "with_checks": "1",
            "question": "Mine now?", "reason": "Mine now.",
        }  # fmt: skip


def possess(owner: str, texts: tuple[str, ...] = TEXTS) -> Possessions:
    _, sentences = segment(*texts)
    found = [
        finding(sentences, 0, "1894", texts[0].replace("1894", "1849")),
        finding(sentences, 1, "two", "It has three gates."),
    ]
    check = checked(texts, found, owner=owner)
    services.finding_reject(check=check, finding_id=check.findings.all()[1].pk, reason=f"{SECRET} is right")
    services.share_create(check=check)
    source = services.source_add_text(owner=owner, text=f"{texts[0]} says the source.", is_kept=True)
    services.api_key_keep(owner=owner, key=f"sk-{SECRET}")
    check.refresh_from_db()
    return Possessions(check, source)


def visitor(owner: str, **options: bool) -> Client:
    client = Client(**options)  # type: ignore[arg-type]
    session = client.session
    session[SESSION_KEY] = owner
    session.save()
    return client


def everything() -> dict[tuple[str, Any], dict[str, Any]]:
    """All rows of the application."""
    return {
        (model.__name__, row[model._meta.pk.attname]): row
        for model in apps.get_app_config("detection").get_models()
        for row in model._default_manager.values()
    }


def send(client: Client, method: str, path: str, fields: dict[str, object], **headers: str) -> HttpResponse:
    call: Callable[..., HttpResponse] = getattr(client, method)
    if method in ("put", "patch", "delete"):
        body = "&".join(f"{name}={value}" for name, value in fields.items())
        return call(path, body, content_type="application/x-www-form-urlencoded", headers=headers)
    return call(path, fields, headers=headers)


def test_it_is_decided_for_every_address_who_it_is_for() -> None:
    assert set(all_addresses()) == set(ACCESS)
    assert {str(pattern.pattern) for pattern in websocket_urlpatterns} == set(WEBSOCKETS)
    for name, route in all_addresses().items():
        assert ("check_id" in route) == (ACCESS[name] is Access.CHECK), name
        assert ("source_id" in route) == (ACCESS[name] is Access.SOURCE), name


def test_another_visitor_sees_nothing_and_changes_nothing() -> None:
    mine = possess(OWNER)
    before = everything()
    for name in all_addresses():
        stranger = visitor("somebody-else")
        # The link opens nothing else.
        assert stranger.get(f"/shared/{ShareLink.objects.get().token}/").status_code == 200
        for method in METHODS:
            response = send(stranger, method, path_of(name, mine.in_addresses), mine.in_forms)
            if ACCESS[name] in (Access.CHECK, Access.SOURCE):
                assert response.status_code in (404, 405), (name, method)
            assert SECRET not in response.content.decode(), (name, method)
        assert before.items() <= everything().items(), name


def test_an_own_check_opens_nothing_of_others() -> None:
    """The check in the address is the visitor's, and all other objects belong to another visitor."""
    theirs, own = possess(OWNER), possess("somebody-else", ("It was founded in 1894.", "It has two gates."))
    rows = _rows_of(own)
    before = {row: values for row, values in everything().items() if row not in rows}
    for name in (name for name in all_addresses() if ACCESS[name] is Access.CHECK):
        stranger = visitor("somebody-else")
        path = path_of(name, {**theirs.in_addresses, "check_id": own.check.pk})
        for method in ("get", "post"):
            with transaction.atomic():
                response = send(stranger, method, path, theirs.in_forms)
                assert TEXTS[0] not in response.content.decode(), (name, method)
                assert before.items() <= everything().items(), (name, method)
                transaction.set_rollback(True)


def _rows_of(own: Possessions) -> set[tuple[str, Any]]:
    """The rows of a check and a source, through all relations."""
    found: set[tuple[str, Any]] = {("Check", own.check.pk), ("Source", own.source.pk)}
    for _ in range(4):
        keys = {pk for _, pk in found}
        found |= {
            row
            for row, values in everything().items()
            if any(value in keys for name, value in values.items() if name.endswith("_id"))
        }
    return found


def test_nothing_is_changed_without_the_token_of_a_form() -> None:
    mine = possess(OWNER)
    before = everything()
    for name in all_addresses():
        strict = visitor(OWNER, enforce_csrf_checks=True)
        for method in CHANGING:
            response = send(strict, method, path_of(name, mine.in_addresses), mine.in_forms)
            assert response.status_code in (403, 405), (name, method)
    assert everything() == before


def test_nothing_is_changed_for_a_page_of_another_site() -> None:
    """Not even if that site has a valid token."""
    mine = possess(OWNER)
    before = everything()
    for name in all_addresses():
        strict = visitor(OWNER, enforce_csrf_checks=True)
        strict.get("/")
        fields = {**mine.in_forms, "csrfmiddlewaretoken": strict.cookies["chatprotect_csrf"].value}
        for origin in ("https://evil.example", "null", "http://testserver.evil.example", "http://testserver:8001"):
            response = send(strict, "post", path_of(name, mine.in_addresses), fields, Origin=origin)
            assert response.status_code in (403, 405), (name, origin)
    assert everything() == before


def test_a_page_of_ours_is_let_in_with_its_token() -> None:
    """Ensures that the refusals of the two tests above have no other reason."""
    mine = possess(OWNER)
    strict = visitor(OWNER, enforce_csrf_checks=True)
    strict.get("/")
    fields = {"csrfmiddlewaretoken": strict.cookies["chatprotect_csrf"].value}
    path = path_of("undo", mine.in_addresses)
    assert send(strict, "post", path, fields, Origin="http://testserver").status_code == 302
    assert Decision.objects.filter(undone_at=None).count() == 0


def test_where_a_login_is_required_every_address_asks_for_it(settings: Any) -> None:
    mine = possess(OWNER)
    settings.REQUIRE_LOGIN = True
    before = everything()
    for name in set(all_addresses()) - {"login", "shared", "logout"}:
        guest = visitor(OWNER)  # with a session from before a login was required
        for method in ("get", "post"):
            response = send(guest, method, path_of(name, mine.in_addresses), mine.in_forms)
            assert response.headers.get("Location", "").startswith("/accounts/login/"), (name, method)
    assert everything() == before


@pytest.mark.parametrize("who", ["nobody", "somebody with an account"])
def test_the_administration_is_for_operators(who: str, client: Client) -> None:
    possess(OWNER)
    if who != "nobody":
        client.force_login(User.objects.create_user("ada"))
    before = everything()
    for pattern in admin.site.get_urls():
        path = "/admin/" + str(pattern.pattern).replace("<path:object_id>", str(Check.objects.get().pk))
        for method in ("get", "post"):
            response = send(client, method, path.replace("<int:content_type_id>", "1").split("(", 1)[0], {})
            assert response.status_code in (200, 301, 302, 404, 405), path
            assert response.status_code != 200 or "id_password" in response.content.decode(), path
            assert SECRET not in response.content.decode()
    assert everything() == before


def test_no_page_is_kept_by_who_should_not_or_shown_by_another_site() -> None:
    mine = possess(OWNER)
    owner = visitor(OWNER)
    values = {**mine.in_addresses, "token": ShareLink.objects.get().token}
    for name in all_addresses():
        for method in ("get", "post"):
            with transaction.atomic():
                response = send(owner, method, path_of(name, values), {} if name == "logout" else mine.in_forms)
                transaction.set_rollback(True)
            kept = {part.strip() for part in response.headers["Cache-Control"].split(",")}
            assert "private" in kept, (name, method)
            assert {"no-store", "no-cache"} & kept, (name, method)
            is_found = response.status_code == 200 and ACCESS[name] in (Access.CHECK, Access.SOURCE, Access.LINK)
            assert "no-store" in kept or not is_found, (name, method)
            assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
            assert response.headers["X-Frame-Options"] == "DENY"
            assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
            assert response.headers["Referrer-Policy"] in ("same-origin", "no-referrer")


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "testserver:80@evil.example", "a\tb"])
def test_a_name_that_is_not_ours_is_no_name_of_a_page(client: Client, host: str) -> None:
    for headers in ({"Host": host}, {"Host": "testserver", "X-Forwarded-Host": host, "Forwarded": f"host={host}"}):
        response = client.get("/accounts/login/", headers=headers)
        assert response.status_code == (400 if headers["Host"] == host else 200)
        assert host not in response.content.decode()
