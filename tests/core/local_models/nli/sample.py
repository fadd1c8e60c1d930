"""Labelled pairs of premise and hypothesis written for the project, which every NLI model must classify."""

from __future__ import annotations

from detection.core.types import NliPair

ENTAILED = (
    ("The Orla Mill was built in 1820 by Jens Holt.", "Jens Holt built the Orla Mill."),
    ("The Orla Mill was built in 1820 by Jens Holt.", "The Orla Mill dates from 1820."),
    ("Ada Fenn, the mayor of Harwick, opened the bridge in May 1911.", "The bridge was opened by Ada Fenn."),
    ("Ada Fenn, the mayor of Harwick, opened the bridge in May 1911.", "Ada Fenn was mayor of Harwick."),
    ("The film was shot in Norway and Iceland during the winter.", "Parts of the film were shot in Iceland."),
    ("Marta Lindqvist was born in Uppsala and grew up in Turku.", "Marta Lindqvist was born in Uppsala."),
    ("The company employs 286 people, of whom 22 are apprentices.", "The company has 22 apprentices."),
    ("The reservoir holds 900,000 cubic metres of water.", "The reservoir can hold 900,000 cubic metres."),
    ("He left the club in 2009 after four seasons.", "He played for the club for four seasons."),
    ("The song was written by Lena Voss and sung by Tom Hale.", "Lena Voss wrote the song."),
    ("The museum is closed on Mondays.", "The museum does not open on Mondays."),
    ("The treaty was signed in Ostrava on 3 March 1921.", "The treaty was signed in March 1921."),
    ("The novel sold more than two million copies.", "Over two million copies of the novel were sold."),
    ("The river Tell rises in the Alder Hills and flows into Lake Brisk.", "The Tell flows into Lake Brisk."),
    ("Peter Moss succeeded Helen Ward as director in 2017.", "Peter Moss became director in 2017."),
    ("The band consists of three sisters from Cork.", "The members of the band are sisters."),
    ("The old church burned down in 1742 and was never rebuilt.", "The church was destroyed by fire in 1742."),
    ("Kestrel Airways flies to Lund, Turku and Bergen.", "Kestrel Airways flies to Turku."),
    ("The plant needs a fifth less electricity than the old one.", "The plant uses less electricity than the old one."),
    ("The prize went to the chemist Ivan Petrov.", "Ivan Petrov is a chemist."),
    ("The first edition appeared in Leiden in 1666.", "The first edition was published in Leiden."),
    ("The lighthouse is 41 metres tall, the tallest on the coast.", "No lighthouse on the coast is taller."),
    ("She studied law at Ghent before she turned to painting.", "She was a student of law in Ghent."),
    ("The council rejected the plan by nine votes to four.", "The plan was not approved by the council."),
)

