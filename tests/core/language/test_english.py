from __future__ import annotations

import pytest

from detection.core.language.english import is_english, is_foreign, is_in_other_language, is_latin
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


@pytest.mark.parametrize(
    "sentence",
    [
        "Die Brücke wurde im Jahre 1934 eröffnet und ist 402 Meter lang.",
        "Le pont est ouvert à la circulation depuis 1934 et mesure 402 mètres.",
        "El puente fue inaugurado en 1934 y es el más largo.",
        "Il ponte è stato aperto nel 1934 ed è lungo 402 metri.",
        "De brug werd in 1934 geopend en was het langst van het land.",
        "Broen er 402 meter lang og ble åpnet i 1934 av kongen som kom med tog til byen.",
        "„Die Fähre hat unsere Stadt verändert“, sagte die Bürgermeisterin Helene Moor.",
        "Wir haben keine Zeit.",
        "Die Fahrt dauert zwölf Minuten.",
        "La casa era grande y vieja.",
        "Nous avons gagné la guerre.",
        "De veerboot heeft onze stad veranderd.",
        "Färjan har förändrat vår stad.",
    ],
)
def test_sentences_of_other_languages(sentence: str) -> None:
    assert is_foreign(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Das ist gut.",
        "Er kommt morgen.",
        "Danke schön.",
        "Elle habite à Lyon.",
        "Tout va bien.",
        "C'est la vie.",
        "Muchas gracias.",
        "Vive en Madrid.",
        "Abita a Torino.",
        "Grazie mille.",
        "Dat is goed.",
        "Hij woont in Utrecht.",
        "Muito obrigado.",
        "A casa é azul.",
        "Não sei.",
    ],
)
def test_short_sentences_of_other_languages(sentence: str) -> None:
    assert is_foreign(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "It rained.",
        "Les was a Republican.",
        "Ella is in a war.",
        "No, ma’am.",
        "Doesn’t matter.",
        "Der Spiegel apologised.",
        "Van der Berg et al., 2020.",
        "GDP per capita: 300.",
        "Price per m³: 2.14 (now 1.98).",
        "Rent 0.42 per m² a year, due in advance.",
        "Charging to a hundred per cent will do no noticeable harm once in a while.",
        "Destinations: San Francisco, Los Angeles, Las Vegas",
        "https://www.example.com/en-en/models/los",
        "x³ + y³ + z³ = 3xyz",
        "def __init__(self, num):",
        "3 tbsp crème fraîche",
        "Rio de Janeiro.",
        "El Salvador",
        "La Boqueria, Las Ramblas.",
        "Dr. Hans Moor, M.D.",
        "Inc., Ltd., S.A.",
        "Die cast.",
        "Come as you are.",
    ],
)
def test_short_english_sentences_names_and_abbreviations_are_not_foreign(sentence: str) -> None:
    assert not is_foreign(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Ludwig Mies van der Rohe was born in Aachen.",
        "Charles de Gaulle led Free France.",
        "The Universidad de los Andes is in Bogotá.",
        "La Vie en Rose was sung by Édith Piaf.",
        "Rio de Janeiro and São Paulo do not lie in the same state.",
        "It does not die.",
        "Bergen.",
        "Los Angeles has 3.8 million inhabitants.",
        "El Niño warmed La Plata.",
        "Die Hard fans wait.",
        "Naïve résumés annoyed her fiancé.",
        "Café owners served crème brûlée, soufflé.",
        'Her mother said "Wir haben keine Zeit" when the car arrived at the house of her brother.',
        "Simón Bolívar, José de San Martín, Bernardo O’Higgins.",
        "Johann Sebastian Bach composed “Das Wohltemperierte Klavier”.",
    ],
)
def test_names_do_not_make_a_sentence_foreign(sentence: str) -> None:
    assert not is_foreign(sentence)


@pytest.mark.parametrize(("text", "is_other"), [(GERMAN, True), (FRENCH, True), (SOURCE, False), ("word " * 40, False)])
def test_texts_in_other_languages(text: str, is_other: bool) -> None:
    assert is_in_other_language(text) is is_other
