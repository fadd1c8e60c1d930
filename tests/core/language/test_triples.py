from __future__ import annotations

from dataclasses import replace

import pytest

from detection.core.language.pipeline import LanguagePipeline
from detection.core.language.triples import MAX_TRIPLES, Triple, find_triples
from detection.core.types import ParsedSentence, Sentence

#: Sentences with all their facts, as "subject | relation | object".
FACTS = {
    "She was born on 14 March 1911 in Gothenburg.": [
        "She | was born on | 14 March 1911",
        "She | was born in | Gothenburg",
    ],
    "Marta Lindqvist was a Swedish oceanographer.": [
        "Marta Lindqvist | was | a Swedish oceanographer",
    ],
    "The bridge was designed by Ada Lind.": [
        "The bridge | was designed by | Ada Lind",
    ],
    "Nordvik, a Norwegian maker of boots, was bought by Halden Group for $2.5 billion in 2014.": [
        "Nordvik | is | a Norwegian maker of boots",
        "Nordvik | was bought by | Halden Group",
        "Nordvik | was bought for | $2.5 billion",
        "Nordvik | was bought in | 2014",
    ],
    "Marta Lindqvist (14 March 1911 – 3 May 1988) was a Swedish oceanographer and explorer.": [
        "Marta Lindqvist | lived | 14 March 1911 – 3 May 1988",
        "Marta Lindqvist | was | a Swedish oceanographer",
        "Marta Lindqvist | was | explorer",
    ],
    "The company set up a research centre in Bergen, which employs 340 people.": [
        "The company | set up a research centre in | Bergen",
        "Bergen | employs | 340 people",
        "The company | set up | a research centre",
    ],
    "He did not win the Halden Prize.": [
        "He | did not win | the Halden Prize",
    ],
    "She studied physics at Lund University and worked as a teacher in Malmö until 1935.": [
        "She | studied physics at | Lund University",
        "She | worked as a teacher in | Malmö",
        "She | worked as a teacher until | 1935",
        "She | studied | physics",
        "She | worked as | a teacher",
    ],
    "His brother Olaf became a priest.": [
        "His brother | is | Olaf",
        "His brother Olaf | became | a priest",
    ],
    "Her first book, The Silent Fjord, sold 20,000 copies.": [
        "Her first book | is | The Silent Fjord",
        "Her first book | sold | 20,000 copies",
    ],
    "He wanted to become a pilot.": [
        "He | wanted to become | a pilot",
    ],
    "The town is located in the north of Sweden.": [
        "The town | is located in | the north of Sweden",
    ],
    "The river rises near Arvika and flows into Lake Vänern.": [
        "The river | rises near | Arvika",
        "The river | flows into | Lake Vänern",
    ],
    "Tomas Berg, who taught at the school for ten years, died in 1954.": [
        "Tomas Berg | taught for | ten years",
        "Tomas Berg | died in | 1954",
        "Tomas Berg | taught at | the school",
    ],
    "It has a population of 12,400.": [
        "It | has a population of | 12,400",
    ],
    "Lindqvist is best known for her study of deep currents.": [
        "Lindqvist | is best known for | her study of deep currents",
    ],
    "Ada Lind designed the Sallow Bridge in 1931.": [
        "Ada Lind | designed | the Sallow Bridge",
        "Ada Lind | designed the Sallow Bridge in | 1931",
    ],
    "The Sallow Bridge was opened on 3 June 1931 by King Oskar.": [
        "The Sallow Bridge | was opened on | 3 June 1931",
        "The Sallow Bridge | was opened by | King Oskar",
    ],
    "The valley is home to 340 species of birds.": [
        "The valley | is home to | 340 species of birds",
    ],
    "Per Olsen founded Nordvik in Bergen in 1976.": [
        "Per Olsen | founded | Nordvik",
        "Per Olsen | founded Nordvik in | Bergen",
        "Per Olsen | founded Nordvik in | 1976",
    ],
    "The factory employs 1,200 workers.": [
        "The factory | employs | 1,200 workers",
    ],
    "He never returned to Norway.": [
        "He | never returned to | Norway",
    ],
    "She has not yet published her memoirs.": [
        "She | has not yet published | her memoirs",
    ],
    "The lake is no longer used for fishing.": [
        "The lake | is no longer used for | fishing",
    ],
    "They didn't reach the summit until 1954.": [
        "They | didn't reach the summit until | 1954",
        "They | didn't reach | the summit",
    ],
    "Nina Falk won the Halden Prize and the Sallow Medal.": [
        "Nina Falk | won | the Halden Prize",
        "Nina Falk | won | the Sallow Medal",
    ],
    "The firm makes boots, tents and ropes.": [
        "The firm | makes | boots",
        "The firm | makes | tents",
        "The firm | makes | ropes",
    ],
    "Per and Nina Olsen founded the school in 1962.": [
        "Per and Nina Olsen | founded the school in | 1962",
        "Per and Nina Olsen | founded | the school",
    ],
    "The painter, who lived in Arvika for thirty years, died in 1978.": [
        "The painter | lived in | Arvika",
        "The painter | lived for | thirty years",
        "The painter | died in | 1978",
    ],
    "The town that he left in 1950 has changed.": [
        "he | left the town in | 1950",
        "he | left | The town",
        "The town | has | changed",
    ],
    "Tomas Berg, whose father was a baker, became minister of trade in 1967.": [
        "Tomas Berg | became minister of trade in | 1967",
        "Tomas Berg | whose father was | a baker",
        "Tomas Berg | became | minister of trade",
    ],
    "She moved to Gothenburg, where she studied chemistry.": [
        "She | moved to | Gothenburg",
        "she | studied | chemistry",
    ],
    "The firm announced that it would close its plant in Sallow.": [
        "The firm | announced that | it would close its plant in Sallow",
        "it | would close its plant in | Sallow",
        "it | would close | its plant",
    ],
    "The mayor said the bridge would open in May.": [
        "The mayor | said | the bridge would open in May",
        "the bridge | would open in | May",
    ],
    "Critics believe that the painting was made by his daughter.": [
        "Critics | believe that | the painting was made by his daughter",
        "the painting | was made by | his daughter",
    ],
    "He planned to climb Mount Korr in 1958.": [
        "He | planned to climb | Mount Korr",
        "He | planned to climb Mount Korr in | 1958",
    ],
    "She began writing novels in 1949.": [
        "She | began writing novels in | 1949",
        "She | began writing | novels",
    ],
    "He tried to set up a theatre in Malmö.": [
        "He | tried to set up a theatre in | Malmö",
        "He | tried to set up | a theatre",
    ],
    "They elected Nina Falk president in 1971.": [
        "They | elected | Nina Falk president",
        "They | elected Nina Falk president in | 1971",
    ],
    "Nina Falk was elected president of the club in 1971.": [
        "Nina Falk | was elected president of the club in | 1971",
        "Nina Falk | was elected | president of the club",
    ],
    "The committee named him director of the museum.": [
        "The committee | named him | director of the museum",
    ],
    "His daughter Greta later ran the farm.": [
        "His daughter | is | Greta",
        "His daughter Greta | ran | the farm",
    ],
    "Greta Olsen, his eldest daughter, ran the farm until 1990.": [
        "Greta Olsen | ran the farm until | 1990",
        "Greta Olsen | is | his eldest daughter",
        "Greta Olsen | ran | the farm",
    ],
    "The play was written by Nina Falk and directed by Tomas Berg.": [
        "The play | was written by | Nina Falk",
        "The play | was directed by | Tomas Berg",
    ],
    "The dam was built in 1920 and rebuilt in 1987.": [
        "The dam | was built in | 1920",
        "The dam | was rebuilt in | 1987",
    ],
    "The mine was closed, reopened and sold within two years.": [
        "The mine | was sold within | two years",
        "The mine | was | closed",
        "The mine | was | reopened",
    ],
    "Born in Lund in 1902, Marta Lindqvist studied oceanography.": [
        "Marta Lindqvist | born in | Lund",
        "Marta Lindqvist | born in | 1902",
        "Marta Lindqvist | studied | oceanography",
    ],
    "Trained as a nurse, she worked in field hospitals from 1940 to 1945.": [
        "she | worked from | 1940 to 1945",
        "she | trained as | a nurse",
        "she | worked in | field hospitals",
    ],
    "Returning to Norway in 1946, he opened a bakery.": [
        "he | returning to | Norway",
        "he | returning to Norway in | 1946",
        "he | opened | a bakery",
    ],
    "After leaving school, she joined the merchant navy.": [
        "she | after leaving | school",
        "she | joined | the merchant navy",
    ],
    "In 1911, she moved to Stockholm.": [
        "she | moved in | 1911",
        "she | moved to | Stockholm",
    ],
    "At the age of 19, he joined the Norrland Regiment.": [
        "he | joined the Norrland Regiment at the age of | 19",
        "he | joined | the Norrland Regiment",
    ],
    "The tower is 90 metres high.": [
        "The tower | is | 90 metres high",
    ],
    "Mount Korr has a height of 2,340 metres.": [
        "Mount Korr | has a height of | 2,340 metres",
    ],
    "The river is 120 kilometres long.": [
        "The river | is | 120 kilometres long",
    ],
    "The castle stands on a hill above the town.": [
        "The castle | stands on | a hill",
        "The castle | stands above | the town",
    ],
    "There is a small chapel near the harbour.": [
        "There | is | a small chapel near the harbour",
    ],
    "There were 14 lighthouses along the coast in 1900.": [
        "There | were | 14 lighthouses along the coast",
        "There | were 14 lighthouses along the coast in | 1900",
    ],
    "The town lies about 40 kilometres north of Halden.": [
        "The town | lies | about 40 kilometres north of Halden",
    ],
    "The opera premiered at the Royal Theatre on 9 April 1921.": [
        "The opera | premiered at | the Royal Theatre",
        "The opera | premiered on | 9 April 1921",
    ],
    "The company's headquarters are in Bergen.": [
        "The company's headquarters | are in | Bergen",
    ],
    "Lindqvist's first paper was published in 1934.": [
        "Lindqvist's first paper | was published in | 1934",
    ],
    "Her parents were farmers.": [
        "Her parents | were | farmers",
    ],
    "It was the first bridge in the country.": [
        "It | was | the first bridge in the country",
    ],
    "She was the first woman to win the Halden Prize.": [
        "She | was | the first woman to win the Halden Prize",
    ],
    "He received a grant to study reefs.": [
        "He | received | a grant to study reefs",
    ],
    "The club gave her a gold medal.": [
        "The club | gave her | a gold medal",
    ],
    "She taught children mathematics.": [
        "She | taught | children mathematics",
    ],
    "The film is based on a novel by Nina Falk.": [
        "The film | is based on | a novel by Nina Falk",
    ],
    "The building is known as the Glass House.": [
        "The building | is known as | the Glass House",
    ],
    "He is best known for his paintings of harbours.": [
        "He | is best known for | his paintings of harbours",
    ],
    "The festival takes place every August.": [
        "The festival | takes place | every August",
    ],
    "The village burned down in 1888.": [
        "The village | burned down in | 1888",
    ],
    "The storm destroyed the harbour, killing 12 people.": [
        "The storm | killing | 12 people",
        "The storm | destroyed | the harbour",
    ],
    "He may have visited Iceland in 1930.": [
        "He | may have visited | Iceland",
        "He | may have visited Iceland in | 1930",
    ],
    "The harbour can hold 60 ships.": [
        "The harbour | can hold | 60 ships",
    ],
    "The treaty will expire in 2035.": [
        "The treaty | will expire in | 2035",
    ],
    "Although he was ill, he finished the symphony in 1899.": [
        "he | finished the symphony in | 1899",
        "he | was | ill",
        "he | finished | the symphony",
    ],
    "While she was a student, she met Tomas Berg.": [
        "she | met | Tomas Berg",
        "she | was | a student",
    ],
    "Nordvik (founded 1976) sells hiking boots.": [
        "Nordvik | founded | 1976",
        "Nordvik | sells | hiking boots",
    ],
    "The Halden War (1721–1724) ended with the Treaty of Sallow.": [
        "The Halden War | lasted | 1721–1724",
        "The Halden War | ended with | the Treaty of Sallow",
    ],
    "Tomas Berg (1901–1967) was a Norwegian composer.": [
        "Tomas Berg | lived | 1901–1967",
        "Tomas Berg | was | a Norwegian composer",
    ],
    "The sea is deep and cold.": [
        "The sea | is | deep",
        "The sea | is | cold",
    ],
    "Greta Olsen, the mayor of Sallow, opened the museum.": [
        "Greta Olsen | is | the mayor of Sallow",
        "Greta Olsen | opened | the museum",
    ],
    "“The Silent Fjord” was translated into 14 languages.": [
        "“The Silent Fjord” | was translated into | 14 languages",
    ],
    "Early life: Berg grew up in Halden.": [
        "Berg | grew up in | Halden",
    ],
    "The region exports timber, iron and fish to Denmark.": [
        "The region | exports timber, iron and fish to | Denmark",
        "The region | exports | timber, iron and fish",
    ],
    "It lies in Arvika, Värmland, Sweden.": [
        "It | lies in | Arvika, Värmland, Sweden",
    ],
    "She married the painter Per Olsen in 1930, and they had three children.": [
        "She | married | the painter Per Olsen",
        "She | married the painter Per Olsen in | 1930",
        "the painter | is | Per Olsen",
        "they | had | three children",
    ],
    "The album sold more than 300,000 copies in Sweden.": [
        "The album | sold | more than 300,000 copies",
        "The album | sold more than 300,000 copies in | Sweden",
    ],
    "The school was named after Ada Lind.": [
        "The school | was named after | Ada Lind",
    ],
    "Ada Lind was awarded the Sallow Medal in 1955 for her work on bridges.": [
        "Ada Lind | was awarded | the Sallow Medal",
        "Ada Lind | was awarded the Sallow Medal in | 1955",
        "Ada Lind | was awarded the Sallow Medal for | her work on bridges",
    ],
    "The orchestra consists of 80 musicians.": [
        "The orchestra | consists of | 80 musicians",
    ],
    "She spoke Norwegian, Swedish, Finnish and German.": [
        "She | spoke | Norwegian, Swedish, Finnish and German",
    ],
    "He lived in Sallow between 1920 and 1925.": [
        "He | lived in | Sallow",
        "He | lived between | 1920 and 1925",
    ],
    "The bakery was founded by Olsen and his wife Nina.": [
        "The bakery | was founded by | Olsen",
        "The bakery | was founded by | his wife Nina",
        "his wife | is | Nina",
    ],
    "The painting hangs in the town hall of Halden.": [
        "The painting | hangs in | the town hall of Halden",
    ],
    "The harbour was neither deep nor safe.": [
        "The harbour | was neither | deep",
        "The harbour | was neither | safe",
    ],
    "No one survived the fire.": [
        "No one | survived | the fire",
    ],
    "The council decided not to sell the land.": [
        "The council | decided not to sell | the land",
    ],
    "He failed to finish the symphony.": [
        "He | failed to finish | the symphony",
    ],
    "The road connects Halden with Sallow and Arvika.": [
        "The road | connects | Halden",
        "The road | connects Halden with | Sallow",
        "The road | connects Halden with | Arvika",
    ],
    "She is the daughter of Per Olsen and the sister of the poet Greta Olsen.": [
        "She | is | the daughter of Per Olsen",
        "She | is | the sister of the poet Greta Olsen",
        "the poet | is | Greta Olsen",
    ],
    "The station, opened in 1908, serves 4,000 passengers a day.": [
        "The station | opened in | 1908",
        "The station | serves | 4,000 passengers a day",
    ],
    "The film stars Nina Falk and Tomas Berg.": [
        "The film | stars | Nina Falk and Tomas Berg",
    ],
    "Its capital is Halden.": [
        "Its capital | is | Halden",
    ],
    "The Norrland Line runs from Halden to Sallow.": [
        "The Norrland Line | runs from | Halden",
        "The Norrland Line | runs to | Sallow",
    ],
    "The vaccine reduces the risk of infection by 60%.": [
        "The vaccine | reduces the risk of infection by | 60%",
        "The vaccine | reduces | the risk of infection",
    ],
    "Nordvik's founder, Peter Olsen, retired in 1999.": [
        "Nordvik's founder | is | Peter Olsen",
        "Nordvik's founder | retired in | 1999",
    ],
    "The house now serves as a museum.": [
        "The house | serves as | a museum",
    ],
    "In the spring of 1944 the town was bombed twice.": [
        "the town | was bombed in | the spring of 1944",
    ],
    "He was succeeded by his son Olaf, who reigned for 30 years.": [
        "He | was succeeded by | his son Olaf",
        "his son | is | Olaf",
        "his son Olaf | reigned for | 30 years",
    ],
    "Berg composed four operas, including The Mill and The Silent Fjord.": [
        "Berg | composed | four operas",
        "Berg | composed four operas including | The Mill",
        "Berg | composed four operas including | The Silent Fjord",
    ],
    "Two towns share a bridge over the river.": [
        "Two towns | share | a bridge",
        "Two towns | share a bridge over | the river",
    ],
    "The Second Brigade fought in Norrland in 1944.": [
        "The Second Brigade | fought in | Norrland",
        "The Second Brigade | fought in | 1944",
    ],
    "The Silent Fjord (1936) is her best known book.": [
        "The Silent Fjord | dates from | 1936",
        "The Silent Fjord | is | her best known book",
    ],
    "Marta Lindqvist (born 14 March 1911) is a Swedish oceanographer.": [
        "Marta Lindqvist | born | 14 March 1911",
        "Marta Lindqvist | is | a Swedish oceanographer",
    ],
    "Sallow is a port that was founded in 1640 and was burned by pirates in 1702.": [
        "Sallow | was founded in | 1640",
        "Sallow | was burned in | 1702",
        "Sallow | is | a port",
        "Sallow | was burned by | pirates",
    ],
    "The Sallow Gazette is a weekly newspaper published in Halden.": [
        "The Sallow Gazette | published in | Halden",
        "The Sallow Gazette | is | a weekly newspaper",
    ],
    "The house was built by 30 farm and forest workers.": [
        "The house | was built by | 30 farm and forest workers",
    ],
    "The style spread in the late 19th and early 20th centuries.": [
        "The style | spread in | the late 19th and early 20th centuries",
    ],
    "Her songs include “Where the Rivers Meet” and “I Left My Boat in Sallow”.": [
        "Her songs | include | “Where the Rivers Meet”",
        "Her songs | include | “I Left My Boat in Sallow”",
    ],
    "The bridge, which she designed in 1931, is 240 metres long.": [
        "she | designed the bridge in | 1931",
        "The bridge | is | 240 metres long",
        "she | designed | The bridge",
    ],
    "The museum shows the boat that he built in 1920.": [
        "he | built the boat in | 1920",
        "The museum | shows | the boat",
    ],
    "She travelled to Iceland to study volcanoes.": [
        "She | travelled to | Iceland",
        "She | travelled to study | volcanoes",
    ],
    "He was accused of stealing 4,000 crowns.": [
        "He | was accused of stealing | 4,000 crowns",
    ],
    "The engine uses 20% less fuel.": [
        "The engine | uses | 20% less fuel",
    ],
    "The town hall, a brick building from 1899, is now a library.": [
        "The town hall | is a brick building from | 1899",
        "The town hall | is | a brick building",
        "The town hall | is now | a library",
    ],
    "As mayor of Sallow, she opened two schools.": [
        "she | opened two schools as | mayor of Sallow",
        "she | opened | two schools",
    ],
    "Its members meet twice a year.": [
        "Its members | meet | twice a year",
    ],
    "The first train arrived in Sallow on 1 May 1872.": [
        "The first train | arrived in | Sallow",
        "The first train | arrived on | 1 May 1872",
    ],
    "According to the census of 2011, the town had 12,400 inhabitants.": [
        "the town | had 12,400 inhabitants according to | the census of 2011",
        "the town | had | 12,400 inhabitants",
    ],
    "The bank was bought by Halden Group for $2.5 billion in 2014.": [
        "The bank | was bought by | Halden Group",
        "The bank | was bought for | $2.5 billion",
        "The bank | was bought in | 2014",
    ],
    "The treaty was signed by Norway, Denmark and Sweden.": [
        "The treaty | was signed by | Norway",
        "The treaty | was signed by | Denmark",
        "The treaty | was signed by | Sweden",
    ],
    "She was survived by her husband and two sons.": [
        "She | was survived by | two sons",
        "She | was survived by | her husband",
    ],
    "In 1984, the company was renamed Nordvik Group.": [
        "the company | was renamed Nordvik Group in | 1984",
        "the company | was renamed | Nordvik Group",
    ],
    "The glacier covers an area of 340 square kilometres.": [
        "The glacier | covers an area of | 340 square kilometres",
    ],
    'Berg wrote "The Mill" in 1931.': [
        'Berg | wrote | "The Mill"',
        'Berg | wrote "The Mill" in | 1931',
    ],
    'She starred in the film “The Weir” and sang in "The Lock".': [
        "She | starred in | the film “The Weir”",
        'She | sang in | "The Lock"',
    ],
    "The minister said that the tunnel would cost 40 million crowns.": [
        "The minister | said that | the tunnel would cost 40 million crowns",
        "the tunnel | would cost | 40 million crowns",
    ],
    "The novel, which appeared in 1936, sold 40,000 copies.": [
        "The novel | appeared in | 1936",
        "The novel | sold | 40,000 copies",
    ],
    "Berg was a member of the Norrland Academy from 1931 to 1950.": [
        "Berg | was | a member of the Norrland Academy",
        "Berg | was a member of the Norrland Academy from | 1931 to 1950",
    ],
    "The reservoir, built in 1962, supplies water to Halden.": [
        "The reservoir | built in | 1962",
        "The reservoir | supplies water to | Halden",
        "The reservoir | supplies | water",
    ],
    "He died of pneumonia at his home in Arvika at the age of 71.": [
        "He | died at | his home in Arvika",
        "He | died at the age of | 71",
        "He | died of | pneumonia",
    ],
    "The lighthouse was designed by Ada Lind and built by her brother Tomas.": [
        "The lighthouse | was designed by | Ada Lind",
        "The lighthouse | was built by | her brother Tomas",
        "her brother | is | Tomas",
    ],
    "Although the mine closed in 1987, the village still has a school.": [
        "the mine | closed in | 1987",
        "the village | has | a school",
    ],
    "The war from 1721 to 1724 ruined the town.": [
        "The war from 1721 to 1724 | ruined | the town",
    ],
    "The members of the club in Halden meet twice a year.": [
        "The members of the club in Halden | meet | twice a year",
    ],
    "The author of the novel “The Weir” was Nina Falk.": [
        "The author of the novel “The Weir” | was | Nina Falk",
    ],
    "Overall, the computer controls the entire process.": [
        "the computer | controls | the entire process",
    ],
    "A young engineer needed to repair the dam in 1931.": [
        "A young engineer | needed to repair the dam in | 1931",
        "A young engineer | needed to repair | the dam",
    ],
    "The reason for the fire is not clear.": [
        "The reason for the fire | is not | clear",
    ],
    "He was not a member of the club.": [
        "He | was not | a member of the club",
    ],
    "Her songs include “Valley of the Sun,” “The Salt Road,” and “The Long Way Home.”": [
        "Her songs | include | “Valley of the Sun,”",
        "Her songs | include | “The Salt Road,”",
        "Her songs | include | “The Long Way Home.”",
    ],
    "Karl Holm, 34, said that the plan had failed.": [
        "Karl Holm | is | 34",
        "Karl Holm | said that | the plan had failed",
        "the plan | had | failed",
    ],
    "Berg held several posts in the navy, finally being promoted to the rank of admiral.": [
        "Berg | held | several posts in the navy",
        "Berg | being promoted to | the rank of admiral",
    ],
    "It is possible that the bridge was built in 1640.": [
        "the bridge | was built in | 1640",
        "It | is | possible",
    ],
}

