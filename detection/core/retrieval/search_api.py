"""Call search services at addresses of the operator: JSON over HTTP, with limits, retries and error messages."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import Mapping
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import httpx2

from ..errors import PageUnreachable, SearchFailed
from ..untrusted.compression import is_compressed_as_allowed
from ..untrusted.json import read_json
from .pace import HostPace
from .statuses import seconds_to_wait

ATTEMPTS = 3
#: A service that asks for a longer wait is not retried.
LONGEST_WAIT_S = 10.0
MOST_BYTES = 10_000_000

_KEY_REFUSED = frozenset({401, 403})
#: 402 is common; 432 and 433 are Tavily's limits of a plan and of its budget.
_NO_QUOTA = frozenset({402, 432, 433})
_BUSY = frozenset({429, 503})
#: Brave's answer to an unknown key (with status 422).
_UNKNOWN_KEY = b"SUBSCRIPTION_TOKEN_INVALID"


class SearchApi:
    """Calls search services. One per run, used as ``async with``; identical requests are sent once.

    A service that refuses the key, has no quota left or is unreachable is not called again. ``seconds`` limits one
    attempt.
    """

    def __init__(self, pace: HostPace, *, user_agent: str, seconds: float = 15.0) -> None:
        self._pace = pace
        self._user_agent = user_agent
        self._seconds = seconds
        self._answers: dict[str, Any] = {}
        self._refusals: dict[str, str] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def __aenter__(self) -> SearchApi:
        # Proxies of the environment are ignored, as for pages.
        self._client = httpx2.AsyncClient(
            headers={"User-Agent": self._user_agent, "Accept": "application/json"},
            timeout=self._seconds,
            # The service may have closed an idle connection before its next use.
            limits=httpx2.Limits(max_keepalive_connections=0),
            trust_env=False,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.aclose()

    async def get(
        self, service: str, url: str, parameters: Mapping[str, str], headers: Mapping[str, str] | None = None
    ) -> Any:
        """The parsed JSON answer to a GET. ``service`` is its name for the reader.

        Raises:
            SearchFailed: there is no usable answer.
        """
        return await self._ask_once(service, self._client.build_request("GET", url, params=parameters, headers=headers))

    async def post(self, service: str, url: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> Any:
        """The parsed JSON answer to a POST of JSON; see :meth:`get`."""
        return await self._ask_once(service, self._client.build_request("POST", url, json=body, headers=headers))

    async def _ask_once(self, service: str, request: httpx2.Request) -> Any:
        key = f"{request.url} {request.content.decode()}"
        async with self._turns[key]:
            if key not in self._answers:
                self._answers[key] = await self._ask(service, request)
            return self._answers[key]

    async def _ask(self, service: str, request: httpx2.Request) -> Any:
        host = urlsplit(str(request.url)).netloc
        for attempt in range(1, ATTEMPTS + 1):
            await self._wait_for_turn(service, host)
            status, body, retry_after = await self._send(service, request)
            if status == httpx2.codes.OK:
                return _parsed(service, body)
            self._refuse_for_good(service, status, body)
            wait = random.uniform(1, 2) ** attempt if retry_after is None else retry_after  # noqa: S311 - no secret
            if status not in _BUSY or attempt == ATTEMPTS or wait > LONGEST_WAIT_S:
                raise SearchFailed(_why_not(service, status))
            self._pace.hold(host, wait)
        raise AssertionError("the last attempt returns or raises")

    async def _wait_for_turn(self, service: str, host: str) -> None:
        if service in self._refusals:
            raise SearchFailed(self._refusals[service])
        try:
            await self._pace.turn(host)
        except PageUnreachable as error:
            raise SearchFailed(f"{service} is asked for more than it allows. Try again later.") from error

    async def _send(self, service: str, request: httpx2.Request) -> tuple[int, bytes, float | None]:
        """Send a request, and return the status, the body and the requested wait."""
        body = bytearray()
        try:
            async with asyncio.timeout(self._seconds):
                response = await self._client.send(request, stream=True)
                try:
                    if not is_compressed_as_allowed(response.headers):
                        raise SearchFailed(f"{service} compressed its answer in a way that nobody asked for.")
                    async for piece in response.aiter_bytes():
                        body += piece
                        if len(body) > MOST_BYTES:
                            raise SearchFailed(f"The answer of {service} is too long to be one.")
                finally:
                    await response.aclose()
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise SearchFailed(
                f"{service} gave no answer within {self._seconds:.0f} seconds. Try again later."
            ) from error
        except httpx2.ConnectError as error:
            self._refusals[service] = f"{service} cannot be reached. Check its address, or try again later."
            raise SearchFailed(self._refusals[service]) from error
        except httpx2.HTTPError as error:
            raise SearchFailed(f"{service} broke off its answer. Try again later.") from error
        return response.status_code, bytes(body), seconds_to_wait(response.headers.get("Retry-After", ""))

    def _refuse_for_good(self, service: str, status: int, body: bytes) -> None:
        if status in _KEY_REFUSED or _UNKNOWN_KEY in body:
            self._refusals[service] = f"{service} refuses the request ({status}). Check the key and the address."
        elif status in _NO_QUOTA:
            self._refusals[service] = f"The quota of the account at {service} is used up ({status})."
        if service in self._refusals:
            raise SearchFailed(self._refusals[service])


def _parsed(service: str, body: bytes) -> Any:
    try:
        return read_json(body)
    except ValueError as error:
        raise SearchFailed(f"{service} answered with something that is no search result. Check its address.") from error


def _why_not(service: str, status: int) -> str:
    if status in _BUSY:
        return f"{service} gets too many requests, or the quota is used up ({status}). Try again later."
    if status >= 500:
        return f"{service} has a fault ({status}). Try again later."
    return f"{service} does not accept the request ({status}). Check its address."
