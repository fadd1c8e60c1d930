"""A real server and a real browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from detection.lab.benchmarks.scaled import Cluster, missing_servers
from detection.lab.benchmarks.server import Server
from tests.fakes import page_server, wiki
from tests.fakes.model_server import ModelServer
from tests.fakes.scripts import contradicting, slowly
from tests.servers import server_with_model
from tests.waiting import PATIENCE_MS

# A server, its models and a browser share two cores.
expect.set_options(timeout=PATIENCE_MS)

_FOLDER = Path(__file__).parent
#: Without the windows of a browser, Chromium takes a third of the processor time.
CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NO_CHROMIUM = (
    "Chromium is missing: install it (Debian: apt install chromium-headless-shell), or set CHROMIUM to its path."
)
#: Without this, Chromium requests updates at every start.
QUIET = [
    "--no-sandbox",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder: each has servers in processes of their own."""
    for item in items:
        if item.path.is_relative_to(_FOLDER):
            item.add_marker(pytest.mark.cluster)


def find_chromium() -> str | None:
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


@pytest.fixture(scope="package")
def site() -> Iterator[page_server.PageServer]:
    """A web site on this machine: a small Wikipedia, to which a module may add pages."""
    with wiki.wikipedia() as running:
        yield running


@pytest.fixture(scope="package")
def models() -> Iterator[ModelServer]:
    """The language model of the server; ``answering`` changes its script temporarily."""
    with ModelServer(contradicting).running() as running:
        yield running


@pytest.fixture(scope="package")
def server(models: ModelServer, site: page_server.PageServer) -> Iterator[Server]:
    """One server for all modules without special settings; each test has its own browser."""
    with server_with_model(
        models,
        CHATPROTECT_WIKIPEDIA_URL=site.url("/w/api.php"),
        CHATPROTECT_FETCH_ALLOW=site.host,
        # All visitors have one address: running work of one test must not delay the next one.
        CHATPROTECT_EMBEDDED_CONCURRENCY="4",
        CHATPROTECT_MAX_RUNNING="1",
        CHATPROTECT_MAX_RUNNING_OF_ADDRESS="100",
    ) as running:
        yield running


@pytest.fixture(scope="session")
def cluster_models() -> Iterator[ModelServer]:
    """The slow language model of the cluster, which leaves time to inject a fault."""
    with ModelServer(slowly).running() as running:
        yield running


@pytest.fixture(scope="session")
def cluster_site() -> Iterator[page_server.PageServer]:
    """A web site that the cluster may fetch from."""
    bad = page_server.Page(
        b"<title>&#0;</title><article><p>It has &#0; two &#xD800; gates, \xed\xa0\x80 and a bridge.</article>"
    )
    with page_server.PageServer({"/robots.txt": page_server.Page(status=404), "/bad": bad}).running() as running:
        yield running


@pytest.fixture(scope="session")
def cluster(
    cluster_models: ModelServer, cluster_site: page_server.PageServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Cluster]:
    """Redis, PostgreSQL, a web process, one worker for short and two for long checks, with one place each."""
    missing = missing_servers(with_clock=True)
    if missing and not os.environ.get("REQUIRE_SERVERS"):
        pytest.skip(missing)
    assert not missing
    with Cluster(
        tmp_path_factory.mktemp("cluster"),
        long_workers=2,
        has_clock=True,
        CHATPROTECT_LLM_BASE_URL=cluster_models.base_url,
        CHATPROTECT_LLM_API_KEY="sk-of-the-cluster",
        CHATPROTECT_GENERATOR_MODEL="some-model",
        CHATPROTECT_LLM_MAX_CONCURRENCY="2",
        CHATPROTECT_LLM_SCREEN="0",
        CHATPROTECT_FETCH_ALLOW=cluster_site.host,
        CHATPROTECT_WORKER_CONCURRENCY="1",
        CHATPROTECT_LEASE_SECONDS="5",
        CHATPROTECT_COMPUTE_SECONDS="15",
        CHATPROTECT_UPKEEP_SECONDS="1",
        CHATPROTECT_MAX_RUNNING="1",
        CHATPROTECT_MAX_RUNNING_OF_ADDRESS="100",  # all visitors come from this machine
        CHATPROTECT_DAILY_TOKENS_ADDRESS="0",
        CHATPROTECT_METRICS_TOKEN="token-of-the-cluster",
        CHATPROTECT_LOG_FORMAT="json",
    ) as running:
        yield running


# Package scope: Playwright's loop must end before the next asynchronous test starts.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    executable = find_chromium()
    if executable is None:
        if os.environ.get("REQUIRE_CHROMIUM"):
            pytest.fail(NO_CHROMIUM)
        pytest.skip(NO_CHROMIUM)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=QUIET)
        yield chromium
        chromium.close()


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    fresh = browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 860})
    yield fresh
    fresh.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that must not throw, log an error or violate its security policy."""
    problems: list[str] = []
    opened = context.new_page()
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    opened.expected_problems = []  # type: ignore[attr-defined]
    yield opened
    expected: list[str] = opened.expected_problems  # type: ignore[attr-defined]
    assert [text for text in problems if not any(part in text for part in expected)] == []


@pytest.fixture(scope="session")
def screenshots() -> Path:
    folder = Path(os.environ.get("SCREENSHOTS", "var/screenshots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