#: Longer sentences with some of their facts.
SOME_FACTS = {
    "Nina Falk, who grew up in Sallow, studied law at Halden University from 1958 to 1962 and later became a judge.": [
        "Nina Falk | grew up in | Sallow",
        "Nina Falk | studied law at | Halden University",
        "Nina Falk | studied law from | 1958 to 1962",
        "Nina Falk | became | a judge",
    ],
    "Founded in 1976 by Peter Olsen, Nordvik designs and sells hiking boots.": [
        "Nordvik | founded in | 1976",
        "Nordvik | founded by | Peter Olsen",
        "Nordvik | designs and sells | hiking boots",
    ],
    "The museum, founded in 1921, houses paintings, sculptures and maps.": [
        "The museum | founded in | 1921",
        "The museum | houses | paintings, sculptures and maps",
    ],
    "Falk has written three novels: The Weir, The Lock and The Mill.": [
        "Falk | has written | three novels",
        "three novels | are | The Weir",
    ],
    "Tomas Berg (1901–1967), the son of a miller, wrote the opera The Mill, which premiered in Halden in 1931.": [
        "Tomas Berg | lived | 1901–1967",
        "Tomas Berg | is | the son of a miller",
    ],
    "He moved to Norrland in 1950, where he bought a farm, raised sheep and wrote his memoirs.": [
        "He | moved to | Norrland",
        "he | bought | a farm",
    ],
    "The council said on Monday that the bridge, which opened in 1931, would be closed until March.": [
        "the bridge | opened in | 1931",
        "the bridge | would be closed until | March",
    ],
}


