"""Endpoints as people have them: each one scripted, with what a check, a check with a source and a text come to there.

``python -m tests.fakes.endpoints`` prints the table of ``docs/endpoints.md``.
"""

from __future__ import annotations

from tests.fakes.endpoints import answering, evasive, failing, thinking
from tests.fakes.endpoints.base import REGISTERED, FakeEndpoint

ENDPOINTS: tuple[FakeEndpoint, ...] = tuple(REGISTERED)

__all__ = ["ENDPOINTS", "FakeEndpoint", "answering", "evasive", "failing", "thinking"]
