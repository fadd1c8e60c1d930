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
from .owners import is_account, owner_of, valid_owner_of

logger = logging.getLogger(__name__)

GetResponse = Callable[[HttpRequest], HttpResponseBase]

#: A request that takes more processor time counts as costly.
COSTLY_S = 0.3
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_REDIS_TIMEOUT_S = 1.0  # the request waits for it
_NOT_STORED = gettext_lazy(
    "The server could not store this: its disk is full, or its database does not answer. Nothing was changed. "
    "Go back to your text and try again in a few minutes; if it stays like this, tell whoever runs the server."
)
#: Pause after Redis did not answer: otherwise every request would wait for it.
_REDIS_RETRY_S = 10.0
_without_redis_until = float("-inf")
_TOO_OFTEN = gettext_lazy("That was too often in a short time, so nothing was changed. Wait a minute and try again.")


def refuse(request: HttpRequest, notice: str, *, status: int) -> HttpResponse:
    """Say why a request is refused: as a notice for a partial request, else as a page."""
    template = "detection/partials/_notice.html" if request.headers.get("HX-Request") else "detection/refused.html"
    return render(request, template, {"notice": notice}, status=status)


class PlainCookiesMiddleware:
    """Drops cookies with null characters. None of ours has one, and PostgreSQL fails on them."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if "\0" not in value}
        return self.get_response(request)


class PrivatePagesMiddleware:
    """Mark responses private, unless a view says otherwise: no proxy stores them, and no other site embeds them.

    Not ``no-store`` everywhere: when a user goes back to the form, the browser restores the typed text.
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
        if is_account(owner_of(request.session)) and not valid_owner_of(request.session):
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
    """Limits the rate of changing requests by visitor and by address, and of costly requests by address."""

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
            # Guessing at one account from many networks is slowed down in each of them. The account is never locked:
            # its owner logs in from a network that has not guessed.
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
    """Answers requests that exceed a limit or cannot be stored, with the reason."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, TooMuch):
            return refuse(request, str(exception), status=429)
        if isinstance(exception, OperationalError) and request.method not in _SAFE_METHODS:
            logger.error("nothing can be stored: %s", str(exception).partition("\n")[0])
            request.session.modified = False  # the session could not be stored either
            return refuse(request, str(_NOT_STORED), status=503)
        return None


def is_within(rate: str, name: str, who: str) -> bool:
    """Count one more of ``name`` for ``who``, and return whether that is within ``rate`` ("120/minute")."""
    return not settings.THROTTLE or _hit(parse(rate), name, who)


def _hit(limit: RateLimitItem, name: str, who: str) -> bool:
    """Count one more, and return whether that is within the limit."""
    return _ask_limiter(lambda limiter: limiter.hit(limit, name, who))


def _has_room(limit: RateLimitItem, name: str, who: str) -> bool:
    """Whether one more would be within the limit."""
    return _ask_limiter(lambda limiter: limiter.test(limit, name, who))


def _ask_limiter(question: Callable[[MovingWindowRateLimiter], bool]) -> bool:
    global _without_redis_until
    if time.monotonic() >= _without_redis_until:
        try:
            return question(_shared_limiter())
        except StorageError:
            logger.warning("throttling: Redis cannot be reached, so this process counts for itself for a while")
            _without_redis_until = time.monotonic() + _REDIS_RETRY_S
    return question(_own_limiter())


@cache
def _shared_limiter() -> MovingWindowRateLimiter:
    """The limiter for all processes, which share Redis."""
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
