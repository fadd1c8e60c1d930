"""Authentication, throttling, refusals."""

from __future__ import annotations

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
from django.utils.translation import gettext_lazy
from django_htmx.http import HttpResponseClientRedirect
from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import MemoryStorage, storage_from_string
from limits.strategies import MovingWindowRateLimiter

from chatprotect_web.addresses import address_of, network_of

from ..services import TooMuch
from .owners import is_account, owner_of, owner_who_may_enter

logger = logging.getLogger(__name__)

GetResponse = Callable[[HttpRequest], HttpResponseBase]

#: A page that computes for longer is a costly one.
COSTLY_S = 0.3
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_REDIS_TIMEOUT_S = 1.0  # a visitor waits for it
_NOT_STORED = gettext_lazy(
    "The server could not store this: its disk is full, or its database does not answer. Nothing was changed. "
    "Go back to your text and try again in a few minutes; if it stays like this, tell whoever runs the server."
)
#: After Redis did not answer: a visitor would otherwise wait for it with each step.
_ALONE_S = 10.0
_alone_until = float("-inf")
_TOO_OFTEN = gettext_lazy("That was too often in a short time, so nothing was changed. Wait a minute and try again.")


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
    """Mark responses private, unless a view says otherwise: no proxy stores them, and no other site embeds them.

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
    """End the session of an account that was closed or whose password was changed."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if is_account(owner_of(request.session)) and not owner_who_may_enter(request.session):
            request.session.flush()
        return self.get_response(request)


class LoginMiddleware(LoginRequiredMiddleware):
    """Redirect visitors to the login where one is required, with the whole page even for a partial request."""

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
    """Counts what changes something, for each visitor and for each address; and for each address what is costly."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not settings.THROTTLE or request.method not in _SAFE_METHODS:
            return self.get_response(request)
        rate, who = (
            parse(settings.RATES.get("costly", settings.RATES[""])),
            f"address {network_of(address_of(request))}",
        )
        if not _has_room(rate, "costly", who):
            return _refuse_as_too_often(request, "costly")
        began = time.thread_time()
        response = self.get_response(request)
        if time.thread_time() - began > COSTLY_S:
            _hit(rate, "costly", who)
        return response

    def process_view(
        self, request: HttpRequest, view_func: Callable[..., Any], view_args: tuple[Any, ...], view_kwargs: Any
    ) -> HttpResponse | None:
        if not settings.THROTTLE or request.method in _SAFE_METHODS:
            return None
        name = request.resolver_match.view_name if request.resolver_match else ""
        name = "login" if name == "admin:login" else name
        rate = parse(settings.RATES.get(name, settings.RATES[""]))
        factor = 1 if name == "login" else settings.RATE_FACTOR_OF_ADDRESS
        network = network_of(address_of(request))
        whom = {f"address {network}": type(rate)(rate.amount * factor, rate.multiples)}
        if owner := owner_of(request.session):
            whom[f"owner {owner}"] = rate
        if name == "login":
            account = request.POST.get("username", "")[:150].casefold()
            # Who guesses at one account from many networks is slowed down in each. The account is never shut: its
            # owner comes from a network that has not guessed.
            if not _hit(rate, "login", f"name {account}"):
                whom[f"name {account} from {network}"] = parse(settings.RATES.get("login_under_attack", "1/10 second"))
        counted = [_hit(limit, name, who) for who, limit in whom.items()]
        if all(counted):
            return None
        return _refuse_as_too_often(request, name)


def _refuse_as_too_often(request: HttpRequest, name: str) -> HttpResponse:
    logger.warning("throttled: %s", name)
    response = refuse(request, str(_TOO_OFTEN), status=429)
    response["Retry-After"] = "60"
    return response


class RefusalMiddleware:
    """Tells a visitor why nothing was done: a limit is reached, or what was sent cannot be stored."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, TooMuch):
            return refuse(request, str(exception), status=429)
        if isinstance(exception, OperationalError) and request.method not in _SAFE_METHODS:
            logger.error("nothing can be stored: %s", str(exception).partition("\n")[0])
            request.session.modified = False  # it could not be stored either
            return refuse(request, str(_NOT_STORED), status=503)
        return None


def is_within(rate: str, name: str, who: str) -> bool:
    """Count one more of ``name`` for somebody, and say whether that is still within ``rate`` ("120/minute")."""
    return not settings.THROTTLE or _hit(parse(rate), name, who)


def _hit(limit: RateLimitItem, name: str, who: str) -> bool:
    """Count one more, and say whether that is still within the limit."""
    return _ask_limiter(lambda limiter: limiter.hit(limit, name, who))


def _has_room(limit: RateLimitItem, name: str, who: str) -> bool:
    """Whether one more would be within the limit."""
    return _ask_limiter(lambda limiter: limiter.test(limit, name, who))


def _ask_limiter(question: Callable[[MovingWindowRateLimiter], bool]) -> bool:
    global _alone_until
    if time.monotonic() >= _alone_until:
        try:
            return question(_shared_limiter())
        except StorageError:
            logger.warning("throttling: Redis cannot be reached, so this process counts for itself for a while")
            _alone_until = time.monotonic() + _ALONE_S
    return question(_own_limiter())


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
