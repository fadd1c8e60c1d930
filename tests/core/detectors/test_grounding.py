"""Sentences compared with a source: contradicted, unstated and supported."""

from __future__ import annotations

import pytest

from detection.core.types import FindingKind, Strictness, SuggestionMethod, Verdict

from .conftest import Check

ID = "grounding.v1"

SOURCE = """\
The Sorrel Water Works opened in May 1908. It was designed by the engineer Ada Lind, who had trained in Bergen. The \
works pumped 4,500 cubic metres of water a day from Lake Ferrin to the town, which then had 12,000 inhabitants. In \
1954 the steam engines were replaced by electric pumps. The building closed in 1979 and stood empty for eleven \
years. Since 1990 it has housed a museum, which is open from April to October and was visited by 31,000 people last \
year. Entry is free on Sundays. The town council owns the building. A restaurant was planned, but the council \
rejected the plan.
"""


@pytest.mark.parametrize(
    ("sentence", "wrong", "right", "rewrite"),
    [
        (
            "The water works opened in May 1912.",
            "May 1912",
            "May 1908",
            "The water works opened in May 1908.",
        ),
        (
            "The works pumped 5,400 cubic metres of water a day to the town.",
            "5,400 cubic metres",
            "4,500 cubic metres",
            "The works pumped 4,500 cubic metres of water a day to the town.",
        ),
        pytest.param(
            "In 1954 electric pumps replaced the steam engines, and the building closed in 1997.",
            "1997",
            "1979",
            "In 1954 electric pumps replaced the steam engines, and the building closed in 1979.",
            marks=pytest.mark.xfail(
                reason="the model takes the corrected sentence for a conflict as well", strict=True
            ),
        ),
        (
            "The museum was visited by 13,000 people last year.",
            "13,000",
            "31,000",
            "The museum was visited by 31,000 people last year.",
        ),
        (
            "The museum is open from March to October.",
            "from March to October",
            "from April to October",
            "The museum is open from April to October.",
        ),
        (
            "Entry is free on Mondays.",
            "Mondays",
            "Sundays",
            "Entry is free on Sundays.",
        ),
    ],
)
async def test_a_wrong_value_is_found_and_set_right(
    check: Check, sentence: str, wrong: str, right: str, rewrite: str
) -> None:
    result = await check(sentence, SOURCE, detectors=(ID,))
    (finding,) = result.findings
    (evidence,) = finding.evidence
    assert finding.kind is FindingKind.CONFLICTS_WITH_SOURCE
    assert finding.quoted == wrong
    assert [span.of(SOURCE) for span in evidence.conflict] == [right]
    first = finding.suggestions[0]
    assert (first.replacement, first.method) == (rewrite, SuggestionMethod.LOCAL)


BIOGRAPHY = """\
Ada Lind (24 May 1901 – 3 June 1950) was a Norwegian engineer. She was born in Molde to a family of shipbuilders. She \
worked at the Sorrel Water Works until her death in Bergen on 3 June 1950.
"""


@pytest.mark.parametrize(
    ("sentence", "message", "rewrite"),
    [
        (
            "Ada Lind (1911–1960) was a Norwegian engineer.",
            "The source says “24 May 1901”, this sentence says “1911”. "
            "It also says “3 June 1950”, and this sentence “1960”.",
            "Ada Lind (1901–1950) was a Norwegian engineer.",
        ),
        (
            "Lind was born in 1911 in Oslo.",
            "The source says “24 May 1901”, this sentence says “born in 1911”. "
            "It also says “born in Molde”, and this sentence “in Oslo”.",
            "Lind was born in 1901 in Molde.",
        ),
    ],
)
async def test_all_that_is_wrong_in_a_sentence_is_told_and_set_right(
    check: Check, sentence: str, message: str, rewrite: str
) -> None:
    (finding,) = (await check(sentence, BIOGRAPHY, detectors=(ID,))).findings
    assert str(finding.message) == message
    assert finding.suggestions[0].replacement == rewrite


async def test_a_date_that_no_source_has_clashes_with_the_one_of_the_source_for_the_same_thing(check: Check) -> None:
    source = (
        "Lumio is a software company based in Utrecht. It was founded in March 2021 by Sanne de Wit and Omar Haddad. "
        "The company employs 48 people and sells scheduling software to dental practices."
    )
    sentence = "Lumio, a Utrecht-based software firm, was started in March 2022 by Sanne de Wit and Omar Haddad."
    (finding,) = (await check(sentence, source, detectors=(ID,))).findings
    assert finding.kind is FindingKind.CONFLICTS_WITH_SOURCE
    assert (
        str(finding.message) == "The source says “founded in March 2021”, this sentence says “started in March 2022”."
    )
    assert finding.suggestions[0].replacement == sentence.replace("2022", "2021")


