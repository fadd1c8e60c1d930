"""Typed getters for the environment. Every error names the variable and says what it accepts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import overload

from django.core.exceptions import ImproperlyConfigured

PREFIX = "CHATPROTECT_"

_TRUE = ("1", "true", "yes", "on")
_FALSE = ("0", "false", "no", "off")


def get_text(name: str, default: str = "") -> str:
    return os.environ.get(PREFIX + name, default).strip()


def get_boolean(name: str, *, default: bool) -> bool:
    value = get_text(name).lower()
    if not value:
        return default
    if value in _TRUE:
        return True
    if value in _FALSE:
        return False
    raise _invalid(name, value, f"one of {', '.join(_TRUE + _FALSE)}")


def get_integer(name: str, default: int, *, minimum: int, maximum: int) -> int:
    value = get_text(name)
    if not value:
        return default
    try:
        number = int(value)
    except ValueError:
        number = minimum - 1
    if not minimum <= number <= maximum:
        raise _invalid(name, value, f"a whole number from {minimum} to {maximum}")
    return number


def get_choice(name: str, default: str, *, choices: Sequence[str]) -> str:
    value = get_text(name) or default
    if value not in choices:
        raise _invalid(name, value, f"one of {', '.join(choices)}")
    return value


def get_decimal(name: str) -> Decimal | None:
    """An amount of money above 0; None when the variable is not set."""
    value = get_text(name)
    if not value:
        return None
    try:
        amount = Decimal(value)
    except InvalidOperation:
        amount = Decimal(0)
    if not amount.is_finite() or amount <= 0:
        raise _invalid(name, value, "an amount above 0, as in 0.50")
    return amount


def get_list(name: str, default: Sequence[str]) -> list[str]:
    """A comma-separated list; empty parts are left out."""
    value = get_text(name)
    return [part.strip() for part in value.split(",") if part.strip()] if value else list(default)


@overload
def get_path(name: str, default: Path) -> Path: ...
@overload
def get_path(name: str, default: None = None) -> Path | None: ...
def get_path(name: str, default: Path | None = None) -> Path | None:
    value = get_text(name)
    return Path(value).expanduser().resolve() if value else default


def _invalid(name: str, value: str, expected: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{PREFIX}{name} is {value!r}; it must be {expected}.")