def facts(pipeline: LanguagePipeline, text: str) -> list[str]:
    return [
        f"{triple.subject} | {triple.relation} | {triple.object}"
        for sentence in pipeline.parse(text).sentences
        for triple in find_triples(sentence)
    ]


@pytest.mark.parametrize(("text", "expected"), FACTS.items(), ids=FACTS.keys())
def test_all_that_a_sentence_states(pipeline: LanguagePipeline, text: str, expected: list[str]) -> None:
    found = facts(pipeline, text)
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize(("text", "expected"), SOME_FACTS.items(), ids=SOME_FACTS.keys())
def test_what_a_long_sentence_states_among_others(pipeline: LanguagePipeline, text: str, expected: list[str]) -> None:
    assert set(expected) <= set(facts(pipeline, text))


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("The bridge collapsed.", "The bridge | did | collapsed"),
        ("The town grew.", "The town | did | grew"),
        ("The mill was demolished.", "The mill | was | demolished"),
        ("If it rains, the race is cancelled.", "the race | is | cancelled"),
        ("The town changed quickly.", "The town | changed | quickly"),
    ],
)
def test_events_without_an_object(pipeline: LanguagePipeline, text: str, fact: str) -> None:
    assert facts(pipeline, text) == [fact]


@pytest.mark.parametrize(
    "text",
    [
        "Which bridge did she build?",
        "Thank you for your question.",
        "Hello!",
        "See the list below.",
        "Some key features of the style include:",
        "Open floor plans",
        "Early life:",
        "# The mill burned in 1921",
        "",
        "...",
        "(1911)",
    ],
)
def test_what_states_nothing(pipeline: LanguagePipeline, text: str) -> None:
    assert facts(pipeline, text) == []


