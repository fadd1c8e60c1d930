"""Rate limits of visitors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from chatprotect_web import addresses
from detection.web import middleware

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def rates(settings: Settings) -> Iterator[None]:
    settings.THROTTLE = True
    settings.RATES = {"login": "3/minute", "check_create": "2/minute", "": "100/minute"}
    settings.RATE_FACTOR_OF_ADDRESS = 3
    middleware._own_limiter.cache_clear()
    middleware._shared_limiter.cache_clear()
    yield
    middleware._own_limiter.cache_clear()
    middleware._shared_limiter.cache_clear()


def _send_check(client: Client, **headers: str) -> int:
    return client.post("/checks/new/", {"text": "It has two gates."}, headers=headers).status_code


def test_a_visitor_is_slowed_down_and_others_are_not(client: Client) -> None:
    client.post("/checks/new/", {"text": ""})  # creates the session, and counts for the address only
    assert [_send_check(client) for _ in range(3)] == [302, 302, 429]
    assert _send_check(Client()) == 302


def test_an_address_is_slowed_down_however_many_visitors_it_has() -> None:
    assert [_send_check(Client()) for _ in range(7)] == [302] * 6 + [429]


def test_what_is_read_is_not_counted(client: Client) -> None:
    assert {client.get("/help/").status_code for _ in range(20)} == {200}


def _log_in(client: Client, password: str, address: str) -> int:
    form = {"username": "Ada", "password": password}
    return client.post("/accounts/login/", form, headers={"X-Forwarded-For": address}).status_code


def test_who_guesses_at_an_account_is_slowed_down_and_its_owner_is_not_shut_out(
    client: Client, settings: Settings
) -> None:
    settings.PROXIES = 1
    User.objects.create_user("ada", password="correct horse")
    User.objects.filter(username="ada").update(username="Ada")
    guesses = [_log_in(client, str(number), f"198.51.100.{number}") for number in range(3)]
    assert guesses == [200, 200, 200]
    # From now on each network has one attempt per period.
    assert [_log_in(client, "x", "203.0.113.1"), _log_in(client, "y", "203.0.113.1")] == [200, 429]
    assert _log_in(Client(), "correct horse", "192.0.2.7") == 302


def test_pages_that_compute_for_long_are_counted(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RATES["costly"] = "2/minute"
    assert [client.get("/help/").status_code for _ in range(4)] == [200] * 4
    monkeypatch.setattr(middleware, "COSTLY_S", -1.0)
    assert [client.get("/help/").status_code for _ in range(4)] == [200, 200, 429, 429]
    assert client.get("/help/", REMOTE_ADDR="192.0.2.7").status_code == 200


@pytest.mark.parametrize(
    ("proxies", "expected"), [(0, "127.0.0.1"), (1, "192.0.2.7"), (2, "203.0.113.9"), (4, "127.0.0.1")]
)
def test_an_address_is_what_the_outermost_own_proxy_says(
    client: Client, settings: Settings, proxies: int, expected: str
) -> None:
    settings.PROXIES = proxies
    request = client.get("/help/", headers={"X-Forwarded-For": "10.0.0.1, 203.0.113.9, 192.0.2.7"}).wsgi_request
    assert addresses.address_of(request) == expected


@pytest.mark.parametrize(
    ("address", "whose"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("no address", "no address"),
    ],
)
def test_all_addresses_of_a_network_of_ones_own_are_one(address: str, whose: str) -> None:
    assert addresses.network_of(address) == whose
