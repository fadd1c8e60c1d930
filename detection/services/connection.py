"""Try out the endpoint of the settings, and say what is wrong with it."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace

from django.conf import settings

from .. import wiring
from ..core.errors import DetectionError
from ..core.llm.types import Message, ModelRequest, Purpose, Role

_QUESTION = "Answer with the one word Yes."
_JSON_QUESTION = 'Answer with the JSON object {"answer": "yes"}.'
_SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"answer": {"type": "string"}},
        "required": ["answer"],
        "additionalProperties": False,
    }
)
_DEADLINE_S = 20.0


def language_model_test(*, api_key: str) -> str:
    """Ask each model of the settings one short question.

    Returns:
        A sentence for the reader: how long it took, or what is wrong.
    """
    if not wiring.has_language_model():
        return "No language model is set up here."
    return asyncio.run(_test(api_key))


async def _test(api_key: str) -> str:
    models = dict.fromkeys((settings.GENERATOR_MODEL, settings.ANALYZER_MODEL))
    begun = time.monotonic()
    try:
        async with asyncio.timeout(_DEADLINE_S), wiring.open_client(api_key=api_key) as client:
            for model in models:
                message = Message(Role.USER, _QUESTION)
                request = ModelRequest(Purpose.TEST, "test.v1", model, (message,), max_tokens=16)
                await client.complete(request)
                await client.complete(replace(request, messages=(Message(Role.USER, _JSON_QUESTION),), schema=_SCHEMA))
            knows_schemas = client.knows_schemas
    except DetectionError as error:
        return str(error)
    except TimeoutError:
        return f"The endpoint gave no answer within {_DEADLINE_S:.0f} seconds."
    seconds = time.monotonic() - begun
    remark = "" if knows_schemas else " It knows no JSON schemas, so answers in JSON are read as they come."
    return f"The connection works: {' and '.join(models)} answered in {seconds:.1f} s.{remark}"
