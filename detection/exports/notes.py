"""Numbered notes for documents: the findings of a check with their decisions."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..core.rewriting.revise import DiffKind
from ..models import Finding
from ..selectors.cards import CardView, OptionView
from ..selectors.quotes import QuoteView

_OUTCOMES = {
    Finding.State.OPEN: gettext_lazy("Not decided yet."),
    Finding.State.REJECTED: gettext_lazy("Kept as it is."),
    Finding.State.DISMISSED: gettext_lazy("Dismissed: kept as it is."),
    Finding.State.STALE: gettext_lazy("No longer applies: another change altered these words."),
}


@dataclass(frozen=True, slots=True)
class Offer:
    """An open suggestion: a new wording of a sentence, "" to remove it."""

    sentence: int
    """Its number, from 1."""
    wording: str
    companions: tuple[int, ...] = ()
    """The numbers of the sentences that it changes as well."""

    @property
    def told(self) -> str:
        if not self.wording:
            return _("Sentence %s could be removed.") % self.sentence
        if self.companions:
            return _("Sentence %(number)s could read: “%(wording)s”, with the same change in %(others)s") % {
                "number": self.sentence,
                "wording": self.wording,
                "others": ", ".join(map(str, self.companions)),
            }
        return _("Sentence %(number)s could read: “%(wording)s”") % {"number": self.sentence, "wording": self.wording}


@dataclass(frozen=True, slots=True)
class Note:
    """A finding with its number in the document."""

    number: int
    card: CardView

    @property
    def outcome(self) -> str:
        """The decision on it."""
        accepted = self.card.accepted
        if accepted is None:
            return str(_OUTCOMES[Finding.State(self.card.state)])
        number = accepted.sentence + 1
        if accepted.removes:
            return _("Sentence %s removed.") % number
        return _("Sentence %(number)s changed to “%(wording)s”") % {"number": number, "wording": wording_of(accepted)}

    @property
    def offers(self) -> tuple[Offer, ...]:
        """The suggestions that can be accepted."""
        options = (*self.card.rewrites, *self.card.removals) if self.card.state == Finding.State.OPEN else ()
        return tuple(
            Offer(option.sentence + 1, wording_of(option), tuple(one.number for one in option.companions))
            for option in options
        )


def wording_of(option: OptionView) -> str:
    return "".join(part.text for part in option.parts if part.kind is not DiffKind.DELETED)


def words_of(quote: QuoteView) -> str:
    return "".join(piece.text for piece in quote.pieces)
