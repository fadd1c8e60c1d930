from __future__ import annotations

import pytest
from django.conf import settings

from detection.core.language.pipeline import LanguagePipeline


@pytest.fixture(scope="session")
def pipeline() -> LanguagePipeline:
    return LanguagePipeline(settings.SPACY_MODEL)
