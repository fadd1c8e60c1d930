"""The labels, tags and words that several modules of this package use.

Labels are those of Universal Dependencies, tags those of the Penn Treebank. Those of a single module are defined there.
"""

from __future__ import annotations

from typing import Final

SUBJECTS: Final = frozenset({"nsubj", "nsubj:pass", "csubj", "csubj:pass", "nsubj:outer"})
AUXILIARIES: Final = frozenset({"aux", "aux:pass", "cop"})
OBLIQUES: Final = frozenset({"obl", "obl:agent", "obl:unmarked", "obl:npmod", "obl:tmod"})

NOUNS: Final = frozenset({"NN", "NNS", "NNP", "NNPS"})
#: The tags of words in a noun phrase without prepositions.
NOMINAL: Final = (
    NOUNS
    | {"DT", "PDT", "PRP", "PRP$", "JJ", "JJR", "JJS", "CD", "POS", "CC", "HYPH"}
    | {",", "``", "''", '"', "-LRB-", "-RRB-"}
)
FINITE: Final = frozenset({"VBD", "VBZ", "VBP", "MD"})
RELATIVES: Final = frozenset({"WDT", "WP", "WRB", "WP$"})

NEGATIONS: Final = frozenset({"not", "n't", "n’t", "never", "neither", "nor", "hardly", "barely", "no"})
#: Words that connect a verb to the previous one.
LINKS: Final = frozenset({"to", "of", "with", "for", "from", "in", "on", "at", "about", "against", "into", "by"})
#: Prepositions whose phrase completes the verb, so that a later date needs it ("worked as a teacher until").
COMPLETING: Final = frozenset({"as", "to", "into"})