@pytest.mark.xfail(reason="the wrong number of patients is not seen: unsure in strict checks, too", strict=True)
async def test_a_figure_that_the_sentence_gives_as_well_is_not_the_one_that_clashes(check: Check) -> None:
    source = (
        "The trial enrolled 212 patients in six hospitals. Half received a placebo. Nausea was felt by 18 patients."
    )
    text = "Of the 221 patients in the trial, 18 felt nausea."
    result = await check(text, source, detectors=(ID,), strictness=Strictness.STRICT)
    assert result.findings
    assert not any("18 patients" in str(finding.message) for finding in result.findings)


async def test_a_text_that_repeats_an_error_can_be_set_right_sentence_by_sentence(check: Check) -> None:
    text = "Ada Lind (1911–1950) was a Norwegian engineer. Lind was born in 1911 in Molde."
    findings = (await check(text, BIOGRAPHY)).findings
    assert [finding.suggestions[0].replacement for finding in findings] == [
        "Ada Lind (1901–1950) was a Norwegian engineer.",
        "Lind was born in 1901 in Molde.",
    ]


async def test_a_correction_that_leaves_the_old_value_in_another_sentence_is_not_called_checked(check: Check) -> None:
    source = "Harlow shall pay a monthly fee of 16,500 pounds. The monthly fee is reviewed each January."
    wrong = "Harlow shall pay a monthly fee of 18,500 pounds."
    (alone,) = (await check(wrong, source, detectors=(ID,))).findings
    assert [(one.replacement, one.verified) for one in alone.suggestions[:1]] == [(wrong.replace("18", "16"), True)]
    text = f"{wrong} A deposit is kept. The tenants saved 18,500 pounds for repairs."
    first = next(one for one in (await check(text, source, detectors=(ID,))).findings if one.sentence == 0)
    assert not any(one.verified for one in first.suggestions)


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("The painter Tom Berg decorated its hall.", "The source does not mention “Tom Berg”."),
        (
            "The architects Tom Berg, Pia Dahl and Olaf Holm painted several halls.",
            "The source does not mention “Tom Berg”, “Pia Dahl” and “Olaf Holm”.",
        ),
    ],
)
async def test_what_the_source_does_not_say_is_told_apart_from_what_it_denies(
    check: Check, sentence: str, message: str
) -> None:
    (finding,) = (await check(sentence, SOURCE, detectors=(ID,))).findings
    assert finding.kind is FindingKind.NOT_IN_SOURCE
    assert str(finding.message) == message


@pytest.mark.parametrize(
    "sentence",
    [
        "The lake freezes over in hard winters.",
        "The works employed eighty men and women from the villages around.",
    ],
)
async def test_a_new_statement_without_a_strange_name_is_not_in_the_source(check: Check, sentence: str) -> None:
    result = await check(sentence, SOURCE, detectors=(ID,))
    assert result.verdict(0) is Verdict.NOT_IN_SOURCE


@pytest.mark.parametrize(
    "sentence",
    [
        "The Sorrel Water Works opened in 1908.",
        "The water works were designed by Ada Lind.",
        "The steam engines were replaced in 1954.",
        "The building closed in 1979.",
        "The museum is open from April to October.",
        "About 31,000 people visited the museum last year.",
        "Admission is free on Sundays.",
        "The building belongs to the town council.",
    ],
)
async def test_what_the_source_says_gives_no_warning(check: Check, sentence: str) -> None:
    result = await check(sentence, SOURCE, detectors=(ID,))
    assert result.findings == []
    assert result.verdict(0) in (Verdict.SUPPORTED, Verdict.UNSURE)


async def test_of_two_values_the_one_that_the_sentence_does_not_give_is_the_right_one(check: Check) -> None:
    source = "The jury has nine members, four of whom are women."
    (finding,) = (await check("Five of the nine jury members are women.", source, detectors=(ID,))).findings
    assert str(finding.message) == "The source says “four”, this sentence says “Five of the nine jury members”."
    assert finding.suggestions[0].replacement == "Four of the nine jury members are women."


