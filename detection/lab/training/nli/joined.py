"""Claims and sentences joined into long ones.

Models err on long sentences: they miss one wrong fact among correct ones, and doubt sentences with facts from several
places of the source. Language models write such sentences; NLI data and most of the authored rows have none. So true
facts are joined with true ones, and a wrong or unknown one with true ones, which determines the label.
"""

import random
from collections.abc import Sequence

from .authored import claims_unit, formed, topic_at_times
from .data import Example, Row, words_of
from .labels import InferenceClass, Label
from .units import Unit, ranked

_CLAIMS_PER_UNIT = 9
_SINGLE_CLAIMS = 3
_LEAST_SUPPORTED = 2
_LEAST_NEUTRAL = 3
# Words that are lower case within a sentence; any other first word may be a name.
_LOWERED = frozenset(
    words_of(
        "the a an it he she they this that these those in on at from for by there all only no none every each most "
        "some both neither its his her their after before during since until when while as with without under over "
        "about around roughly not nobody one two three four five six seven eight nine ten if somebody anyone everyone "
        "orders people many"
    )
)


def joined(sentences: Sequence[str], chooser: random.Random) -> str:
    """Concatenate the sentences, or join them into one sentence."""
    text = sentences[0].strip()
    for sentence in sentences[1:]:
        following = sentence.strip()
        if chooser.random() < 0.35 or not text.endswith("."):
            text = f"{text} {following}"
        elif following.split()[0].lower().strip(",") in _LOWERED:
            link = chooser.choice((", and ", ", while ", "; ", " and "))
            text = text[:-1] + link + following[0].lower() + following[1:]
        else:
            text = text[:-1] + chooser.choice(("; ", ", and ")) + following
    return text


def joined_claims_unit(row: Row, chooser: random.Random) -> Unit | None:
    """Some claims of a source, and joined ones of two or three; None if too few are supported."""
    of_label = {letter: [claim["t"] for claim in row["claims"] if claim["l"] == letter] for letter in "scu"}
    if len(of_label["s"]) < _LEAST_SUPPORTED:
        return None
    chosen = chooser.sample(row["claims"], min(_SINGLE_CLAIMS, len(row["claims"])))
    claims = [(claim["t"], claim["l"]) for claim in chosen]
    for _ in range(_CLAIMS_PER_UNIT - len(claims)):
        letter = chooser.choices("scu", weights=(0.45, 0.33, 0.22))[0]
        if of_label[letter]:
            claims.append((_joined_claim(of_label["s"], of_label[letter], letter, chooser), letter))
    return claims_unit(row["source"], claims, chooser)


def _joined_claim(supported: Sequence[str], of_label: Sequence[str], letter: str, chooser: random.Random) -> str:
    true_facts = chooser.choice((1, 1, 1, 2)) + (letter == "s")
    parts = chooser.sample(supported, min(true_facts, len(supported)))
    if letter != "s":
        parts.append(chooser.choice(of_label))
    chooser.shuffle(parts)
    return joined(parts, chooser)


def joined_groups_unit(row: Row, chooser: random.Random) -> Unit | None:
    """Pairs of a contrast group; half of the sentences are joined to sentences that agree with all of them.

    None if too few sentences agree with all.
    """
    neutral = list(row["neutral"])
    if len(neutral) < _LEAST_NEUTRAL:
        return None
    chooser.shuffle(neutral)
    premise = chooser.choice([row["base"], *row["same"]])
    if chooser.random() < 0.5:
        premise = joined(chooser.sample([premise, neutral.pop()], 2), chooser)
    topic, turned = topic_at_times(row, chooser), chooser.random() < 0.5

    def example(sentence: str, label: Label) -> Example:
        others = [other for other in neutral if other != sentence]
        if chooser.random() < 0.5:
            sentence = joined(chooser.sample([sentence, chooser.choice(others)], 2), chooser)
        return formed(topic, premise, sentence, label, turned=turned)

    contradicting = [example(sentence, Label.CONTRADICTION) for sentence in row["contra"]]
    compatible = [example(sentence, Label.NOT_CONTRADICTION) for sentence in neutral]
    examples = (*contradicting, *compatible)
    first = len(contradicting)
    ranks = ranked(InferenceClass.CONTRADICTION, range(first), range(first, len(examples)), chooser)
    return Unit(examples, tuple(ranks))
