"""Rewrite the sentences that the sources do not support, and no others (METHODS B.5)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from ..comparing.sentence import ComparableSentence
from ..errors import Cancelled, DetectionError
from ..local_models.process import LocalModels
from ..self_contradiction.model import is_same_wording
from ..types import Verdict
from .hypotheses import Flaw, Repair, Unjudged
from .model import GroundingModel
from .model_assessment import Assessor
from .premise import PremiseReader

#: Up to this number of sentences the prompt has the whole response; beyond, the sentences around each flawed one.
WHOLE_RESPONSE = 40
NEIGHBOURS = 3


class Mitigator:
    """Rewrites sentences with a language model, and offers only rewrites that pass both levels."""

    def __init__(self, model: GroundingModel, reader: PremiseReader, assessor: Assessor, models: LocalModels) -> None:
        self._model = model
        self._reader = reader
        self._assessor = assessor
        self._models = models

    async def rewrites(
        self, response: Sequence[ComparableSentence], reasons: Mapping[int, str], contexts: Mapping[int, str]
    ) -> dict[int, str]:
        """Verified wordings of flawed sentences of a response, by index; none if the sources cannot repair one.

        ``reasons`` are the flaws and ``contexts`` the preceding sentences (see :class:`Hypothesis`), both by index.
        If a call fails, its rewrites are missing; no error is raised.
        """
        try:
            wordings = await self._wordings(response, reasons)
            return await self._verified(response, wordings, contexts)
        except Cancelled:
            raise
        except DetectionError:
            return {}

    async def _wordings(self, response: Sequence[ComparableSentence], reasons: Mapping[int, str]) -> dict[int, str]:
        """Request all wordings in one call, and one by one if the model changed other sentences."""
        together = await self._ask(response, reasons)
        if together.keeps_the_rest:
            return together.wordings
        alone = await asyncio.gather(*(self._ask(response, {index: reason}) for index, reason in reasons.items()))
        # Each answer counts only for its own sentence, whatever else the model changed.
        return {index: wording for repair in alone for index, wording in repair.wordings.items()}

    async def _ask(self, response: Sequence[ComparableSentence], reasons: Mapping[int, str]) -> Repair:
        """New wordings, by index."""
        shown = _shown(len(response), reasons)
        repair = await self._model.repair(
            self._reader.premise_for([response[index].text for index in reasons]),
            [None if index is None else response[index].text for index in shown],
            [Flaw(shown.index(index), reason) for index, reason in reasons.items()],
        )
        by_index = {shown[position]: wording for position, wording in repair.wordings.items()}
        return Repair({index: by_index[index] for index in reasons if by_index.get(index)}, repair.keeps_the_rest)

    async def _verified(
        self, response: Sequence[ComparableSentence], wordings: Mapping[int, str], contexts: Mapping[int, str]
    ) -> dict[int, str]:
        candidates: dict[int, ComparableSentence] = {}
        for index, wording in wordings.items():
            parsed = await self._models.parse(wording)
            if len(parsed.sentences) == 1 and not is_same_wording(wording, response[index].text):
                candidates[index] = ComparableSentence(parsed.sentences[0])
        if not candidates:
            return {}
        results = await self._assessor.assess([*candidates.values()], [contexts[index] for index in candidates])
        return {
            index: wordings[index]
            for index, result in zip(candidates, results, strict=True)
            if not isinstance(result, Unjudged) and result.verdict is Verdict.SUPPORTED
        }


def _shown(length: int, flawed: Mapping[int, str]) -> list[int | None]:
    """The indices of the sentences in the prompt, with None for each gap."""
    if length <= WHOLE_RESPONSE:
        return list(range(length))
    near = {i for index in flawed for i in range(index - NEIGHBOURS, index + NEIGHBOURS + 1) if 0 <= i < length}
    shown: list[int | None] = []
    for index in sorted(near):
        if shown and shown[-1] != index - 1:
            shown.append(None)
        shown.append(index)
    return shown
