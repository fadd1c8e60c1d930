"""Check which URLs may be requested, before the host is resolved."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv6Address

import httpx2

from ..errors import PageRefused

_DEFAULT_PORTS = {"http": 80, "https": 443}
WEB_PORTS = frozenset(_DEFAULT_PORTS.values())

# Host names in practice, including underscores, without anything that a resolver or a message could misread.
_HOST_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?")
_LONGEST_HOST = 254


@dataclass(frozen=True, slots=True)
class Target:
    """A checked URL. ``host`` is in ASCII and lower case, an IPv6 address without brackets."""

    url: httpx2.URL
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class TargetRules:
    """The allowed ports, and the hosts of the private network that are exempt from the port and address rules.

    ``exempt`` has pairs of host, as :class:`Target` has it, and port.
    """

    ports: frozenset[int]
    exempt: frozenset[tuple[str, int]]

    def read(self, text: str) -> Target:
        """Parse and check an address from a person or a page.

        Raises:
            PageRefused: it is not an address, or not allowed.
        """
        try:
            url = httpx2.URL(text.strip())
        except httpx2.InvalidURL as error:
            raise PageRefused("This is not a web address. Check it for typing errors.") from error
        return self.check(url)

    def follow(self, target: Target, location: str) -> Target:
        """Check the target of a redirect.

        Raises:
            PageRefused: as for :meth:`read`.
        """
        try:
            url = target.url.join(location)
        except (httpx2.InvalidURL, ValueError) as error:
            raise PageRefused(f"{target.host} leads on to something that is not a web address.") from error
        return self.check(url)

    def check(self, url: httpx2.URL) -> Target:
        """Check scheme, credentials, host and port.

        Raises:
            PageRefused: one of them is not allowed.
        """
        if url.scheme not in _DEFAULT_PORTS or not url.host:
            raise PageRefused("Only web addresses are fetched. Write it in full, as in https://example.org/page.")
        if url.userinfo:
            raise PageRefused(
                "The address holds a user name or a password. Leave them out, or upload the page as a file."
            )
        host = url.raw_host.decode("ascii")
        if not _is_host(host):
            raise PageRefused("The address has no valid host name. Check it for typing errors.")
        port = _DEFAULT_PORTS[url.scheme] if url.port is None else url.port
        if port not in self.ports and (host, port) not in self.exempt:
            raise PageRefused(f"Pages are not fetched from port {port}. Download it and upload the file instead.")
        return Target(url.copy_with(fragment=None), host, port)


def read_allowed_hosts(entries: Iterable[str]) -> frozenset[tuple[str, int]]:
    """Parse entries like ``wiki.internal:8080`` or ``[fd12::5]:80`` into pairs of host and port.

    Raises:
        ValueError: one has no port, or is more than host and port.
    """
    return frozenset(_read_allowed_host(entry) for entry in entries)


def _read_allowed_host(entry: str) -> tuple[str, int]:
    name, _, port = entry.strip().rpartition(":")
    try:
        host = httpx2.URL(scheme="http", host=name).raw_host.decode("ascii")
    except httpx2.InvalidURL:
        host = ""
    if not _is_host(host) or not port.isdecimal():
        raise ValueError(f"{entry!r} is not a host and a port, as in wiki.internal:8080")
    return host, int(port)


def _is_host(host: str) -> bool:
    if ":" not in host:
        return len(host) <= _LONGEST_HOST and _HOST_NAME.fullmatch(host) is not None
    return IPv6Address(host).scope_id is None
