"""The three classes of the model, and the partial labels that data sets give."""

from enum import IntEnum, StrEnum


class InferenceClass(IntEnum):
    """Order of the logits; the runtime depends on it."""

    ENTAILMENT = 0
    NEUTRAL = 1
    CONTRADICTION = 2


class Label(StrEnum):
    """The label of a pair. Partial labels only exclude one class."""

    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"
    CONTRADICTION = "contradiction"
    NOT_ENTAILMENT = "not_entailment"
    NOT_CONTRADICTION = "not_contradiction"

    @property
    def allowed(self) -> tuple[bool, bool, bool]:
        """Whether the label allows each class; the loss is -log of the sum of the allowed probabilities."""
        return _ALLOWED[self]


_ALLOWED = {
    Label.ENTAILMENT: (True, False, False),
    Label.NEUTRAL: (False, True, False),
    Label.CONTRADICTION: (False, False, True),
    Label.NOT_ENTAILMENT: (False, True, True),
    Label.NOT_CONTRADICTION: (True, True, False),
}
