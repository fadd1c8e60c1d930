"""Ask the analyzer, and read its JSON; an answer that cannot be read is asked for once more."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TypeVar

from ..errors import ModelCallFailed
from ..llm.client import ModelClient
from ..llm.types import Message, ModelRequest, Purpose
from ..prompts import Prompt, load

AGAIN = load("answer_again.v1")

_MAX_TOKENS = 600

Result = TypeVar("Result")


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
        """What ``read`` makes of the answer; it gives None for one that is not in the form that was asked for.

        Raises:
            ModelCallFailed: a call came to nothing, or two answers could not be read.
        """
        answer = await self._complete(purpose, prompt, messages, schema)
        result = read(answer)
        if result is None:
            again = (*messages, *AGAIN.render(answer=answer))
            result = read(await self._complete(purpose, prompt, again, schema))
        if result is None:
            raise ModelCallFailed("The model did not answer in the form that was asked for.")
        return result

    async def write(self, purpose: Purpose, prompt: Prompt, messages: tuple[Message, ...]) -> str:
        """What it writes, as it is.

        Raises:
            ModelCallFailed: the call came to nothing.
        """
        return await self._complete(purpose, prompt, messages, None)

    async def _complete(
        self, purpose: Purpose, prompt: Prompt, messages: tuple[Message, ...], schema: str | None
    ) -> str:
        request = ModelRequest(purpose, prompt.id, self._model, messages, max_tokens=_MAX_TOKENS, schema=schema)
        return (await self._client.complete(request)).text


def schema_of(**properties: object) -> str:
    """The JSON schema of an object with exactly these properties, in the order in which a model shall think."""
    return json.dumps(
        {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
    )
