"""Find sentences of one text that cannot both be true, and no sentences that merely differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from detection.core.detectors.contradiction_suggestions import MAX_REWRITTEN_CONTRADICTIONS
from detection.core.local_models.nli.products import has_int8_instructions
from detection.core.local_models.process import InProcessModels
from detection.core.types import FindingKind, NliPair, NliScore, Strictness, SuggestionMethod, Verdict

from .conftest import Check

ID = "cross_contradiction.v1"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "The bridge was opened in 1932. It crosses the Arn near Sallow. The bridge, which was inaugurated in 1936, "
            "carries two railway tracks.",
            ("1932", "1936"),
        ),
        (
            "In 1932 the bridge was opened. It crosses the Arn near Sallow. In 1936 the bridge was opened to traffic.",
            ("1932", "1936"),
        ),
        (
            "He was arrested in 1948 and charged with fraud. He lived in Sallow. He was charged with fraud in 1945.",
            ("1948", "1945"),
        ),
        (
            "Berg served in the army from 1967 to 1968 as a gunner. He lived in Sallow. Berg served in the army from "
            "1967 to 1971.",
            ("from 1967 to 1968", "from 1967 to 1971"),
        ),
        (
            "The film was directed by Tom Berg. It was shot in Iceland. The film, directed by Anna Holm, won three "
            "awards.",
            ("Tom Berg", "Anna Holm"),
        ),
        (
            "Berg never married. He lived in a hut in the hills. His wife, Ingrid, published his letters in 1962.",
            ("never married", "His wife"),
        ),
        (
            "The treaty was signed on 3 May 1871. It ended the war. The treaty, signed on 3 June 1871, was never "
            "ratified.",
            ("3 May 1871", "3 June 1871"),
        ),
        pytest.param(
            "The village lies on the northern shore of the lake. It has a small harbour. Sorrel lies on the southern "
            "shore.",
            ("northern", "southern"),
            marks=pytest.mark.xfail(reason="the model takes Sorrel for another village (0.29)", strict=True),
        ),
        (
            "Holm retired in 1999. She lives in Malmö. Holm retired in 2004 after thirty years as a judge.",
            ("1999", "2004"),
        ),
        pytest.param(
            "The device weighs 2.4 kg. It has a steel case. It weighs only 800 grams, less than any rival.",
            ("2.4 kg", "800 grams"),
            marks=pytest.mark.xfail(
                has_int8_instructions(),
                reason="products in int8 give 0.798, those in float32 0.806; the line of sure clashes is 0.8",
                strict=True,
            ),
        ),
        (
            "The tour lasts two hours. It starts at the old gate. In all, the tour takes three hours.",
            ("two hours", "three hours"),
        ),
        (
            "The river flows north into the sea. It is 90 km long. The river flows south and ends in Lake Ferrin.",
            ("north", "south"),
        ),
    ],
)
async def test_a_contradiction_is_found_with_the_words_of_both_sides(
    check: Check, text: str, words: tuple[str, str]
) -> None:
    result = await check(text, detectors=(ID,))
    (finding,) = result.findings
    (evidence,) = finding.evidence
    assert finding.kind is FindingKind.CROSS_CONTRADICTION
    own, other = words[::-1] if finding.sentence == 2 else words
    assert finding.quoted == own
    assert [span.of(text) for span in evidence.conflict] == [other]
    assert {finding.sentence, evidence.sentence} == {0, 2}
    assert result.verdict(0) is result.verdict(2) is Verdict.CONTRADICTED
    assert result.verdict(1) is Verdict.NO_PROBLEM_FOUND


@pytest.mark.parametrize(
    ("text", "message", "own", "other"),
    [
        (
            "The warranty covers damage caused by water. Keep the receipt. Water damage is not covered by the "
            "warranty.",
            "Sentence 1 contradicts “is not covered”.",
            "not covered",
            None,
        ),
        (
            "The workshop is open to beginners and needs no previous experience with clay. It starts at ten. "
            "Participants must have worked with clay before.",
            "This sentence contradicts “needs no previous experience” in sentence 1.",
            None,
            "no previous experience",
        ),
        pytest.param(
            "We have a garden. Passengers with monthly tickets will receive a refund of half the price. Holders of "
            "monthly tickets need not apply: the full price will be paid back to their accounts by the end of May.",
            "This sentence says “full price”, sentence 2 says “will receive a refund of half the price”.",
            "full",
            "a refund of half the price",
            marks=pytest.mark.xfail(reason="only words of sentence 2 are named", strict=True),
        ),
    ],
)
async def test_without_clashing_values_the_model_names_the_words_of_either_side(
    check: Check, text: str, message: str, own: str | None, other: str | None
) -> None:
    result = await check(text, detectors=(ID,))
    (finding,) = result.findings
    (evidence,) = finding.evidence
    assert str(finding.message) == message
    assert finding.span.of(text) == (own or result.sentences[2].text)
    assert [span.of(text) for span in evidence.conflict] == ([other] if other else [])


@pytest.mark.parametrize(
    "text",
    [
        "Tom Berg (born October 3, 1959) is a retired officer of the coast guard. He retired from the coast guard in "
        "2008. Berg was a professor at the coast guard's college from 1990 to 1998.",
        "He left Sorrel in 2009 and was appointed manager of Ferrin in October 2010. He left Ferrin in October 2013.",
        "In August 2018, she was named in the Norwegian squad for the 2018 Nordic Cup. In December 2018, she was named "
        "in Norway's team for the 2018 Baltic Trophy.",
        "She made her first-class debut for Ferrin in the 2013–14 Premier League. She made her one-day debut for "
        "Ferrin in the 2014–15 Harbour Cup.",
        "He was elected to the House of Representatives in 1864 and served until 1872. He was elected mayor of Sallow "
        "in 1879 and served until 1887. He was re-elected in 1891.",
        "He raced in the series until 1998, when he switched to sports cars. Berg raced in the Ferrin "
        "Championship until 2003, when he switched to rallies.",
        "In 1943, he led the league in home runs with 30. He also led the league in home runs in 1945 with 28.",
        "Ada Lind was born in Oslo in 1921. She moved to Bergen in 1940 and to London in 1950. She died in Oslo in "
        "1989. Her first book appeared in 1947, her second in 1953. She married twice. Her second husband was a "
        "painter.",
        "The company was founded in 1962 by two brothers. It employs 340 people, of whom 120 work in Norway. In 2021 "
        "sales rose by 12 per cent to 40 million euros. Profit fell by 3 per cent. A third factory is planned in "
        "Sweden.",
        "The museum is open from Tuesday to Sunday. In winter it closes at 4 p.m., in summer at 6 p.m. Children pay 3 "
        "euros, adults 8 euros. The east wing was added in 1901, and the west wing in 1934.",
        "The river flows south through Sallow and west through Ferrin. It is 90 km long. Its longest tributary, the "
        "Bren, is 40 km long. The bridge at Sallow is 80 metres long, the one at Ferrin 120 metres.",
        "The team won the cup in 1978 and 1983. In 1990 it lost the final to Sorrel. The stadium holds 12,000 people. "
        "The old stadium held 8,000. Average attendance is 7,400.",
        "Berg was a key member of the team that won the 1983 World Cup. He took three wickets in the final. He was "
        "also a member of the team that won the 1987 World Cup, although he did not play in the final.",
        "Berg was a member of the Danish delegation to the conference in 1948. He was a member of the Danish "
        "delegation to the conference in 1950. He was a member of the Danish delegation to the conference in 1951.",
        "The tower is 120 metres tall. It was finished in 1911. At about 400 feet, it is taller than the church.",
        "50 – Percentage of the workers who were ill before the war. 88 – Percentage of those who were ill after it.",
        "$36 - Amount for each person in Sorrel. $17 - Amount for each person in Marwen.",
        "The office can be reached at 315-460-3344. The press can be reached at 315-460-3349.",
    ],
)
async def test_sentences_that_merely_differ_are_left_alone(check: Check, text: str) -> None:
    result = await check(text, detectors=(ID,))
    assert result.findings == []


async def test_either_side_can_be_kept(check: Check) -> None:
    text = "The mill was built in 1894 by Ada Lind. It has twelve rooms. The mill, built in 1912, is a museum now."
    (finding,) = (await check(text, detectors=(ID,))).findings
    assert [(s.label, s.sentence, s.replacement, s.method) for s in finding.suggestions] == [
        ("keep_sentence 1", 2, "The mill, built in 1894, is a museum now.", SuggestionMethod.LOCAL),
        ("keep_sentence 3", 0, "The mill was built in 1912 by Ada Lind.", SuggestionMethod.LOCAL),
        (
            "merge_sentences 1 3",
            0,
            "The mill was built in 1894 by Ada Lind and is a museum now.",
            SuggestionMethod.LOCAL,
        ),
        ("remove_sentence 3", 2, "", SuggestionMethod.DROP),
    ]


_SERIES = (
    "The tower of the church of Alderby is 31 metres high and was finished in 1412. The tower of the church of Dunmere "
    "is 28 metres high and has no bells. In Alderby the market is held on Tuesdays. In Corrie Ford there is no market.",
    "The Basic plan costs 9 euros a month. The Team plan costs 19 euros a month. Support on the Basic plan is by "
    "email only. Support on the Team plan is by email and chat. The Basic plan cannot be shared. The Team plan can be "
    "shared.",
    pytest.param(
        "The bridge has been repaired again and again. In 1921 the city repainted the bridge in green. In 1946 workers "
        "replaced the deck of the bridge. In 1968 the city repainted the bridge in grey. In 1987 the deck was replaced "
        "once more. In 2011 the city repainted the bridge in its first colour.",
        marks=pytest.mark.xfail(strict=True, reason="coats of paint in two years are taken for one"),
    ),
    "The northern line was built in stages. The railway reached Alden in 1871. The first station master was Tom Hale. "
    "The railway reached Berrow in 1884. The line to Berrow cost 40,000 pounds. The railway reached Corly in 1890.",
)


@pytest.mark.parametrize("text", _SERIES)
async def test_the_entries_of_a_series_do_not_contradict_each_other(check: Check, text: str) -> None:
    assert (await check(text, detectors=(ID,))).findings == []


async def test_a_name_that_both_sentences_have_keeps_them_comparable(check: Check) -> None:
    text = "The tower of Alderby is 31 metres high. The tower of Alderby is 24 metres high."
    assert len((await check(text, detectors=(ID,))).findings) == 1


async def test_three_sentences_of_which_two_agree(check: Check) -> None:
    """Each clash is one warning; agreeing sentences get none."""
    text = "The mill was built in 1894. The mill was built in 1912. In 1894 the mill was built by Ada Lind."
    result = await check(text, detectors=(ID,))
    assert {
        frozenset({finding.sentence, *(evidence.sentence for evidence in finding.evidence)})
        for finding in result.findings
    } == {frozenset({0, 1}), frozenset({1, 2})}


async def test_strictness_is_a_matter_of_how_much_is_shown(check: Check) -> None:
    text = (
        "Entry is free for everyone. The tour takes an hour. Adults pay ten euros at the gate. Dogs are welcome in "
        "the garden. Dogs are not allowed in the garden. Pets of any kind must stay outside the fence."
    )
    found = [
        {finding.fingerprint() for finding in (await check(text, detectors=(ID,), strictness=strictness)).findings}
        for strictness in (Strictness.LENIENT, Strictness.BALANCED, Strictness.STRICT)
    ]
    assert found[0] <= found[1] <= found[2]
    assert len(found[0]) < len(found[2])


async def test_sentences_that_all_clash_are_not_reworded_one_by_one(
    check: Check, local_models: InProcessModels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise such a text would occupy the models for hours."""
    read: list[int] = []
    score = local_models.score

    async def counted(pairs: Sequence[NliPair]) -> list[NliScore]:
        read.append(len(pairs))
        return await score(pairs)

    monkeypatch.setattr(local_models, "score", counted)
    count = MAX_REWRITTEN_CONTRADICTIONS + 5
    text = " ".join(f"The mill of Sorrel was built in {1800 + 7 * i} by Ada Lind." for i in range(count))
    result = await check(text, detectors=(ID,))
    by_sentence = Counter(finding.sentence for finding in result.findings)
    assert by_sentence[count - 1] > MAX_REWRITTEN_CONTRADICTIONS
    last = [finding for finding in result.findings if finding.sentence == count - 1]
    assert all({suggestion.replacement for suggestion in finding.suggestions} == {""} for finding in last[1:])
    # Each pair in both directions, and what the rewrites of the first few take.
    assert sum(read) < count * count + 100 * MAX_REWRITTEN_CONTRADICTIONS * (MAX_REWRITTEN_CONTRADICTIONS + 1)


