"""Typed getters for the environment. Every error names the variable and says what it accepts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import overload

from django.core.exceptions import ImproperlyConfigured

PREFIX = "CHATPROTECT_"

_PROJECT = Path(__file__).resolve().parent.parent
_TRUE = ("1", "true", "yes", "on")
_FALSE = ("0", "false", "no", "off")


@dataclass(frozen=True, slots=True)
class Variable:
    """An environment variable that the settings read: its default, and what it accepts."""

    default: str
    accepts: str


#: By name without the prefix, in the order of reading. docs/settings.md is generated from this.
variables: dict[str, Variable] = {}


def get_text(name: str, default: str = "") -> str:
    variables[name] = Variable(default, "text")
    return _value(name) or default


def get_boolean(name: str, *, default: bool) -> bool:
    variables[name] = Variable("1" if default else "0", "0 or 1")
    value = _value(name).lower()
    if not value:
        return default
    if value in _TRUE:
        return True
    if value in _FALSE:
        return False
    raise _invalid(name, value, f"one of {', '.join(_TRUE + _FALSE)}")


def get_integer(name: str, default: int, *, minimum: int, maximum: int) -> int:
    variables[name] = Variable(str(default), f"{minimum} to {maximum}")
    value = _value(name)
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
    variables[name] = Variable(default, " or ".join(choices))
    value = _value(name) or default
    if value not in choices:
        raise _invalid(name, value, f"one of {', '.join(choices)}")
    return value


def get_decimal(name: str) -> Decimal | None:
    """An amount of money above 0; None when the variable is not set."""
    variables[name] = Variable("", "an amount above 0")
    value = _value(name)
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
    variables[name] = Variable(",".join(default), "a list with commas")
    value = _value(name)
    return [part.strip() for part in value.split(",") if part.strip()] if value else list(default)


def get_pairs(name: str) -> dict[str, str]:
    """Names and values, as in ``HTTP-Referer=https://example.org, X-Title=Checks``."""
    parts = get_list(name, [])
    if not all(part.partition("=")[0].strip() and "=" in part for part in parts):
        # Without the value, which may contain keys.
        raise ImproperlyConfigured(f"{PREFIX}{name} must be names and values, as in X-Title=Checks, X-Team=Press.")
    variables[name] = Variable("", "names and values")
    return {part.partition("=")[0].strip(): part.partition("=")[2].strip() for part in parts}


@overload
def get_path(name: str, default: Path) -> Path: ...
@overload
def get_path(name: str, default: None = None) -> Path | None: ...
def get_path(name: str, default: Path | None = None) -> Path | None:
    variables[name] = Variable(_shown(default), "a path")
    value = _value(name)
    return Path(value).expanduser().resolve() if value else default


def _value(name: str) -> str:
    return os.environ.get(PREFIX + name, "").strip()


def _shown(path: Path | None) -> str:
    """A default path as documentation shows it: relative to the folder of the project."""
    if path is None:
        return ""
    return path.relative_to(_PROJECT).as_posix() if path.is_relative_to(_PROJECT) else path.as_posix()


def _invalid(name: str, value: str, expected: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{PREFIX}{name} is {value!r}; it must be {expected}.")
