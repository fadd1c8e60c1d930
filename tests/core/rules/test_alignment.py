"""Values clash only if they are about the same attribute of the same thing."""

from __future__ import annotations

import pytest

from detection.core.rules.alignment import conflicts, conflicts_between, missing, prepare

from .conftest import Parse


def _strong(parse: Parse, premise: str, hypothesis: str) -> list[str]:
    return [clash.reason for clash in conflicts(parse(premise), parse(hypothesis)) if clash.is_strong]


@pytest.mark.parametrize(
    ("premise", "hypothesis", "reason"),
    [
        ("The mill was founded in 1932.", "The mill was established in 1936.", "1932 against 1936"),
        ("It was built in 1855 by a doctor.", "The house was built in 1850.", "1855 against 1850"),
        ("The town was founded in 1243.", "It honours the monks who founded the town in 1143.", "1243 against 1143"),
        ("Ada Lind opened the museum in 1990.", "The museum was opened in 1992 by a prince.", "1990 against 1992"),
        ("She was born on 12 March 1957.", "Born in 1953, she moved north.", "12 March 1957 against 1953"),
        ("He died in 1980.", "Since his death in 1979 the house is empty.", "1980 against 1979"),
        ("He was born in Oslo.", "Jon Berg was born in Bergen in 1950.", "Oslo against Bergen"),
        ("The town is located in Norway.", "It is located in Sweden.", "Norway against Sweden"),
        ("The film was directed by Ada Lind.", "It was directed by Jon Berg.", "Ada Lind against Jon Berg"),
        ("He is a Norwegian painter.", "He was a Swedish writer.", "Norwegian against Swedish"),
        ("He was a German field marshal.", "He was a Canadian software engineer.", "German against Canadian"),
        ("The couple had three children.", "The couple had five children.", "three against five"),
        ("The tower is 120 metres tall.", "The tower is 450 feet tall.", "120 metres against 450 feet"),
        ("The film grossed $5 million.", "The film grossed $8 million.", "$5 million against $8 million"),
        ("Prices rose in May.", "Prices fell in May.", "rose against fell"),
        ("She joined the navy in 1936.", "She joined the navy in 1939.", "1936 against 1939"),
        ("The show was cancelled after one season.", "It was cancelled after two seasons.", "one against two"),
        (
            "It is the largest lake in Wales.",
            "It is the second-largest lake in Wales.",
            "largest against second-largest",
        ),
        ("The fair runs until 5 May.", "The fair closes on 9 May.", "until 5 May against 9 May"),
        ("The exhibition runs from 3 to 21 June.", "It ends on 25 June.", "from 3 to 21 June against 25 June"),
        ("The ferry runs once a day.", "The ferry runs three times a day.", "once a day against three times a day"),
        ("The council passed the plan.", "The council rejected the plan.", "passed against rejected"),
        (
            "The statue stands on the south side of the square.",
            "The statue stands on the north side of the square.",
            "south against north",
        ),
        ("It is 12 km from Oslo.", "It is 40 km from Oslo.", "12 km against 40 km"),
        ("A town which was founded in 1936 burnt down.", "The town was founded in 1946.", "1936 against 1946"),
        ("The firm has 32 employees in Bergen.", "The 23 people employed in Bergen were praised.", "32 against 23"),
        ("The kettle holds 1.7 litres.", "The kettle holds 1.5 litres and is red.", "1.7 litres against 1.5 litres"),
        (
            "Work abroad is limited to 20 days a year and must be approved four weeks in advance.",
            "Work abroad is limited to 30 days a year, with a notice of four weeks.",
            "20 days against 30 days",
        ),
        ("The firm employs 32 people in Bergen.", "The firm has 23 employees in Bergen.", "32 against 23"),
        ("Sorrel has 1,200 inhabitants.", "The 2,100 people living there were warned.", "1,200 against 2,100"),
    ],
)
def test_values_in_the_same_slot_clash(parse: Parse, premise: str, hypothesis: str, reason: str) -> None:
    assert reason in _strong(parse, premise, hypothesis)


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("The firm has 32 employees.", "The 23 people employed in the kitchen were praised."),
        ("The firm has 32 employees in Bergen.", "The 23 people employed in Oslo were praised."),
        ("The firm has 32 employees in Bergen.", "23 people employed in Bergen were ill."),
        ("The firm dismissed 32 employees in Bergen.", "The 23 people employed in Bergen were praised."),
        ("She married in 1960.", "Her first novel was published in 1958."),
        ("He was born in 1911.", "He died in 1980."),
        ("He was born in Oslo.", "He died in Bergen."),
        ("His father was born in 1880.", "He was born in 1911."),
        ("Her first album was released in 1999.", "Her second album was released in 2002."),
        ("The mill was founded in 1932.", "The school was founded in 1936."),
        ("The museum was opened in 1990.", "The mayor opened the school in 1992."),
        ("The filter is changed every six months.", "Some households change the filter every three months."),
        ("The road is 12 km long.", "The road is 7.5 miles long."),
        ("The mill has about 20 workers.", "The mill has 21 workers."),
        ("The mill was built in 1953.", "It was built in the 1950s."),
        ("The team won the cup in 1960.", "The team won the cup in 1962."),
        ("He was born in Oslo.", "He was born in Norway."),
        ("The house was bought by the Lind family in 1891.", "The Lind family sold the house in 1959."),
        ("He began his career in the 1980s.", "He began to paint in the 1950s."),
        ("He was the son of Jon Berg.", "He was the husband of Ada Lind."),
        ("The mill was not built in 1936.", "The mill was built in 1932."),
        ("The mill was never sold in 1936.", "The mill was sold in 1932."),
        ("She worked there before the war.", "She returned after the flood."),
        ("He was promoted to the rank of Major in 1943.", "He was promoted to the rank of Colonel in 1945."),
        ("Ada Lind was born in 1911.", "Eva Lind was born in 1915."),
        ("He was born in 1911.", "She was born in 1915."),
        ("Three mills were built in 1911.", "The church was built in 1790."),
        ("The first talks took place in Oslo.", "The film is set in Bergen."),
        ("The fair runs from 3 to 21 June.", "The fair lasts about three weeks."),
        ("The fair runs until 5 May.", "The fair ends on 5 May."),
        ("The museum is open until 5 May.", "Its founder died on 9 May."),
        ("The council passed the plan.", "The council rejected the amendment."),
        ("She supported the reform.", "She opposed the war."),
        ("It is 12 km from Oslo.", "It is 40 km from Bergen."),
        ("It lies 5 km north of Oslo.", "It lies 10 km south of Bergen."),
        ("The club has 300 members in Oslo.", "The club has 500 members in Bergen."),
        ("The ferry runs once a day to Oslo.", "The ferry runs three times a day to Bergen."),
        ("The shop opens between 9 and 11 am.", "The shop opens at 10 am."),
        ("Add the zest of three lemons.", "The juice of two lemons is poured over it."),
    ],
)
def test_values_in_other_slots_do_not(parse: Parse, premise: str, hypothesis: str) -> None:
    assert _strong(parse, premise, hypothesis) == []
    assert _strong(parse, hypothesis, premise) == []


