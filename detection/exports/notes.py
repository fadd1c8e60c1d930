"""Notes: the findings of a check in the words of a document, numbered, with what was decided on them."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.revise import DiffKind
from ..models import Finding
from ..selectors.cards import CardView, OptionView
from ..selectors.quotes import QuoteView

_OUTCOMES = {
    Finding.State.OPEN: "Not decided yet.",
    Finding.State.REJECTED: "Kept as it is.",
    Finding.State.DISMISSED: "Dismissed: kept as it is.",
    Finding.State.STALE: "No longer applies: another change altered these words.",
}


@dataclass(frozen=True, slots=True)
class Offer:
    """A way out that is still open: a new wording of a sentence, "" to remove it."""

    sentence: int
    """Its number, from 1."""
    wording: str


@dataclass(frozen=True, slots=True)
class Note:
    """A finding under the number that it goes by in a document."""

    number: int
    card: CardView

    @property
    def outcome(self) -> str:
        """What was decided on it."""
        accepted = self.card.accepted
        if accepted is None:
            return _OUTCOMES.get(Finding.State(self.card.state), f"{self.card.state.capitalize()}.")
        if accepted.removes:
            return f"Sentence {accepted.sentence + 1} removed."
        return f"Sentence {accepted.sentence + 1} changed to “{wording_of(accepted)}”"

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What could be accepted."""
        options = (*self.card.rewrites, *self.card.removals) if self.card.state == Finding.State.OPEN else ()
        return tuple(Offer(option.sentence + 1, wording_of(option)) for option in options)


def wording_of(option: OptionView) -> str:
    return "".join(part.text for part in option.parts if part.kind is not DiffKind.DELETED)


def words_of(quote: QuoteView) -> str:
    return "".join(piece.text for piece in quote.pieces)
