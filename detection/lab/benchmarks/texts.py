"""The text and the source of the benchmarks, written for them: twelve sentences, and a report of about 600 words."""

from __future__ import annotations

import itertools
import re

_numbers = itertools.count()

TOPIC = "Tarnbridge"

TEXT = """\
Tarnbridge water works supplied 48,000 households in 2022. The new treatment plant at Hollow Lane went into \
service on 3 May 2022. It cost 31 million pounds and was built by a consortium of three companies. The plant \
can treat 65,000 cubic metres of water a day.

Leakage fell to 14 per cent of the water that enters the network. The company replaced 27 kilometres of old \
cast-iron mains during the year. Customers complained 1,130 times, most often about low pressure. The average \
bill rose to 412 pounds a year.

The company employs 286 people, of whom 22 are apprentices. Its director, Helen Ward, took office in 2017. A \
second reservoir is planned above the village of Sallow. Work on it is to begin in 2026.
"""

SOURCE = """\
Tarnbridge Water: report for the year 2022

Supply. In 2022 the company supplied drinking water to 48,000 households and 2,900 businesses in Tarnbridge \
and the villages of the upper valley. The total amount of water delivered was 11.2 million cubic metres, \
slightly less than in 2021, because the summer was wet and gardens needed little water. On the day of highest \
demand, 19 July, the network delivered 44,000 cubic metres. There was no interruption of supply that lasted \
longer than four hours. Water quality was tested 5,400 times at taps throughout the area; all but eleven of \
the samples met every legal limit, and the causes of the eleven were found in the pipes of the houses \
themselves.

New plant. The most important event of the year was the opening of the new treatment plant at Hollow Lane. It \
went into service on 3 March 2022, eight months later than planned, because deliveries of filters had been \
delayed. The plant cost 34 million pounds; it was built by a consortium of three regional companies and \
replaces the works of 1931 at Mill Weir. It can treat 56,000 cubic metres of water a day, which is enough for \
the growth that the county expects until 2050. The old works will be kept as a reserve for five years and then \
given to the town, which wants to make a museum of it. The plant needs a fifth less electricity than the old \
one for each cubic metre.

Network. The network has a length of 1,340 kilometres. During the year the company replaced 27 kilometres of \
old cast-iron mains, more than in any year before. Leakage fell from 16 to 14 per cent of the water that \
enters the network. The aim is ten per cent by 2030. Sensors that listen for leaks at night were fitted in \
four districts and found 212 leaks that nobody had reported. The repair of a burst main took seven hours on \
average.

Customers. The company received 1,310 complaints, a tenth fewer than the year before. Most of them concerned \
low pressure in the upper streets of Sallow, where a new pump will be installed in 2023. The average household \
bill rose by 3 per cent to 412 pounds a year. Some 3,600 households on low incomes paid a reduced tariff. \
Since September, meters can be read at a distance; a third of all households have such a meter by now.

People. At the end of the year 286 people worked for the company, of whom 22 were apprentices. The director, \
Helen Ward, has held the office since 2017. Her contract was extended by the council until 2027. Accidents at \
work that led to absence fell from nine to six. The company was named employer of the year by the regional \
chamber of trade.

Plans. A second reservoir is planned above the village of Sallow. It is to hold 900,000 cubic metres and to \
secure the supply in dry summers. The county approved the plans in November; two landowners have appealed \
against the decision. If the court rejects the appeals, work will begin in 2025 and take about three years. \
The cost is estimated at 19 million pounds, of which the state will pay a third. In the meantime the company \
will repair the spillway of the old reservoir, lay a second main under the river, and examine how much of the \
electricity for its pumps could come from its own turbines.
"""


def as_new(*texts: str) -> list[str]:
    """The text with other figures and another village each time, because a server caches sentences and pairs."""
    number = next(_numbers)
    return [
        re.sub(
            r"\d+",
            lambda digits: str(int(digits[0]) + number).zfill(len(digits[0])),
            text.replace("Sallow", f"Sallow {number}"),
        )
        for text in texts
    ]
