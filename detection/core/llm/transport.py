"""Send requests to an endpoint and classify connection errors."""

from __future__ import annotations

import json
import socket
import ssl
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2

from ..errors import EndpointRefused
from .body import NO_COMPLETION, Unusable
from .endpoint import Endpoint
from .error_body import read_error
from .failures import Failure, FailureKind, failure_of
from .transfer import body_of, first_bytes_of

_USER_AGENT = "ChatProtect-Web"
BROKEN_OFF = Failure(FailureKind.UNREACHABLE, "The connection to the endpoint broke off in mid-answer.")


class Transport:
    """The connections to one endpoint. Used as ``async with``, in one event loop."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    async def __aenter__(self) -> Transport:
        headers = {"User-Agent": _USER_AGENT, **self._endpoint.headers}
        if self._endpoint.api_key:
            headers.setdefault("Authorization", f"Bearer {self._endpoint.api_key}")
        self._client = httpx2.AsyncClient(
            headers=headers,
            params=dict(self._endpoint.query),
            verify=_tls_context(self._endpoint),
            timeout=None,  # the caller sets one for each step
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=self._endpoint.max_concurrency),
            # The text goes only to the address that the reader was shown.
            follow_redirects=False,
        )
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._client.aclose()

    @asynccontextmanager
    async def post(self, path: str, body: dict[str, Any], model: str) -> AsyncGenerator[httpx2.Response]:
        """The response to a request that was accepted.

        Raises:
            Unusable: the request was refused, or the endpoint is unreachable.
            TimeoutError: the caller's time ran out.
        """
        data = json.dumps(body, ensure_ascii=False).encode()
        headers = {"Content-Type": "application/json", "Accept-Encoding": "gzip, deflate"}
        try:
            async with self._client.stream("POST", self._address(path), content=data, headers=headers) as response:
                await self._raise_for_status(response, model)
                yield response
        except (httpx2.HTTPError, httpx2.InvalidURL, ssl.SSLError, OSError) as error:
            if isinstance(error, TimeoutError):
                raise
            raise Unusable(self._failure_of(error)) from error

    async def get(self, path: str) -> bytes:
        """GET a path below the endpoint and return the body. Raises the errors of :meth:`post`."""
        try:
            async with self._client.stream("GET", self._address(path)) as response:
                await self._raise_for_status(response, "")
                return await body_of(response)
        except (httpx2.HTTPError, httpx2.InvalidURL, ssl.SSLError, OSError) as error:
            if isinstance(error, TimeoutError):
                raise
            raise Unusable(self._failure_of(error)) from error

    def _address(self, path: str) -> str:
        return f"{self._endpoint.base_url.rstrip('/')}/{path}"

    async def _raise_for_status(self, response: httpx2.Response, model: str) -> None:
        if response.is_success:
            return
        body = await first_bytes_of(response)
        error = read_error(response.status_code, response.headers, body)
        raise Unusable(failure_of(error, model, self._endpoint.secrets))

    def _failure_of(self, error: Exception) -> Failure:
        host = (
            httpx2.URL(self._endpoint.base_url).netloc.decode() if _is_url(self._endpoint.base_url) else "the endpoint"
        )
        causes = list(_causes(error))
        if isinstance(error, httpx2.InvalidURL | httpx2.UnsupportedProtocol):
            reason = "The address of the endpoint is no web address. It begins with http:// or https://."
            return Failure(FailureKind.WRONG_ADDRESS, reason, is_certain=True)
        if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
            reason = f"The certificate of {host} is not trusted. If it is your own, name its CA file in the settings."
            return Failure(FailureKind.UNREACHABLE, reason, is_certain=True)
        if any(isinstance(cause, ssl.SSLError) for cause in causes):
            reason = f"No safe connection to {host} can be made (TLS). Does its address begin with http://?"
            return Failure(FailureKind.UNREACHABLE, reason, is_certain=True)
        if any(isinstance(cause, socket.gaierror) for cause in causes):
            reason = f"The endpoint {host} cannot be reached: there is no such host. Check its address."
            return Failure(FailureKind.UNREACHABLE, reason, is_certain=True)
        if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
            reason = f"The endpoint {host} cannot be reached: it refuses connections. Is the server running?"
            return Failure(FailureKind.UNREACHABLE, reason, is_certain=True)
        if isinstance(error, httpx2.ConnectError):
            return Failure(FailureKind.UNREACHABLE, f"The endpoint {host} cannot be reached.", is_certain=True)
        if isinstance(error, httpx2.DecodingError):
            return NO_COMPLETION
        return BROKEN_OFF


def _is_url(address: str) -> bool:
    try:
        return bool(httpx2.URL(address).host)
    except httpx2.InvalidURL:
        return False


def _tls_context(endpoint: Endpoint) -> ssl.SSLContext | bool:
    if endpoint.ca_file is None:
        return True
    context = ssl.create_default_context()
    try:
        context.load_verify_locations(endpoint.ca_file)
    except OSError as error:  # includes TLS errors, such as a file without a certificate
        raise EndpointRefused(
            f"The CA file {endpoint.ca_file.name} of the settings cannot be read, or holds no certificate."
        ) from error
    return context


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error and its causes."""
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        error = waiting.pop()
        if error is None or id(error) in seen:
            continue
        seen.add(id(error))
        yield error
        waiting += [error.__cause__, error.__context__]
        if isinstance(error, BaseExceptionGroup):
            waiting += error.exceptions
