"""Two example texts with planted errors, written for this program. They are not about real people."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Example:
    name: str
    label: str | Promise
    text: str
    topic: str = ""
    source: str = ""


_BIOGRAPHY = """\
Marta Lindqvist was a Swedish oceanographer who mapped the floor of the northern Atlantic. She was born on 14 March \
1911 in Gothenburg, the youngest of four children. Her father owned a shipyard, and her mother taught mathematics at a \
girls' school.

Lindqvist studied geology at Uppsala University and completed her doctorate in 1938 under Nils Hallberg. In 1946 she \
joined the research vessel Skagerrak, where she led the echo-sounding team for eleven years. The expeditions covered \
more than 60,000 kilometres of sea floor. Her chart of the Faroe Ridge was published in 1953 and is still cited today.

She never married and had no children. In 1961 she became the first woman to lead the Institute of Marine Geology, a \
post she held until her retirement. Lindqvist was awarded the Vega Medal in 1964. Born in Malmö, she remained attached \
to the sea all her life, and spent her last years on the island of Öland. She died in 1989, survived by her husband \
and two daughters.
"""

_REPORT = """\
Harwick Town Council: annual report on the public library, 2023

The central library in Mill Street reopened on 6 March 2023 after fourteen months of renovation. The work cost £2.4 \
million, of which £1.5 million came from the regional heritage fund and the rest from the council's own budget. The \
reading room now seats 180 people, compared with 120 before the renovation.

In 2023 the library counted 214,000 visits, an increase of 18 per cent on 2019, the last full year before the \
renovation and the pandemic. Loans of printed books fell by 4 per cent to 391,000. Loans of electronic books and audio \
books rose to 96,000. Children under twelve accounted for 37 per cent of all loans.

The library employed 34 people at the end of the year, six of them trainees. Opening hours were extended in September: \
the library is now open on Sundays from 10 a.m. to 4 p.m. A survey of 1,150 readers in November found that 91 per cent \
were satisfied or very satisfied with the new building. The most frequent complaint was the lack of bicycle stands.

The council plans to open a second branch in the Northfield district in 2025. The building of the former post office \
has been rented for this purpose. No decision has been taken yet on the opening hours of the branch.
"""

_SUMMARY = """\
Harwick's central library reopened in March 2023 after a renovation that took fourteen months. The work cost £2.4 \
million, most of it paid by the regional heritage fund. The reading room now seats 210 people.

The library counted 214,000 visits in 2023, 18 per cent more than in 2019. Loans of printed books rose by 4 per cent \
to 391,000. Since September it has also been open on Saturdays and Sundays. In a survey, 91 per cent of readers said \
they were satisfied with the new building.

A second branch will open in the Northfield district in 2026, in the former post office. The branch was designed by \
the architect Helen Marsh.
"""

EXAMPLES: dict[str, Example] = {
    example.name: example
    for example in (
        Example("biography", _("a biography"), _BIOGRAPHY, topic="Marta Lindqvist"),
        Example("summary", _("a summary with its report"), _SUMMARY, source=_REPORT),
    )
}
