"""The chart of a claim, and links to pages: positions, and invalid links."""

from __future__ import annotations

import pytest

from detection import wiring
from detection.core.evidence.induction import InductiveTest
from detection.core.evidence.plan import SearchEffort
from detection.core.evidence.sequential import Belief
from detection.core.retrieval.links import site_of, web_link
from detection.selectors.charts import ProbabilityChart, probability_chart
from detection.wording import percent


def test_the_curve_runs_from_not_knowing_to_the_last_document() -> None:
    test = InductiveTest(wiring.histograms(), SearchEffort.BALANCED.costs, 10)
    chart = probability_chart([0.25, 0.0], test, 10)
    middle = (ProbabilityChart.top + ProbabilityChart.bottom) / 2
    assert [point.document for point in chart.points] == [0, 1, 2]
    assert (chart.points[0].x, chart.points[0].y) == (ProbabilityChart.left, middle)
    assert chart.last.y == ProbabilityChart.bottom
    assert chart.curve.split()[0] == f"{chart.points[0].x},{chart.points[0].y}"
    assert chart.indifference == 14 / 38


def test_the_band_holds_where_another_document_is_read_and_nowhere_else() -> None:
    test = InductiveTest(wiring.histograms(), SearchEffort.CAREFUL.costs, 10)
    low, high = test.undecided(1) or (0, 0)
    assert 0 < low < test.costs.indifference < high < 1
    for factual, stops in ((low - 0.01, True), (low + 0.01, False), (high - 0.01, False), (high + 0.01, True)):
        assert test.stops(Belief(factual, 1)) is stops
    assert test.undecided(10) is None


def test_a_link_opens_the_page_at_the_quote() -> None:
    assert web_link("https://a.org/x", "One, two-three") == "https://a.org/x#:~:text=One%2C%20two%2Dthree"
    assert web_link("https://a.org/x#part", "One") == "https://a.org/x#part:~:text=One"
    long = "one two three four five six seven eight nine"
    assert web_link("http://a.org", long) == "http://a.org#:~:text=one%20two%20three%20four,six%20seven%20eight%20nine"


@pytest.mark.parametrize("url", ["", "javascript:alert(1)", "data:text/html,x", "//a.org", "ftp://a.org", "https://["])
def test_what_is_no_web_address_is_no_link(url: str) -> None:
    assert (web_link(url, "words"), site_of(url)) == ("", "")


def test_a_site_is_named_without_what_could_mislead() -> None:
    assert site_of("https://en.wikipedia.org@evil.example/x") == "evil.example"


def test_nothing_is_ever_certain() -> None:
    assert [percent(p).replace("\u00a0", " ") for p in (0.0, 0.236, 1.0)] == ["under 1 %", "24 %", "over 99 %"]
