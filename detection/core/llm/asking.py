"""Ask for an answer in a form, and once more for one that is not in it."""

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
    """What ``read`` makes of the answer; None when it makes nothing of two answers.

    An answer that was cut counts as one of which nothing can be made: what is missing of it would be taken for fine.
    ``again`` is what follows an answer of which nothing could be made. It has the answer as its variable.

    Raises:
        ModelCallFailed, EndpointRefused, BudgetExhausted: a call came to nothing.
    """
    answer = await client.complete(request)
    result = None if answer.is_cut else read(answer.text)
    if result is not None:
        return result
    repeated = replace(request, messages=(*request.messages, *again.render(answer=answer.text)))
    answer = await client.complete(repeated)
    return None if answer.is_cut else read(answer.text)
