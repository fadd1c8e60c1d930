"""Combine the verdicts of several detectors into one verdict for a sentence."""

from __future__ import annotations

from collections.abc import Collection

from ..types import Verdict


def sentence_verdict(done: Collection[Verdict], *, failed: bool) -> Verdict:
    """The worst verdict of the detectors. A sentence that no detector judged is "not checked", never fine.

    A warning outweighs a failure elsewhere; without one, a sentence that a detector failed on counts as failed,
    whatever the others say.
    """
    worst = min(done, key=lambda verdict: verdict.rank, default=Verdict.NOT_CHECKED)
    if failed and worst.rank >= Verdict.UNSURE.rank:
        return Verdict.FAILED
    return worst
