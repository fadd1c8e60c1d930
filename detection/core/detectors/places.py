"""Where in which text a sentence stands, as prompts are told."""

from __future__ import annotations

from ..contradiction import Place, place_for_prompt, place_for_topic
from .base import Material

#: The end of the text before a sentence that is put into a prompt.
MAX_PREFIX_WORDS = 120

_UNKNOWN_TOPIC = "the subject of the text"


def place_of(material: Material, index: int) -> Place:
    """Where in the text a sentence stands, with the original text before it."""
    words = material.text[: material.sentences[index].parsed.sentence.start].split()
    prefix = " ".join(["…", *words[-MAX_PREFIX_WORDS:]] if len(words) > MAX_PREFIX_WORDS else words)
    if material.prompt:
        return place_for_prompt(material.prompt, prefix)
    return place_for_topic(material.topic or _UNKNOWN_TOPIC, prefix)
