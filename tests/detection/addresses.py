"""Every address of the project with its access rule. A new address without a rule fails the tests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache

from django.urls import URLPattern, URLResolver, get_resolver

ADMIN = "admin/"
#: Addresses for other programs, with a key and without a session: ``tests/doors/test_access.py``.
DOORS = ("api/v1/", "v2/", "guard/v1/")


class Access(StrEnum):
    EVERYBODY = "the same for everybody"
    OWN = "shows and changes what belongs to who asks"
    CHECK = "for the owner of the check in the address"
    SOURCE = "for the owner of the source in the address"
    LINK = "for whoever has the link"


_CHECK = (
    "share_create share_revoke check_detail sentence_report source_beside check_export check_again again_estimate "
    "block_edit check_rename check_cancel check_resume premise_decide check_delete accept_all undo redo decisions "
    "suggestion_accept finding_edit finding_reject finding_dismiss finding_reopen first_version_restore "
    "correction_restore"
)
_SOURCE = "source_detail source_rename source_keep source_discard source_delete"
_OWN = (
    "start history check_create text_read check_import language_model_test language_model_list language_models_here "
    "language_model_use preset_use language_model_forget api_keys_forget data_delete settings library "
    "source_add source_rows logout password_change access_key_create access_key_revoke"
)

ACCESS: dict[str, Access] = {
    "help": Access.EVERYBODY,
    "javascript_catalogue": Access.EVERYBODY,
    "login": Access.EVERYBODY,
    "shared": Access.LINK,
    **dict.fromkeys(_OWN.split(), Access.OWN),
    **dict.fromkeys(_CHECK.split(), Access.CHECK),
    **dict.fromkeys(_SOURCE.split(), Access.SOURCE),
}
WEBSOCKETS: dict[str, Access] = {
    "ws/checks/<uuid:check_id>/": Access.CHECK,
    "": Access.EVERYBODY,  # every other address: closed immediately
}


@cache
def all_addresses() -> dict[str, str]:
    """The pattern of each address by its name, without those of the administration."""
    return {str(pattern.name): route for pattern, route in _walk(get_resolver().url_patterns, "")}


def _walk(patterns: Iterable[URLPattern | URLResolver], prefix: str) -> Iterator[tuple[URLPattern, str]]:
    for pattern in patterns:
        route = f"{prefix}{pattern.pattern}"
        if route.startswith(DOORS):
            continue
        if isinstance(pattern, URLPattern):
            yield pattern, route
        elif route != ADMIN:
            yield from _walk(pattern.url_patterns, route)


def path_of(name: str, values: Mapping[str, object]) -> str:
    """The path of an address with these parameters."""
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda match: str(values[match[1]]), all_addresses()[name])
