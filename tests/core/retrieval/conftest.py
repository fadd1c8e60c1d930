from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial

import pytest

from detection.core.retrieval.retriever import Retriever
from tests.fakes.page_server import PageServer
from tests.fakes.retrieval import searching

OpenRetriever = Callable[..., AbstractAsyncContextManager[Retriever]]


@pytest.fixture
def open_retriever(site: PageServer) -> OpenRetriever:
    """A registered retriever whose service finds the named pages of the site."""
    return partial(searching, site)
