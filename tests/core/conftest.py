from __future__ import annotations

from collections.abc import Callable

import pytest

from detection.core.comparison import ComparableSentence
from detection.core.compute import InProcessModels

Prepare = Callable[[str], list[ComparableSentence]]


@pytest.fixture
def prepare_all(local_models: InProcessModels) -> Prepare:
    """The sentences of a text, ready to be compared."""
    return lambda text: [ComparableSentence(parsed) for parsed in local_models.language.parse(text).sentences]
