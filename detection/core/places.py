"""Where in which text a sentence stands, as prompts are told."""

from __future__ import annotations

from .ports import Material
from .self_contradiction.model import Place, place_for_prompt, place_for_topic

#: The end of the text before a sentence that is put into a prompt.
MAX_PREFIX_WORDS = 120
#: Where the beginning is shared, it moves on in steps of so many words.
_STEP_WORDS = 90

_UNKNOWN_TOPIC = "the subject of the text"


def place_of(material: Material, index: int, *, shares_prefix: bool = False) -> Place:
    """Where in the text a sentence stands, with the original text before it.

    With ``shares_prefix`` the text before neighbouring sentences begins at the same word, so that a server which keeps
    what prompts have in common computes it once.
    """
    words = material.text[: material.sentences[index].parsed.sentence.start].split()
    begin = max(0, len(words) - MAX_PREFIX_WORDS)
    if shares_prefix:
        begin = -(-begin // _STEP_WORDS) * _STEP_WORDS
    prefix = " ".join(["…", *words[begin:]] if begin else words)
    if material.prompt:
        return place_for_prompt(material.prompt, prefix)
    return place_for_topic(material.topic or _UNKNOWN_TOPIC, prefix)
