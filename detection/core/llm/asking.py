"""Ask for an answer in a given format, and once more if the answer is malformed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from ..prompts import Prompt
from .client import ModelClient
from .types import ModelRequest

Result = TypeVar("Result")


async def ask_twice(
    client: ModelClient, request: ModelRequest, again: Prompt, read: Callable[[str], Result | None]
) -> Result | None:
    """The result of ``read`` on the answer; None if it cannot parse two answers.

    A truncated answer counts as malformed: its missing part would pass as fine. ``again`` is the prompt after a
    malformed answer, which is its variable.

    Raises:
        ModelCallFailed, EndpointRefused, BudgetExhausted: a call failed.
    """
    answer = await client.complete(request)
    result = None if answer.is_cut else read(answer.text)
    if result is not None:
        return result
    repeated = replace(request, messages=(*request.messages, *again.render(answer=answer.text)))
    answer = await client.complete(repeated)
    return None if answer.is_cut else read(answer.text)
