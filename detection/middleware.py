"""Who may come in, how often, and what is said to those who may not."""

from __future__ import annotations

import ipaddress
import logging
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render, resolve_url
from django_htmx.http import HttpResponseClientRedirect
from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import MemoryStorage, storage_from_string
from limits.strategies import MovingWindowRateLimiter

from .owners import is_account, owner_of, owner_who_may_enter
from .services import TooManyChecks

logger = logging.getLogger(__name__)

GetResponse = Callable[[HttpRequest], HttpResponseBase]

_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_REDIS_TIMEOUT_S = 1.0  # a visitor waits for it
_NOT_STORED = (
    "The server could not store this: its disk is full, or its database does not answer. Nothing was changed. "
    "Go back to your text and try again in a few minutes; if it stays like this, tell whoever runs the server."
)
#: After Redis did not answer: a visitor would otherwise wait for it with each step.
_ALONE_S = 10.0
_alone_until = float("-inf")
_TOO_OFTEN = "That was too often in a short time, so nothing was changed. Wait a minute and try again."


def refuse(request: HttpRequest, notice: str, *, status: int) -> HttpResponse:
    """Say why nothing was done: in place where the page asked in place, else as a page."""
    template = "detection/partials/_notice.html" if request.headers.get("HX-Request") else "detection/refused.html"
    return render(request, template, {"notice": notice}, status=status)


class PlainCookiesMiddleware:
    """Leaves out cookies with null characters. None of ours has one, and PostgreSQL fails on them."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if "\0" not in value}
        return self.get_response(request)


class PrivatePagesMiddleware:
    """Every answer is for who asked, unless a view says otherwise: no proxy keeps it, and no other site embeds it.

    Not ``no-store`` everywhere: a browser that goes back to the form brings back what was typed into it.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response


class AccountMiddleware:
    """Ends the session of an account that was shut, or whose password was changed."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if is_account(owner_of(request.session)) and not owner_who_may_enter(request.session):
            request.session.flush()
        return self.get_response(request)


class LoginMiddleware(LoginRequiredMiddleware):
    """Sends visitors to the login where one is required: the whole page, also where only a part was asked for."""

    def process_view(
        self, request: HttpRequest, view_func: Callable[..., Any], view_args: tuple[Any, ...], view_kwargs: Any
    ) -> Any:
        if settings.REQUIRE_LOGIN:
            return super().process_view(request, view_func, view_args, view_kwargs)
        return None

    def handle_no_permission(  # type: ignore[override]  # a redirect of another kind
        self, request: HttpRequest, view_func: Callable[..., Any]
    ) -> HttpResponseBase:
        if request.headers.get("HX-Request"):
            return HttpResponseClientRedirect(resolve_url(settings.LOGIN_URL))
        return super().handle_no_permission(request, view_func)


class ThrottleMiddleware:
    """Counts what changes something, for each visitor and for each address."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view_func: Callable[..., Any], view_args: tuple[Any, ...], view_kwargs: Any
    ) -> HttpResponse | None:
        if not settings.THROTTLE or request.method in _SAFE_METHODS:
            return None
        name = request.resolver_match.view_name if request.resolver_match else ""
        name = "login" if name == "admin:login" else name
        rate = parse(settings.RATES.get(name, settings.RATES[""]))
        factor = 1 if name == "login" else settings.RATE_FACTOR_OF_ADDRESS
        whom = {f"address {network_of(address_of(request))}": type(rate)(rate.amount * factor, rate.multiples)}
        if owner := owner_of(request.session):
            whom[f"owner {owner}"] = rate
        if name == "login":
            whom[f"name {request.POST.get('username', '')[:150].casefold()}"] = rate
        counted = [_hit(limit, name, who) for who, limit in whom.items()]
        if all(counted):
            return None
        logger.warning("throttled: %s", name)
        response = refuse(request, _TOO_OFTEN, status=429)
        response["Retry-After"] = "60"
        return response


class RefusalMiddleware:
    """Tells a visitor why nothing was done: there are too many checks, or what was sent cannot be stored."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, TooManyChecks):
            return refuse(request, str(exception), status=429)
        if isinstance(exception, OperationalError) and request.method not in _SAFE_METHODS:
            logger.error("nothing can be stored: %s", str(exception).partition("\n")[0])
            request.session.modified = False  # it could not be stored either
            return refuse(request, _NOT_STORED, status=503)
        return None


def address_of(request: HttpRequest) -> str:
    """The address of a visitor. What proxies that are not ours wrote before is anybody's word."""
    chain = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
    if settings.PROXIES and len(chain) >= settings.PROXIES:
        return chain[-settings.PROXIES]
    return str(request.META.get("REMOTE_ADDR", ""))


def network_of(address: str) -> str:
    """Whom an address belongs to: of IPv6 everybody has a network of their own, and as many addresses as they like."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return address
    return str(parsed.ipv4_mapped or ipaddress.IPv6Network((int(parsed) >> 64 << 64, 64)))


def _hit(limit: RateLimitItem, name: str, who: str) -> bool:
    """Count one more, and say whether that is still within the limit."""
    global _alone_until
    if time.monotonic() >= _alone_until:
        try:
            return _shared_limiter().hit(limit, name, who)
        except StorageError:
            logger.warning("throttling: Redis cannot be reached, so this process counts for itself for a while")
            _alone_until = time.monotonic() + _ALONE_S
    return _own_limiter().hit(limit, name, who)


@cache
def _shared_limiter() -> MovingWindowRateLimiter:
    """Counts for all processes where they share Redis."""
    if not settings.REDIS_URL:
        return _own_limiter()
    storage = storage_from_string(
        settings.REDIS_URL,
        wrap_exceptions=True,
        socket_connect_timeout=_REDIS_TIMEOUT_S,
        socket_timeout=_REDIS_TIMEOUT_S,
    )
    return MovingWindowRateLimiter(storage)


@cache
def _own_limiter() -> MovingWindowRateLimiter:
    return MovingWindowRateLimiter(MemoryStorage())
