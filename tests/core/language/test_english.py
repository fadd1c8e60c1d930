from __future__ import annotations

import pytest

from detection.core.language.english import is_english, is_latin
from detection.lab.benchmarks.texts import SOURCE

GERMAN = """Die Malerin wurde im Jahre 1921 in Oslo geboren und lebte dort bis zu ihrem Tod. Sie malte vor allem Boote \
und Häfen, und ihre Bilder hängen heute in vielen Museen des Landes."""
FRENCH = """La bibliothèque a rouvert ses portes au mois de mars après quatorze mois de travaux. Le coût de la \
rénovation est estimé à deux millions, dont une grande partie vient du fonds régional."""


@pytest.mark.parametrize("text", [SOURCE, "", "Bergen.", "Ada Lind painted boats. They hang in Oslo.", "12 %"])
def test_english(text: str) -> None:
    assert is_english(text)


@pytest.mark.parametrize("text", [GERMAN, FRENCH])
def test_other_languages(text: str) -> None:
    assert not is_english(text)


def test_scripts() -> None:
    assert is_latin("Ada Lind, 12 %")
    assert is_latin("Łódź, Malmö")
    assert is_latin("👩‍🔬 12")
    assert not is_latin("עדה לינד נולדה באוסלו.")
    assert not is_latin("Ада родилась в Осло (Oslo).")
