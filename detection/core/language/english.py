"""Detect English, the only language that the local models read."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]+")
_COMMON: Final = frozenset(
    _WORD.findall(
        "the of and to is was were are has had have that with for from by at it its his her he she they their which "
        "this as on be been not or but when who after also an first"
    )
)
#: In English prose three to five of ten words are common English words; in other languages almost none.
_MIN_COMMON_SHARE: Final = 0.08
_MIN_WORDS: Final = 20

#: The files of words: white space between words, lines that begin with "#" are about the file.
_WORDS_FOLDER: Final = Path(__file__).with_name("words")
ENGLISH_WORDS_FILE: Final = _WORDS_FOLDER / "english.txt"
FOREIGN_WORDS_FILE: Final = _WORDS_FOLDER / "foreign.txt"


def is_latin(text: str) -> bool:
    """False when most letters belong to another script. True for a text without letters."""
    letters = [character for character in text if character.isalpha()]
    latin = sum("LATIN" in unicodedata.name(character, "") for character in letters)
    return 2 * latin >= len(letters)


def is_english(text: str) -> bool:
    """False for a text of some length with few common English words."""
    words = [word.casefold() for word in _WORD.findall(text)]
    if len(words) < _MIN_WORDS:
        return True
    return sum(word in _COMMON for word in words) >= _MIN_COMMON_SHARE * len(words)


#: Common words of other languages that are not English words. Some occur in names: "van der Rohe", "de la Cruz".
_FOREIGN: Final = (
    frozenset(
        _WORD.findall(
            "der das und ist wurde wurden ein eine einen einem einer im von mit für auf nicht auch sich dem den zur "
            "zum bei nach aus hat war sind wird oder aber noch nur über durch ich wir haben unsere sagte keine dass "
            "le les des une du est sont été dans et avec sur qui que il elle pour pas au aux ses cette par ont mais "
            "je nous vous donc notre "
            "el los las del una su sus fue son con por para lo es y en como más pero este está nuestra nuestro "
            "gli è sono nel nella della delle dei di il che non alla anche stato stata nostra "
            "da em uma foi com não os as dos das ao pela pelo nossa nosso "
            "het een werd zijn voor niet ook naar bij deze wordt maar heeft onze "
            "och att är av som på til og det ikke ble blev fra med den av till inte har vår vårt "
            "jest nie się w na z przez był była"
        )
    )
    - _COMMON
)
#: Words that are common in another language and occur in English too. They count only without a common English word.
_AMBIGUOUS: Final = re.compile(r"\b(?i:die(?=\s)|(?:la|se|lo|si)(?=\s(?-i:[^\W\dA-Z_])))")
_MIN_FOREIGN: Final = 2
#: Words that English has borrowed with their accents.
_BORROWED: Final = frozenset(
    _WORD.findall(
        "à café cafés cliché clichés naïve façade façades fiancé fiancée résumé résumés protégé protégés soirée crème "
        "brûlée soufflé purée décor début élite rôle señor señora jalapeño entrée entrées matinée exposé communiqué "
        "attaché détente déjà über doppelgänger smörgåsbord née coöperate sauté sautéed glacé piñata"
    )
)


#: Of Latin script: neither "m²" nor "π" is a word of another language.
_FOREIGN_LETTER: Final = re.compile("[ß-öø-ž]")
#: Words before a capital letter that may be parts of a name in an English sentence.
_PARTICLES: Final = frozenset(
    _WORD.findall(
        "de der den des die das del della dello di da do dos du la le les lo los las el il i al san van von vom zu zur "
        "y e et und en no na notre nuestra señor señora casa ma mon"
    )
)
#: Phrases of other languages that English sentences use.
_BORROWED_PHRASES: Final = re.compile(
    r"\b(?:et al|per (?:se|cent|capita|annum|diem)|de facto|de jure|vis-à-vis|à la(?: carte)?"
    r"|en (?:route|masse|suite|bloc)|du jour|coups? d.état|raison d.être|déjà vu|al (?:dente|fresco)"
    r"|hors d.(?:œ|oe)uvres?|crème (?:fraîche|brûlée|anglaise)|je ne sais quoi)\b",
    re.IGNORECASE,
)
#: Addresses, formulas and code, as far as they show by their characters.
_NO_WORDS: Final = re.compile(r"(?<!\S)\S*(?:\d|://|[=#@_<>{}\[\]\\])\S*")
#: What only English words end in: "doesn't", and "apologised", which may be missing in the list.
_ENGLISH_ENDING: Final = re.compile(r"\w[’'](?:s|ve|ll|re|m|d|t|am)\b|\b[a-z]{4,}(?:ed|ing|ly|ness|ful|less|ship)\b")
#: A sentence without any English word needs this share of listed words. The rest of them is rare in any language.
_MIN_FOREIGN_SHARE: Final = 1 / 4


def is_foreign(sentence: str) -> bool:
    """True for a sentence with more words of another language than common words of English, also for a short one.

    Common words of the other language count, and uncapitalised words with letters that English does not have. Words
    before a capital letter may belong to a name, unless the sentence has no English word and others besides.
    """
    sentence = _NO_WORDS.sub(" ", _BORROWED_PHRASES.sub(" ", sentence))
    found = list(_WORD.finditer(sentence))
    foreign = [match for match in found if match.group().casefold() in _FOREIGN or _has_foreign_letter(match.group())]
    english = sum(match.group().casefold() in _COMMON for match in found)
    outside_names = [match for match in foreign if not _stands_before_name(match, sentence)]
    if english or not outside_names or _has_only_english_word(sentence):
        foreign = outside_names
    else:
        foreign += _AMBIGUOUS.finditer(sentence)
    words = {match.group().casefold() for match in foreign}
    return (len(words) >= _MIN_FOREIGN and len(foreign) > english) or _is_foreign_throughout(sentence)


def _is_foreign_throughout(sentence: str) -> bool:
    """True for a sentence without a word that only English has, if a quarter of its words are such of other languages.

    So one word of another language is enough for a short sentence, and one English word keeps a sentence English.
    """
    found = _uncapitalised(sentence)
    if len(found) < _MIN_FOREIGN or _has_only_english_word(sentence):
        return False
    listed, shared = _foreign_words(), _shared_words()
    telling = [match for match in found if match.group().casefold() not in shared]
    foreign = [match for match in telling if match.group().casefold() in listed or _has_foreign_letter(match.group())]
    foreign = [
        match
        for match in foreign
        if match.group().casefold() not in _PARTICLES or not _stands_before_name(match, sentence)
    ]
    is_known = any(match.group().casefold() in listed for match in foreign)
    return is_known and len(foreign) >= _MIN_FOREIGN_SHARE * len(telling)


def _has_only_english_word(sentence: str) -> bool:
    """Whether a word of the sentence is common in English, and in no other language."""
    words = (match.group().casefold() for match in _uncapitalised(sentence))
    return _ENGLISH_ENDING.search(sentence) is not None or any(word in _only_english() for word in words)


def _uncapitalised(sentence: str) -> list[re.Match[str]]:
    """The words in lower case, and the first word: the capital letter of another one may be that of a name."""
    found = list(_WORD.finditer(sentence))
    return [match for position, match in enumerate(found) if not position or match.group().islower()]


def _stands_before_name(match: re.Match[str], sentence: str) -> bool:
    return sentence[match.end() : match.end() + 2].strip()[:1].isupper()


def _has_foreign_letter(word: str) -> bool:
    return word.islower() and _FOREIGN_LETTER.search(word) is not None and word not in _BORROWED


def is_english_word(word: str) -> bool:
    """Whether a word in lower case is among the common words of English; a name may be one as well ("rose")."""
    return word in _english_words()


@cache
def _only_english() -> frozenset[str]:
    return _english_words() - _foreign_words()


@cache
def _shared_words() -> frozenset[str]:
    """The common words of English that are also common in another language."""
    return _english_words() & _foreign_words()


@cache
def _english_words() -> frozenset[str]:
    return _read(ENGLISH_WORDS_FILE)


@cache
def _foreign_words() -> frozenset[str]:
    return _read(FOREIGN_WORDS_FILE)


def _read(path: Path) -> frozenset[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    words = (word for line in lines if not line.startswith("#") for word in line.split())
    # A single letter of ASCII is a variable, an initial or an article.
    return frozenset(word for word in words if len(word) > 1 or not word.isascii())


def is_in_other_language(text: str) -> bool:
    """True for a text that is mostly in another script or language."""
    return not is_latin(text) or (not is_english(text) and is_foreign(text))