def test_a_sentence_that_was_not_parsed() -> None:
    text = "She was born in Oslo."
    assert find_triples(ParsedSentence(Sentence(0, 0, len(text), text), ())) == ()


def test_what_only_a_condition_says_is_not_stated(pipeline: LanguagePipeline) -> None:
    found = facts(pipeline, "If the dam breaks, the river will reach the town of Sallow.")
    assert found == ["the river | will reach | the town of Sallow"]


def test_names_numbers_and_dates_come_first(pipeline: LanguagePipeline) -> None:
    found = facts(pipeline, "She studied physics and worked as a teacher in Malmö until 1935.")
    assert found[:2] == ["She | worked as a teacher in | Malmö", "She | worked as a teacher until | 1935"]
    assert {"She | studied | physics", "She | worked as | a teacher"} == set(found[2:])


def test_no_more_than_the_limit(pipeline: LanguagePipeline) -> None:
    text = (
        "Nina Falk lived in Oslo in 1950, worked in Lund in 1951, taught in Bergen in 1952, wrote in Halden in 1953 "
        "and died in Arvika in 1954."
    )
    assert len(facts(pipeline, text)) == MAX_TRIPLES


@pytest.fixture(scope="module")
def read(pipeline: LanguagePipeline) -> list[tuple[str, ParsedSentence, tuple[Triple, ...]]]:
    """All sentences of the tables as one document, with their triples."""
    text = " ".join([*FACTS, *SOME_FACTS])
    return [(text, sentence, find_triples(sentence)) for sentence in pipeline.parse(text).sentences]


