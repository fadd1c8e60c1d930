"""Try out the endpoint of the settings, and say what is wrong with it."""

from __future__ import annotations

import asyncio
import json
import time

from django.conf import settings

from .. import wiring
from ..core.errors import DetectionError
from ..core.llm.types import ModelRequest, Purpose
from ..core.prompts import load

_PLAIN, _JSON = load("test.v1"), load("test_json.v1")
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
                for prompt, schema in ((_PLAIN, None), (_JSON, _SCHEMA)):
                    await client.complete(
                        ModelRequest(Purpose.TEST, prompt.id, model, prompt.render(), max_tokens=16, schema=schema)
                    )
            knows_schemas = client.knows_schemas
    except DetectionError as error:
        return str(error)
    except TimeoutError:
        return f"The endpoint gave no answer within {_DEADLINE_S:.0f} seconds."
    seconds = time.monotonic() - begun
    remark = "" if knows_schemas else " It knows no JSON schemas, so answers in JSON are read as they come."
    return f"The connection works: {' and '.join(models)} answered in {seconds:.1f} s.{remark}"
