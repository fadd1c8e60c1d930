"""Repair lemmas of regular verb forms: pipelines sometimes return "inaugurat" or "uncovere"."""

from __future__ import annotations

import re
from typing import Final

from detection.core.language.vocabulary import words

_FORMS: Final = frozenset({"VBD", "VBN", "VBG"})
_VOWELS: Final = frozenset("aeiouy")
_REGULAR: Final = re.compile(r"(?P<stem>[a-z]+)(?:ed|ing)", re.IGNORECASE)
#: Stems that need an "e": "inaugurat", "struggl", "prais", "continu".
_TAKES_E: Final = re.compile(
    r"(?:[^eo]at|[cuvz]|[aeiou]g|[dlr]g|(?:ch|r)ang|eng|[^aeiouwlr]l|[aeou]is|[rv]is|[ln]s|ur|quir|spir|rib|tut|but|cut)\Z",
    re.IGNORECASE,
)
#: Stems that never take an "e": "uncover", "station", "connect", "enlist", "publish", "intern", "deploy".
_TAKES_NONE: Final = re.compile(
    r"(?:[^eqhs]er|[^rbgnp]en|ion|[cfhlnpsx]t|[aeo]y|sh|[^a]ch|ss|ck|[lnr]k|[lr]m|rn|ld|nd|rd|mp|ow|ew|x|ff|[eo]a[dlmnpt]|ai[dlmn]"
    r"|[aeo]u?nt|our)\Z",
    re.IGNORECASE,
)
_BARE: Final = frozenset(
    words("debut rebut occur incur concur murmur devour scour quiz waltz combat egg traffick panick")
)
_WITH_E: Final = frozenset(words("creat recreat procreat revers rever persever interfer tast wast past hast paus caus"))
_DOUBLED: Final = re.compile(r"[aeiou](?P<last>[bdgmnprt])(?P=last)\Z", re.IGNORECASE)
_ENDS_DOUBLED: Final = frozenset(words("add err purr putt butt"))


def repaired_lemma(text: str, tag: str, lemma: str) -> str:
    """The lemma of a verb form in "ed" or "ing", if its spelling is unambiguous; any other lemma unchanged."""
    form = _REGULAR.fullmatch(text) if tag in _FORMS else None
    # Forms that the pipeline treats as irregular ("sped", "wed") or as separate words stay unchanged.
    if form is None or not lemma.lower().startswith(form["stem"].lower()[:3]):
        return lemma
    stem = form["stem"].lower()
    if _VOWELS.isdisjoint(stem):  # "bring"
        return lemma
    if stem in _WITH_E:
        return stem + "e"
    if stem in _BARE:
        return stem.removesuffix("k")
    if len(stem) > 2 and _DOUBLED.search(stem) and stem not in _ENDS_DOUBLED:
        return stem[:-1]
    if _TAKES_NONE.search(stem):
        return stem
    return stem + "e" if _TAKES_E.search(stem) else lemma
