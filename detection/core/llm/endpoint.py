"""Address and request settings of a language model endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path


class Effort(StrEnum):
    """Reasoning effort of a model. It is sent only to endpoints that accept it."""

    UNSET = ""
    OFF = "off"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def sent_as(self) -> str:
        """The value that OpenAI, Gemini, Ollama, OpenRouter and vLLM expect."""
        return "none" if self is Effort.OFF else self.value


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint. Times are in seconds: for one attempt, and for a call with all its attempts."""

    base_url: str
    api_key: str = field(repr=False)
    attempt_timeout_s: float = 60.0
    deadline_s: float = 180.0
    max_concurrency: int = 64
    effort: Effort = Effort.UNSET
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Sent with every request; their values may be secret."""
    query: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Query string of every request, such as ``api-version=2024-10-21``."""
    ca_file: Path | None = None
    """Certificates of authorities to trust in addition to those of the system."""
    requests_per_minute: int = 0
    """0 means no limit, here and for the tokens."""
    tokens_per_minute: int = 0

    @property
    def secrets(self) -> tuple[str, ...]:
        """Values that must never be shown."""
        return tuple(value for value in (self.api_key, *self.headers.values(), *self.query.values()) if len(value) >= 8)
