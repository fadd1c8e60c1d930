"""Reports of the pipeline. The order of reports about one unit is: started, then one of the others."""

from __future__ import annotations

from dataclasses import dataclass

from .evidence.record import SearchRecord
from .types import Evidence, Finding, ReadShare, Sentence, Verdict


@dataclass(frozen=True, slots=True)
class TextSegmented:
    """The text has been split. ``topic`` is the topic found in the text; None when none is clear."""

    sentences: tuple[Sentence, ...]
    topic: str | None


@dataclass(frozen=True, slots=True)
class UnitStarted:
    """A detector has begun to judge a sentence."""

    detector: str
    sentence: int


@dataclass(frozen=True, slots=True)
class UnitDone:
    """A detector has judged a sentence.

    ``evidence`` supports the verdict when there is no finding: the best supporting passage of each source, best first.
    ``read`` says how much of the sources was read, and ``search`` what was searched for. ``basis`` is the hash of
    everything that the result depends on (the pipeline sets it); ``is_carried`` is True for a result of an earlier
    check.
    """

    detector: str
    sentence: int
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    read: ReadShare | None = None
    search: SearchRecord | None = None
    basis: str = ""
    is_carried: bool = False


@dataclass(frozen=True, slots=True)
class UnitFailed:
    """A detector could not judge a sentence. ``reason`` is for the reader; a retry may help."""

    detector: str
    sentence: int
    reason: str


@dataclass(frozen=True, slots=True)
class UnitSkipped:
    """A detector did not judge a sentence, and a retry would not help. ``reason`` is for the reader."""

    detector: str
    sentence: int
    reason: str


UnitResult = UnitDone | UnitFailed | UnitSkipped
PipelineEvent = TextSegmented | UnitStarted | UnitResult
