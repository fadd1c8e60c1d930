"""Decide the category of a name by its own words, the words next to it, and the list of countries."""

from __future__ import annotations

import re
from typing import Final

from detection.core.language.vocabulary import alternation, words
from detection.core.rules import gazetteer
from detection.core.types import EntityCategory, ParsedSentence, Span, Token


def _any_of(*lists: str) -> str:
    return alternation(word for text in lists for word in words(text))


_LAST_WORDS: Final = {
    EntityCategory.ORGANISATION: _any_of(
        "Inc Inc. Ltd Ltd. Limited LLC plc PLC GmbH Corp Corp. Corporation Company Co. Group Holdings Bank University",
        "College School Institute Academy Ministry Department Party Society Association Foundation Union Club",
        "Orchestra Committee Council Agency Airlines Airways Railways Press",
        "Records Studios Parliament Senate Church Times",
        "Motors Industries Systems Technologies Foods Electric Pictures Entertainment Steel Petroleum Insurance",
    ),
    EntityCategory.PLACE: _any_of(
        "River Lake Mountain Mountains Valley Bay Sea Ocean Island Islands Street Avenue Road Lane Square Bridge Park",
        "County Province District Castle Cathedral Airport Station Hill Hills Falls Desert Peninsula Canal Palace",
        "Tower Harbour Harbor Glacier Strait Gulf Forest Stadium Arena Lighthouse Beach",
        "Museum Gallery Theatre Theater Hospital Library Zoo Hotel Temple Mosque Monastery Abbey Reservoir Dam Creek",
    ),
    EntityCategory.EVENT: _any_of(
        "War Games Olympics Championship Championships Festival Revolution Cup Marathon Uprising Rebellion Earthquake",
        "Conference Summit Exhibition Regatta Crusade",
    ),
    EntityCategory.WORK: _any_of("Treaty Constitution Declaration Symphony Sonata Act"),
}
_FIRST_WORDS: Final = {
    EntityCategory.ORGANISATION: r"(?:University|College|Ministry|Department|Bank|Institute|Academy|Church|House) of",
    EntityCategory.PLACE: r"River|Lake|Mount|Mt\.?|Cape|Fort|(?:Isle|Gulf|Bay|Strait|Sea|Kingdom|Republic|City) of",
    EntityCategory.EVENT: r"Hurricane|(?:Battle|Siege|War|Massacre|Congress|Sack|Council) of",
    EntityCategory.WORK: r"(?:Treaty|Peace|Edict|Constitution|Declaration|Convention) of",
}
_BY_WORDING: Final = tuple(
    (re.compile(rf"(?:{_FIRST_WORDS[category]})\s+\S|.*\S\s(?:{last})$", re.DOTALL), category)
    if category in _FIRST_WORDS
    else (re.compile(rf".*\S\s(?:{last})$", re.DOTALL), category)
    for category, last in _LAST_WORDS.items()
)
#: Nouns right before a name that say what it is: "the album Northern Lights", "the town of Sorrel".
_KINDS: Final = {
    EntityCategory.WORK: r"novel|book|film|movie|song|single|album|poem|opera|painting|musical|sculpture|symphony",
    EntityCategory.ORGANISATION: r"company|firm|band|club|charity|publisher|airline|retailer|manufacturer|start-?up",
    EntityCategory.PLACE: (
        r"river|lake|mountain|volcano|(?:city|town|village|island|state|province|country|county|district|port|"
        r"municipality|suburb|hamlet)(?:\s+of)?"
    ),
    EntityCategory.PRODUCT: (
        r"car|phone|smartphone|console|aircraft|airliner|engine|camera|computer|laptop|processor|browser|app|software|"
        r"rocket|locomotive|drug|medicine|vaccine"
    ),
    EntityCategory.EVENT: r"festival|war|tournament|hurricane|storm",
    EntityCategory.PERSON: (
        r"painter|sculptor|architect|singer|composer|musician|writer|author|poet|actor|actress|politician|scientist|"
        r"engineer|historian|philosopher|physician|footballer|explorer|king|queen|mayor|director"
    ),
}
_BY_KIND: Final = tuple((re.compile(rf"\b(?:{nouns})\s$"), category) for category, nouns in _KINDS.items())
_BY_COMPLEMENT: Final = tuple((re.compile(nouns), category) for category, nouns in _KINDS.items())
_OFFICE: Final = re.compile(
    r"(?:(?:Vice|Prime|Deputy|Chief|Crown|Grand|Foreign|Lieutenant)[ -])?(?:"
    + _any_of(
        "President King Queen Prince Princess Emperor Empress Pope Bishop Archbishop Cardinal Chancellor Minister",
        "Governor Mayor Senator General Admiral Captain Colonel Major Sergeant Lieutenant Commander Professor Judge",
        "Justice Duke Duchess Count Countess Baron Baroness Earl Sultan Ambassador Director Secretary Marshal Sheriff",
    )
    + r")(?=\s)"
)
_COMPANIES_OFFICE: Final = re.compile(r"(?:General|Major|Justice|Count|King|Queen|Marshal)\s")
"""Titles that names of companies also begin with: "General Motors"."""
_FORM_OF_ADDRESS: Final = r"(?:Mr|Mrs|Ms|Miss|Dr|Sir|Dame|Lord|Lady|Rev|Prof)\.?"
_TO_A_PERSON: Final = re.compile(rf"(?:{_OFFICE.pattern}|{_FORM_OF_ADDRESS})\s+\S")
_BEFORE_A_PERSON: Final = re.compile(rf"(?:\b(?:{_OFFICE.pattern}|{_FORM_OF_ADDRESS}))\s$")
_BELIEVERS: Final = re.compile(
    r"(?:Buddhist|Christian|Muslim|Hindu|Sikh|Catholic|Protestant|Lutheran|Anglican|Methodist|Jew|Mormon|Quaker)s?|"
    r"Jewish|Islamic|Democrats?|Republicans?|Communists?|Socialists?|Liberals?|Conservatives?"
)
_LEADING_WORDS: Final = re.compile(rf"(?<![\w-])(?:{'|'.join(_FIRST_WORDS.values())}|{_OFFICE.pattern})\s$")
_BORN: Final = frozenset(words("bear born marry divorce wed graduate bury"))
_SUBJECTS: Final = frozenset({"nsubj", "nsubj:pass"})
_LIVE: Final = _BORN | frozenset(words("live die reign rule abdicate retire resign study teach sing speak"))
"""Verbs with persons as subjects, to decide names after a word like "Queen"."""
_WHERE: Final = frozenset(words("in at near through into across throughout"))
_LOCATE: Final = frozenset(words("lie locate situate flow settle live land arrive bear die bury grow stay reside base"))
_WHERE_LOCATED: Final = _WHERE | {"on", "along"}
_ATTITUDES: Final = frozenset(words("faith interest trust belief confidence role part"))
_MAY_BE_PLACES: Final = (EntityCategory.PERSON, EntityCategory.ORGANISATION, None)
_HAVE_SEVERAL_WORDS: Final = 2


