from ..events import *
from ..types import *


class CrossContradiction:
    id = "cross_contradiction.v1"
    requires = frozenset()

    async def detect(self, request, ports, emit):
        S = request.parsed.sentences
        for i in request.pending:
            await emit(UnitStarted(self.id, i))
            f = []
            if i:
                sc = await ports.models.score(
                    [NliPair(f"{request.topic or ''}: {S[j].text}", S[i].text) for j in range(i)]
                )
                j = max(range(i), key=lambda j: sc[j].contradiction)
                if sc[j].contradiction > 0.9:
                    a, b = S[j].sentence, S[i].sentence
                    f = [
                        Finding(
                            i,
                            b.span,
                            FindingKind.CROSS_CONTRADICTION,
                            Verdict.CONTRADICTED,
                            sc[j].contradiction,
                            "m",
                            "e",
                            (Evidence(a.text, a.span, sentence=j),),
                            self.id,
                            b.text,
                            suggestions=(
                                Suggestion(
                                    i, "", text_hash(b.text), SuggestionMethod.DROP, True, f"Remove sentence {i + 1}"
                                ),
                            ),
                        )
                    ]
            await emit(UnitDone(self.id, i, Verdict.CONTRADICTED if f else Verdict.NO_PROBLEM_FOUND, tuple(f)))
