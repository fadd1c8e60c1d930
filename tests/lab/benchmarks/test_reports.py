"""The reports of the benchmark of long sources must contain the planted facts."""

from __future__ import annotations

from detection.core.documents import read_document
from detection.core.documents.types import DocumentLimits
from detection.core.types import PlaceKind
from detection.lab.benchmarks.reports import make_report


def test_one_figure_of_the_text_stands_nowhere_in_the_report() -> None:
    report = make_report(6, wrong_page=4, sentences=5)
    document = read_document(
        report.pdf, name="report.pdf", limits=DocumentLimits(), progress=lambda done, total: None, stop=lambda: False
    )
    pages = [place.span.of(document.text) for place in document.places if place.kind is PlaceKind.PAGE]
    told = [sentence.rstrip(".") for sentence in report.text.split(". ")]
    (wrong,) = [sentence for sentence in told if sentence not in document.text]
    assert report.wrong_figure in wrong
    harbour = wrong.split("harbour of ")[1].split()[0]
    assert f"harbour of {harbour} handled" in pages[3]
    assert all(300 < len(page.split()) < 500 for page in pages)
