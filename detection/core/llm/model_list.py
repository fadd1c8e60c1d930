"""List the models of an endpoint, and find language model servers on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx2

from ..untrusted.json import read_json
from .body import MAX_BODY_BYTES
from .presets import LOCAL_SERVERS, PRESETS

#: A running local server answers within milliseconds.
_SECONDS_FOR_LOOK: Final = 1.0
_MAX_MODELS: Final = 500
_LONGEST_NAME: Final = 200
#: Parts of the names of models that do not generate text.
_OTHER_KINDS: Final = (
    "embed",
    "whisper",
    "tts",
    "dall-e",
    "moderation",
    "rerank",
    "bge-",
    "transcribe",
    "image",
    "realtime",
)


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model of an endpoint. ``context`` is the size of its context window in tokens; None if unknown."""

    name: str
    context: int | None = None


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A language model server on this machine, with its models."""

    title: str
    base_url: str
    models: tuple[ListedModel, ...]


def read_models(body: bytes) -> tuple[ListedModel, ...]:
    """The text-generating models in the answer to ``GET /models``; none if it is not such a list."""
    try:
        items = read_json(body)["data"]
        models = [_read_model(item) for item in items[:_MAX_MODELS]]
    except (ValueError, TypeError, KeyError, AttributeError):
        return ()
    return tuple(model for model in models if model and not any(kind in model.name.casefold() for kind in _OTHER_KINDS))


def _read_model(item: Mapping[str, Any]) -> ListedModel | None:
    name = str(item["id"]).removeprefix("models/")  # Gemini lists ids with this prefix and accepts them without it
    meta = item.get("meta")
    places = [item, meta if isinstance(meta, dict) else {}]
    names = (
        "max_model_len",
        "context_length",
        "context_window",
        "max_context_length",
        "loaded_context_length",
        "n_ctx",
    )
    told = [place.get(key) for place in places for key in names]
    sizes = [size for size in told if isinstance(size, int) and not isinstance(size, bool) and 0 < size < 100_000_000]
    return ListedModel(name, min(sizes, default=None)) if 0 < len(name) <= _LONGEST_NAME else None


async def find_local_servers(
    addresses: Mapping[str, str] | None = None, *, left_out: frozenset[int] = frozenset()
) -> list[LocalServer]:
    """The language model servers that answer on the loopback interface, except on the ``left_out`` ports.

    Only the list of models is requested. ``addresses`` maps the names of presets to the server addresses.
    """
    addresses = addresses or {name: PRESETS[name].base_url for name in LOCAL_SERVERS}
    async with httpx2.AsyncClient(timeout=_SECONDS_FOR_LOOK, follow_redirects=False, trust_env=False) as client:
        found = await asyncio.gather(
            *(
                _look(client, PRESETS[name].title, address)
                for name, address in addresses.items()
                if httpx2.URL(address).port not in left_out
            )
        )
    return [server for server in found if server is not None]


async def _look(client: httpx2.AsyncClient, title: str, base_url: str) -> LocalServer | None:
    body = bytearray()
    try:
        async with asyncio.timeout(_SECONDS_FOR_LOOK), client.stream("GET", f"{base_url}/models") as response:
            if response.status_code != 200:
                return None
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > MAX_BODY_BYTES:
                    return None
    except (httpx2.HTTPError, OSError, TimeoutError):
        return None
    models = read_models(bytes(body))
    return LocalServer(title, base_url, models) if models else None
