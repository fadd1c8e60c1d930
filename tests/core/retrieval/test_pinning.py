"""Connections use the checked address, even if the name resolves differently later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import httpcore2
import pytest
from pytest_socket import SocketConnectBlockedError

from detection.core.errors import PageRefused, PageUnreachable
from detection.core.retrieval.fetcher import Fetcher
from detection.core.retrieval.pinning import PinningBackend
from tests.fakes.page_server import Page, PageServer

PUBLIC = "93.184.216.34"
HOST = "rebinding.example"


class ScriptedResolver:
    """Returns the answers in order; the last one repeats."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self._answers = list(answers)
        self.asked: list[str] = []

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


class Misleading(httpcore2.AnyIOBackend):
    """Always connects to this machine, like a firewall rule or a transparent proxy."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        return await super().connect_tcp("127.0.0.1", port, timeout, local_address, socket_options)


@pytest.fixture
def site() -> Iterator[PageServer]:
    with PageServer({"/": Page(b"<p>secret")}).running() as server:
        yield server


def fetcher(site: PageServer, resolver: ScriptedResolver, *allowed_hosts: str) -> Fetcher:
    return Fetcher(ports=frozenset({80, site.port}), resolver=resolver, allowed_hosts=allowed_hosts)


@pytest.mark.filterwarnings("ignore:A test tried to use socket")
async def test_the_connection_goes_to_the_address_that_was_checked_and_no_name_is_looked_up_twice(
    site: PageServer,
) -> None:
    resolver = ScriptedResolver([PUBLIC], ["127.0.0.1"])
    async with fetcher(site, resolver) as fetching:
        # The test setup blocks connections to other machines.
        with pytest.RaisesGroup(pytest.RaisesExc(SocketConnectBlockedError, match=PUBLIC)):
            await fetching.fetch(f"http://{HOST}:{site.port}/")
        assert resolver.asked == [HOST]
        with pytest.raises(PageRefused, match="not on the public web"):
            await fetching.fetch(f"http://{HOST}:{site.port}/")
    assert site.connections == 0


@pytest.mark.parametrize(
    "answers", [["127.0.0.1"], [PUBLIC, "127.0.0.1"], ["::ffff:7f00:1"], ["fe80::1%lo"], ["0.0.0.0"]]
)
async def test_one_address_that_is_not_public_is_enough_to_refuse_a_host(site: PageServer, answers: list[str]) -> None:
    async with fetcher(site, ScriptedResolver(answers)) as fetching:
        with pytest.raises(PageRefused, match="not on the public web"):
            await fetching.fetch(f"http://{HOST}:{site.port}/")
    assert site.connections == 0


@pytest.mark.parametrize(
    "host", ["localhost", "localhost.", "127.0.0.1", "127.1", "2130706433", "0x7f.1", "0", "[::1]"]
)
async def test_this_machine_is_not_fetched_from_in_whatever_notation(site: PageServer, host: str) -> None:
    async with Fetcher(ports=frozenset({site.port})) as fetching:
        with pytest.raises((PageRefused, PageUnreachable)):
            await fetching.fetch(f"http://{host}:{site.port}/")
    assert site.connections == 0


async def test_an_allowed_host_may_be_anywhere(site: PageServer) -> None:
    async with fetcher(site, ScriptedResolver(["127.0.0.1"]), f"{HOST}:{site.port}") as fetching:
        page = await fetching.fetch(f"http://{HOST}:{site.port}/")
    assert page.body == b"<p>secret"
    assert site.visits[0].headers["Host"] == f"{HOST}:{site.port}"


async def test_an_ipv6_host_is_named_to_the_site_in_brackets(site: PageServer) -> None:
    host = f"[fd12::5]:{site.port}"
    async with fetcher(site, ScriptedResolver(["127.0.0.1"]), host) as fetching:
        await fetching.fetch(f"http://{host}/")
    assert site.visits[0].headers["Host"] == host


async def test_a_host_is_allowed_with_its_port_only(site: PageServer) -> None:
    async with fetcher(site, ScriptedResolver(["127.0.0.1"]), f"{HOST}:80", f"other.example:{site.port}") as fetching:
        with pytest.raises(PageRefused, match="not on the public web"):
            await fetching.fetch(f"http://{HOST}:{site.port}/")
    assert site.connections == 0


async def test_the_next_address_is_tried_where_the_first_does_not_answer(site: PageServer) -> None:
    async with fetcher(site, ScriptedResolver(["::1", "127.0.0.1"]), f"{HOST}:{site.port}") as fetching:
        assert (await fetching.fetch(f"http://{HOST}:{site.port}/")).body == b"<p>secret"


async def test_a_connection_that_ends_elsewhere_is_given_up(site: PageServer) -> None:
    backend = PinningBackend(ScriptedResolver([PUBLIC]), frozenset(), connector=Misleading())
    with pytest.raises(PageRefused, match="another address"):
        await backend.connect_tcp(HOST, site.port)
    assert not site.visits


@pytest.mark.parametrize("answers", [[], ["no address"]])
async def test_a_host_without_an_address_is_told(site: PageServer, answers: list[str]) -> None:
    async with fetcher(site, ScriptedResolver(answers)) as fetching:
        with pytest.raises(PageUnreachable, match=f"no host {HOST}"):
            await fetching.fetch(f"http://{HOST}/")


async def test_a_name_that_no_resolver_takes_is_told() -> None:
    async with Fetcher() as fetching:
        with pytest.raises(PageUnreachable, match="no host"):
            await fetching.fetch(f"http://{'a' * 64}.example/")


async def test_the_resolver_is_asked_for_the_name_in_ascii() -> None:
    resolver = ScriptedResolver([])
    async with Fetcher(resolver=resolver) as fetching:
        with pytest.raises(PageUnreachable):
            await fetching.fetch("https://Bücher.example/")
    assert resolver.asked == ["xn--bcher-kva.example"]