def test_spans_count_in_the_document(read: list[tuple[str, ParsedSentence, tuple[Triple, ...]]]) -> None:
    for text, sentence, triples in read:
        for triple in triples:
            assert triple.object_span.of(text) == triple.object
            assert sentence.sentence.span.contains(triple.object_span)


def test_subject_and_object_stand_in_the_sentence(
    read: list[tuple[str, ParsedSentence, tuple[Triple, ...]]],
) -> None:
    for _, sentence, triples in read:
        for triple in triples:
            assert triple.subject in sentence.text
            assert triple.object in sentence.text
            assert all((triple.subject, triple.relation, triple.object))
            assert triple.object == triple.object.strip(" ,;.")


def test_no_object_is_told_twice(read: list[tuple[str, ParsedSentence, tuple[Triple, ...]]]) -> None:
    for _, _, triples in read:
        spans = [triple.object_span for triple in triples]
        assert len(set(spans)) == len(spans) <= MAX_TRIPLES


def test_the_same_sentence_gives_the_same_triples(
    read: list[tuple[str, ParsedSentence, tuple[Triple, ...]]],
) -> None:
    for _, sentence, triples in read:
        assert find_triples(sentence) == triples


@pytest.mark.parametrize("length", [7, 19, 31, 43])
def test_any_text_can_be_read(pipeline: LanguagePipeline, length: int) -> None:
    text = "\n\n".join(sentence[:length] for sentence in [*FACTS, *SOME_FACTS])
    for sentence in pipeline.parse(text).sentences:
        for triple in find_triples(sentence):
            assert triple.object_span.of(text) == triple.object


def test_a_root_that_is_labelled_as_a_part_of_something_ends_in_finite_time(pipeline: LanguagePipeline) -> None:
    (sentence,) = pipeline.parse("The mill and the bridge were built in 1894 and burnt down.").sentences
    for label in ("conj", "compound", "flat", "appos", "acl:relcl"):
        tokens = tuple(
            replace(token, dependency=label) if token.head == position else token
            for position, token in enumerate(sentence.tokens)
        )
        find_triples(replace(sentence, tokens=tokens))
