"""Describe to a prompt in which text, and where in it, a sentence stands."""

from __future__ import annotations

from .ports import Material
from .self_contradiction.model import Place, place_for_prompt, place_for_topic

#: Words of the text before a sentence that a prompt includes.
MAX_PREFIX_WORDS = 120
#: A shared prefix begins at a multiple of this number of words.
_STEP_WORDS = 90

_UNKNOWN_TOPIC = "the subject of the text"


def place_of(material: Material, index: int, *, shares_prefix: bool = False) -> Place:
    """The position of a sentence in the text, with the original text before it.

    With ``shares_prefix`` the text before neighbouring sentences begins at the same word, so that a server with a
    prefix cache computes the shared part once.
    """
    words = material.text[: material.sentences[index].parsed.sentence.start].split()
    begin = max(0, len(words) - MAX_PREFIX_WORDS)
    if shares_prefix:
        begin = -(-begin // _STEP_WORDS) * _STEP_WORDS
    prefix = " ".join(["…", *words[begin:]] if begin else words)
    if material.prompt:
        return place_for_prompt(material.prompt, prefix)
    return place_for_topic(material.topic or _UNKNOWN_TOPIC, prefix)
