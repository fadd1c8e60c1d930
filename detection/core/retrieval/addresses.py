"""Decide which IP addresses are public. All others are this machine, its network, or unassigned."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

# `is_global` alone is not enough: it is True for multicast and the networks below, and differs between Python versions.
# The networks are those of the special-purpose registries of RFC 6890.
_NOT_PUBLIC_4 = tuple(
    IPv4Network(network)
    for network in (
        "100.64.0.0/10",  # carrier-grade NAT; metadata of Alibaba Cloud
        "168.63.129.16/32",  # a public address by which every machine on Azure reaches its host
        "192.0.0.0/24",  # protocol assignments; metadata of Oracle Cloud
        "192.88.99.0/24",  # relays of 6to4
        "198.18.0.0/15",  # benchmarks of network devices
    )
)

#: Assigned unicast addresses. IPv4 in IPv6 (mapped, compatible, translated), unique local, link-local, site-local and
#: multicast addresses are outside.
_GIVEN_OUT_6 = IPv6Network("2000::/3")

_NOT_PUBLIC_6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments; among them Teredo, which hides an IPv4 address
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which hides an IPv4 address
        "3fff::/20",  # documentation
    )
)

#: Translation for networks without IPv4: the last four bytes are the IPv4 address.
_NAT64 = IPv6Network("64:ff9b::/96")


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """True if the address is public."""
    if isinstance(address, IPv4Address):
        return _is_public_4(address)
    if address.scope_id is not None:
        return False
    if address in _NAT64:
        return _is_public_4(IPv4Address(address.packed[-4:]))
    return address.is_global and address in _GIVEN_OUT_6 and not any(address in network for network in _NOT_PUBLIC_6)


def _is_public_4(address: IPv4Address) -> bool:
    return address.is_global and not address.is_multicast and not any(address in network for network in _NOT_PUBLIC_4)
