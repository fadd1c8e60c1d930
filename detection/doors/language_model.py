"""The engine with a language model, without the settings of the server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ..core.decomposition.model import ClaimModel
from ..core.grounding.model import GroundingModel
from ..core.llm.client import ModelClient
from ..core.llm.endpoint import Endpoint
from ..core.local_models.process import LocalModels
from ..core.ports import Ports
from ..core.self_contradiction.model import Contradictions
from .python import LanguageModel

#: Limit of a call with all attempts, as a multiple of the timeout of one attempt.
_DEADLINE_IN_TIMEOUTS = 3


@asynccontextmanager
async def open_ports(asked: LanguageModel, models: LocalModels) -> AsyncIterator[Ports]:
    """The ports for one run with a language model."""
    endpoint = Endpoint(
        base_url=asked.base_url,
        api_key=asked.api_key,
        attempt_timeout_s=asked.timeout_s,
        deadline_s=_DEADLINE_IN_TIMEOUTS * asked.timeout_s,
        max_concurrency=asked.max_concurrency,
    )
    analyzer = asked.analyzer or asked.model
    async with ModelClient(endpoint) as client:
        yield Ports(
            models,
            contradictions=Contradictions(client, generator=asked.model, analyzer=analyzer),
            client=client,
            grounding=GroundingModel(client, analyzer),
            claims=ClaimModel(client, analyzer),
        )
