"""Convert trees of pipelines that were trained on OntoNotes to Universal Dependencies.

Their labels are those of ClearNLP. The trees differ too: in ClearNLP a preposition depends on the verb and the noun on
the preposition, and "is" heads "is a member". The code here expects the noun to depend on the verb, and "member" to
head the clause.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from detection.core.types import Token

#: Labels that only such parsers have.
_CLEAR_LABELS: Final = frozenset({"pobj", "dobj", "nsubjpass"})
_NAMES: Final = {
    "nsubjpass": "nsubj:pass",
    "csubjpass": "csubj:pass",
    "auxpass": "aux:pass",
    "dobj": "obj",
    "dative": "iobj",
    "poss": "nmod:poss",
    "relcl": "acl:relcl",
    "prt": "compound:prt",
    "preconj": "cc:preconj",
    "predet": "det:predet",
    "attr": "xcomp",
    "acomp": "xcomp",
    "oprd": "xcomp",
    "neg": "advmod",
    "quantmod": "advmod",
    "npadvmod": "obl:unmarked",
    "intj": "discourse",
    "meta": "parataxis",
}
_PREPOSITIONS: Final = frozenset({"prep", "agent", "dative"})
_COMPLEMENTS: Final = frozenset({"attr", "acomp"})
_NOMINAL: Final = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
_SUBJECTS: Final = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass"})


def is_clearnlp(labels: Iterable[str]) -> bool:
    """Whether a parser with these labels produces ClearNLP trees."""
    return not _CLEAR_LABELS.isdisjoint(labels)


def universal(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens of a sentence with the heads and labels of Universal Dependencies."""
    drawing = _Drawing([token.head for token in tokens], [token.dependency for token in tokens], tuple(tokens))
    for position in reversed(range(len(tokens))):  # "across" before "from" in "from across the border"
        if drawing.labels[position] in _PREPOSITIONS and tokens[position].pos in ("ADP", "SCONJ", "PART"):
            drawing.hang_below_its_noun(position)
    for position, token in enumerate(tokens):
        if token.lemma.lower() == "be" and not drawing.labels[position].startswith("aux"):
            drawing.hang_below_its_complement(position)
    return tuple(
        replace(token, head=head, dependency=_label(token, label))
        for token, head, label in zip(tokens, drawing.heads, drawing.labels, strict=True)
    )


def _label(token: Token, label: str) -> str:
    if label == "aux" and token.tag == "TO":
        return "mark"
    if label in ("prep", "agent"):  # without a noun: "the house he lived in"
        return "advmod"
    return _NAMES.get(label, label)


@dataclass(slots=True)
class _Drawing:
    """The arcs during the conversion."""

    heads: list[int]
    labels: list[str]
    tokens: tuple[Token, ...]

    def children(self, position: int) -> list[int]:
        return [child for child, head in enumerate(self.heads) if head == position != child]

    def hang_below_its_noun(self, preposition: int) -> None:
        """ "By" on "built" and "Lind" on "by" become "Lind" on "built" and "by" on "Lind"."""
        children = self.children(preposition)
        noun = next((child for child in children if self.labels[child] in ("pobj", "obl", "nmod")), None)
        clause = next((child for child in children if self._is_clause_after_preposition(child)), None)
        below = noun if noun is not None else clause
        if below is None:
            return
        above = self.heads[preposition]
        if noun is None:
            labels = ("advcl", "mark")
        elif self.labels[preposition] == "agent":
            labels = ("obl:agent", "case")
        else:
            labels = ("nmod" if self.tokens[above].pos in _NOMINAL else "obl", "case")
        self._hang(below, above, labels[0])
        self._hang(preposition, below, labels[1])
        for child in children:
            if child == below:
                continue
            is_second_word = self.labels[child] == "pcomp" and child == preposition + 1
            self._hang(child, preposition if is_second_word else below, "fixed" if is_second_word else None)

    def hang_below_its_complement(self, copula: int) -> None:
        """ "Is" of "is a member" becomes a dependent of "member", with all its own dependents."""
        children = self.children(copula)
        complement = self._complement(copula, children)
        if complement is None:
            return
        if any(self.tokens[child].tag == "EX" for child in children):
            self.labels[complement] = "nsubj"
            return
        above = self.heads[copula]
        self._hang(complement, complement if above == copula else above, self.labels[copula])
        self._hang(copula, complement, "cop")
        for child in children:
            if child != complement:
                self._hang(child, complement)

    def _complement(self, copula: int, children: Sequence[int]) -> int | None:
        named = next((child for child in children if self.labels[child] in _COMPLEMENTS), None)
        has_subject = any(self.labels[child] in _SUBJECTS for child in children)
        if named is not None or not has_subject:
            return named
        # "The mill is in Oslo": the place is the complement.
        return next((child for child in children if child > copula and self.labels[child] == "obl"), None)

    def _is_clause_after_preposition(self, position: int) -> bool:
        return self.labels[position] == "pcomp" and self.tokens[position].pos in ("VERB", "AUX")

    def _hang(self, position: int, head: int, label: str | None = None) -> None:
        self.heads[position] = head
        if label is not None:
            self.labels[position] = label
