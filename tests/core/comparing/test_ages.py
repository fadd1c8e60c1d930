"""Ages and the beginnings that they exclude."""

from __future__ import annotations

from detection.core.comparing.ages import misfits
from detection.core.comparing.sentence import ComparableSentence
from detection.core.local_models.process import InProcessModels


async def _misfitting(local_models: InProcessModels, text: str) -> list[tuple[int, int]]:
    sentences = [ComparableSentence(parsed) for parsed in (await local_models.parse(text)).sentences]
    last = len(sentences) - 1
    return [(found.told, found.begun) for found in misfits(sentences, last, range(last))]


async def test_an_age_is_compared_with_the_two_beginnings_nearest_in_words(local_models: InProcessModels) -> None:
    text = (
        "Tom Vale was born in 1950. Eva Holm was born in Oslo in 1951. Ida Rask, a singer, was born in 1952. "
        "Eva Holm died in Oslo in 2011, aged eighty."
    )
    found = await _misfitting(local_models, text)
    assert found[0] == (3, 1)
    assert len(found) == 2


async def test_an_age_may_come_before_the_beginning(local_models: InProcessModels) -> None:
    assert await _misfitting(local_models, "Eva Holm died in 2011, aged eighty. Eva Holm was born in 1951.") == [(0, 1)]


async def test_an_age_that_fits_one_beginning_excludes_no_other(local_models: InProcessModels) -> None:
    text = "Tom Vale was born in 1950. Eva Holm was born in 1931. She died in 2011, aged eighty."
    assert await _misfitting(local_models, text) == []


async def test_nobody_has_an_age_before_the_beginning(local_models: InProcessModels) -> None:
    assert await _misfitting(local_models, "Eva Holm was born in 2012. Eva Holm died in 2011, aged eighty.") == []


async def test_only_statements_in_prose_have_ages_and_beginnings(local_models: InProcessModels) -> None:
    row = "| Name | Born | Note |\n|---|---|---|\n| Eva Holm | 1951 | Eva Holm was born in 1951. |\n\n"
    assert await _misfitting(local_models, f"{row}Eva Holm died in 2011, aged eighty.") == []
    assert await _misfitting(local_models, "Was Eva Holm born in 1951? Eva Holm died in 2011, aged eighty.") == []
