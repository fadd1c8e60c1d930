"""The real server beside a language model that answers by a script, for the browser tests and the pictures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from detection.lab.benchmarks.server import Server, running_server
from tests.fakes.model_server import ModelServer

#: The operator's; no page may show it.
MODEL_KEY = "sk-of-the-server"


@contextmanager
def server_with_model(models: ModelServer, **environment: str) -> Iterator[Server]:
    """A server that asks this language model, with any other settings; it may have been stopped at the end.

    Its checks have no time limit: tests share their processors.
    """
    with running_server(
        CHATPROTECT_LLM_BASE_URL=models.base_url,
        CHATPROTECT_LLM_API_KEY=MODEL_KEY,
        CHATPROTECT_GENERATOR_MODEL="some-model",
        **{"CHATPROTECT_CHECK_SECONDS": "0", **environment},
    ) as server:
        yield server