@pytest.mark.parametrize("is_first", [True, False])
async def test_a_sentence_that_is_too_long_to_be_read_spoils_no_other(check: Check, is_first: bool) -> None:
    endless = "The mill was built in 1911 " + "and the house with 12 rooms was built in 1849 " * 50 + "by Ada Lind."
    text = "The mill was built in 1894. It was rebuilt in 1921."
    result = await check(f"{endless} {text}" if is_first else f"{text} {endless}", detectors=(ID,))
    outcomes = [type(units[ID]).__name__ for _, units in sorted(result.results.items())]
    assert sorted(outcomes) == ["UnitDone", "UnitDone", "UnitSkipped"]


_LINDQVIST = (
    "Margarethe Lindqvist, a glass artist, was born in March 1928 in Oskarshamn. She trained in Kosta and worked there "
    "as a cutter. Her bowls are in many museums. She died peacefully in November 2014, at the age of {age}."
)
_PUMPS = (
    "Halvorsen Marine Pumps was founded in 1962 by the engineer Erik Halvorsen. Its pumps are used on ferries all over "
    "the world. The firm also has a plant in Gdynia. In 2012 it marked its {rank} birthday by opening a small museum."
)


@pytest.mark.parametrize(
    ("text", "message", "own", "other"),
    [
        (
            _LINDQVIST.format(age="eighty"),
            "“age of eighty” does not fit “born in March 1928” in sentence 1: from 1928 to 2014 it is 86 years.",
            "eighty",
            "March 1928",
        ),
        (
            _PUMPS.format(rank="sixtieth"),
            "“sixtieth birthday” does not fit “founded in 1962” in sentence 1: from 1962 to 2012 it is 50 years.",
            "sixtieth",
            "1962",
        ),
        (
            "In 2012 the firm marked its sixtieth birthday with a small museum. Its pumps are used on ferries all over "
            "the world. The firm was founded in 1962 by the engineer Erik Halvorsen.",
            "“founded in 1962” does not fit “sixtieth birthday” in sentence 1: from 1962 to 2012 it is 50 years.",
            "1962",
            "sixtieth",
        ),
    ],
)
async def test_an_age_that_does_not_fit_a_beginning_is_found(
    check: Check, text: str, message: str, own: str, other: str
) -> None:
    result = await check(text, detectors=(ID,))
    (finding,) = result.findings
    (evidence,) = finding.evidence
    assert str(finding.message) == message
    assert finding.quoted == own
    assert [span.of(text) for span in evidence.conflict] == [other]
    # Nobody knows which of the three figures is wrong.
    assert {suggestion.replacement for suggestion in finding.suggestions} == {""}


