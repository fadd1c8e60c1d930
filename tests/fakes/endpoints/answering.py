"""Endpoints that answer, and do not take everything that is sent."""

from __future__ import annotations

from dataclasses import replace

from tests.fakes.endpoints.base import endpoint, error, good, json_reply
from tests.fakes.model_server import Asked, Reply, Script

ONE_BY_ONE = "degrades: answers come one by one"


@endpoint("OpenAI, gpt-4o")
def openai_gpt_4o() -> Script:
    """Takes everything. The classic that others are measured by (platform.openai.com, API reference)."""
    return good


@endpoint("vLLM, Llama 3.1")
def vllm_llama() -> Script:
    """Takes everything, prices nothing (docs.vllm.ai, OpenAI-compatible server)."""
    return good


@endpoint("Ollama, llama3.1", ONE_BY_ONE, source="works", write="works")
def ollama_llama() -> Script:
    """Ignores n: one answer comes (ollama/ollama#7518)."""
    return lambda asked: replace(good(asked), texts=good(asked).texts[:1])


@endpoint("llama.cpp, n refused", ONE_BY_ONE, source="works", write="works")
def llama_cpp_n() -> Script:
    """Answers 400 "Only one completion choice is allowed" to n above 1 (algorithmicsuperintelligence/optillm#8)."""

    def script(asked: Asked) -> Reply:
        if asked.samples > 1:
            return error(400, "Only one completion choice is allowed", code=400)
        return good(asked)

    return script


@endpoint("Groq, n refused", ONE_BY_ONE, source="works", write="works")
def groq_n() -> Script:
    """Takes n = 1 only, and says so with the name of the parameter (console.groq.com/docs/openai)."""

    def script(asked: Asked) -> Reply:
        if asked.samples > 1:
            return error(400, "'n' : number must be at most 1", param="n")
        return good(asked)

    return script


@endpoint("Anthropic, OpenAI-compatible", ONE_BY_ONE, source="works", write="works")
def anthropic_compatible() -> Script:
    """Takes n = 1 only; temperature and top_p not together (BerriAI/litellm#15097, docs.anthropic.com, OpenAI SDK)."""

    def script(asked: Asked) -> Reply:
        if "temperature" in asked.body and "top_p" in asked.body:
            text = "`temperature` and `top_p` cannot both be specified for this model. Please use only one."
            return json_reply(400, {"type": "error", "error": {"type": "invalid_request_error", "message": text}})
        if asked.samples > 1:
            return json_reply(
                400, {"error": {"code": "invalid_request_error", "message": "n: must be 1", "param": None}}
            )
        return good(asked)

    return script


@endpoint(
    "Mistral, logprobs and stream_options forbidden",
    "degrades: no token probabilities",
    source="works",
    write="degrades: no count of streamed tokens",
)
def mistral() -> Script:
    """Answers 422 with the place of what it does not know (eca#231, mistralai/platform-docs-public#7)."""

    def script(asked: Asked) -> Reply:
        for name in ("stream_options", "logprobs"):
            if name in asked.body:
                item = {"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs are not permitted"}
                content = {"object": "error", "message": {"detail": [item]}, "type": "invalid_request_error"}
                return json_reply(422, content)
        return good(asked)

    return script


@endpoint("Mistral behind a proxy, 422 in words", ONE_BY_ONE, source="works", write="works")
def mistral_proxy() -> Script:
    """The JSON of the error stands in the message of another one (mistralai/platform-docs-public#7)."""

    def script(asked: Asked) -> Reply:
        if asked.samples > 1:
            inner = '{"detail":[{"type":"extra_forbidden","loc":["body","n"],"msg":"Extra inputs are not permitted"}]}'
            content = {
                "object": "error",
                "message": inner,
                "type": "internal_error_proxy",
                "param": None,
                "code": "1000",
            }
            return json_reply(422, content)
        return good(asked)

    return script


@endpoint("Azure OpenAI, old API version", "works", write="degrades: no count of streamed tokens")
def azure_old_version() -> Script:
    """Knows no stream_options (Azure API versions before 2024-09)."""

    def script(asked: Asked) -> Reply:
        if "stream_options" in asked.body:
            return error(400, "Unrecognized request argument supplied: stream_options")
        return good(asked)

    return script


@endpoint("DeepSeek, deepseek-chat", "degrades: JSON without a schema", write="works")
def deepseek_chat() -> Script:
    """Knows JSON objects and no schemas, and names no parameter (llm-exe/llm-exe#662, BerriAI/litellm#31466)."""

    def script(asked: Asked) -> Reply:
        if asked.body.get("response_format", {}).get("type") == "json_schema":
            return error(400, "This response_format type is unavailable now", code="invalid_request_error")
        return good(asked)

    return script


@endpoint("LM Studio", "works")
def lm_studio() -> Script:
    """Knows JSON schemas and no JSON objects; its errors are a string (lmstudio-ai/lmstudio-bug-tracker#169)."""

    def script(asked: Asked) -> Reply:
        if asked.body.get("response_format", {}).get("type") == "json_object":
            return json_reply(400, {"error": "'response_format.type' must be 'json_schema' or 'text'"})
        return good(asked)

    return script


@endpoint("Groq, no JSON schemas", "degrades: JSON as asked for in words", write="works")
def groq_without_schemas() -> Script:
    """Some models know no response format at all, and say so with its name (console.groq.com/docs)."""

    def script(asked: Asked) -> Reply:
        if "response_format" in asked.body:
            kind = asked.body["response_format"]["type"]
            return error(400, f"This model does not support response format `{kind}`.", param="response_format")
        return good(asked)

    return script


@endpoint("A small server that says nothing but 400", "degrades: JSON as asked for in words", write="works")
def bare_400() -> Script:
    """Refuses response_format without a word, as many home-made servers do."""
    return lambda asked: Reply(status=400, body=b"") if "response_format" in asked.body else good(asked)


SYSTEM = "degrades: instructions within the question"


@endpoint("vLLM, Gemma 2", SYSTEM)
def vllm_gemma() -> Script:
    """Its chat template has no system role (huggingface/chat-ui#1386, vllm-project/vllm#2964)."""

    def script(asked: Asked) -> Reply:
        if any(message["role"] == "system" for message in asked.body["messages"]):
            return json_reply(
                400,
                {"object": "error", "message": "System role not supported", "type": "BadRequestError", "code": 400},
            )
        return good(asked)

    return script


@endpoint("SGLang, Gemma 2", SYSTEM)
def sglang_gemma() -> Script:
    """The same as a fault of the server: 500 (sgl-project/sglang#892)."""

    def script(asked: Asked) -> Reply:
        if any(message["role"] == "system" for message in asked.body["messages"]):
            return json_reply(500, {"object": "error", "message": "System role not supported"})
        return good(asked)

    return script


@endpoint("llama-cpp-python, no streams", "works")
def no_streams() -> Script:
    """Answers with one body where a stream is asked for, as simple servers do."""

    def script(asked: Asked) -> Reply:
        asked.body.pop("stream", None)
        return good(asked)

    return script


@endpoint("A server without probabilities", "works")
def certain_of_everything() -> Script:
    """Sends 0 as the logarithm of every probability (several proxies): that means "not told"."""

    def script(asked: Asked) -> Reply:
        reply = good(asked)
        words = tuple((word.encode(), 0.0) for word in reply.texts[0].split(" "))
        return replace(reply, tokens=words)

    return script
