"""Connect to exactly the address that was checked: each name is resolved only once.

Otherwise a name could resolve to a public address during the check and to this machine a moment later (DNS rebinding).
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Protocol

import httpcore2

from ..errors import PageRefused, PageUnreachable
from .addresses import is_public

#: Maximum number of addresses to try of a name, which may have dozens.
_MAX_ADDRESSES = 4


class Resolver(Protocol):
    """Looks up host names."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """The IP addresses of a host, the best one first.

        Raises:
            OSError, UnicodeError: there are none.
        """
        ...


class SystemResolver:
    """The resolver of the operating system: DNS, hosts file, and addresses in odd notations such as 0x7f.1."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        answers = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return [str(sockaddr[0]) for *_, sockaddr in answers]


class PinningBackend(httpcore2.AsyncNetworkBackend):
    """Opens the connections of a pool. TLS is done by the pool, for the host name and not for the address.

    ``exempt`` has the pairs of host and port that may have any address.
    """

    def __init__(
        self, resolver: Resolver, exempt: frozenset[tuple[str, int]], connector: httpcore2.AsyncNetworkBackend
    ) -> None:
        self._resolver = resolver
        self._exempt = exempt
        self._connector = connector

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to an address of the host.

        Raises:
            PageRefused: one of its addresses is not public, or the connection has another peer.
            PageUnreachable: it has no address.
            httpcore2.ConnectError, httpcore2.ConnectTimeout: no address answers.
        """
        addresses = await self._look_up(host, port)
        failure: httpcore2.ConnectError | httpcore2.ConnectTimeout | None = None
        for address in addresses[:_MAX_ADDRESSES]:
            try:
                stream = await self._connector.connect_tcp(str(address), port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
                continue
            if ip_address(stream.get_extra_info("server_addr")[0]) != address:
                await stream.aclose()
                raise PageRefused(f"The connection to {host} led to another address than the one that was checked.")
            return stream
        raise failure or httpcore2.ConnectError()

    async def _look_up(self, host: str, port: int) -> list[IPv4Address | IPv6Address]:
        try:
            addresses = [ip_address(answer) for answer in await self._resolver.resolve(host, port)]
        except (OSError, ValueError) as error:  # UnicodeError is a ValueError
            raise PageUnreachable(f"There is no host {host}. Check the address for typing errors.") from error
        if not addresses:
            raise PageUnreachable(f"There is no host {host}. Check the address for typing errors.")
        # One private address is enough: no honest site has both kinds.
        if (host, port) not in self._exempt and not all(is_public(address) for address in addresses):
            raise PageRefused(
                f"{host} is not on the public web, and nothing else is fetched. "
                "Open the page yourself, save it and upload the file instead."
            )
        return addresses
