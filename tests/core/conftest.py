from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from detection.core.comparing.sentence import ComparableSentence
from detection.core.language.pipeline import LanguagePipeline
from detection.core.local_models.process import InProcessModels
from tests.fakes.page_server import Page, PageServer

Prepare = Callable[[str], list[ComparableSentence]]


@pytest.fixture(scope="session")
def pipeline(local_models: InProcessModels) -> LanguagePipeline:
    """The shipped language pipeline, loaded once for all tests."""
    return local_models.language


@pytest.fixture(scope="session")
def prepare_all(local_models: InProcessModels) -> Prepare:
    """The sentences of a text, ready to be compared."""
    return lambda text: [ComparableSentence(parsed) for parsed in local_models.language.parse(text).sentences]


@pytest.fixture
def site() -> Iterator[PageServer]:
    """A web site for test pages."""
    with PageServer({"/robots.txt": Page(status=404)}).running() as server:
        yield server
