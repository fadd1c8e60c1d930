"""The fetcher with sites on real sockets: good pages, bad pages, and limits."""

from __future__ import annotations

import asyncio
import gzip
import itertools
import logging
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from detection.core.errors import PageRefused, PageUnreachable
from detection.core.retrieval.fetcher import USER_AGENT, Fetcher
from detection.core.retrieval.types import FetchedPage, FetchLimits
from tests.bombs import gzip_bomb, zlib_bomb
from tests.fakes.certificates import CertificateAuthority
from tests.fakes.page_server import Page, PageServer, redirect

ARTICLE = b"<!doctype html><title>Bridges</title><p>The bridge was opened in 1932."
PATIENT_S = 10.0
"""Far beyond every limit of these tests; a longer wait has no limit."""


@pytest.fixture
def site() -> Iterator[PageServer]:
    with PageServer({"/": Page(ARTICLE)}).running() as server:
        yield server


async def fetch(site: PageServer, page: Page | None = None, *, path: str = "/page", **limits: float) -> FetchedPage:
    if page is not None:
        site.pages[path] = page
    async with Fetcher(allowed_hosts={site.host}, limits=FetchLimits(**limits)) as fetcher:
        return await asyncio.wait_for(fetcher.fetch(site.url(path)), PATIENT_S)


async def test_a_page_comes_as_it_was_sent(site: PageServer) -> None:
    page = await fetch(site, path="/")
    assert page == FetchedPage(site.url(), 200, "text/html", "utf-8", ARTICLE)


async def test_the_site_hears_who_asks_and_nothing_of_the_reader(site: PageServer) -> None:
    site.pages["/first"] = Page(status=302, headers={"Location": "/", "Set-Cookie": "visitor=7"})
    await fetch(site, path="/first")
    first, second = site.visits
    assert first.headers["User-Agent"] == USER_AGENT
    assert first.headers["Host"] == site.host
    assert {"Cookie", "Referer", "Authorization"}.isdisjoint(second.headers)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_followed_and_the_last_address_told(site: PageServer, status: int) -> None:
    page = await fetch(site, redirect("/?from=page", status))
    assert (page.url, page.body) == (site.url("/?from=page"), ARTICLE)


async def test_redirects_end_somewhere(site: PageServer) -> None:
    site.pages["/there"] = redirect("/page")
    with pytest.raises(PageRefused, match="again and again"):
        await fetch(site, redirect("/there"))
    assert len(site.visits) == 6


@pytest.mark.parametrize(
    "location",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:169.254.169.254]/",
        "http://[fd00:ec2::254]/",
        "http://localhost/",
        "http://localhost:{other}/",
        "http://127.0.0.1:{other}/",
        "http://[::1]/",
        "http://0/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://127.1/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://user:secret@example.org/",
        "http://[broken/",
    ],
)
async def test_a_page_leads_nowhere_else_than_to_public_pages(site: PageServer, location: str) -> None:
    with PageServer({"/": Page(b"<p>secret")}).running() as other:
        with pytest.raises(PageRefused):
            await fetch(site, redirect(location.format(other=other.port)))
        assert other.connections == 0


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (204, "save it"),
        (401, "upload"),
        (403, "upload"),
        (404, "typing errors"),
        (410, "typing errors"),
        (418, "save it"),
        (429, "later"),
        (500, "later"),
        (503, "later"),
        (999, "save it"),
    ],
)
async def test_a_status_without_a_page_is_told_with_what_to_do(site: PageServer, status: int, advice: str) -> None:
    with pytest.raises(PageUnreachable, match=rf"\({status}\).*{advice}"):
        await fetch(site, Page(b"", status=status))


@pytest.mark.parametrize(
    ("content_type", "media_type", "charset"),
    [
        ("text/html", "text/html", None),
        ("TEXT/HTML; charset=UTF-16LE", "text/html", "utf-16le"),
        ("text/html; charset=no-such-thing", "text/html", None),
        ("text/html; charset=zlib", "text/html", None),
        ("text/plain;charset=latin-1", "text/plain", "latin-1"),
        ("application/xhtml+xml", "application/xhtml+xml", None),
        ("application/pdf", "application/pdf", None),
    ],
)
async def test_type_and_charset_are_those_that_the_site_says(
    site: PageServer, content_type: str, media_type: str, charset: str | None
) -> None:
    body = "<p>Die Brücke wurde 1932 eröffnet.".encode("utf-16-le")
    page = await fetch(site, Page(body, content_type))
    assert (page.media_type, page.charset, page.body) == (media_type, charset, body)


