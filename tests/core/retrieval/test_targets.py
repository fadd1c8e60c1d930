"""URLs that are refused without name resolution."""

from __future__ import annotations

import pytest

from detection.core.errors import PageRefused
from detection.core.retrieval.targets import WEB_PORTS, TargetRules, read_allowed_hosts

RULES = TargetRules(WEB_PORTS, read_allowed_hosts({"wiki.internal:8080"}))


@pytest.mark.parametrize(
    "url",
    [
        "",
        "   ",
        "example.org",
        "//example.org/",
        "/etc/passwd",
        "file:///etc/passwd",
        "ftp://example.org/",
        "gopher://example.org:80/_GET",
        "javascript:alert(1)",
        "data:text/html,hello",
        "http://",
        "http:///page",
        "http://user@example.org/",
        "http://user:secret@example.org/",
        "http://example.org\\@127.0.0.1/",
        "http://example.org:22/",
        "http://example.org:0/",
        "http://example.org:99999/",
        "http://example.org:http/",
        "http://wiki.internal:8081/",
        "http://exa mple.org/",
        "http://example%00.org/",
        "http://example..org/",
        "http://127.0.0.1%2f.example.org/",
        "http://0177.0.0.1/",
        "http://[::1/",
        "http://[fe80::1%25eth0]/",
        "http://[example.org]/",
        "http://example.org/\r\nX-Injected: yes",
        "http://example.org\r\nHost: other/",
        "http://example.org/\x00",
        f"http://{'a.' * 200}org/",
        f"http://example.org/{'a' * 70_000}",
    ],
)
def test_what_is_no_plain_web_address_is_refused(url: str) -> None:
    with pytest.raises(PageRefused):
        RULES.read(url)


@pytest.mark.parametrize(
    ("url", "host", "port"),
    [
        ("http://example.org", "example.org", 80),
        ("  https://EXAMPLE.org/page?q=1#part ", "example.org", 443),
        ("https://example.org:443/", "example.org", 443),
        ("http://example.org:443/", "example.org", 443),
        ("http://wiki.internal:8080/", "wiki.internal", 8080),
        ("https://bücher.example/", "xn--bcher-kva.example", 443),
        ("http://[2606:4700::1]/", "2606:4700::1", 80),
        ("http://127。0。0。1/", "127.0.0.1", 80),
    ],
)
def test_host_and_port_are_read_as_they_are_asked_for(url: str, host: str, port: int) -> None:
    target = RULES.read(url)
    assert (target.host, target.port) == (host, port)
    assert "#" not in str(target.url)


def test_a_redirect_is_read_against_the_page_that_it_comes_from() -> None:
    page = RULES.read("https://example.org/a/b?q=1")
    assert str(RULES.follow(page, "../c").url) == "https://example.org/c"
    assert str(RULES.follow(page, "//other.example/").url) == "https://other.example/"


@pytest.mark.parametrize("entry", ["wiki", "wiki:", ":80", "wiki:http", "a/b:80", "user@wiki:80", "http://wiki:80", ""])
def test_an_allowed_host_that_is_no_host_with_a_port_is_an_error(entry: str) -> None:
    with pytest.raises(ValueError, match="host and a port"):
        read_allowed_hosts({entry})


def test_allowed_hosts_are_read_as_urls_are() -> None:
    entries = {"Wiki.Internal:8080", "[fd12::5]:80", "bücher.internal:443"}
    assert read_allowed_hosts(entries) == {
        ("wiki.internal", 8080),
        ("fd12::5", 80),
        ("xn--bcher-kva.internal", 443),
    }
