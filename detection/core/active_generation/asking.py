"""Ask the analyzer and parse its JSON; retry once if the answer cannot be parsed."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import ModelCallFailed
from ..llm.asking import Result, ask_twice
from ..llm.client import ModelClient
from ..llm.types import ModelRequest, Purpose
from ..prompts import Message, Prompt, load

AGAIN = load("answer_again.v1")

_MAX_TOKENS = 600


class Analyzer:
    """The model that judges, behind a client."""

    def __init__(self, client: ModelClient, model: str) -> None:
        self._client = client
        self._model = model

    async def ask(
        self,
        purpose: Purpose,
        prompt: Prompt,
        messages: tuple[Message, ...],
        schema: str,
        read: Callable[[str], Result | None],
    ) -> Result:
        """The answer as parsed by ``read``, which returns None for a malformed answer.

        Raises:
            ModelCallFailed: a call failed, or two answers could not be parsed.
        """
        result = await ask_twice(self._client, self._request(purpose, prompt, messages, schema), AGAIN, read)
        if result is None:
            raise ModelCallFailed("The model did not answer in the form that was asked for.")
        return result

    async def write(self, purpose: Purpose, prompt: Prompt, messages: tuple[Message, ...]) -> str:
        """The answer as plain text.

        Raises:
            ModelCallFailed: the call failed.
        """
        return (await self._client.complete(self._request(purpose, prompt, messages, None))).text

    def _request(
        self, purpose: Purpose, prompt: Prompt, messages: tuple[Message, ...], schema: str | None
    ) -> ModelRequest:
        return ModelRequest(purpose, prompt.id, self._model, messages, max_tokens=_MAX_TOKENS, schema=schema)
