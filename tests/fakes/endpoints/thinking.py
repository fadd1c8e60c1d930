"""Reasoning models: their thoughts come in many forms, and need room."""

from __future__ import annotations

from dataclasses import replace

from tests.fakes.endpoints.base import endpoint, error, good, in_words
from tests.fakes.model_server import Asked, Reply, Script

ROOM = "degrades: it thinks first"
THOUGHT = "Okay, the user wants one sentence. No, wait. Yes, the mill."


def _limit(asked: Asked) -> int:
    return int(asked.body.get("max_completion_tokens") or asked.body.get("max_tokens") or 100_000)


@endpoint(
    "OpenAI, o1-mini",
    "degrades: instructions within the question; no temperature",
    write="degrades: instructions within the question",
    most_wasted=8,
)
def openai_o1_mini() -> Script:
    """max_completion_tokens only, temperature 1 only, no system turn, no n (openai/openai-python issues on o1)."""

    def script(asked: Asked) -> Reply:
        if "max_tokens" in asked.body:
            text = (
                "Unsupported parameter: 'max_tokens' is not supported with this model. "
                "Use 'max_completion_tokens' instead."
            )
            return error(400, text, param="max_tokens", code="unsupported_parameter")
        if any(message["role"] == "system" for message in asked.body["messages"]):
            text = "Unsupported value: 'messages[0].role' does not support 'system' with this model."
            return error(400, text, param="messages[0].role", code="unsupported_value")
        if asked.body.get("temperature", 1) != 1:
            return error(
                400,
                "Unsupported value: 'temperature' does not support 0.0 with this model. Only the default "
                "(1) value is supported.",
                param="temperature",
                code="unsupported_value",
            )
        return good(asked)

    return script


@endpoint(
    "OpenAI, gpt-5",
    "degrades: no temperature; no token probabilities; it thinks first",
    source="degrades: no temperature; it thinks first",
    write="degrades: it thinks first",
    most_wasted=8,
)
def openai_gpt_5() -> Script:
    """As o1, and its hidden thoughts use up the limit: the answer is empty (johny-b/llmcomp#69, langchaingo#1355)."""

    def script(asked: Asked) -> Reply:
        if "max_tokens" in asked.body:
            return error(
                400,
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                "'max_completion_tokens' instead.",
                param="max_tokens",
                code="unsupported_parameter",
            )
        if asked.body.get("temperature", 1) != 1:
            return error(
                400,
                "Unsupported value: 'temperature' does not support 0 with this model.",
                param="temperature",
                code="unsupported_value",
            )
        if "logprobs" in asked.body:
            return error(400, "Unsupported parameter: 'logprobs' is not supported.", param="logprobs")
        thoughts = {"completion_tokens_details": {"reasoning_tokens": 9}}
        if _limit(asked) < 3_000:
            return Reply(("",) * asked.samples, finish_reason="length", counted=thoughts)
        return replace(good(asked), counted=thoughts)

    return script


@endpoint("DeepSeek, deepseek-reasoner", ROOM)
def deepseek_reasoner() -> Script:
    """Thinks in reasoning_content (api-docs.deepseek.com/guides/reasoning_model)."""
    return lambda asked: replace(good(asked), thoughts=THOUGHT)


@endpoint("Ollama, qwen3", ROOM)
def qwen3_tags() -> Script:
    """Thinks between <think> and </think> in the answer (QwenLM/Qwen3, ollama before 0.9)."""
    return lambda asked: in_words(asked, lambda text: f"<think>\n{THOUGHT}\n</think>\n\n{text}")


@endpoint("vLLM, DeepSeek-R1 without a parser", ROOM, write="fails: The model sent its thoughts as a part of the text")
def r1_closing_tag_only() -> Script:
    """The template opens the thoughts, so that the closing tag only comes (DeepSeek-R1, chat template of 2025-02)."""
    return lambda asked: in_words(asked, lambda text: f"{THOUGHT}\n</think>\n\n{text}")


CUT = "fails: The model thought until its answer had no room left."


@endpoint("Ollama, a model that never ends to think", CUT, most_wasted=10)
def thinks_without_end() -> Script:
    """Opens its thoughts and runs into every limit (deepseek-r1:1.5b on long questions)."""
    return lambda asked: Reply((f"<think>\n{THOUGHT}",) * asked.samples, finish_reason="length")


@endpoint("vLLM, gpt-oss in its own format", ROOM)
def gpt_oss_harmony() -> Script:
    """Thoughts and answer in channels, where the server does not take them apart (openai/harmony)."""
    return lambda asked: in_words(
        asked,
        lambda text: (
            f"<|channel|>analysis<|message|>{THOUGHT}<|end|><|start|>assistant<|channel|>final<|message|>{text}"
        ),
    )


@endpoint("Mistral, Magistral", ROOM)
def magistral() -> Script:
    """Thinks between [THINK] and [/THINK] (mistralai/Magistral-Small-2509)."""
    return lambda asked: in_words(asked, lambda text: f"[THINK]{THOUGHT}[/THINK]{text}")


@endpoint("llama.cpp, little room at first", ROOM)
def thinks_beyond_small_limits() -> Script:
    """Thinks in tags, and has no room to close them within the usual limits (Qwen3 at llama-server)."""

    def script(asked: Asked) -> Reply:
        if _limit(asked) < 4_000:
            return Reply((f"<think>\n{THOUGHT}",) * asked.samples, finish_reason="length")
        return in_words(asked, lambda text: f"<think>\n{THOUGHT}\n</think>\n{text}")

    return script