@pytest.mark.parametrize(
    ("content_type", "path", "body", "media_type"),
    [
        (None, "/page", b"%PDF-1.7 ...", "application/pdf"),
        (None, "/page", b"\xef\xbb\xbf\n<!DOCTYPE HTML><p>Text", "text/html"),
        ("application/octet-stream", "/notes.TXT", b"Text", "text/plain"),
        ("application/octet-stream", "/report.pdf", b"%PDF-1.7 ...", "application/pdf"),
    ],
)
async def test_what_has_no_type_gets_one_by_its_ending_or_its_first_bytes(
    site: PageServer, content_type: str | None, path: str, body: bytes, media_type: str
) -> None:
    assert (await fetch(site, Page(body, content_type), path=path)).media_type == media_type


@pytest.mark.parametrize(
    ("content_type", "named"),
    [
        ("image/png", "image/png"),
        ("video/mp4", "video/mp4"),
        ("application/zip", "application/zip"),
        ("<script>alert(1)</script>", "an unknown type"),
        ("application/octet-stream", "what kind of file"),
        (None, "what kind of file"),
    ],
)
async def test_what_holds_no_text_is_refused_by_name(site: PageServer, content_type: str | None, named: str) -> None:
    with pytest.raises(PageRefused, match=named):
        await fetch(site, Page(b"\x89PNG\r\n\x1a\n\x00", content_type))


@pytest.mark.parametrize(
    ("coding", "compressed"),
    [("gzip", gzip.compress(ARTICLE)), ("deflate", zlib.compress(ARTICLE)), ("identity", ARTICLE)],
    ids=["gzip", "deflate", "identity"],
)
async def test_a_compressed_page_is_decompressed(site: PageServer, coding: str, compressed: bytes) -> None:
    page = await fetch(site, Page(compressed, headers={"Content-Encoding": coding}))
    assert page.body == ARTICLE


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip, gzip", "unheard-of"])
async def test_another_coding_than_was_asked_for_is_refused(site: PageServer, coding: str) -> None:
    with pytest.raises(PageRefused, match="compressed"):
        await fetch(site, Page(gzip.compress(gzip.compress(ARTICLE)), headers={"Content-Encoding": coding}))


async def test_damaged_compression_is_told(site: PageServer) -> None:
    with pytest.raises(PageUnreachable, match="broke off"):
        await fetch(site, Page(ARTICLE, headers={"Content-Encoding": "gzip"}))


def endless(piece: bytes = b"text " * 1000) -> Iterator[bytes]:
    return itertools.repeat(piece)


@pytest.mark.parametrize(
    "page",
    [
        Page(b"a" * 100_001),
        Page(gzip_bomb(b"\0", 50_000_000), headers={"Content-Encoding": "gzip"}),
        Page(zlib_bomb(b"\0", 50_000_000), headers={"Content-Encoding": "deflate"}),
        Page(endless),
        Page(b"", declared_length=10**15),
    ],
    ids=["long", "gzip bomb", "deflate bomb", "endless", "declared"],
)
async def test_what_is_larger_than_the_limit_is_refused(site: PageServer, page: Page) -> None:
    with pytest.raises(PageRefused, match="larger than"):
        await fetch(site, page, body_bytes=100_000)


async def test_a_page_just_within_the_limit_is_whole(site: PageServer) -> None:
    assert len((await fetch(site, Page(b"a" * 100_000), body_bytes=100_000)).body) == 100_000


def compressed_nothing() -> Iterator[bytes]:
    """A gzip header, followed by endless empty blocks."""
    return itertools.chain([b"\x1f\x8b\x08\0\0\0\0\0\0\x03"], endless(b"\0\0\0\xff\xff" * 1000))


async def test_a_compressed_body_that_gives_nothing_ends_at_the_limit(site: PageServer) -> None:
    with pytest.raises(PageRefused, match="larger than"):
        await fetch(site, Page(compressed_nothing, headers={"Content-Encoding": "gzip"}), body_bytes=100_000)


@pytest.mark.parametrize(
    "page",
    [Page(hangs=True), Page(lambda: endless(b"."), seconds_per_piece=0.02)],
    ids=["hang", "slow drip"],
)
async def test_a_page_that_does_not_come_in_time_is_given_up(site: PageServer, page: Page) -> None:
    with pytest.raises(PageUnreachable, match="did not come within"):
        await fetch(site, page, seconds=0.3)


