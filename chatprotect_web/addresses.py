"""The address and the network of a connection or a request."""

from __future__ import annotations

import ipaddress

from django.conf import settings
from django.http import HttpRequest


def address_of(request: HttpRequest) -> str:
    """The address of a visitor. Entries of untrusted proxies are ignored, because they may be forged."""
    chain = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
    if settings.PROXIES and len(chain) >= settings.PROXIES:
        return chain[-settings.PROXIES]
    return str(request.META.get("REMOTE_ADDR", ""))


def network_of(address: str) -> str:
    """The network of an address. With IPv6 each user has a whole network of addresses."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return address
    return str(parsed.ipv4_mapped or ipaddress.IPv6Network((int(parsed) >> 64 << 64, 64)))