async def test_what_the_source_denies_is_a_conflict(check: Check) -> None:
    source = "Grants are given to students of all subjects. Grants are not given to companies."
    (finding,) = (await check("Grants are given to companies.", source, detectors=(ID,))).findings
    assert finding.kind is FindingKind.CONFLICTS_WITH_SOURCE
    assert (
        str(finding.message) == "The source says “are not given to companies”, this sentence says “given to companies”."
    )


async def test_a_conflict_without_two_values_names_the_words_that_the_source_lacks(check: Check) -> None:
    source = "This agreement is governed by the laws of England and Wales. Each party may end it on 1 May."
    sentence = "The agreement is governed by the laws of Scotland."
    (finding,) = (await check(sentence, source, detectors=(ID,))).findings
    assert finding.kind is FindingKind.CONFLICTS_WITH_SOURCE
    assert str(finding.message) == "The source contradicts “laws of Scotland”."
    assert finding.quoted == "of Scotland", "what is marked are the words that the model names, not the absent name"


@pytest.mark.parametrize(
    ("source", "sentence", "words", "shorter"),
    [
        (
            "The tray and the rack can go in the dishwasher; the fan blades cannot.",
            "The tray, the rack and the fan blades can all be washed by machine.",
            "fan blades",
            None,
        ),
        (
            "A plot may rest for one season in case of illness; the rent is still due.",
            "Someone who is ill may let the plot rest for a season and pays no rent in that time.",
            "no",
            "Someone who is ill may let the plot rest for a season.",
        ),
        (
            "The hedge along Mill Lane will be cut after the nesting season.",
            "The hedge on Mill Lane is to be trimmed before birds begin to nest.",
            "before birds begin to nest",
            "The hedge on Mill Lane is to be trimmed.",
        ),
    ],
)
async def test_the_words_that_the_source_contradicts_are_named_and_a_clause_with_them_can_be_left_out(
    check: Check, source: str, sentence: str, words: str, shorter: str | None
) -> None:
    (finding,) = (await check(sentence, source, detectors=(ID,))).findings
    assert finding.kind is FindingKind.CONFLICTS_WITH_SOURCE
    assert words in finding.quoted
    assert finding.quoted != sentence
    assert str(finding.message).startswith("The source contradicts “")
    offered = [suggestion for suggestion in finding.suggestions if suggestion.replacement]
    assert [suggestion.replacement for suggestion in offered] == ([shorter] if shorter else [])
    assert not any(suggestion.verified for suggestion in offered)


async def test_a_value_that_the_source_has_for_something_else_is_no_excuse(check: Check) -> None:
    (finding,) = (await check("The building closed in 1990.", SOURCE, detectors=(ID,))).findings
    assert finding.kind is FindingKind.CONFLICTS_WITH_SOURCE


async def test_the_quote_is_found_in_the_right_one_of_several_sources(check: Check) -> None:
    other = "The mill at Sallow was built in 1870. It has nine rooms.\n"
    result = await check("The mill at Sallow was built in 1780.", SOURCE, other, detectors=(ID,))
    (evidence,) = result.findings[0].evidence
    assert evidence.source == "1"
    assert evidence.span.of(other) == "The mill at Sallow was built in 1870."


async def test_without_a_source_nothing_is_compared_and_nothing_called_fine(check: Check) -> None:
    result = await check("The building closed in 1990.", detectors=(ID,))
    assert result.findings == []
    assert result.verdict(0) is Verdict.NOT_CHECKED


async def test_a_denial_is_told_in_its_words_and_not_by_the_names(check: Check) -> None:
    sentence = "Brightwater may subcontract any part of the work."
    source = "The Provider shall not subcontract any part of the work without the written consent of the Customer."
    (finding,) = (await check(sentence, source, detectors=(ID,))).findings
    assert str(finding.message) == (
        "The source says “shall not subcontract any part of the work”, "
        "this sentence says “may subcontract any part of the work”."
    )
    assert all(not suggestion.replacement for suggestion in finding.suggestions)


async def test_what_another_source_defends_is_not_called_checked_again(check: Check) -> None:
    sentence = "The Sorrel Water Works opened in May 1912."
    (alone,) = (await check(sentence, SOURCE, detectors=(ID,))).findings
    assert alone.suggestions[0].verified
    result = await check(sentence, SOURCE, "The Sorrel Water Works opened in May 1912.", detectors=(ID,))
    for finding in result.findings:
        assert not any(suggestion.verified for suggestion in finding.suggestions)