@pytest.mark.parametrize(
    "text",
    [
        _LINDQVIST.format(age="eighty-six"),
        _PUMPS.format(rank="fiftieth"),
        "Margarethe Lindqvist was born in March 1928 in Oskarshamn. Her husband Ingvar, a potter, was born in 1921. "
        "Ingvar died in 1996 at the age of seventy-five.",
        "SC Talheim was founded in 1923. The stand was built in 1958. In 2008 the stand marked its fiftieth birthday.",
        "The firm was founded in 1962. Its founder was born in 1928. He died in 1996 at the age of sixty-eight.",
    ],
)
async def test_ages_that_fit_or_are_those_of_others_are_left_alone(check: Check, text: str) -> None:
    assert (await check(text, detectors=(ID,))).findings == []


async def test_a_rewrite_that_does_not_fit_an_age_is_not_offered(check: Check) -> None:
    text = "Marit Solheim was born in Bodø in {year}. Solheim, who was born in 1928, was a pilot. "
    age = "Marit Solheim died in 2011 at the age of eighty."

    async def rewrites(text: str) -> set[str]:
        return {s.replacement for f in (await check(text, detectors=(ID,))).findings for s in f.suggestions} - {""}

    fitting = "Solheim, who was born in 1931, was a pilot."
    assert {fitting, "Marit Solheim was born in Bodø in 1928."} <= await rewrites(text.format(year=1931))
    assert await rewrites(text.format(year=1931) + age) == {fitting}
