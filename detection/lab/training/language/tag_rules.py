"""Rules that the pipeline's attribute ruler applies after the networks.

Two classifiers predict tags and universal parts of speech; if they contradict each other, the tag decides. Rules also
fix past forms that are never participles: "rose" as a verb is a past form with the lemma "rise".
"""

from spacy.pipeline import AttributeRuler

_UNIVERSAL_OF_TAG = {
    "NNP": "PROPN",
    "NNPS": "PROPN",
    "NNS": "NOUN",
    "JJ": "ADJ",
    "JJR": "ADJ",
    "JJS": "ADJ",
    "CC": "CCONJ",
    "MD": "AUX",
    "TO": "PART",
    "POS": "PART",
    "PRP": "PRON",
    "PRP$": "PRON",
    "WP": "PRON",
    "WP$": "PRON",
    "EX": "PRON",
    "CD": "NUM",
    "RP": "ADP",
    "UH": "INTJ",
    "RBR": "ADV",
    "RBS": "ADV",
    "WRB": "ADV",
    "PDT": "DET",
    ".": "PUNCT",
    ",": "PUNCT",
    ":": "PUNCT",
    "-LRB-": "PUNCT",
    "-RRB-": "PUNCT",
    "``": "PUNCT",
    "''": "PUNCT",
    "HYPH": "PUNCT",
    "$": "SYM",
    "_SP": "SPACE",
}
#: Tags, their permitted parts of speech, and the replacement of any other.
_ALLOWED_OF_TAGS = (
    (("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"), ("VERB", "AUX"), "VERB"),
    (("IN",), ("ADP", "SCONJ"), "ADP"),
    (("DT",), ("DET", "PRON"), "DET"),
    (("RB",), ("ADV", "PART"), "ADV"),
    (("NN",), ("NOUN", "PRON", "SYM", "X"), "NOUN"),
    (("WDT",), ("PRON", "DET"), "PRON"),
)
#: Past forms that differ from the participle, and their lemmas.
_PAST_ONLY = {
    "arose": "arise",
    "ate": "eat",
    "awoke": "awake",
    "became": "become",
    "began": "begin",
    "blew": "blow",
    "broke": "break",
    "came": "come",
    "chose": "choose",
    "drank": "drink",
    "drew": "draw",
    "drove": "drive",
    "fell": "fall",
    "flew": "fly",
    "forgave": "forgive",
    "forgot": "forget",
    "froze": "freeze",
    "gave": "give",
    "grew": "grow",
    "knew": "know",
    "mistook": "mistake",
    "overcame": "overcome",
    "overthrew": "overthrow",
    "overtook": "overtake",
    "rang": "ring",
    "rode": "ride",
    "rose": "rise",
    "sang": "sing",
    "sank": "sink",
    "saw": "see",
    "shook": "shake",
    "spoke": "speak",
    "sprang": "spring",
    "stole": "steal",
    "swam": "swim",
    "swore": "swear",
    "threw": "throw",
    "took": "take",
    "tore": "tear",
    "undertook": "undertake",
    "underwent": "undergo",
    "went": "go",
    "withdrew": "withdraw",
    "wore": "wear",
    "wove": "weave",
    "wrote": "write",
}
_PAST_TAGS = ["VBD", "VBN"]
_PAST_MORPHOLOGY = "Mood=Ind|Tense=Past|VerbForm=Fin"


def add_tag_rules(ruler: AttributeRuler) -> None:
    """Add all rules to an empty attribute ruler."""
    for tag, universal in _UNIVERSAL_OF_TAG.items():
        ruler.add([[{"TAG": tag}]], {"POS": universal})
    for tags, allowed, universal in _ALLOWED_OF_TAGS:
        ruler.add([[{"TAG": {"IN": list(tags)}, "POS": {"NOT_IN": list(allowed)}}]], {"POS": universal})
    for form, lemma in _PAST_ONLY.items():
        ruler.add(
            [[{"LOWER": form, "TAG": {"IN": _PAST_TAGS}}]],
            {"TAG": "VBD", "POS": "VERB", "MORPH": _PAST_MORPHOLOGY, "LEMMA": lemma},
        )
    ruler.add([[{"IS_SPACE": True}]], {"TAG": "_SP", "POS": "SPACE"})
