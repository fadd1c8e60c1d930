"""The labels, tags and words that several modules of this package ask for.

Labels are those of Universal Dependencies, tags those of the Penn Treebank. What only one module needs stands there.
"""

from __future__ import annotations

from typing import Final

SUBJECTS: Final = frozenset({"nsubj", "nsubj:pass", "csubj", "csubj:pass", "nsubj:outer"})
AUXILIARIES: Final = frozenset({"aux", "aux:pass", "cop"})
OBLIQUES: Final = frozenset({"obl", "obl:agent", "obl:unmarked", "obl:npmod", "obl:tmod"})

NOUNS: Final = frozenset({"NN", "NNS", "NNP", "NNPS"})
#: The tags of the words that a noun phrase without prepositions can be made of.
NOMINAL: Final = (
    NOUNS
    | {"DT", "PDT", "PRP", "PRP$", "JJ", "JJR", "JJS", "CD", "POS", "CC", "HYPH"}
    | {",", "``", "''", '"', "-LRB-", "-RRB-"}
)
FINITE: Final = frozenset({"VBD", "VBZ", "VBP", "MD"})
RELATIVES: Final = frozenset({"WDT", "WP", "WRB", "WP$"})

NEGATIONS: Final = frozenset({"not", "n't", "n’t", "never", "neither", "nor", "hardly", "barely", "no"})
#: Words that tie a verb to the one before it.
LINKS: Final = frozenset({"to", "of", "with", "for", "from", "in", "on", "at", "about", "against", "into", "by"})
#: Prepositions whose phrase completes the verb: a date after it needs it ("worked as a teacher until").
COMPLETING: Final = frozenset({"as", "to", "into"})
