"""The text before a sentence in prompts."""

from __future__ import annotations

from detection.core.comparing.sentence import ComparableSentence
from detection.core.decomposition.decomposer import Decomposer
from detection.core.local_models.process import InProcessModels
from detection.core.places import MAX_PREFIX_WORDS, place_of
from detection.core.ports import Material
from detection.core.sources.library import SourceLibrary
from detection.core.types import Strictness


def material(models: InProcessModels, text: str) -> Material:
    parsed = models.language.parse(text)
    return Material(
        text=text,
        sentences=tuple(map(ComparableSentence, parsed.sentences)),
        topic="the mill",
        prompt=None,
        is_english=True,
        library=SourceLibrary((), models),
        strictness=Strictness.BALANCED,
        decomposer=Decomposer(parsed.sentences, "the mill", None),
    )


def test_the_text_before_neighbouring_sentences_begins_at_the_same_word(local_models: InProcessModels) -> None:
    """A server with a prefix cache then computes it once; otherwise each would begin at a different word."""
    text = " ".join(f"Room {number} of the mill has {number + 3} windows." for number in range(60))
    known = material(local_models, text)
    shared = [place_of(known, index, shares_prefix=True).prefix for index in range(20, 60)]
    own = [place_of(known, index).prefix for index in range(20, 60)]
    assert len({prefix[:40] for prefix in own}) > 30
    assert len({prefix[:40] for prefix in shared}) < 10
    for mine, alone in zip(shared, own, strict=True):
        assert alone.endswith(mine.removeprefix("… "))
        assert MAX_PREFIX_WORDS / 4 <= len(mine.split()) <= MAX_PREFIX_WORDS + 1


def test_a_short_text_is_told_whole(local_models: InProcessModels) -> None:
    known = material(local_models, "It has a roof. It has a door.")
    assert place_of(known, 1, shares_prefix=True).prefix == "It has a roof."
    assert place_of(known, 1, shares_prefix=True).in_words == "Text: a description of the mill\nSo far: It has a roof."
