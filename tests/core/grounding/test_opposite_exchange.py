"""The opposite of a sentence that conflicts with a source: with an antonym, or with or without "not"."""

from __future__ import annotations

import pytest

from detection.core.labels import SuggestionLabel
from detection.core.types import FindingKind

from .conftest import Ground

LAKE = (
    "The bathing season at Lake Ebersee was extended this year. Because of the mild September the lifeguards stayed"
    " until the 21st, and the kiosk kept its doors open as well. Attendance fell nevertheless: the rainy June cost "
    "the lake almost a third of its usual guests. Most visitors came by bicycle. The council welcomed the proposal "
    "to build a second jetty, but put off the decision on the parking fee. Dogs remain banned from the meadow, "
    "though they may use the northern bank before nine in the morning."
)
MINUTES = (
    "Ms Okafor opened the meeting at 7.30 p.m. The minutes of the last meeting were approved with two corrections. "
    "The caretaker reported that the lift had broken down four times since January and that the landlord still "
    "refused to replace it. Mr Dahl proposed to withhold part of the rent; Ms Okafor advised against it as long as "
    "no lawyer had been consulted. The motion was lost by a narrow margin. The summer party will take place in the "
    "courtyard, and children may attend free of charge."
)
NOVEL = (
    '"The Lantern Keeper" is Ruth Amsel\'s second novel and far better than her first. The opening is slow, and '
    "some readers may give up before the ship finally leaves. From then on the book cannot be put down. Amsel "
    "writes short sentences and trusts her readers; nothing is explained twice. The daughter is drawn with love, "
    "the father remains a riddle. Only the ending, in which everybody is forgiven, feels too easy. The "
    "translation, by Jon Hale, reads as if the book had been written in English."
)
BIKES = (
    "You can rent our bikes from the age of sixteen; younger riders need an adult. The first half hour is free on"
    " weekdays, but not at weekends. Locks are fixed to the frame and open with the app. If a bike is damaged, "
    "tell us before you ride off, otherwise you may be charged. Bikes must be returned to a station; leaving them"
    " on the pavement costs a fee. The electric bikes are heavier and must not be taken on trains. In winter the "
    "service is suspended."
)
DROPS = "Use the drops in the morning and in the evening, one drop in each eye. Wash your hands first."


@pytest.mark.parametrize(
    ("sentence", "source", "own", "rewrite"),
    [
        (
            "Electric bikes weigh less than the ordinary ones.",
            BIKES,
            "less",
            "Electric bikes weigh more than the ordinary ones.",
        ),
        (
            "Dog owners can take their animals to the southern shore early in the day.",
            LAKE,
            "southern",
            "Dog owners can take their animals to the northern shore early in the day.",
        ),
        (
            "The winter party is planned for the courtyard.",
            MINUTES,
            "winter",
            "The summer party is planned for the courtyard.",
        ),
        ("The beginning of the novel is fast.", NOVEL, "fast", "The beginning of the novel is slow."),
        (
            "The father comes across more clearly than the daughter.",
            NOVEL,
            "more",
            "The father comes across less clearly than the daughter.",
        ),
    ],
)
async def test_the_word_with_whose_opposite_the_source_supports_the_sentence_is_named_and_its_opposite_offered(
    ground: Ground, sentence: str, source: str, own: str, rewrite: str
) -> None:
    (finding,) = (await ground(sentence, source)).findings
    assert finding.kind is FindingKind.CONFLICTS_WITH_SOURCE
    assert finding.quoted == own
    first, *_ = finding.suggestions
    assert first.replacement == rewrite
    assert not first.verified  # the source has not that word


@pytest.mark.parametrize(
    ("sentence", "source", "rewrite"),
    [
        (
            "Children have to pay for the party in the courtyard.",
            MINUTES,
            "Children do not have to pay for the party in the courtyard.",
        ),
        ("The parking fee has already been decided.", LAKE, "The parking fee has not yet been decided."),
        ("The lift has always worked since January.", MINUTES, "The lift has not always worked since January."),
        ("The kiosk closed early in September.", LAKE, "The kiosk did not close early in September."),
    ],
)
async def test_a_clause_is_denied_where_the_source_supports_that(
    ground: Ground, sentence: str, source: str, rewrite: str
) -> None:
    (finding,) = (await ground(sentence, source)).findings
    assert finding.kind is FindingKind.CONFLICTS_WITH_SOURCE
    first, *_ = finding.suggestions
    assert (first.replacement, first.label, first.verified) == (rewrite, SuggestionLabel.NEGATE.of(), False)


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("Most of the guests did not come by car.", LAKE),
        ("Because of the wet June fewer people went swimming.", LAKE),
        ("Nobody has to pay for a child at the party.", MINUTES),
        ("The second book by Amsel is no worse than her first.", NOVEL),
        ("Whoever wants to ride in the cold months has to look elsewhere.", BIKES),
        ("The eyes get two drops a day each.", DROPS),
    ],
)
async def test_a_faithful_sentence_in_opposite_words_is_no_conflict(ground: Ground, sentence: str, source: str) -> None:
    assert [finding.kind for finding in (await ground(sentence, source)).findings] == []
