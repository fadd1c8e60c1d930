"""The figure of a source for the slot of a sentence's figure."""

from __future__ import annotations

import pytest

from detection.core.comparing.sentence import ComparableSentence
from detection.core.grounding.local_reading import read_for
from detection.core.grounding.slot_reading import SlotClash, clash_of_slots
from detection.core.local_models.process import InProcessModels
from detection.core.sources.library import open_library
from detection.core.types import FindingKind, SourceText, Verdict

from .conftest import Ground

LIBRARY = (
    "Members may borrow up to eight books at a time. Books are lent for 28 days and can be renewed twice. The fine for "
    "late books is 30 cents a day. The reading room has 64 seats and closes at 9 p.m. A yearly card costs 18 euros."
)


async def _clash(sentence: str, source: str, models: InProcessModels) -> SlotClash | None:
    library = await open_library((SourceText(id="1", name="source", text=source),), models)
    (parsed,) = (await models.parse(sentence)).sentences
    prepared = ComparableSentence(parsed)
    return await clash_of_slots(prepared, await read_for(prepared, library, models), models)


@pytest.mark.parametrize(
    ("sentence", "given", "own"),
    [
        ("Anyone who keeps a book too long pays 50 cents per day.", "30", "50"),
        ("There are 46 seats in the reading room.", "64", "46"),
        ("For a card that is good for a year, 25 euros are charged.", "18 euros", "25 euros"),
    ],
)
async def test_another_figure_of_the_same_slot_leads(
    local_models: InProcessModels, sentence: str, given: str, own: str
) -> None:
    clash = await _clash(sentence, LIBRARY, local_models)
    assert clash is not None
    assert given in clash.place.given.text
    assert own in clash.place.value.text
    assert clash.lead > 0


@pytest.mark.parametrize(
    "sentence",
    [
        "You have to bring a book back after four weeks.",
        "Anyone who keeps a book too long pays 30 cents per day.",
        "There is room for 64 readers in the reading room.",
        "Two cards cost 36 euros.",  # computed
        "Reading is fun.",
    ],
)
async def test_a_figure_of_the_source_does_not_clash(local_models: InProcessModels, sentence: str) -> None:
    clash = await _clash(sentence, LIBRARY, local_models)
    assert clash is None or clash.lead < 0


async def test_a_clash_in_other_words_is_a_conflict_with_the_words_of_both(ground: Ground) -> None:
    source = (
        "You can return any item within 30 days of delivery for a full refund. Opened software cannot be returned. "
        "Shipping is free from 50 euros on."
    )
    result = await ground(
        "Customers who send an item back within 45 days of its delivery get all their money back.", source
    )
    (finding,) = result.findings
    assert finding.kind is FindingKind.CONFLICTS_WITH_SOURCE
    assert "45 days" in finding.quoted
    assert "30 days" in str(finding.message)


async def test_an_uncertain_clash_keeps_a_sentence_from_being_called_supported(ground: Ground) -> None:
    source = "Adults take one tablet twice daily. The maximum duration of treatment without medical advice is 10 days."
    result = await ground("Without asking a doctor you should not go on for longer than fourteen days.", source)
    assert result.verdict is not Verdict.SUPPORTED


async def test_a_difference_is_not_compared_with_the_thing_itself(local_models: InProcessModels) -> None:
    source = "Staff rooms are available for 380 euros a month, and couples pay 620 euros."
    assert await _clash("A staff room is 95 euros cheaper.", source, local_models) is None
    clash = await _clash("A staff room costs 95 euros a month.", source, local_models)
    assert clash is not None
    assert "380" in clash.place.given.text
