"""Abbreviations whose full stop need not end a sentence, by what may follow. In lower case, without the full stop."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Precede a name: "Dr. Okafor".
TITLES: Final = _words(
    "dr mr mrs ms mx messrs mme mlle prof gen col lt sgt cpl capt cmdr cdr maj adm brig rev fr hon gov sen "
    "rep pres supt "
    "insp det st ste mt ft sr. sra srta dna pvt cllr amb atty"
)

#: Precede a number: "No. 5", "pp. 3-7".
BEFORE_NUMBERS: Final = _words(
    "no nos nr vol vols p pp pg fig figs eq eqs ch chap sec sect art arts para par app op ca c circa approx est "
    "ver v r tab ed b d fl n pt pts ser lot ex pop"
)

#: Never end a sentence: something has to follow.
JOINING: Final = _words("e.g eg i.e ie cf viz vs v.s approx ca incl esp resp aka a.k.a née nee betw misc")

MONTHS_AND_DAYS: Final = _words(
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun"
)

#: May end a sentence or be inside one: the next word or the parser decides.
AMBIGUOUS: Final = _words(
    "inc ltd co corp llc plc bros dept univ assn assoc natl intl mfg gov't govt jr sr esq phd ph.d m.d md b.a "
    "m.a b.sc m.sc "
    "d.phil ll.b ll.m j.d m.b.a b.s m.s etc al a.m p.m am. pm. b.c b.c.e c.e a.d u.s u.k u.n u.s.a u.s.s.r "
    "e.u d.c l.a n.y "
    "a.k.a ave blvd rd hwy sq ct pl apt bldg ft in. lb lbs oz kg km mi min hr hrs yr yrs mo mos max avg temp tel "
    "dist div gmbh s.a n.v a.g s.p.a ariz ark calif colo conn del fla ga ill ind kan ky la md mass mich minn "
    "miss mo mont "
    "neb nev okla ore pa penn tenn tex va vt wash wis wyo ont que alta"
)

#: Words that begin a sentence far more often than they continue a name; without "A", "As", "No", which occur in names.
SENTENCE_OPENERS: Final = _words(
    "he she it they we this that these those the his her its their our my there then when while although "
    "though but and "
    "however in on at after before during since because if by from for with despite both some many most one another "
    "additionally furthermore moreover later today also what who why how where let not yet so nevertheless meanwhile "
    "finally eventually overall instead according under to as following until throughout among between such other all "
    "an a i you several each every no thus hence therefore here now prior unlike like"
)

#: Openers that are never a family name, nor the second part of a company's or a country's name.
CLEAR_OPENERS: Final = SENTENCE_OPENERS - _words(
    "a an i all both how in no on so to as but like under not by you one our other my"
)

#: Words after "U.S." and the like as an adjective.
AFTER_COUNTRY: Final = _words(
    "army navy air marine marines coast senate senator senators congress congressman congresswoman congressional house "
    "representative representatives president presidential supreme court courts district attorney attorneys government "
    "governor department secretary state states treasury dollar dollars federal national open olympic "
    "olympics military "
    "forces force troops soldiers citizen citizens census route highway women's men's women men soccer team "
    "bank patent "
    "constitution embassy ambassador general marshal marshals postal geological geographic representative billboard "
    "billboards prime minister home foreign office parliament officials officials' space customs border immigration "
    "intelligence special capitol vice"
)

#: Words before a single capital letter that ends a name: "vitamin C.", "plan B.", "World War I."
BEFORE_LETTER: Final = _words(
    "vitamin hepatitis plan type grade class group category section part appendix phase option point war "
    "model series league division level exhibit schedule figure gate block variant strain line terminal route team"
)

#: Verbs that name the speaker after a quotation.
SPEECH_VERBS: Final = _words(
    "said says asked asks replied replies answered answers cried shouted whispered added adds exclaimed "
    "wondered muttered "
    "called yelled screamed murmured remarked continued insisted"
)
