"""Exchange a word of a sentence for its opposite, and compare how well the sources support either wording.

In free paraphrase that names the wrong word where the source has no word for it: "a minority" beside "most of them".
"""

from __future__ import annotations

from itertools import islice

from ..comparing.sentence import ComparableSentence
from ..local_models.process import LocalModels
from ..rules.antonyms import AntonymWording, with_antonyms
from .exchange import Lines, SupportOf, best_exchange

#: So many wordings are read, beside the source sentence that tells most about the sentence.
_MOST_READ = 8
#: In five sets of summaries (262 conflicts named) 19 get such a wording, and a reader finds all of them right. From a
#: rise of 3.0 on there are some more, and two faithful sentences that were taken for conflicts get a wrong one.
_LINES = Lines(rise=6.0, support=0.9, lead=3.0)


async def supported_antonym(
    sentence: ComparableSentence, premise: str, supported: float, support_of: SupportOf, models: LocalModels
) -> AntonymWording | None:
    """The sentence with the opposite of one word if a source sentence, ``premise``, and the sources support it."""
    wordings = {wording.text: wording for wording in islice(with_antonyms(sentence.clause), _MOST_READ)}
    premises = dict.fromkeys(wordings, premise)
    best = await best_exchange(sentence, premises, supported, support_of, models, _LINES)
    return wordings[best.text] if best is not None else None