async def test_a_sentence_that_names_something_else_that_no_source_gives_is_not_called_checked_again(
    check: Check,
) -> None:
    sentence = "Founded by Ada Lind, the Harbour Library of Bergen opened in 1931."
    source = "The Harbour Library of Bergen opened in 1913. It has 23 employees and lends 410,000 books a year."
    (finding,) = (await check(sentence, source, detectors=(ID,))).findings
    assert str(finding.message) == "The source says “opened in 1913”, this sentence says “opened in 1931”."
    assert finding.suggestions[0].replacement == sentence.replace("1931", "1913")
    assert not finding.suggestions[0].verified
    (alone,) = (await check("The Harbour Library of Bergen opened in 1931.", source, detectors=(ID,))).findings
    assert alone.suggestions[0].verified


async def test_of_what_a_source_does_not_mention_nothing_is_taken_out(check: Check) -> None:
    sentence = "The water works opened in May 1908, and Queen Maud drove the first train to it in 1884."
    for finding in (await check(sentence, SOURCE, detectors=(ID,))).findings:
        assert [suggestion.replacement for suggestion in finding.suggestions] == [""]


async def test_a_value_that_is_wrong_twice_is_set_right_in_both_places(check: Check) -> None:
    text = "The old station closed in 1971. Sorrel is a village. Since the station closed in 1971, it is a museum."
    source = "The old station was closed in 1967; the building is now a museum. Sorrel is a village."
    result = await check(text, source)
    corrected = [f.suggestions[0] for f in result.findings if f.kind is FindingKind.CONFLICTS_WITH_SOURCE]
    assert [suggestion.sentence for suggestion in corrected] == [0, 2]
    assert all("1967" in suggestion.replacement and suggestion.verified for suggestion in corrected)
    assert result.revised(text) == text.replace("1971", "1967")


@pytest.mark.parametrize(
    ("source", "sentence", "right"),
    [
        (
            "A label is valid for 14 days. Pack the item in its box.",
            "A label can be used for 30 days.",
            "A label can be used for 14 days.",
        ),
        (
            "Revenue rose to £318 million. The site was closed.",
            "Quarterly revenue came to £381 million.",
            "Quarterly revenue came to £318 million.",
        ),
        (
            "The trip takes 1 hour 20 minutes. Dogs are kept on a lead.",
            "The crossing takes 2 hours 20 minutes.",
            "The crossing takes 1 hour 20 minutes.",
        ),
        (
            "Seals can be seen in the north; visitors must keep a distance of 200 metres.",
            "Seals may be watched from a distance of 100 metres.",
            "Seals may be watched from a distance of 200 metres.",
        ),
    ],
)
async def test_a_figure_that_no_source_gives_is_never_supported(
    check: Check, source: str, sentence: str, right: str
) -> None:
    result = await check(sentence, source, detectors=(ID,))
    assert result.verdict(0) is not Verdict.SUPPORTED
    offered = {suggestion.replacement for finding in result.findings for suggestion in finding.suggestions}
    assert offered <= {right, ""}


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (
            "Each portion costs EUR 6.90; delivery is free for boxes of ten portions or more.",
            "A box of ten portions costs EUR 69.",
        ),
        (
            "About 11,400 packs were made, of which 7,900 had already been sold when the recall began.",
            "Some 3,500 of the packs had not been sold by the time the recall started.",
        ),
        ("A second till will be tried out for six weeks.", "A second till will be tested for a month and a half."),
        ("A reader's card is free for children; adults pay 15 pounds.", "Children do not pay for a reader's card."),
    ],
)
async def test_what_follows_from_the_source_is_no_conflict(check: Check, source: str, sentence: str) -> None:
    result = await check(sentence, source, detectors=(ID,))
    assert [f.kind for f in result.findings if f.kind is FindingKind.CONFLICTS_WITH_SOURCE] == []


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("Tickets are sold at the harbour office.", "Buy your ticket at the harbour office."),
        ("Tickets are sold at the harbour office.", "Visitors can buy tickets at the harbour office."),
        ("The port of Marwen exports timber to Norway.", "Norway imports timber from Marwen."),
    ],
)
async def test_one_deal_told_by_its_other_side_is_no_conflict(check: Check, source: str, sentence: str) -> None:
    source = f"Kestrel Ferries runs the Aurora between Sallow and the islands. {source}"
    assert (await check(sentence, source, detectors=(ID,))).findings == []


