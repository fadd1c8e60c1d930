"""Sections that tell of parallel things."""

from __future__ import annotations

import pytest

from detection.core.comparing.sections import apart_from_parallel_sections, are_parallel
from detection.core.comparing.sentence import ComparableSentence
from detection.core.local_models.process import InProcessModels


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Aldora X1", "Aldora X2"),
        ("2. Alden", "3. Berrow"),
        ("Day 1: Lisbon", "Day 2: Porto"),
        ("Option A", "Option B"),
        ("Basic plan", "Pro plan"),
    ],
)
def test_two_things_of_one_kind(first: str, second: str) -> None:
    assert are_parallel(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Early Life", "Career"),
        ("Summary", "Costs"),
        ("Step 1: Prepare", "Step 2: Bake"),
        ("Alden", "Alden"),
        ("Alden", ""),
        ("Alden", "History"),
        ("1. Background", "2. Costs"),
    ],
)
def test_parts_of_one_subject(first: str, second: str) -> None:
    assert not are_parallel(first, second)


async def _kept(text: str, index: int, models: InProcessModels) -> list[str]:
    sentences = [ComparableSentence(parsed) for parsed in (await models.parse(text)).sentences]
    return [sentences[i].text for i in apart_from_parallel_sections(sentences, index, range(index))]


async def test_entries_under_parallel_headings_are_set_apart(local_models: InProcessModels) -> None:
    text = "## Aldora X1\n\nIt weighs 1.2 kg.\n\n## Aldora X2\n\nThe price is low. It weighs 1.5 kg.\n"
    assert await _kept(text, 4, local_models) == ["Aldora X2", "The price is low."]


async def test_a_person_of_the_whole_text_is_compared_across_places(local_models: InProcessModels) -> None:
    text = "## Childhood in Oslo\n\nShe was born in 1931.\n\n## Years in Bergen\n\nShe was born in 1938.\n"
    assert "She was born in 1931." in await _kept(text, 3, local_models)


async def test_a_subject_with_one_name_is_compared_across_places(local_models: InProcessModels) -> None:
    text = "## Work in Oslo\n\nNorvane has 30 staff.\n\n## Work in Bergen\n\nNorvane has 40 staff.\n"
    assert "Norvane has 30 staff." in await _kept(text, 3, local_models)


async def test_persons_with_a_section_each_are_set_apart(local_models: InProcessModels) -> None:
    text = "## Ada Byrne\n\nShe was born in 1815.\n\n## Grace Holt\n\nShe was born in 1906.\n"
    assert "She was born in 1815." not in await _kept(text, 3, local_models)
