"""Endpoints that answer something else than what they were asked: nothing of it may be called fine."""

from __future__ import annotations

from dataclasses import replace

from tests.fakes.endpoints.base import delta, endpoint, error, events, good, in_words, is_gap, is_text, is_vote
from tests.fakes.model_server import Asked, Reply, Script

FACT = "fails: The model did not answer the question about this fact."
SENTENCE = "fails: The model did not write the sentence that was asked for."


def _instead(text: str) -> Script:
    """This in the place of each sentence that fills a gap."""
    return lambda asked: Reply((text,) * asked.samples) if is_gap(asked) else good(asked)


@endpoint("A polite model", "works")
def sure_first() -> Script:
    """Says "Sure! …" first (Llama 2 chat, Gemma)."""
    return lambda asked: (
        in_words(asked, lambda text: f"Sure! Here is the next sentence:\n\n{text}") if is_gap(asked) else good(asked)
    )


@endpoint("A model that fences everything", "works")
def fenced() -> Script:
    """Puts the answer between ```text and ``` (Qwen2.5-Coder, small Llamas)."""
    return lambda asked: in_words(asked, lambda text: f"```text\n{text}\n```") if is_gap(asked) else good(asked)


@endpoint("A model that opens a fence only", SENTENCE, source="works", write="works")
def fence_without_answer() -> Script:
    """Answers "```text" and stops there (a stop sequence that fits the first line break)."""
    return _instead("```text")


@endpoint("A model that says N/A", FACT, source="works", write="works")
def not_applicable() -> Script:
    """Answers "N/A" to every gap (small instruct models)."""
    return _instead("N/A")


@endpoint("A model that is not comfortable", FACT, source="works", write="works")
def not_comfortable() -> Script:
    """Declines in words that begin no sentence of a text (Llama 2 chat, Claude)."""
    return _instead("I'm not comfortable making claims about the mill at Sorrel.")


@endpoint("A model that knows nothing reliable", FACT, source="works", write="works")
def nothing_reliable() -> Script:
    """Says that nothing is known, in a sentence with the words of the question (gpt-4o-mini on unknown names)."""
    return _instead("There is no reliable information about when the mill at Sorrel was built or what it has.")


@endpoint("A model that answers in German", FACT, source="works", write="works")
def german() -> Script:
    """Answers in the language of its operator's system prompt."""
    return _instead("Die Mühle in Sorrel wurde im Jahr 1849 von einem Müller erbaut und hat viele Zimmer.")


@endpoint("A model that only asks back", FACT, source="works", write="works")
def asks_back() -> Script:
    """Asks for more instead of answering (chat models without the system turn)."""
    return _instead("Could you tell me more about the mill at Sorrel that was built?")


@endpoint("A model that votes at length", "works")
def votes_at_length() -> Script:
    """ "Yes, … no doubt": the first word is the vote (chatty models)."""

    def script(asked: Asked) -> Reply:
        if not is_vote(asked):
            return good(asked)
        return in_words(asked, lambda text: f"{text}, and there is no doubt about it, yes or no.")

    return script


@endpoint("A model that does not vote", "fails: The model said neither Yes nor No.", source="works", write="works")
def no_vote() -> Script:
    """Begins every conclusion with "It depends" (chatty models)."""
    return lambda asked: Reply(("It depends on the context.",) * asked.samples) if is_vote(asked) else good(asked)


@endpoint("A server that cuts everything", "fails: The answer of the model was cut off", source="works", write="works")
def always_cut() -> Script:
    """Ends each answer with finish_reason length (a limit of the server's own, as in llama-server -n)."""
    return lambda asked: replace(good(asked), finish_reason="length")


@endpoint("Azure OpenAI, filtered answers", "fails: The model refused to answer.")
def filtered_answers() -> Script:
    """finish_reason content_filter (learn.microsoft.com, content filtering)."""
    return lambda asked: replace(good(asked), finish_reason="content_filter")


@endpoint("OpenAI, refusals", "fails: The model refused to answer.")
def refusals() -> Script:
    """The field refusal instead of content (platform.openai.com, structured outputs)."""

    def script(asked: Asked) -> Reply:
        if is_text(asked):
            return events({"choices": [{"index": 0, "delta": {"refusal": "I can't."}}]})
        return Reply(("",) * asked.samples, refusal="I can't help with that.")

    return script


@endpoint("A server with empty answers", "fails: The model gave an empty answer.", most_wasted=6)
def empty() -> Script:
    """Answers 200 with nothing in it (llama.cpp with a wrong chat template)."""
    return lambda asked: Reply(("",) * asked.samples)


@endpoint(
    "OpenRouter, error in the stream", "works", write="fails: The endpoint has a problem of its own (status 502)."
)
def error_in_stream() -> Script:
    """An error object within a stream of status 200, and a [DONE] behind it (damianvtran/local-operator#223)."""

    def script(asked: Asked) -> Reply:
        if not is_text(asked):
            return good(asked)
        broken = {"error": {"code": 502, "message": "Provider disconnected"}}
        return events(delta("The mill "), {**broken, **delta("", finish_reason="error")})

    return script


@endpoint("A gateway, stream that just ends", "works", write="fails: The connection to the endpoint broke off")
def stream_without_end() -> Script:
    """The provider goes away and the gateway ends the stream without a finish_reason (preloop/preloop#117)."""
    return lambda asked: events(delta("The mill was built"), done=False) if is_text(asked) else good(asked)


@endpoint("OpenRouter, error with status 200", "fails: The endpoint has a problem of its own", most_wasted=8)
def error_with_200() -> Script:
    """The error of a provider in a body of status 200 (diegosouzapw/OmniRoute#8210)."""
    return lambda asked: replace(error(200, "Provider returned error", code=502, kind="upstream"))
