"""A rewrite is looked at by the same detectors as the text before it is offered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ..comparing.sentence import ComparableSentence
from ..local_models.process import LocalModels
from ..types import FindingKind

#: The kinds of problems that a check sees in a sentence that stands at an index of the text, which is without the
#: sentences at some other indices.
FindProblems = Callable[[int, ComparableSentence, frozenset[int]], Awaitable[frozenset[FindingKind]]]


class Recheck:
    """Judges rewrites with all detectors of a check."""

    def __init__(self, models: LocalModels, find_problems: FindProblems) -> None:
        self._models = models
        self._find_problems = find_problems

    def with_problems(self, find_problems: FindProblems) -> Recheck:
        """The same, with one more look at each wording."""

        async def find_all(index: int, wording: ComparableSentence, left_out: frozenset[int]) -> frozenset[FindingKind]:
            return await self._find_problems(index, wording, left_out) | await find_problems(index, wording, left_out)

        return Recheck(self._models, find_all)

    async def parsed(self, wording: str) -> ComparableSentence | None:
        """The wording, ready to be compared; None where it is not one sentence."""
        parsed = await self._models.parse(wording)
        return ComparableSentence(parsed.sentences[0]) if len(parsed.sentences) == 1 else None

    async def has(self, index: int, sentence: ComparableSentence, kind: FindingKind) -> bool:
        """Whether a check sees a problem of this kind in the sentence as it stands."""
        return kind in await self._find_problems(index, sentence, frozenset())

    async def holds(
        self,
        index: int,
        original: ComparableSentence,
        wording: str,
        *,
        fixes: FindingKind,
        may_leave: frozenset[FindingKind] = frozenset(),
        left_out: frozenset[int] = frozenset(),
    ) -> bool:
        """True if ``wording`` in place of sentence ``index`` mends the problem ``fixes`` and brings no new one.

        Problems of the kinds in ``may_leave`` may be left, and be new. The sentences at ``left_out`` are taken away at
        the same time.
        """
        changed = await self.parsed(wording)
        if changed is None:
            return False
        left = await self._find_problems(index, changed, left_out) - may_leave
        if not left:
            return True
        return left <= await self._find_problems(index, original, frozenset()) - {fixes}
