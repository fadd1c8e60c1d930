"""The real server with a key, and the check without a server, shared by all tests of the doors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from detection.lab.benchmarks.server import Server, running_server
from tests.fakes.model_server import Asked, ModelServer, Reply

_FOLDER = Path(__file__).parent
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
_KEY = re.compile(r"cpk_[\w-]{43}")
#: Fixtures that start a server in a process of its own.
_OWN_PROCESSES = {"server", "http_server", "editor"}
ALL_SCOPES = ("read", "write", "writing_tools", "guard")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        fixtures = set(item.fixturenames) if isinstance(item, pytest.Function) else set()
        if item.path.parent == _FOLDER and _OWN_PROCESSES & fixtures:
            item.add_marker(pytest.mark.cluster)


def silent(asked: Asked) -> Reply:
    return Reply(("Nobody knows.",))


@pytest.fixture(scope="session")
def model_server() -> Iterator[ModelServer]:
    with ModelServer(silent).running() as server:
        yield server


@pytest.fixture(scope="session")
def server(model_server: ModelServer) -> Iterator[Server]:
    """A server as ``make run`` starts it, with a scripted language model."""
    with running_server(
        CHATPROTECT_LLM_BASE_URL=model_server.base_url,
        CHATPROTECT_LLM_API_KEY="sk-of-the-server",
        CHATPROTECT_GENERATOR_MODEL="some-model",
        CHATPROTECT_THROTTLE="0",
        CHATPROTECT_COMPUTE_SECONDS="900",  # a busy machine loads the models slowly
        CHATPROTECT_MAX_WAITING="100000",
        CHATPROTECT_MAX_WAITING_ALL="100000",
    ) as running:
        yield running


class Person:
    """A browser user who creates keys on the settings page."""

    def __init__(self, url: str) -> None:
        self.client = httpx2.Client(base_url=url, timeout=120, follow_redirects=True, trust_env=False)

    def make_key(self, *scopes: str, rate: int = 600, sources: tuple[str, ...] = ()) -> str:
        page = self._post(
            "/settings/keys/create/",
            {"key_name": "a program", "scopes": scopes or ALL_SCOPES, "requests_per_minute": str(rate),
             "key_sources": sources},
        )  # fmt: skip
        found = _KEY.search(page)
        assert found, page
        return found[0]

    def revoke(self, secret: str) -> None:
        page = self.client.get("/settings/").text
        assert secret not in page  # it is shown only once
        form = re.search(rf'name="key" value="(\d+)">\s*<strong>[^<]*</strong> <code>{secret[:8]}', page)
        assert form
        self._post("/settings/keys/revoke/", {"key": form[1]})

    def _post(self, path: str, fields: dict[str, object]) -> str:
        token = _TOKEN.search(self.client.get("/settings/").text)
        assert token
        answer = self.client.post(path, data={"csrfmiddlewaretoken": token[1], **fields})
        return answer.raise_for_status().text


@pytest.fixture(scope="session")
def person(server: Server) -> Iterator[Person]:
    found = Person(server.url)
    yield found
    found.client.close()


@pytest.fixture(scope="session")
def key(person: Person) -> str:
    return person.make_key()


@pytest.fixture(scope="session")
def api(server: Server, key: str) -> Iterator[httpx2.Client]:
    headers = {"Authorization": f"Bearer {key}"}
    with httpx2.Client(base_url=f"{server.url}/api/v1", headers=headers, timeout=120, trust_env=False) as client:
        yield client
