"""Say the opposite of a sentence, and compare how well the sources support either wording.

In free paraphrase that names the wrong word where the source has no word for it: "a minority" beside "most of them".
"""

from __future__ import annotations

from itertools import islice

from ..comparing.sentence import ComparableSentence
from ..local_models.process import LocalModels
from ..rules.antonyms import OppositeWording, with_antonyms
from ..rules.negation import with_negations
from .exchange import Lines, SupportOf, best_exchange

#: So many wordings are read, beside the source sentence that tells most about the sentence.
_MOST_WITH_ANTONYMS, _MOST_WITH_NEGATIONS = 8, 6
#: In five sets of summaries (262 conflicts named) 19 get such a wording, and a reader finds all of them right. From a
#: rise of 3.0 on there are some more, and two faithful sentences that were taken for conflicts get a wrong one.
_LINES_OF_ANTONYMS = Lines(rise=6.0, support=0.9, lead=3.0)
#: In eleven sets of summaries (458 conflicts named) 34 get such a wording, and a reader finds 33 of them right: one is
#: of a faithful sentence. From a lead of 3.0 on and without a least entailment two more faithful ones get one.
_LINES_OF_NEGATIONS = Lines(rise=6.0, support=0.9, lead=5.0, entailment=0.9)


async def supported_opposite(
    sentence: ComparableSentence, premise: str, supported: float, support_of: SupportOf, models: LocalModels
) -> OppositeWording | None:
    """The opposite of the sentence if a source sentence, ``premise``, and the sources support it.

    The opposite of a word says more than "not", so it comes first.
    """
    for found, lines in (
        (islice(with_antonyms(sentence.clause), _MOST_WITH_ANTONYMS), _LINES_OF_ANTONYMS),
        (islice(with_negations(sentence.clause), _MOST_WITH_NEGATIONS), _LINES_OF_NEGATIONS),
    ):
        wordings = {wording.text: wording for wording in found}
        best = await best_exchange(sentence, dict.fromkeys(wordings, premise), supported, support_of, models, lines)
        if best is not None:
            return wordings[best.text]
    return None