def category_of_name(sentence: ParsedSentence, span: Span, category: EntityCategory | None) -> EntityCategory:
    """The category of the name at ``span`` (counted in the sentence); ``category`` is that of the pipeline."""
    name = span.of(sentence.text)
    if gazetteer.find_people(name) or _BELIEVERS.fullmatch(name):
        return EntityCategory.GROUP
    is_full_name = category is EntityCategory.PERSON and len(name.split()) >= _HAVE_SEVERAL_WORDS
    by_kind = _kind_beside(sentence, span)
    if by_kind is not None and not is_full_name:
        return by_kind
    by_wording = next((known for pattern, known in _BY_WORDING if pattern.match(name)), None)
    if by_wording is not None:
        return by_wording
    is_company = category is EntityCategory.ORGANISATION and _COMPANIES_OFFICE.match(name) is not None
    is_company = is_company and not _is_subject_of(sentence, span, _LIVE)
    if (_TO_A_PERSON.match(name) and not is_company) or _BEFORE_A_PERSON.search(sentence.text[: span.start]):
        return EntityCategory.PERSON
    if _is_person_by_verb(sentence, span):
        return EntityCategory.PERSON
    if category in _MAY_BE_PLACES and not is_full_name and _is_located_at(sentence, span):
        return EntityCategory.PLACE
    is_place = gazetteer.find_place(name) is not None
    if is_place and (category is not EntityCategory.PERSON or _preposition(sentence, span) in _WHERE):
        return EntityCategory.PLACE
    return category or EntityCategory.OTHER


