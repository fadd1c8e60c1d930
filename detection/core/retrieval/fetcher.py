"""Fetch pages from untrusted addresses."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from importlib.metadata import version
from types import TracebackType

import httpcore2
import httpx2

from ..errors import PageRefused, PageUnreachable
from ..untrusted.compression import is_compressed_as_allowed
from .media_types import declared_media_type, known_charset, sniffed_media_type
from .pinning import PinningBackend, Resolver, SystemResolver
from .statuses import refuse_without_page
from .targets import WEB_PORTS, Target, TargetRules, read_allowed_hosts
from .types import FetchedPage, FetchLimits

USER_AGENT = f"ChatProtect-Web/{version('chatprotect-web')} (fetches pages that its users name)"

_HEADERS = (
    ("Accept", "text/html, application/xhtml+xml, application/pdf, text/*;q=0.9, */*;q=0.5"),
    ("Accept-Encoding", "gzip, deflate"),
    ("Connection", "close"),
)


class Fetcher:
    """Fetches pages of the public web. One per run, used as ``async with``; parallel fetches are possible.

    It keeps no cookies, sends the same headers to every page, and ignores proxies of the environment. Every request has
    a separate connection to a checked address. A redirect from https to http is followed: many permanent links (DOIs)
    lead through one, nothing secret is sent, and ``FetchedPage.url`` shows where it ended. A cancelled fetch closes its
    connection at once.
    """

    def __init__(
        self,
        *,
        allowed_hosts: Collection[str] = frozenset(),
        ports: frozenset[int] = WEB_PORTS,
        limits: FetchLimits | None = None,
        resolver: Resolver | None = None,
        ssl_context: ssl.SSLContext | None = None,
        user_agent: str = USER_AGENT,
    ) -> None:
        """``allowed_hosts`` are allowed hosts of the private network, each with its port: ``wiki:8080``.

        ``user_agent`` identifies this program to the sites.

        Raises:
            ValueError: an allowed host is malformed.
        """
        self._rules = TargetRules(ports, read_allowed_hosts(allowed_hosts))
        self._limits = limits or FetchLimits()
        self._backend = PinningBackend(
            resolver or SystemResolver(), self._rules.exempt, connector=httpcore2.AnyIOBackend()
        )
        self._ssl_context = ssl_context
        self._headers = (("User-Agent", user_agent), *_HEADERS)

    async def __aenter__(self) -> Fetcher:
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=self._ssl_context or httpcore2.default_ssl_context(),
            max_keepalive_connections=0,
            network_backend=self._backend,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._pool.aclose()

    async def fetch(self, url: str) -> FetchedPage:
        """Get the page at an address, following redirects.

        Raises:
            PageRefused: the address is not in the public web, or the page is not text or too large.
            PageUnreachable: the page does not exist, or did not arrive in time.
        """
        target = self._rules.read(url)
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await self._follow(target)
        except TimeoutError as error:
            raise PageUnreachable(
                f"The page did not come within {self._limits.seconds:.0f} seconds. "
                "Try again later, or download it and upload the file instead."
            ) from error

    async def _follow(self, target: Target) -> FetchedPage:
        for _ in range(1 + self._limits.redirects):
            answer = await self._ask(target)
            if isinstance(answer, FetchedPage):
                return answer
            target = answer
        raise PageRefused(
            "The address leads on to other addresses again and again. "
            "Open it in a browser, and give the address where it ends."
        )

    async def _ask(self, target: Target) -> FetchedPage | Target:
        """Make one request, and return a page or the target of a redirect."""
        try:
            async with (
                self._pool.stream(
                    "GET",
                    _url_of(target),
                    # The pool would write an IPv6 host without brackets.
                    headers=[("Host", target.url.netloc), *self._headers],
                    extensions={"timeout": {"connect": self._limits.connect_seconds}},
                ) as raw,
                aclosing(self._within_limit(raw)) as stream,
            ):
                response = httpx2.Response(raw.status, headers=raw.headers, content=stream)
                if response.has_redirect_location:
                    return self._rules.follow(target, response.headers["Location"])
                refuse_without_page(response.status_code, response.headers.get("Retry-After", ""))
                return await self._read(target, response)
        except httpcore2.ConnectTimeout as error:
            raise PageUnreachable(f"{target.host} does not answer. Try again later.") from error
        except httpcore2.ConnectError as error:
            raise PageUnreachable(_why_not_connected(target, error)) from error
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpx2.DecodingError) as error:
            raise PageUnreachable(
                f"{target.host} broke off, or sent something that is no web page. "
                "Try again later, or download the page and upload the file instead."
            ) from error

    async def _read(self, target: Target, response: httpx2.Response) -> FetchedPage:
        media_type = declared_media_type(response.headers.get("Content-Type", ""), target.url.path)
        if not is_compressed_as_allowed(response.headers):
            raise PageRefused("The page is compressed in an unknown way. Download it and upload the file instead.")
        body = await self._read_body(response)
        return FetchedPage(
            url=str(target.url),
            status=response.status_code,
            media_type=media_type or sniffed_media_type(body),
            charset=known_charset(response.charset_encoding),
            body=body,
        )

    async def _read_body(self, response: httpx2.Response) -> bytes:
        """The decompressed body. The library decompresses pieces of a megabyte, which bounds the memory."""
        declared = response.headers.get("Content-Length", "")
        self._refuse_too_large(int(declared) if declared.isdecimal() else 0)
        body = bytearray()
        async with aclosing(response.aiter_bytes()) as pieces:
            async for piece in pieces:
                body += piece
                self._refuse_too_large(len(body))
        return bytes(body)

    async def _within_limit(self, raw: httpcore2.Response) -> AsyncGenerator[bytes]:
        """The body as received, within the limit. A long body may decompress to nothing."""
        received = 0
        async with aclosing(raw.aiter_stream()) as chunks:
            async for chunk in chunks:
                received += len(chunk)
                self._refuse_too_large(received)
                yield chunk

    def _refuse_too_large(self, size: int) -> None:
        limit = self._limits.body_bytes
        if size > limit:
            raise PageRefused(
                f"The page is larger than {limit / 1_000_000:.0f} MB. Save the part that matters, and upload that file."
            )


def _url_of(target: Target) -> httpcore2.URL:
    return httpcore2.URL(scheme=target.url.raw_scheme, host=target.host, port=target.port, target=target.url.raw_path)


def _why_not_connected(target: Target, error: httpcore2.ConnectError) -> str:
    # The pool clears the cause of the errors that it re-raises, not their context.
    if isinstance(error.__context__, ssl.SSLCertVerificationError):
        return (
            f"The connection to {target.host} is not safe: its certificate is not valid for it. "
            "Open the page in a browser, and upload it as a file if you trust it."
        )
    return f"{target.host} cannot be reached. Check the address, or try again later."
