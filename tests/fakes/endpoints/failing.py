"""Endpoints that fail, for now or for good: each says why in its own way, and the reader is told."""

from __future__ import annotations

from tests.fakes.endpoints.base import endpoint, error, first_then, json_reply
from tests.fakes.model_server import Reply, Script

KEY = "fails: The endpoint refuses the API key."
CREDIT = "fails: The account has no credit left."
MODEL = "fails: The endpoint has no model"
FOR_GOOD = 1
PASSES = 4


@endpoint("OpenAI, wrong key", KEY, most_wasted=FOR_GOOD)
def openai_wrong_key() -> Script:
    """401 with a part of the key in the message (platform.openai.com, error codes)."""
    text = "Incorrect API key provided: sk-se***cret. You can find your API key at your account page."
    return lambda asked: error(401, text, code="invalid_api_key")


@endpoint("Gemini, wrong key", KEY, most_wasted=FOR_GOOD)
def gemini_wrong_key() -> Script:
    """400 in a list, as all errors of its OpenAI-compatible address (ai.google.dev, troubleshooting)."""
    content = {"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT"}
    return lambda asked: json_reply(400, [{"error": content}])


@endpoint("OpenAI, unsupported country", "fails: The API key does not allow this.", most_wasted=FOR_GOOD)
def openai_country() -> Script:
    """403 unsupported_country_region_territory (platform.openai.com, error codes)."""
    text = "Country, region, or territory not supported"
    return lambda asked: error(403, text, code="unsupported_country_region_territory", kind="request_forbidden")


@endpoint("OpenAI, no credit", CREDIT, most_wasted=FOR_GOOD)
def openai_no_credit() -> Script:
    """429 insufficient_quota: waiting does not help (platform.openai.com, error codes)."""
    text = "You exceeded your current quota, please check your plan and billing details."
    return lambda asked: error(429, text, code="insufficient_quota", kind="insufficient_quota")


@endpoint("Anthropic, no credit", CREDIT, most_wasted=FOR_GOOD)
def anthropic_no_credit() -> Script:
    """400 with words only (docs.anthropic.com, errors)."""
    text = "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing."
    return lambda asked: json_reply(400, {"type": "error", "error": {"type": "invalid_request_error", "message": text}})


@endpoint("DeepSeek, no credit", CREDIT, most_wasted=FOR_GOOD)
def deepseek_no_credit() -> Script:
    """402 Insufficient Balance (api-docs.deepseek.com, error codes)."""
    return lambda asked: error(402, "Insufficient Balance", kind="unknown_error")


@endpoint("Ollama, model not pulled", MODEL, most_wasted=FOR_GOOD)
def ollama_no_model() -> Script:
    """404 with the advice to pull it (ollama/ollama, openai compatibility)."""
    return lambda asked: error(404, 'model "llama9" not found, try pulling it first', kind="api_error")


@endpoint("OpenRouter, no such model", MODEL, most_wasted=FOR_GOOD)
def openrouter_no_model() -> Script:
    """400 "is not a valid model ID" (openrouter.ai/docs, errors)."""
    return lambda asked: json_reply(400, {"error": {"message": "llama9 is not a valid model ID", "code": 400}})


@endpoint("Azure OpenAI, no such deployment", MODEL, most_wasted=FOR_GOOD)
def azure_no_deployment() -> Script:
    """404 DeploymentNotFound (learn.microsoft.com, Azure OpenAI)."""
    return lambda asked: error(404, "The API deployment for this resource does not exist.", code="DeploymentNotFound")


@endpoint("Ollama, address without /v1", MODEL, most_wasted=FOR_GOOD)
def without_v1() -> Script:
    """404 in plain text for an address that is not there (Go's http server)."""
    return lambda asked: Reply(status=404, body=b"404 page not found")


@endpoint("nginx before nothing", "fails: The endpoint has a problem of its own (status 502).", most_wasted=6)
def nginx_502() -> Script:
    """502 with a web page, for as long as the server behind it is down."""
    return lambda asked: Reply(status=502, body=b"<html><h1>502 Bad Gateway</h1></html>")


@endpoint(
    "A web page in the place of an API", "fails: The endpoint answered with something that is no chat completion."
)
def web_page() -> Script:
    """200 with HTML: the address of the web interface (Open WebUI, LM Studio, a captive portal)."""
    return lambda asked: Reply(body=b"<!doctype html><html><body>Welcome</body></html>")