def with_leading_words(text: str, span: Span) -> Span:
    """The name with the words before it that belong to it: "Lake Vessen", "Bank of Halden", "Professor Aas"."""
    leading = _LEADING_WORDS.search(text[: span.start])
    return Span(leading.start(), span.end) if leading else span


def is_form_of_address(name: str) -> bool:
    """True for "Ms." without the name that follows."""
    return re.fullmatch(_FORM_OF_ADDRESS, name) is not None


def office_before_name(name: str) -> str | None:
    """The office at the beginning of a name: "Queen" in "Queen Maud"."""
    office = _OFFICE.match(name)
    return office[0] if office else None


def _kind_beside(sentence: ParsedSentence, span: Span) -> EntityCategory | None:
    """The category by the noun before a name or after "is": "Sorrel is a town"."""
    before = sentence.text[: span.start]
    by_noun = next((category for pattern, category in _BY_KIND if pattern.search(before)), None)
    head = _head(sentence, span)
    if by_noun is not None or head is None or head.dependency != "nsubj":
        return by_noun
    complement = sentence.tokens[head.head]
    is_said = any(sentence.tokens[child].dependency == "cop" for child in sentence.children(head.head))
    kinds = (category for pattern, category in _BY_COMPLEMENT if pattern.fullmatch(complement.lemma.lower()))
    return next(kinds, None) if is_said else None


def _is_person_by_verb(sentence: ParsedSentence, span: Span) -> bool:
    """Whether the name is the subject of a verb that has persons as subjects, or somebody's husband or wife."""
    head = _head(sentence, span)
    is_married = head is not None and _lemma_above(sentence, head) == "marry" and head.dependency in ("obj", "obl")
    return is_married or _is_subject_of(sentence, span, _BORN)


def _is_subject_of(sentence: ParsedSentence, span: Span, verbs: frozenset[str]) -> bool:
    head = _head(sentence, span)
    return head is not None and head.dependency in _SUBJECTS and _lemma_above(sentence, head) in verbs


def _lemma_above(sentence: ParsedSentence, token: Token) -> str:
    return sentence.tokens[token.head].lemma.lower()


def _is_located_at(sentence: ParsedSentence, span: Span) -> bool:
    """Whether the name is a location: "flows through Elmsford", "lies on the Arno", "the library at Holm"."""
    head = _head(sentence, span)
    preposition = _preposition(sentence, span)
    if head is None or preposition is None:
        return False
    if head.dependency.startswith("nmod"):
        return preposition in ("at", "near") or (preposition == "in" and _lemma_above(sentence, head) not in _ATTITUDES)
    return preposition in _WHERE_LOCATED and _lemma_above(sentence, head) in _LOCATE


def _preposition(sentence: ParsedSentence, span: Span) -> str | None:
    head = _head(sentence, span)
    if head is None:
        return None
    children = sentence.children(sentence.tokens.index(head))
    return next((sentence.tokens[i].text.lower() for i in children if sentence.tokens[i].dependency == "case"), None)


def _head(sentence: ParsedSentence, span: Span) -> Token | None:
    """The token of the name whose head is outside the name."""
    place = span.shifted(sentence.sentence.start)
    inside = [i for i, token in enumerate(sentence.tokens) if place.contains(token.span)]
    return next((sentence.tokens[i] for i in inside if sentence.tokens[i].head not in inside), None)
