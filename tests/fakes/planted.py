"""Texts as language models write them: contradictions far apart and in other words, and what only looks like one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain


@dataclass(frozen=True)
class Clash:
    """Two sentences of a text, by their numbers from 1, and words of each."""

    first: int
    second: int
    first_words: str
    second_words: str


@dataclass(frozen=True)
class Planted:
    """``clashes`` cannot both be true; ``traps`` can."""

    topic: str
    sentences: tuple[str, ...]
    clashes: tuple[Clash, ...]
    traps: tuple[Clash, ...]

    @property
    def text(self) -> str:
        return " ".join(self.sentences)

    @property
    def pairs(self) -> Iterator[tuple[str, str]]:
        """The sentences that clash, both ways round."""
        for clash in self.clashes:
            pair = self.sentences[clash.first - 1], self.sentences[clash.second - 1]
            yield from (pair, pair[::-1])

    @property
    def named(self) -> Iterator[Clash]:
        return chain(self.clashes, self.traps)


TEXTS = (
    Planted(
        "the Halvorsen Observatory",
        (
            "The Halvorsen Observatory stands on a ridge above the town of Merrow.",
            "It was founded in 1887 by the astronomer Greta Halvorsen.",
            "Its main telescope has a mirror of 90 centimetres.",
            "The dome was renewed in 1931 after a storm.",
            "Guided tours are offered every Friday in winter.",
            "A small museum on the ground floor shows early photographs of the Moon.",
            "The staff consists of eleven astronomers and four technicians.",
            "In summer, visitors can join tours from Tuesday to Sunday.",
            "In the year of its foundation, 1902, the town had no electric light yet.",
            "Greta Halvorsen had already led the institute for fifteen years at the turn of the century.",
        ),
        (Clash(2, 9, "founded in 1887", "foundation, 1902"),),
        (Clash(5, 8, "every Friday", "from Tuesday to Sunday"), Clash(2, 4, "1887", "1931")),
    ),
    Planted(
        "Lake Orlen",
        (
            "Lake Orlen is the deepest lake in the province of Tavra.",
            "It covers an area of 48 square kilometres.",
            "The lake is fed by three mountain streams.",
            "Trout and perch are the most common fish in its waters.",
            "Its northern shore is steep and covered with pine forest.",
            "Motor boats have been banned on the lake since 1994.",
            "The village of Sund lies on the southern shore.",
            "Fishing is allowed with a licence from May to October.",
            "In Tavra only Lake Brim reaches a greater depth.",
            "On summer weekends the roar of motor boats fills the bay of Sund.",
        ),
        (Clash(1, 9, "the deepest lake", "only Lake Brim reaches a greater depth"),),
        (
            Clash(5, 7, "northern shore", "southern shore"),
            Clash(2, 3, "48 square kilometres", "three mountain streams"),
        ),
    ),
    Planted(
        "Ines Calder",
        (
            "Ines Calder was a painter and engraver from Port Lisle.",
            "She was an only child and grew up in her grandmother's house.",
            "At the age of sixteen she entered the academy in Verden.",
            "Her first exhibition took place in a bookshop in 1924.",
            "Critics praised the quiet light of her harbour scenes.",
            "In the 1930s she travelled through Portugal and Morocco.",
            "She married the printer Tom Askew in 1938.",
            "The marriage ended in 1951.",
            "Her younger brother Paul inherited the studio and its contents.",
            "Ines Calder spent her last years in Verden.",
        ),
        (Clash(2, 9, "an only child", "younger brother Paul"),),
        (Clash(7, 8, "married", "ended in 1951"), Clash(1, 10, "Port Lisle", "Verden")),
    ),
    Planted(
        "the Tarn Valley Railway",
        (
            "The Tarn Valley Railway connects Kelby with the coast.",
            "The line is 62 kilometres long and has nine stations.",
            "Steam engines ran on it until 1958.",
            "It has been electrified throughout since 1974.",
            "Freight trains carry timber and salt.",
            "Passenger trains run every hour on weekdays.",
            "On Sundays there is a train every two hours.",
            "The longest tunnel measures 1,400 metres.",
            "Between Marsh End and the coast, where no wires were ever put up, diesel units are still in use.",
            "The terminus in Kelby was designed by Edwin Roe.",
        ),
        (Clash(4, 9, "electrified throughout", "no wires were ever put up"),),
        (Clash(6, 7, "every hour", "every two hours"), Clash(3, 4, "1958", "1974")),
    ),
    Planted(
        "the Pellam Prize",
        (
            "The Pellam Prize is awarded each year for a first novel.",
            "It was endowed by the publisher Ruth Pellam.",
            "The winner receives 20,000 crowns and a silver pen.",
            "The jury has five members.",
            "No author may win the prize more than once.",
            "In 2003 the prize went to Anna Dorn for The Salt Year.",
            "The ceremony is held in the old customs house.",
            "In 2009 the jury could not agree and the prize was not given.",
            "Six years after her first triumph, Anna Dorn was honoured by the jury a second time.",
            "Entries must be submitted before the first of March.",
        ),
        (Clash(8, 9, "was not given", "honoured by the jury a second time"),),
        (Clash(1, 6, "each year", "In 2003"), Clash(3, 4, "20,000 crowns", "five members")),
    ),
    Planted(
        "the Corvane X2",
        (
            "The Corvane X2 is an electric van for city deliveries.",
            "Its battery has a capacity of 75 kilowatt hours.",
            "Fully charged, the van covers about 310 kilometres.",
            "The maker gives a warranty of eight years on the battery.",
            "The load space measures 9 cubic metres.",
            "It is assembled exclusively in the plant at Orsay Bridge.",
            "An optional package adds a second sliding door.",
            "In cold weather the range falls to about 220 kilometres.",
            "Every other vehicle of the series leaves the assembly hall in Lindau.",
            "The van weighs 2,100 kilograms without load.",
        ),
        (Clash(6, 9, "exclusively in the plant at Orsay Bridge", "leaves the assembly hall in Lindau"),),
        (Clash(3, 8, "about 310 kilometres", "about 220 kilometres"),),
    ),
    Planted(
        "Marten Holloway",
        (
            "Marten Holloway was a botanist who described more than 200 species of moss.",
            "He was born in Eastcombe in 1841.",
            "His father was a clergyman with a large garden.",
            "He never left his native country.",
            "At university he studied medicine before he turned to botany.",
            "His herbarium is kept in the museum of Eastcombe.",
            "Holloway corresponded with scholars in Sweden and Japan.",
            "The moss Bryum hollowayi is named after him.",
            "During the two winters that he spent collecting in Java he fell ill with malaria.",
            "He died in 1912 and was buried in Eastcombe.",
        ),
        (Clash(4, 9, "never left his native country", "spent collecting in Java"),),
        (Clash(4, 7, "never left his native country", "Sweden and Japan"), Clash(2, 10, "1841", "1912")),
    ),
    Planted(
        "the Wexley Library",
        (
            "The Wexley Library holds about 90,000 volumes.",
            "It is open every day of the week.",
            "The reading room seats 120 people.",
            "Children have a room of their own on the first floor.",
            "Borrowing is free for residents of the district.",
            "Visitors from elsewhere pay a fee of four pounds a year.",
            "A mobile branch serves the villages in the north.",
            "The building dates from 1911 and was extended in 1976.",
            "On Mondays the doors stay shut and the shelves are put in order.",
            "Every borrower from the district is charged for a yearly card.",
        ),
        (
            Clash(2, 9, "open every day of the week", "On Mondays the doors stay shut"),
            Clash(5, 10, "free for residents", "is charged for a yearly card"),
        ),
        (Clash(5, 6, "free for residents", "a fee of four pounds"), Clash(1, 3, "90,000 volumes", "120 people")),
    ),
    Planted(
        "the Battle of Dunmere",
        (
            "The Battle of Dunmere was fought on the morning of 4 June 1652.",
            "The royal army was led by Lord Ashby.",
            "About 6,000 men stood on each side.",
            "Heavy rain had turned the fields into mud.",
            "The cavalry attacked the left wing three times.",
            "Lord Ashby fell in the first hour of the battle.",
            "By noon the rebels held the bridge.",
            "The losses of the royal army are put at 900 men.",
            "Outnumbered two to one, the rebels relied on the marshy ground.",
            "Two days later, Lord Ashby himself signed the surrender in Dunmere Castle.",
        ),
        (
            Clash(6, 10, "fell in the first hour", "himself signed the surrender"),
            Clash(3, 9, "6,000 men stood on each side", "Outnumbered two to one"),
        ),
        (Clash(3, 8, "6,000 men", "900 men"),),
    ),
    Planted(
        "the Brightwater Desalination Plant",
        (
            "The Brightwater plant turns sea water into drinking water by reverse osmosis.",
            "It went into operation in March 2011.",
            "Its daily output is 140,000 cubic metres.",
            "The plant is powered entirely by the wind farm on Cape Noll.",
            "A second intake pipe was added in 2016.",
            "Brine is led back into the sea two kilometres from the shore.",
            "Around 85 people work at the site.",
            "In dry years the plant supplies half of the city.",
            "Roughly a third of its electricity comes from the gas turbines next door.",
            "The operator plans to raise the daily output to 200,000 cubic metres by 2030.",
        ),
        (Clash(4, 9, "powered entirely by the wind farm", "comes from the gas turbines"),),
        (Clash(3, 10, "140,000 cubic metres", "200,000 cubic metres"), Clash(2, 5, "2011", "2016")),
    ),
)