CONTRADICTED = (
    ("The Orla Mill was built in 1820 by Jens Holt.", "The Orla Mill was built in 1870."),
    ("The Orla Mill was built in 1820 by Jens Holt.", "The Orla Mill was built by Karl Brandt."),
    ("Ada Fenn, the mayor of Harwick, opened the bridge in May 1911.", "The bridge was opened in June 1911."),
    ("Ada Fenn, the mayor of Harwick, opened the bridge in May 1911.", "The bridge was opened by the king."),
    ("The film was shot entirely in Norway.", "The film was shot in Canada."),
    ("Marta Lindqvist was born in Uppsala and grew up in Turku.", "Marta Lindqvist was born in Turku."),
    ("The company employs 286 people, of whom 22 are apprentices.", "The company employs 412 people."),
    ("The reservoir holds 900,000 cubic metres of water.", "The reservoir holds 90,000 cubic metres."),
    ("He left the club in 2009 after four seasons.", "He stayed at the club until 2014."),
    ("The song was written by Lena Voss and sung by Tom Hale.", "The song was written by Tom Hale."),
    ("The museum is closed on Mondays.", "The museum is open on Mondays."),
    ("The treaty was signed in Ostrava on 3 March 1921.", "The treaty was signed in Vienna."),
    ("The novel sold more than two million copies.", "The novel sold fewer than ten thousand copies."),
    ("The river Tell rises in the Alder Hills and flows into Lake Brisk.", "The Tell rises in Lake Brisk."),
    ("Peter Moss succeeded Helen Ward as director in 2017.", "Helen Ward succeeded Peter Moss as director."),
    ("The band consists of three sisters from Cork.", "The band consists of five brothers."),
    ("The old church burned down in 1742 and was never rebuilt.", "The church was rebuilt in 1750."),
    ("He never married and had no children.", "He had two daughters."),
    ("The plant needs a fifth less electricity than the old one.", "The plant uses more electricity than the old one."),
    ("The prize went to the chemist Ivan Petrov.", "Ivan Petrov did not win the prize."),
    ("The first edition appeared in Leiden in 1666.", "The first edition was published in Paris."),
    ("The lighthouse is 41 metres tall, the tallest on the coast.", "The lighthouse is 14 metres tall."),
    ("She studied law at Ghent before she turned to painting.", "She studied medicine at Ghent."),
    ("The council rejected the plan by nine votes to four.", "The council approved the plan."),
)

NEUTRAL = (
    ("The Orla Mill was built in 1820 by Jens Holt.", "The Orla Mill ground rye for the monastery."),
    ("The Orla Mill was built in 1820 by Jens Holt.", "Jens Holt died in 1856."),
    ("Ada Fenn, the mayor of Harwick, opened the bridge in May 1911.", "The bridge cost 40,000 pounds."),
    ("Ada Fenn, the mayor of Harwick, opened the bridge in May 1911.", "Ada Fenn had three brothers."),
    ("The film was shot in Norway and Iceland during the winter.", "The film won an award in Cannes."),
    ("Marta Lindqvist was born in Uppsala and grew up in Turku.", "Marta Lindqvist published her first book in 1988."),
    ("The company employs 286 people, of whom 22 are apprentices.", "The company made a loss last year."),
    ("The reservoir holds 900,000 cubic metres of water.", "The reservoir was built by Italian workers."),
    ("He left the club in 2009 after four seasons.", "He scored twelve goals in his last season."),
    ("The song was written by Lena Voss and sung by Tom Hale.", "The song reached number three in Denmark."),
    ("The museum is closed on Mondays.", "The museum has a collection of clocks."),
    ("The treaty was signed in Ostrava on 3 March 1921.", "The treaty was kept for twenty years."),
    ("The novel sold more than two million copies.", "The novel was translated into Finnish."),
    ("The river Tell rises in the Alder Hills and flows into Lake Brisk.", "Trout are common in the Tell."),
    ("Peter Moss succeeded Helen Ward as director in 2017.", "Peter Moss had worked in Lisbon before."),
    ("The band consists of three sisters from Cork.", "The band toured Japan in 2012."),
    ("The old church burned down in 1742 and was never rebuilt.", "The church had a famous organ."),
    ("Kestrel Airways flies to Lund, Turku and Bergen.", "Kestrel Airways owns nine aircraft."),
    ("The plant needs a fifth less electricity than the old one.", "The plant was designed by a Swiss firm."),
    ("The prize went to the chemist Ivan Petrov.", "Ivan Petrov plays the cello."),
    ("The first edition appeared in Leiden in 1666.", "The second edition has 312 pages."),
    ("The lighthouse is 41 metres tall, the tallest on the coast.", "The lighthouse keeper was called Nils."),
    ("She studied law at Ghent before she turned to painting.", "Her paintings hang in Antwerp."),
    ("The council rejected the plan by nine votes to four.", "The plan was drawn up by two architects."),
)

#: Pairs by class in the order of the model's logits: entailed, neutral, contradicted.
PAIRS = tuple(tuple(NliPair(*pair) for pair in of_class) for of_class in (ENTAILED, NEUTRAL, CONTRADICTED))
