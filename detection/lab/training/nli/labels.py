"""The three classes of the model, and the partial labels that data sets give."""

from enum import IntEnum, StrEnum


class InferenceClass(IntEnum):
    """Order of the logits; the runtime leans on it."""

    ENTAILMENT = 0
    NEUTRAL = 1
    CONTRADICTION = 2


class Label(StrEnum):
    """What an annotator said about a pair. Some data sets rule a class out without choosing among the others."""

    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"
    CONTRADICTION = "contradiction"
    NOT_ENTAILMENT = "not_entailment"
    NOT_CONTRADICTION = "not_contradiction"

    @property
    def allowed(self) -> tuple[bool, bool, bool]:
        """Which classes agree with the label; the loss is -log of their summed probability."""
        return _ALLOWED[self]


_ALLOWED = {
    Label.ENTAILMENT: (True, False, False),
    Label.NEUTRAL: (False, True, False),
    Label.CONTRADICTION: (False, False, True),
    Label.NOT_ENTAILMENT: (False, True, True),
    Label.NOT_CONTRADICTION: (True, True, False),
}
