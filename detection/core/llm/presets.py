"""The addresses of known vendors and servers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Preset:
    """``base_url`` may have a part in capital letters that everybody replaces with their own."""

    title: str
    base_url: str
    wants_key: bool = True
    remark: str = ""


PRESETS: Final[Mapping[str, Preset]] = {
    "openai": Preset("OpenAI", "https://api.openai.com/v1"),
    "azure": Preset(
        "Azure OpenAI",
        "https://YOUR-RESOURCE.openai.azure.com/openai/v1",
        remark="Set the address with the name of your resource; the model is the name of the deployment.",
    ),
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

#: Those that run on the machine itself, and are looked for there.
LOCAL_SERVERS: Final = ("ollama", "lm-studio", "llama-cpp", "vllm")
