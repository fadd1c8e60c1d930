"""Manually written trees."""

from __future__ import annotations

from detection.core.types import Span, Token

_POS = {
    "NN": "NOUN",
    "NNS": "NOUN",
    "NNP": "PROPN",
    "IN": "ADP",
    "DT": "DET",
    "JJ": "ADJ",
    "CD": "NUM",
    ",": "PUNCT",
    ".": "PUNCT",
    "PRP": "PRON",
    "TO": "PART",
    "RB": "ADV",
}


def tokens_of(words: str) -> tuple[Token, ...]:
    """Tokens of words written as text/tag/label/head, the head by its position; a root has its own."""
    found: list[Token] = []
    start = 0
    for word in words.split():
        text, tag, label, head = word.rsplit("/", 3)
        pos = _POS.get(tag, "VERB" if tag.startswith("VB") and label not in ("aux", "aux:pass", "cop") else "AUX")
        found.append(Token(Span(start, start + len(text)), text, text.lower(), tag, pos, label, int(head)))
        start += len(text) + 1
    return tuple(found)


def arcs(tokens: tuple[Token, ...]) -> list[str]:
    return [f"{token.text}/{token.tag} {token.dependency} {tokens[token.head].text}" for token in tokens]
