"""Split a sentence into claims with a language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..grounding.premise import boundary_of
from ..grounding.quotes import find_words
from ..llm.asking import ask_twice
from ..llm.client import ModelClient
from ..llm.schemas import TEXT, list_of, object_of, schema_of
from ..llm.structured import NoJson, find_list
from ..llm.types import ModelRequest, Purpose
from ..prompts import load
from ..self_contradiction.correction import keeps_to
from ..types import ParsedSentence
from .subclaims import SubClaim

PROMPT, AGAIN = load("subclaims.v1"), load("subclaims_again.v1")

#: Maximum number of claims that the prompt asks for; further ones are dropped.
MAX_CLAIMS = 8
_LONGEST_CLAIM = 300
#: Words before the sentence in the prompt, to resolve its pronouns.
_MAX_WORDS_BEFORE = 120
_MAX_TOKENS = 800
_UNKNOWN_TOPIC = "(not known)"
_NOTHING_BEFORE = "(nothing)"

_SCHEMA = schema_of(claims=list_of(object_of(words=TEXT, claim=TEXT)))


class ClaimModel:
    """Asks the analyzer model for claims."""

    def __init__(self, client: ModelClient, analyzer: str) -> None:
        self._client = client
        self._analyzer = analyzer

    async def claims(self, sentence: ParsedSentence, before: Sequence[str], topic: str | None) -> tuple[SubClaim, ...]:
        """The claims of a sentence; none if two answers in turn were unusable. ``before`` are the sentences before it.

        Raises:
            ModelCallFailed: the analyzer gave no answer.
        """
        prefix = _prefix(before)
        topic = topic or _UNKNOWN_TOPIC
        messages = PROMPT.render(
            boundary=boundary_of(sentence.text, prefix, topic), topic=topic, prefix=prefix, sentence=sentence.text
        )
        request = ModelRequest(
            Purpose.SUBCLAIMS, PROMPT.id, self._analyzer, messages, max_tokens=_MAX_TOKENS, schema=_SCHEMA
        )
        found = await ask_twice(
            self._client, request, AGAIN, lambda answer: tuple(_read(answer, sentence, prefix, topic)) or None
        )
        return (found or ())[:MAX_CLAIMS]

    def basis(self, before: Sequence[str]) -> tuple[str, ...]:
        """What the claims depend on besides the sentence: the analyzer model, and the text before that it sees."""
        return (self._analyzer, _prefix(before))


def _prefix(before: Sequence[str]) -> str:
    return " ".join(" ".join(before).split()[-_MAX_WORDS_BEFORE:]) or _NOTHING_BEFORE


def _read(answer: str, sentence: ParsedSentence, *context: str) -> Iterator[SubClaim]:
    """The claims in an answer, each once, without those that add something to the text."""
    try:
        items = find_list(answer, "claims")
    except NoJson:
        return
    known = set[str]()
    for item in items:
        text = item.get("claim") if isinstance(item, dict) else None
        if not isinstance(text, str) or not any(map(str.isalnum, text)) or len(text) > _LONGEST_CLAIM:
            continue
        text = " ".join(text.split())
        if text not in known and keeps_to(text, [sentence.text, *context]):
            known.add(text)
            span = find_words(str(item.get("words")), sentence.text)
            own = sentence.sentence
            yield SubClaim(text, span.shifted(own.start) if span else own.span)
