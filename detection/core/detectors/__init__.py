"""The registry: every detector, in the order in which their findings are shown. Ids carry a version."""

from __future__ import annotations

from ..ports import Detector
from .cross_contradiction import CrossContradiction
from .evidence import EvidenceSearch
from .grounding import Grounding
from .self_contradiction import SelfContradiction

DETECTORS: dict[str, Detector] = {
    detector.id: detector for detector in (SelfContradiction(), CrossContradiction(), Grounding(), EvidenceSearch())
}

__all__ = ["DETECTORS"]