async def test_redirects_share_one_deadline(site: PageServer) -> None:
    site.pages["/slow"] = Page(hangs=True)
    with pytest.raises(PageUnreachable, match="did not come within"):
        await fetch(site, redirect("/slow"), seconds=0.3)


@pytest.mark.parametrize(
    "page",
    [
        Page(ARTICLE, declared_length=len(ARTICLE) + 1),
        Page(b"no chunk\r\n", headers={"Transfer-Encoding": "chunked"}),
        Page(b"", headers={"X-Long": "a" * 300_000}),
        Page(ARTICLE, declared_length=-1),
        Page(lambda: iter([ARTICLE]), headers={"Content-Length": "9" * 5000}),
    ],
    ids=["cut", "broken chunks", "long headers", "impossible length", "enormous length"],
)
async def test_a_broken_answer_is_told(site: PageServer, page: Page) -> None:
    with pytest.raises(PageUnreachable, match="broke off"):
        await fetch(site, page)


async def test_what_comes_after_the_declared_length_is_not_the_page(site: PageServer) -> None:
    assert (await fetch(site, Page(ARTICLE, declared_length=15))).body == ARTICLE[:15]


async def test_a_site_that_is_down_is_told(site: PageServer) -> None:
    with PageServer({}).running() as stopped:
        pass
    with pytest.raises(PageUnreachable, match="cannot be reached"):
        await fetch(stopped)


async def test_a_cancelled_fetch_closes_its_connection(site: PageServer) -> None:
    site.pages["/page"] = Page(hangs=True)
    async with Fetcher(allowed_hosts={site.host}) as fetcher:
        task = asyncio.create_task(fetcher.fetch(site.url("/page")))
        while not site.visits:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(site.left_while_hanging.wait, PATIENT_S)


async def test_pages_are_fetched_at_the_same_time(site: PageServer) -> None:
    async with Fetcher(allowed_hosts={site.host}) as fetcher:
        site.pages["/page"] = Page(hangs=True)
        hanging = asyncio.create_task(fetcher.fetch(site.url("/page")))
        pages = await asyncio.wait_for(asyncio.gather(*(fetcher.fetch(site.url()) for _ in range(5))), PATIENT_S)
        hanging.cancel()
    assert [page.body for page in pages] == [ARTICLE] * 5


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
async def test_proxies_of_the_environment_are_ignored(
    site: PageServer, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    with PageServer({}).running() as proxy:
        monkeypatch.setenv(variable, proxy.url())
        assert (await fetch(site, path="/")).body == ARTICLE
        assert proxy.connections == 0


async def test_no_query_string_gets_into_the_log(site: PageServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    site.pages["/page"] = redirect("/?token=hidden-in-redirect")
    async with Fetcher(allowed_hosts={site.host}) as fetcher:
        await fetcher.fetch(site.url("/page?token=hidden-in-url"))
    assert "hidden" not in caplog.text


@pytest.fixture(scope="module")
def authority() -> CertificateAuthority:
    return CertificateAuthority()


@pytest.fixture
def secure_site(authority: CertificateAuthority, tmp_path: Path) -> Callable[[str], AbstractContextManager[PageServer]]:
    """A site with a certificate for the given host."""
    return lambda host: PageServer({"/": Page(ARTICLE)}, authority.server_context(host, tmp_path)).running()


async def test_a_certificate_is_that_of_the_host_and_not_of_the_address(
    authority: CertificateAuthority, secure_site: Callable[[str], AbstractContextManager[PageServer]]
) -> None:
    with secure_site("localhost") as site:
        allowed = {f"localhost:{site.port}", site.host}
        async with Fetcher(allowed_hosts=allowed, ssl_context=authority.client_context()) as fetcher:
            assert (await fetcher.fetch(f"https://localhost:{site.port}/")).body == ARTICLE
            with pytest.raises(PageUnreachable, match="certificate"):
                await fetcher.fetch(site.url())


async def test_a_certificate_of_an_unknown_authority_is_refused(
    secure_site: Callable[[str], AbstractContextManager[PageServer]],
) -> None:
    with secure_site("localhost") as site:
        async with Fetcher(allowed_hosts={f"localhost:{site.port}"}) as fetcher:
            with pytest.raises(PageUnreachable, match="certificate"):
                await fetcher.fetch(f"https://localhost:{site.port}/")
        assert not site.visits
