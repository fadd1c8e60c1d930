"""Every address gets every kind of nonsense, and none of it is an error of the server."""

from __future__ import annotations

import re
import string
import uuid

import pytest
from django.test import Client
from django.urls import URLPattern
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from detection import urls
from tests.factories import checked, finding, segment

pytestmark = pytest.mark.django_db

TEXTS = ("It was founded in 1894.", "It has two gates.")
YEAR = finding(segment(*TEXTS)[1], 0, "1894", TEXTS[0].replace("1894", "1849"))
FIELDS = ["text", "source", "topic", "prompt", "wording", "name", "page", "sources", "id", "quote", "words", "show"]
LONG_RUNNING = {"language_model_test"}  # asks an endpoint, and there is none here

words = st.text(max_size=40) | st.text(string.printable, max_size=40) | st.sampled_from(["0-0", "9-1", "-1", "1" * 30])
fields = st.dictionaries(st.sampled_from(FIELDS), words, max_size=6)


def _routes() -> list[URLPattern]:
    return [pattern for pattern in urls.urlpatterns if pattern.name not in LONG_RUNNING]


@pytest.mark.parametrize("pattern", _routes(), ids=lambda pattern: str(pattern.name))
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(data=fields, number=st.integers(0, 2**70), method=st.sampled_from(["get", "post"]), part=st.booleans())
def test_no_request_is_an_error_of_the_server(
    owner: Client, pattern: URLPattern, data: dict[str, str], number: int, method: str, part: bool
) -> None:
    check = checked(TEXTS, [YEAR])
    values = {"check_id": str(check.pk), "source_id": str(uuid.UUID(int=number % 2**128))}
    path = re.sub(r"<(?:\w+:)?(\w+)>", lambda match: values.get(match[1], str(number)), f"/{pattern.pattern}")
    headers = {"HX-Request": "true"} if part else {}
    assert getattr(owner, method)(path, data, headers=headers).status_code < 500
