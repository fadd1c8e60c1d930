"""The addresses of known vendors and servers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

YOUR_RESOURCE: Final = "YOUR-RESOURCE"
#: One label of a host name: a dot or a slash would send texts to another host.
_RESOURCE: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")


@dataclass(frozen=True, slots=True)
class Preset:
    """``base_url`` may contain :data:`YOUR_RESOURCE`, which users replace by the name of their resource."""

    title: str
    base_url: str
    wants_key: bool = True

    @property
    def wants_resource(self) -> bool:
        return YOUR_RESOURCE in self.base_url

    def address(self, resource: str = "") -> str:
        """The address with the name of a resource; "" if a name is needed and this one is invalid."""
        if not self.wants_resource:
            return self.base_url
        return self.base_url.replace(YOUR_RESOURCE, resource) if _RESOURCE.fullmatch(resource) else ""


PRESETS: Final[Mapping[str, Preset]] = {
    "openai": Preset("OpenAI", "https://api.openai.com/v1"),
    "azure": Preset("Azure OpenAI", f"https://{YOUR_RESOURCE}.openai.azure.com/openai/v1"),
    "anthropic": Preset("Anthropic", "https://api.anthropic.com/v1"),
    "gemini": Preset("Google Gemini", "https://generativelanguage.googleapis.com/v1beta/openai"),
    "mistral": Preset("Mistral", "https://api.mistral.ai/v1"),
    "groq": Preset("Groq", "https://api.groq.com/openai/v1"),
    "openrouter": Preset("OpenRouter", "https://openrouter.ai/api/v1"),
    "ollama": Preset("Ollama", "http://127.0.0.1:11434/v1", wants_key=False),
    "lm-studio": Preset("LM Studio", "http://127.0.0.1:1234/v1", wants_key=False),
    "llama-cpp": Preset("llama.cpp", "http://127.0.0.1:8080/v1", wants_key=False),
    "vllm": Preset("vLLM", "http://127.0.0.1:8000/v1", wants_key=False),
}

#: Presets of servers to look for on this machine.
LOCAL_SERVERS: Final = ("ollama", "lm-studio", "llama-cpp", "vllm")
