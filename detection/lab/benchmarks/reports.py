"""Long reports in PDF for the benchmarks: a page for each harbour, with figures that differ from page to page."""

from __future__ import annotations

import random
from dataclasses import dataclass

from ...core.errors import DetectionError

#: About as many words as a page of a report in small print.
WORDS_PER_PAGE = 400

_FIRST = ("Ald", "Bren", "Cor", "Dun", "Elm", "Far", "Gar", "Hol", "Inver", "Kel", "Lund", "Mar", "Nor", "Ost", "Pen")
_LAST = ("wick", "haven", "stad", "mouth", "holm", "borg", "ness", "vik", "ford", "by", "sund", "dale", "port", "ton")
_PEOPLE = ("Ada Lind", "Peter Moss", "Helen Ward", "Ivan Petrov", "Rosa Blum", "Tom Hale", "Nina Falk", "Carl Berg")
_FILLER = (
    "The quay was inspected twice during the year, and the inspectors found nothing that had to be mended at once.",
    "Traders praised the new opening hours, while neighbours asked for less noise in the early morning.",
    "A working group looks for ways to heat the offices with the warm water of the cooling plant.",
    "Heavy storms in autumn made it necessary to close the outer pier on several days.",
    "The lighthouse keeper's house was let to a family that offers guided walks along the shore.",
    "Pupils of the local school planted trees along the access road and look after them.",
    "The council discussed whether the old warehouse should become a theatre, and put the matter off.",
    "Most of the ships carried grain and timber; containers remain the exception here.",
    "Repairs of the rails between the quay and the station will take longer than had been hoped.",
    "Divers removed nets and ropes from the sea bed, which had been a danger to propellers.",
    "The fish market is open on weekdays, and sells what the boats bring in during the night.",
    "An exhibition in the customs house told the story of the port with models and photographs.",
    "Berths for pleasure boats were in demand, and there is a waiting list for the coming season.",
    "The pilots asked for a second boat, because the old one cannot go out in high waves.",
)


@dataclass(frozen=True, slots=True)
class Harbour:
    """What one page says, in figures."""

    name: str
    founded: int
    director: str
    staff: int
    tonnage: int
    ships: int
    depth: float
    budget: float

    @property
    def facts(self) -> tuple[str, ...]:
        return (
            f"The harbour of {self.name} was founded in {self.founded}.",
            f"It is led by {self.director} and employs {self.staff} people.",
            f"In 2022 the harbour of {self.name} handled {self.tonnage:,} tonnes of goods.",
            f"In the same year {self.ships:,} ships called at {self.name}.",
            f"The main basin of {self.name} is {self.depth} metres deep.",
            f"The budget of {self.name} for the coming year is {self.budget} million pounds.",
        )


#: Which of the facts the text quotes.
_TONNAGE = 2


@dataclass(frozen=True, slots=True)
class Report:
    """A report as a PDF, and a text that quotes it, with one wrong figure."""

    pdf: bytes
    text: str
    wrong_figure: str


def make_report(pages: int, *, wrong_page: int, sentences: int = 12) -> Report:
    """A report with this number of pages, the same each time.

    Raises:
        DetectionError: the library that writes PDF is not installed.
    """
    harbours = _harbours(pages)
    quoted = sorted({1 + i * (pages - 1) // (sentences - 2) for i in range(sentences - 1)} | {wrong_page})
    told = []
    wrong_figure = ""
    for page in quoted:
        harbour = harbours[page - 1]
        fact = harbour.facts[_TONNAGE]
        if page == wrong_page:
            wrong_figure = f"{harbour.tonnage + 31_000:,}"
            fact = fact.replace(f"{harbour.tonnage:,}", wrong_figure)
        told.append(fact)
    return Report(_pdf(harbours), " ".join(told), wrong_figure)


def _harbours(count: int) -> list[Harbour]:
    chooser = random.Random(11)  # noqa: S311 - figures for a report, no secrets
    names = [first + last for first in _FIRST for last in _LAST]
    chooser.shuffle(names)
    return [
        Harbour(
            name=name,
            founded=chooser.randint(1520, 1930),
            director=chooser.choice(_PEOPLE),
            staff=chooser.randint(20, 900),
            tonnage=chooser.randint(40, 900) * 1_000,
            ships=chooser.randint(150, 4_000),
            depth=chooser.randint(50, 160) / 10,
            budget=chooser.randint(20, 400) / 10,
        )
        for name in names[:count]
    ]


def _pdf(harbours: list[Harbour]) -> bytes:
    try:
        from fpdf import FPDF  # a library of the tests; the program itself writes no PDF
    except ImportError as error:
        raise DetectionError("This benchmark writes a PDF first. Install the test tools: make test.") from error
    pdf = FPDF(format="A4")
    pdf.set_auto_page_break(auto=False)
    chooser = random.Random(5)  # noqa: S311 - the order of sentences, no secrets
    for harbour in harbours:
        pdf.add_page()
        pdf.set_font("Helvetica", style="B", size=14)
        pdf.cell(0, 10, f"Harbour of {harbour.name}", new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("Helvetica", size=9)
        pdf.multi_cell(0, 4.5, " ".join(_page(harbour, chooser)))
    return bytes(pdf.output())


def _page(harbour: Harbour, chooser: random.Random) -> list[str]:
    """The facts of a harbour with other sentences between them, about :data:`WORDS_PER_PAGE` words."""
    sentences = list(harbour.facts)
    while sum(len(sentence.split()) for sentence in sentences) < WORDS_PER_PAGE:
        sentences.insert(chooser.randint(1, len(sentences)), chooser.choice(_FILLER))
    return sentences
