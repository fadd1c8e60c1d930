"""Judge each rewrite with the same detectors as the text before offering it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ..comparing.sentence import ComparableSentence, one_sentence
from ..local_models.process import LocalModels
from ..types import FindingKind

#: Returns the kinds of problems that a check finds in a sentence at an index of the text, without the sentences at some
#: other indices.
FindProblems = Callable[[int, ComparableSentence, frozenset[int]], Awaitable[frozenset[FindingKind]]]


class Recheck:
    """Judges rewrites with all detectors of a check."""

    def __init__(self, models: LocalModels, find_problems: FindProblems) -> None:
        self._models = models
        self._find_problems = find_problems

    def with_problems(self, find_problems: FindProblems) -> Recheck:
        """A copy that also calls ``find_problems`` for each wording."""

        async def find_all(index: int, wording: ComparableSentence, left_out: frozenset[int]) -> frozenset[FindingKind]:
            return await self._find_problems(index, wording, left_out) | await find_problems(index, wording, left_out)

        return Recheck(self._models, find_all)

    async def parsed(self, wording: str) -> ComparableSentence | None:
        """The parsed wording; None if it is not exactly one sentence."""
        return await one_sentence(wording, self._models)

    async def has(self, index: int, sentence: ComparableSentence, kind: FindingKind) -> bool:
        """Whether a check finds a problem of this kind in the unchanged sentence."""
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
        """True if ``wording`` in place of sentence ``index`` resolves the problem ``fixes`` and causes no new one.

        Old and new problems of the kinds in ``may_leave`` are allowed. The sentences at ``left_out`` are removed at the
        same time.
        """
        changed = await self.parsed(wording)
        if changed is None:
            return False
        left = await self._find_problems(index, changed, left_out) - may_leave
        if not left:
            return True
        return left <= await self._find_problems(index, original, frozenset()) - {fixes}
