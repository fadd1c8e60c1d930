"""Detect English, the only language that the local models read."""

from __future__ import annotations

import re
import unicodedata
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
            "gli è sono nel nella della delle dei di il che non per alla anche stato stata nostra "
            "da do em uma foi com não os as dos das ao pela pelo nossa nosso "
            "het een werd zijn voor niet ook naar bij deze wordt door maar heeft onze "
            "och att är av som på til og det ikke ble blev fra med den av till inte har vår vårt "
            "jest nie się w na z do przez był była"
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


def is_foreign(sentence: str) -> bool:
    """True for a sentence with more words of another language than common words of English.

    Common words of the other language count, and uncapitalised words with letters that English does not have. Words
    before a capital letter may belong to a name, unless the sentence has no common English word.
    """
    found = list(_WORD.finditer(sentence))
    foreign = [match for match in found if match.group().casefold() in _FOREIGN or _has_foreign_letter(match.group())]
    english = sum(match.group().casefold() in _COMMON for match in found)
    if english:
        foreign = [match for match in foreign if not sentence[match.end() : match.end() + 2].strip()[:1].isupper()]
    else:
        foreign += _AMBIGUOUS.finditer(sentence)
    words = {match.group().casefold() for match in foreign}
    return len(words) >= _MIN_FOREIGN and len(foreign) > english


def _has_foreign_letter(word: str) -> bool:
    return word.islower() and not word.isascii() and word not in _BORROWED


def is_in_other_language(text: str) -> bool:
    """True for a text that is mostly in another script or language."""
    return not is_latin(text) or (not is_english(text) and is_foreign(text))
