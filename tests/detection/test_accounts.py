"""Accounts: ownership, login and deletion."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from chatprotect_web.asgi import application
from detection import services
from detection.models import ApiKey, Check, Source
from detection.web.live import consumers
from detection.web.owners import SESSION_KEY, owner_of, owner_of_account, valid_owner_of
from tests.factories import checked, segment
from tests.waiting import PATIENCE_S

TEXTS = ("It was founded in 1894.", "It has two gates.")
PASSWORD = "correct horse battery staple"
OTHER_OWNER = "owner-before-the-login"


@pytest.fixture
def user() -> User:
    return User.objects.create_user("ada", password=PASSWORD)


def _log_in(client: Client) -> int:
    return client.post("/accounts/login/", {"username": "ada", "password": PASSWORD}).status_code


@pytest.mark.django_db
def test_what_was_made_before_a_login_goes_along_to_every_browser(client: Client, user: User) -> None:
    client.post("/checks/new/", {"text": TEXTS[0], "source": "It was founded in 1849."})
    check = Check.objects.get()
    assert _log_in(client) == 302
    elsewhere = Client()
    assert elsewhere.get(f"/checks/{check.pk}/").status_code == 404
    assert _log_in(elsewhere) == 302
    assert [browser.get(f"/checks/{check.pk}/").status_code for browser in (client, elsewhere)] == [200, 200]
    assert Source.objects.get().owner == owner_of_account(user)


@pytest.mark.django_db
def test_a_source_that_the_account_has_already_is_not_there_twice(user: User) -> None:
    account = owner_of_account(user)
    mine = services.source_add_text(owner=account, text="It was founded in 1849.")
    same = services.source_add_text(owner=OTHER_OWNER, text="It was founded in 1849.")
    check = services.check_create(owner=OTHER_OWNER, text=segment(*TEXTS)[0], sources=[same])
    services.owner_move(owner=OTHER_OWNER, to=account)
    assert Source.objects.get() == mine
    assert [use.source for use in check.sources.all()] == [mine]


@pytest.mark.django_db
def test_after_logging_out_nothing_is_there_any_more(client: Client, user: User) -> None:
    _log_in(client)
    check = checked(TEXTS, owner=owner_of_account(user))
    assert client.get(f"/checks/{check.pk}/").status_code == 200
    client.post("/accounts/logout/")
    assert client.get(f"/checks/{check.pk}/").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("change", ["shut", "other password", "deleted"])
def test_the_session_of_an_account_that_may_not_come_in_ends(client: Client, user: User, change: str) -> None:
    _log_in(client)
    check = checked(TEXTS, owner=owner_of_account(user))
    if change == "shut":
        User.objects.update(is_active=False)
    elif change == "other password":
        user.set_password("another horse")
        user.save()
    else:
        user.delete()
    assert client.get(f"/checks/{check.pk}/").status_code == 404
    assert owner_of(client.session) == ""


@pytest.mark.django_db
def test_where_a_login_is_required_nothing_else_is_shown(client: Client, user: User, settings: Settings) -> None:
    client.post("/checks/new/", {"text": TEXTS[0]})
    check = Check.objects.get()
    settings.REQUIRE_LOGIN = True
    for path in ("/", "/checks/", f"/checks/{check.pk}/", "/sources/", f"/checks/{check.pk}/exports/text/"):
        assert client.get(path).headers["Location"].startswith("/accounts/login/?next=")
    part = client.post(f"/checks/{check.pk}/undo/", headers={"HX-Request": "true"})
    assert part.headers["HX-Redirect"] == "/accounts/login/"
    assert _log_in(client) == 302
    assert client.get(f"/checks/{check.pk}/").status_code == 200


@pytest.mark.django_db(transaction=True)
async def test_an_open_page_hears_nothing_after_its_account_has_logged_out(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "OWNERSHIP_INTERVAL_S", 0.1)
    made = await sync_to_async(_logged_in_with_check)()
    socket = WebsocketCommunicator(
        application,
        f"/ws/checks/{made.check.pk}/?since={made.check.last_seq}",
        headers=[(b"cookie", made.cookie), (b"origin", b"http://localhost"), (b"host", b"localhost")],
    )
    assert (await socket.connect())[0]
    assert await socket.receive_nothing(timeout=0.3)
    await sync_to_async(made.client.post)("/accounts/logout/")
    assert (await socket.receive_output(timeout=PATIENCE_S))["code"] == consumers.NO_SUCH_CHECK


def _logged_in_with_check() -> SimpleNamespace:
    user = User.objects.create_user("ada", password=PASSWORD)
    client = Client()
    _log_in(client)
    cookie = f"chatprotect_session={client.cookies['chatprotect_session'].value}".encode()
    return SimpleNamespace(client=client, cookie=cookie, check=checked(TEXTS, owner=owner_of_account(user)))


@pytest.mark.django_db
def test_everything_of_a_person_goes_when_they_say_so_or_with_their_account(client: Client, user: User) -> None:
    account = owner_of_account(user)
    other = checked(TEXTS)
    for delete in (lambda: client.post("/data/delete/"), user.delete):
        checked(TEXTS, owner=account)
        services.source_add_text(owner=account, text="It was founded in 1849.", is_kept=True)
        services.api_key_keep(owner=account, key="sk-1")
        _log_in(client)
        delete()
        assert list(Check.objects.all()) == [other]
        assert not Source.objects.exists()
        assert not ApiKey.objects.exists()


@pytest.mark.django_db
def test_operators_see_how_checks_fare_and_not_what_stands_in_them(client: Client, settings: Settings) -> None:
    settings.ADMIN_SECOND_FACTOR = False
    check = checked(TEXTS)
    client.force_login(User.objects.create_superuser("operator", password=PASSWORD))
    for path in ("/admin/detection/check/", f"/admin/detection/check/{check.pk}/change/"):
        page = client.get(path).content.decode()
        assert str(check.pk) in page
        assert "founded" not in page


@pytest.mark.django_db
def test_keys_that_were_typed_in_are_read_after_the_secret_key_was_changed(settings: Settings) -> None:
    services.api_key_keep(owner="somebody", key="sk-typed")
    before, settings.SECRET_KEY = settings.SECRET_KEY, "another-secret-key"
    assert services.api_key_of("somebody") == ""
    settings.SECRET_KEY_FALLBACKS = [before]
    assert services.api_key_of("somebody") == "sk-typed"


@pytest.mark.django_db
def test_a_session_that_somebody_else_has_prepared_is_not_the_one_after_the_login(client: Client, user: User) -> None:
    client.post("/checks/new/", {"text": TEXTS[0]})
    prepared = client.cookies["chatprotect_session"].value
    assert _log_in(client) == 302
    assert client.cookies["chatprotect_session"].value != prepared
    planted = Client()
    planted.cookies["chatprotect_session"] = prepared
    assert planted.get(f"/checks/{Check.objects.get().pk}/").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    [
        "//evil.example/",
        "https://evil.example/",
        "/\\evil.example/",
        "\\\\evil.example/",
        "///evil.example/",
        "http:evil.example/",
        "javascript:alert(1)",
        "https://testserver.evil.example/",
        "https://testserver@evil.example/",
        "\x01//evil.example/",
        " //evil.example/",
        "/%0d%0aX-Injected: 1",
        "\t//evil.example",
    ],
)
def test_a_login_leads_to_no_other_site(client: Client, user: User, address: str) -> None:
    fields = {"username": "ada", "password": PASSWORD, "next": address}
    for answer in (client.post("/accounts/login/", fields), client.get("/accounts/login/", {"next": address})):
        assert answer.status_code == 302
        assert "X-Injected" not in answer.headers
        target = answer.headers["Location"]
        assert target == "/" or (target.startswith("/") and target[1] not in "/\\"), target


@pytest.mark.django_db
def test_a_session_with_the_token_of_another_account_opens_nothing(client: Client, user: User) -> None:
    other = User.objects.create_user("bob", password=PASSWORD)
    check = checked(TEXTS, owner=owner_of_account(other))
    _log_in(client)
    session = client.session
    session[SESSION_KEY] = owner_of_account(other)
    assert valid_owner_of(session) == ""
    session.save()
    assert client.get(f"/checks/{check.pk}/").status_code == 404
    assert client.session.get(SESSION_KEY) != owner_of_account(other)


@pytest.mark.django_db
def test_a_session_with_the_token_of_an_account_but_no_login_opens_nothing(client: Client, user: User) -> None:
    check = checked(TEXTS, owner=owner_of_account(user))
    session = client.session
    session[SESSION_KEY] = owner_of_account(user)
    assert valid_owner_of(session) == ""
    session.save()
    assert client.get(f"/checks/{check.pk}/").status_code == 404
