"""Local models that score with the weights of a training, many pairs of many texts at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from detection.core.local_models.process import LocalModels
from detection.core.types import NliPair, NliScore, PairKind
from detection.lab.forwarding_models import ForwardingModels

from ..nli.scoring import Scorer

#: While other texts are still asking, a batch waits for them so long.
_PAUSE_S = 0.02


class TrainedModels(ForwardingModels):
    """``models``, but with the scores of statements by another scorer."""

    def __init__(self, models: LocalModels, scorer: Scorer) -> None:
        super().__init__(models)
        self._scorer = scorer
        self._waiting: list[tuple[Sequence[NliPair], asyncio.Future[list[NliScore]]]] = []
        self._scoring: asyncio.Task[None] | None = None

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        if not all(pair.kind is PairKind.STATEMENTS for pair in pairs):
            return await super().score(pairs)
        found: asyncio.Future[list[NliScore]] = asyncio.get_running_loop().create_future()
        self._waiting.append((pairs, found))
        if self._scoring is None or self._scoring.done():
            self._scoring = asyncio.create_task(self._score_waiting())
        return await found

    async def _score_waiting(self) -> None:
        while self._waiting:
            asking = 0
            while asking != len(self._waiting):
                asking = len(self._waiting)
                await asyncio.sleep(_PAUSE_S)
            asked, self._waiting = self._waiting, []
            try:
                pairs = [(pair.premise, pair.hypothesis) for some, _ in asked for pair in some]
                scores = iter((await asyncio.to_thread(self._scorer, pairs)).tolist())
            except Exception as error:
                for _, found in asked:
                    found.set_exception(error)
                continue
            for some, found in asked:
                found.set_result([NliScore(*next(scores)) for _ in some])
