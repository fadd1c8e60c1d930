"""The administration requires a second factor."""

from __future__ import annotations

import base64
import re
import time
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django_otp.oath import totp
from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"
PAGE = "/admin/detection/check/"


@pytest.fixture(autouse=True)
def operator(settings: Settings) -> User:
    settings.THROTTLE = False
    return User.objects.create_superuser("operator", password=PASSWORD)


def secret_of(name: str) -> bytes:
    printed = StringIO()
    call_command("second_factor", name, stdout=printed)
    found = re.search(r"secret: (\w+=*)", printed.getvalue())
    assert found
    assert "otpauth://totp/" in printed.getvalue()
    return base64.b32decode(found[1])


def log_in(client: Client, **fields: str) -> bool:
    client.post(f"/admin/login/?next={PAGE}", {"username": "operator", "password": PASSWORD, **fields})
    return client.get(PAGE).status_code == 200


def test_a_password_is_not_enough(client: Client) -> None:
    assert not log_in(client)
    secret = secret_of("operator")
    assert not log_in(client)
    assert not log_in(client, otp_token="000000" if totp(secret) else "111111")


def test_with_a_code_one_comes_in(client: Client) -> None:
    secret = secret_of("operator")
    page = client.get("/admin/login/").content.decode()
    assert 'name="otp_token"' in page
    assert "<script>" not in page
    assert log_in(client, otp_token=f"{totp(secret):06d}")


def test_who_has_logged_in_on_the_pages_is_asked_for_the_code(client: Client) -> None:
    secret_of("operator")
    client.post("/accounts/login/", {"username": "operator", "password": PASSWORD})
    assert client.get("/").wsgi_request.user.is_authenticated
    assert client.get(PAGE).status_code == 302


def test_a_code_works_once_and_a_new_secret_ends_the_old_one(client: Client) -> None:
    secret = secret_of("operator")
    code = f"{totp(secret):06d}"
    assert log_in(client, otp_token=code)
    assert not log_in(Client(), otp_token=code)
    secret_of("operator")
    assert client.get(PAGE).status_code == 302
    assert not log_in(Client(), otp_token=f"{totp(secret, t0=-int(time.time()) % 30):06d}")


def test_it_is_taken_away_and_nobody_else_has_one(client: Client) -> None:
    secret_of("operator")
    call_command("second_factor", "operator", "--remove", stdout=StringIO())
    assert not log_in(client)
    with pytest.raises(CommandError, match="There is no account nobody"):
        call_command("second_factor", "nobody")


def test_an_operator_may_do_without(client: Client, settings: Settings, operator: User) -> None:
    settings.ADMIN_SECOND_FACTOR = False
    client.force_login(operator)
    assert client.get(PAGE).status_code == 200
