"""Names of people, places, organisations and works, compared as names.

The parser's entity types are wrong too often; the comparison uses the wording and the list of countries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from rapidfuzz.distance import OSA

from detection.core.language.vocabulary import fold, words
from detection.core.rules import gazetteer
from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.cover import Cover
from detection.core.rules.reading import Reading
from detection.core.types import EntityCategory, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Name(Value):
    """A name. ``category`` is that of the language pipeline, or None."""

    family: ClassVar[Family] = Family.NAME
    category: EntityCategory | None = None

    def relation_to(self, other: Value) -> Relation:
        """SAME for two forms of one name, COMPATIBLE if one may be a form of the other or a place within it.

        CONFLICT only means that the names cannot refer to the same thing; whether both may occur in a slot depends on
        the slot.
        """
        if not isinstance(other, Name):
            return Relation.UNRELATED
        one, another = place_of(self.text), place_of(other.text)
        if one is not None and another is not None:
            return _relation_of_places(self.text, one, other.text, another)
        wording = _relation_of_wordings(name_words(self.text), name_words(other.text))
        if wording is not Relation.CONFLICT:
            return wording
        return Relation.UNRELATED if self._differs_in_kind(other, one or another) else Relation.CONFLICT

    def _differs_in_kind(self, other: Name, known: gazetteer.Place | None) -> bool:
        if EntityCategory.GROUP in (self.category, other.category):
            return True
        # An unlisted place may be in any listed one that is larger than a city.
        return known is not None and known.level is not gazetteer.PlaceLevel.CITY


def is_people(text: str) -> bool:
    """True for the people or the adjective of a listed country or region: "Norwegian"."""
    return gazetteer.find_people(text) is not None


# "West Africa" and "northern Italy" are identified by their whole.
_COMPASS = re.compile(r"(?:(?:north|south)(?:[\s-]?(?:east|west))?|east|west|central)(?:ern)?\s", re.IGNORECASE)


@lru_cache(maxsize=4096)
def place_of(text: str) -> gazetteer.Place | None:
    """The listed place of a name, of its people or of its adjective."""
    exact = gazetteer.find_place(text) or gazetteer.find_people(text)
    part = _COMPASS.match(text) if exact is None else None
    return gazetteer.find_place(text[part.end() :]) if part else exact


def _relation_of_places(first: str, one: gazetteer.Place, second: str, another: gazetteer.Place) -> Relation:
    if one == another:
        # "Norwegian" and "Norway" are related, but cannot replace each other.
        same_form = (gazetteer.find_place(first) is None) is (gazetteer.find_place(second) is None)
        return Relation.SAME if same_form else Relation.COMPATIBLE
    return Relation.CONFLICT if gazetteer.excludes(one, another) else Relation.COMPATIBLE


_HONORIFICS = frozenset(
    words(
        "mr mrs ms miss dr prof professor sir dame lord lady king queen prince princess duke duchess count "
        "countess baron baroness earl emperor empress president senator governor mayor general lieutenant "
        "colonel captain major sergeant admiral commander pope saint st father rev reverend bishop archbishop "
        "cardinal judge justice minister chancellor secretary ambassador sultan sheikh director actor actress "
        "singer author architect family clan dynasty"
    )
)
_SMALL_WORDS = frozenset(words("the a an of and de la le du des von van der den di da del y e jr sr"))
# Words that change what a name refers to: Oslo is not the University of Oslo.
_INSTITUTIONS = frozenset(
    words(
        "university college school institute academy museum library hospital church cathedral bank party "
        "times post journal street avenue road river lake mountain bay valley island islands county province "
        "district airport station railway company corporation group club fc united city stadium arena theatre "
        "theater festival award awards prize cup league war battle treaty army navy house hall park bridge "
        "tower center centre foundation society association union"
    )
)
_SHORT_FORMS = {
    "ltd": "limited",
    "inc": "incorporated",
    "corp": "corporation",
    "co": "company",
    "univ": "university",
    "bros": "brothers",
    "dept": "department",
    "assn": "association",
    "intl": "international",
}
_NICKNAMES = frozenset(
    frozenset(pair)
    for pair in (
        ("william", "bill"),
        ("robert", "bob"),
        ("richard", "dick"),
        ("james", "jim"),
        ("john", "jack"),
        ("joseph", "joe"),
        ("edward", "ted"),
        ("theodore", "ted"),
        ("michael", "mike"),
        ("thomas", "tom"),
        ("charles", "chuck"),
        ("elizabeth", "liz"),
        ("margaret", "maggie"),
        ("katherine", "kate"),
        ("anthony", "tony"),
        ("andrew", "andy"),
        ("daniel", "dan"),
        ("samuel", "sam"),
        ("benjamin", "ben"),
        ("alexander", "alex"),
        ("stephen", "steve"),
        ("steven", "steve"),
        ("henry", "harry"),
        ("lawrence", "larry"),
        ("ronald", "ron"),
    )
)


@lru_cache(maxsize=4096)
def name_words(text: str) -> tuple[str, ...]:
    """The distinctive words of a name, folded, without titles, articles, prepositions and possessive endings."""
    parts = re.split(r"[^\w']+", re.sub(r"'s?(?!\w)", "", fold(text)))
    content = tuple(_SHORT_FORMS.get(part, part) for part in parts if part and part not in _SMALL_WORDS)
    return tuple(part for part in content if part not in _HONORIFICS) or content


def _relation_of_wordings(first: tuple[str, ...], second: tuple[str, ...]) -> Relation:
    shorter, longer = sorted((first, second), key=len)
    if not shorter:
        return Relation.UNRELATED
    if shorter == longer or "".join(shorter) == "".join(longer) or _abbreviates(shorter, longer):
        return Relation.SAME
    if set(shorter) <= set(longer):
        return _relation_of_part(shorter, longer)
    if shorter[-1] == longer[-1] and len(shorter) > 1:
        return _relation_of_first_names(shorter[:-1], longer[:-1])
    if len(shorter) == len(longer) and all(map(_nearly_equal, shorter, longer)):
        return Relation.COMPATIBLE
    shared = len(set(shorter) & set(longer))
    # More than half of the words in common: probably a variant of the name.
    return Relation.COMPATIBLE if shared > len(longer) / 2 else Relation.CONFLICT


def _abbreviates(shorter: tuple[str, ...], longer: tuple[str, ...]) -> bool:
    """True for "UN" and "United Nations"."""
    return len(shorter) == 1 < len(longer) and shorter[0] == "".join(word[0] for word in longer)


def _relation_of_part(part: tuple[str, ...], whole: tuple[str, ...]) -> Relation:
    added = set(whole) - set(part)
    if added & _INSTITUTIONS:
        return Relation.UNRELATED
    is_end = whole[-len(part) :] == part or whole[: len(part)] == part
    return Relation.SAME if is_end else Relation.COMPATIBLE


def _relation_of_first_names(first: tuple[str, ...], second: tuple[str, ...]) -> Relation:
    """Compare the words before a shared last word: "J." and "John" may be one person, "John" and "Mary" not."""
    one, other = first[0], second[0]
    if one == other:
        # "John A. Smith" and "John B. Smith" differ only in an initial, which is not enough.
        return Relation.COMPATIBLE
    initials = min(len(one), len(other)) == 1 and one[0] == other[0]
    related = initials or frozenset((one, other)) in _NICKNAMES or _nearly_equal(one, other)
    return Relation.COMPATIBLE if related else Relation.CONFLICT


_SHORTEST_VARIANT = 5


def _nearly_equal(first: str, second: str) -> bool:
    """Equal, or one letter apart in words long enough for a spelling variant."""
    if first == second:
        return True
    is_long = min(len(first), len(second)) >= _SHORTEST_VARIANT
    return is_long and OSA.distance(first, second, score_cutoff=1) <= 1


_CAPITAL_WORD = r"[^\W\d_a-zß-öø-ÿ][\w’'.&–-]{0,40}(?<![.’'–-])"
_INITIAL = r"[A-Z]\."
_LINK = r"(?:of\sthe|of|de\sla|de|du|von|van\sder|van|den|di|da|del|al|el|and\sthe|for\sthe)"
# "Apollo 11" is a name, "in Norway 12 people" is not.
_NOT_COUNTING = (
    r"(?![\w%]|[.,:-]\d|\s?[%°–-]|\s(?:[a-z]{2,20}\s)?(?:[a-z]{2,20}s|people|men|women|children|[mb]illion|[ck]?m)\b)"
)
_RUN = re.compile(
    rf"(?<![\w’'-])(?:{_INITIAL}|{_CAPITAL_WORD})(?:\s(?:{_LINK}\s)?(?:{_INITIAL}|{_CAPITAL_WORD})|\s\d{{1,3}}{_NOT_COUNTING}){{0,7}}"
)
_QUOTED_TITLE = re.compile(r"[“\"](?P<title>[^\W_a-z][^“”\"]{0,80}?)[,.]?[”\"]")
_LONGEST_TITLE = 10
_NOT_A_NAME = frozenset(
    words(
        "a an the this that these those he she it they we i you his her its their our my your in on at of by "
        "for from to with as and or but if when while after before during since until although though however "
        "because where who what which how why there here then also both each every some many most all no not "
        "whoever whatever whichever whenever first second third additionally furthermore "
        "moreover therefore thus despite following according today later currently originally eventually "
        "finally overall together another other such only even founded born built located known january "
        "february march april may june july august september october november december monday tuesday "
        "wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays "
        "spring summer autumn winter early late mid bc ad bce ce"
    )
)
_NUMBER_WORDS = frozenset(words("one two three four five six seven eight nine ten"))
_FOREIGN_ARTICLES = frozenset(words("la le les il lo gli el los las der die das"))
#: "La terra trema": only the article of such a title has a capital.
_REST_OF_FOREIGN_TITLE = re.compile(r"(?:\s[^\W\dA-Z_][\w’'-]*){1,5}(?=\s?(?:[(),.;:]|$))")


def find(reading: Reading) -> Iterator[Name]:
    """Find the names of a sentence: quoted titles, the entities of its parse, and further capitalised words."""
    cover = Cover(len(reading.text))
    for match in _QUOTED_TITLE.finditer(reading.text):
        span = Span(*match.span("title"))
        if len(match["title"].split()) <= _LONGEST_TITLE and cover.take(span):
            yield Name(span=span, text=span.of(reading.text), category=EntityCategory.WORK)
    for entity in reading.entities:
        name = _trimmed(reading.text, reading.entity_span(entity), entity.category)
        if name is not None and not _is_imperative(reading, name) and cover.take(name.span):
            yield name
    for match in _RUN.finditer(reading.text):
        name = _trimmed(reading.text, Span(*match.span()), None)
        if name is None or _is_imperative(reading, name) or not cover.take(name.span):
            continue
        if name.span.start > 0 or _is_name_at_start(reading, name):
            yield name


_NO_NAMES = frozenset({EntityCategory.QUANTITY, EntityCategory.DATE, EntityCategory.TITLE})
_LEADING_WORD = re.compile(r"(?P<word>[^\W\d_]+)[\s-]+")
#: The pipeline splits "can't" into two tokens, and an entity may include only the first one.
_REST_OF_WORD = re.compile(r"\w+(?:[’']t\b)?")
_POSSESSIVE_END = re.compile(r"[’']s?$")
_FORM_OF_ADDRESS = re.compile(r"(?:Mr|Mrs|Ms|Dr|Prof|Rev|Messrs)\.?")


def _trimmed(text: str, span: Span, category: EntityCategory | None) -> Name | None:
    """A name without leading words that belong to the sentence, and without a possessive ending."""
    if category in _NO_NAMES:
        return None
    rest = _REST_OF_WORD.match(text, span.end)
    start, end = span.start, rest.end() if rest else span.end
    while (leading := _LEADING_WORD.match(text, start, end)) and _is_no_part(leading["word"], start, category):
        start = leading.end()
    possessive = _POSSESSIVE_END.search(text[start:end])
    if possessive is not None:
        end = start + possessive.start()
    surface = text[start:end]
    if surface.lower() in _FOREIGN_ARTICLES:
        title = _REST_OF_FOREIGN_TITLE.match(text, end)
        if title is None:
            return None
        end, category = title.end(), EntityCategory.WORK
        surface = text[start:end]
    if not surface or surface.lower() in _NOT_A_NAME or surface.lower() in _NUMBER_WORDS:
        return None
    if _FORM_OF_ADDRESS.fullmatch(surface):
        return None
    if not any(character.isupper() for character in surface):
        return None
    return Name(span=Span(start, end), text=surface, category=category)


def _is_no_part(word: str, start: int, category: EntityCategory | None) -> bool:
    """Whether a word in front of a name belongs to the sentence: "One" does not in "his One Day International"."""
    if word.lower() in _NUMBER_WORDS:
        return category is None or start == 0 or word.islower()
    return word.lower() in _NOT_A_NAME


def _is_imperative(reading: Reading, name: Name) -> bool:
    """Whether the only word of the name is the imperative that begins the sentence: "Bake" in "Bake the rolls"."""
    places = reading.positions(name.span)
    return name.span.start == 0 and len(places) == 1 and reading.tokens[places[0]].tag == "VB"


def _is_name_at_start(reading: Reading, name: Name) -> bool:
    """Distinguish a name at the start of a sentence from another capitalised word."""
    if " " in name.text or not reading.parsed:
        return True
    return any(reading.tokens[position].pos == "PROPN" for position in reading.positions(name.span))
