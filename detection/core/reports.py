"""What the pipeline reports while it runs. The order of reports about one unit is: started, then one of the others."""

from __future__ import annotations

from dataclasses import dataclass

from .evidence.record import SearchRecord
from .types import Evidence, Finding, ReadShare, Sentence, Verdict


@dataclass(frozen=True, slots=True)
class TextSegmented:
    """The text has been split. ``topic`` is what it is about, as found in the text; None when nothing stands out."""

    sentences: tuple[Sentence, ...]
    topic: str | None


@dataclass(frozen=True, slots=True)
class UnitStarted:
    """A detector has begun to look at a sentence."""

    detector: str
    sentence: int


@dataclass(frozen=True, slots=True)
class UnitDone:
    """A detector has judged a sentence.

    ``evidence`` is what the verdict rests on when there is no finding: the passages that support the sentence, the best
    one first, one for each source that does. ``read`` says how much of the sources was read for it, and ``search`` what
    was looked up for it. ``basis`` names all that the result hangs on (the pipeline fills it in); ``is_carried`` says
    that it comes from an earlier check.
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
    """A detector could not judge a sentence. ``reason`` is for the reader; trying again may help."""

    detector: str
    sentence: int
    reason: str


@dataclass(frozen=True, slots=True)
class UnitSkipped:
    """A detector did not judge a sentence, and trying again would not help. ``reason`` is for the reader."""

    detector: str
    sentence: int
    reason: str


UnitResult = UnitDone | UnitFailed | UnitSkipped
PipelineEvent = TextSegmented | UnitStarted | UnitResult