def test_a_clash_points_to_the_words_of_both_sentences(parse: Parse) -> None:
    premise, hypothesis = parse("The mill was founded in 1932."), parse("It was established in 1936.")
    (clash,) = conflicts(premise, hypothesis)

    assert clash.premise.span.of(premise.text) == "1932"
    assert clash.hypothesis.span.of(hypothesis.text) == "1936"
    assert conflicts_between(prepare(premise), prepare(hypothesis)) == (clash,)


def test_a_value_that_the_other_sentence_confirms_elsewhere_does_not_clash(parse: Parse) -> None:
    assert conflicts(parse("It ran in 1932 and in 1936."), parse("It ran in 1936.")) == ()


@pytest.mark.parametrize(
    ("premises", "hypothesis", "expected"),
    [
        (["He was born on 12 March 1957."], "He was born in 1957.", []),
        (["He was born in 1957."], "He was born on 12 March 1957.", ["12 March 1957"]),
        (["The war lasted from 1914 to 1918."], "It began in 1914.", []),
        (["The war lasted from 1914 to 1918."], "It was lost in 1916.", ["1916"]),
        (["It was built in the 1950s."], "It was built in 1953.", ["1953"]),
        (["It was built in 1953."], "It was built in the 1950s.", []),
        (["The road is 7.5 miles long."], "The road is 12 km long.", []),
        (["More than 20 people came."], "In all, 25 people came.", ["25"]),
        (["In all, 25 people came."], "More than 20 people came.", []),
        (["She has three children."], "She has 3 kids and two dogs.", ["two"]),
        (["Half of them agreed."], "They agreed, 50 % of them.", []),
        (["It cost five million dollars."], "It cost $5 million.", []),
        (["Ada Lind lives in Oslo."], "Lind lives in Norway.", []),
        (["Ada Lind lives in Norway."], "Lind lives in Oslo.", ["Oslo"]),
        (["Ada Lind paints.", "She lives in Oslo."], "Ada Lind lives in Oslo with Jon Berg.", ["Jon Berg"]),
        (["It is his second book."], "It is his third book.", ["third"]),
        (["Prices rose."], "Prices fell.", []),
        (["From 1 September the limit is lower."], "Starting on 1 September, it is lower.", []),
        (["They move by the end of May."], "They move before June.", []),
        (["They move by the end of June."], "They move before June.", ["before June"]),
        ([], "She was born in Oslo.", ["Oslo"]),
    ],
)
def test_values_that_no_premise_states_are_missing(
    parse: Parse, premises: list[str], hypothesis: str, expected: list[str]
) -> None:
    clauses = [prepare(parse(premise)) for premise in premises]

    assert [value.text for value in missing(clauses, prepare(parse(hypothesis)))] == expected
