"""Share links: their content and revocation."""

from __future__ import annotations

import pytest
from django.test import Client

from detection.models import Check, ShareLink
from tests.factories import checked, finding, segment

pytestmark = pytest.mark.django_db

TEXTS = ("It was founded in 1894.", "It has two gates.")
YEAR = finding(segment(*TEXTS)[1], 0, "1894", TEXTS[0].replace("1894", "1849"))


@pytest.fixture
def check() -> Check:
    return checked(TEXTS, [YEAR])


def test_who_has_the_link_reads_and_changes_nothing(owner: Client, check: Check) -> None:
    owner.post(f"/checks/{check.pk}/share/")
    address = f"/shared/{ShareLink.objects.get().token}/"
    stranger = Client()
    page = stranger.get(address)
    assert page.status_code == 200
    assert "Something is wrong with 1894." in page.content.decode()
    assert "formaction" not in page.content.decode()
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert page.headers["X-Robots-Tag"] == "noindex"
    assert stranger.post(address).status_code == 405
    assert stranger.get(f"/checks/{check.pk}/").status_code == 404
    assert stranger.post(f"/checks/{check.pk}/accept-all/").status_code == 404


def test_a_link_that_was_taken_back_is_worth_nothing_and_another_one_is_new(owner: Client, check: Check) -> None:
    owner.post(f"/checks/{check.pk}/share/")
    first = ShareLink.objects.get().token
    owner.post(f"/checks/{check.pk}/unshare/")
    assert Client().get(f"/shared/{first}/").status_code == 404
    owner.post(f"/checks/{check.pk}/share/")
    assert Client().get(f"/shared/{first}/").status_code == 404
    assert ShareLink.objects.get().token != first


def test_only_the_owner_shares(client: Client, check: Check) -> None:
    for action in ("share", "unshare"):
        assert client.post(f"/checks/{check.pk}/{action}/").status_code == 404
    assert not ShareLink.objects.exists()