async def test_the_same_told_from_the_other_side_is_supported(check: Check) -> None:
    result = await check(
        "In 1998 Karl Meyer was sued by Ada Lind.", "Ada Lind sued Karl Meyer in 1998.", detectors=(ID,)
    )
    assert result.verdict(0) is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("Press the button for five seconds.", Verdict.CONFLICTS_WITH_SOURCE),
        ("Write to the hotline within 30 days.", Verdict.UNSURE),
        ("Press the other button.", Verdict.UNSURE),
        ("Let me know if you have 3 more questions.", Verdict.NOT_CHECKED),
    ],
)
async def test_instructions_are_compared_and_need_not_stand_in_a_source(
    check: Check, sentence: str, verdict: Verdict
) -> None:
    source = "To reset the router, press the button on the back for ten seconds until the light turns orange."
    assert (await check(sentence, source, detectors=(ID,))).verdict(0) is verdict


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("The app no longer crashes when a table has more than 20 columns.", "The app still crashes with 20 columns."),
        ("Support for Android 9 has ended; Android 10 or later is needed.", "Android 9 is still supported."),
        ("There is one hotel and a shop that is closed on Sundays.", "The shop is open on Sundays."),
        ("The brochure does not mention the pool.", "The brochure mentions the pool."),
        ("Veldt Logistics has bought its rival Kaspar Freight.", "Kaspar Freight has bought Veldt Logistics."),
        pytest.param(
            "Ada Lind sued Karl Meyer in 1998.",
            "Ada Lind was sued by Karl Meyer in 1998.",
            marks=pytest.mark.xfail(reason="the model does not see that the sides are exchanged", strict=True),
        ),
        ("The accounts for 2023 show a surplus.", "The accounts for 2023 show a deficit."),
    ],
)
async def test_what_the_source_denies_is_never_called_supported(check: Check, source: str, sentence: str) -> None:
    result = await check(sentence, source, detectors=(ID,))
    assert result.verdict(0) is not Verdict.SUPPORTED


async def test_sentences_that_repeat_a_wrong_value_without_a_conflict_are_offered_with_it(check: Check) -> None:
    source = "The trial enrolled 312 patients in seven hospitals. Half of them received the drug."
    text = "The trial enrolled 412 patients in seven hospitals. The 412 patients were followed. The doctors were young."
    first = next(one for one in (await check(text, source, detectors=(ID,))).findings if one.sentence == 0)
    together, alone = first.suggestions[:2]
    assert together.replacement == alone.replacement
    assert [(one.sentence, one.replacement) for one in together.companions] == [(1, "The 312 patients were followed.")]
    assert (together.verified, alone.verified) == (True, False)


async def test_a_number_of_the_same_noun_that_stays_takes_the_mark_from_a_correction(check: Check) -> None:
    source = "The centre employs 52 people, of whom 12 are lifeguards."
    wrong = "The centre employs 46 people, of whom 12 are lifeguards."
    (alone,) = (await check(wrong, source, detectors=(ID,))).findings
    assert alone.suggestions[0].verified
    for repeat, is_changed in (("The 46 people work in shifts.", True), ("Near it live 46 people.", False)):
        first = (await check(f"{wrong} {repeat}", source, detectors=(ID,))).findings[0]
        changed = [one.replacement for suggestion in first.suggestions for one in suggestion.companions]
        assert changed == (["The 52 people work in shifts."] if is_changed else [])
        assert not any(one.verified for one in first.suggestions if not one.companions)


CONTRACT = (
    'AGREEMENT between Brightwater Ltd ("the Provider") and Oakfield Council ("the Council"). '
    "The Provider shall inspect each playground twice a month. The Provider shall keep its records for six years."
)


@pytest.mark.parametrize(
    "sentence", ["Brightwater inspects each playground twice a month.", "Brightwater keeps its records for six years."]
)
async def test_the_name_of_a_party_is_no_conflict_with_its_term(check: Check, sentence: str) -> None:
    assert not (await check(sentence, CONTRACT, detectors=(ID,))).findings


async def test_another_party_than_the_one_of_the_term_is_a_problem(check: Check) -> None:
    assert (await check("Harrow keeps its records for six years.", CONTRACT, detectors=(ID,))).findings