@endpoint("A moved endpoint", "fails: The endpoint leads to another address", most_wasted=FOR_GOOD)
def moved() -> Script:
    """308 to https: texts are not sent on to an address that the reader was not told."""
    return lambda asked: Reply(status=308, body=b"", headers={"Location": "https://elsewhere.example/v1"})


@endpoint("OpenRouter, moderation", "fails: The endpoint moderates, and refused this text.")
def openrouter_moderation() -> Script:
    """403 with the reasons of the moderation: no fault of the key (openrouter.ai/docs, moderation errors)."""
    text = "Input was flagged by moderation"
    return lambda asked: json_reply(403, {"error": {"code": 403, "message": text, "metadata": {"reasons": ["x"]}}})


@endpoint("Azure OpenAI, filtered question", "fails: The endpoint moderates, and refused this text.")
def azure_filtered_question() -> Script:
    """400 content_filter (compl-ai/compl-ai#20, openai/openai-python#331)."""
    text = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."
    return lambda asked: error(400, text, code="content_filter", param="prompt")


@endpoint("vLLM, small context", "fails: The text is too long for the model.")
def vllm_small_context() -> Script:
    """400 with the numbers (docs.vllm.ai; openai's context_length_exceeded)."""
    text = "This model's maximum context length is 512 tokens. However, you requested 900 tokens."
    return lambda asked: json_reply(400, {"object": "error", "message": text, "type": "BadRequestError", "code": 400})


@endpoint("llama.cpp, small context", "fails: The text is too long for the model.")
def llama_cpp_small_context() -> Script:
    """400 exceed_context_size_error (ggml-org/llama.cpp, tools/server)."""
    text = "the request exceeds the available context size, try increasing it"
    return lambda asked: error(400, text, code=400, kind="exceed_context_size_error")


@endpoint("llama.cpp, loading", "works", most_wasted=PASSES)
def llama_cpp_loading() -> Script:
    """503 "Loading model" until it is loaded (mostlygeek/llama-swap#146)."""
    content = {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}
    return first_then(*[json_reply(503, content)] * 3)


@endpoint("Hugging Face, loading", "works", most_wasted=PASSES)
def hugging_face_loading() -> Script:
    """503 with an estimate (huggingface.co/docs/api-inference)."""
    content = {"error": "Model meta-llama/Llama-3.1-8B is currently loading", "estimated_time": 20.0}
    return first_then(*[json_reply(503, content)] * 2)


@endpoint("Groq, tokens a minute", "works", most_wasted=PASSES)
def groq_rate_limit() -> Script:
    """429 with "Please try again in …" (mindcraft-bots/mindcraft#188)."""
    text = (
        "Rate limit reached for model `llama3-70b-8192` on tokens per minute (TPM): Limit 6000, Used 5914, "
        "Requested 1822. Please try again in 12ms. Visit the console for more information."
    )
    return first_then(*[error(429, text, code="rate_limit_exceeded", kind="tokens")] * 2)


@endpoint("Gemini, requests a minute", "works", most_wasted=PASSES)
def gemini_rate_limit() -> Script:
    """429 in a list, with a retryDelay, in words that sound like no credit (ai.google.dev, rate limits)."""
    content = {
        "code": 429,
        "message": "You exceeded your current quota, please check your plan and billing details.",
        "status": "RESOURCE_EXHAUSTED",
        "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.01s"}],
    }
    return first_then(*[json_reply(429, [{"error": content}])] * 2)


@endpoint("OpenAI, requests a minute", "works", most_wasted=PASSES)
def openai_rate_limit() -> Script:
    """429 with retry-after-ms and x-ratelimit-reset-requests (platform.openai.com, rate limits)."""
    headers = {"retry-after-ms": "10", "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "10ms"}
    return first_then(*[error(429, "Rate limit reached", code="rate_limit_exceeded", headers=headers)] * 2)


@endpoint("Anthropic, overloaded", "works", most_wasted=PASSES)
def anthropic_overloaded() -> Script:
    """529 overloaded_error (docs.anthropic.com, errors)."""
    content = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    return first_then(*[json_reply(529, content)] * 2)


@endpoint("A free tier, used up for today", "fails: The endpoint is busy and asks to wait.", most_wasted=FOR_GOOD)
def used_up_for_today() -> Script:
    """429 with a wait of hours (openrouter.ai/docs, free models)."""
    text = "Rate limit exceeded: free-models-per-day"
    return lambda asked: error(429, text, code=429, headers={"Retry-After": "36000"})
