"""The names that a contract gives its parties: "the Provider" is Brightwater Ltd, whoever is called so elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence

from detection.core.language.vocabulary import words
from detection.core.rules.alignment import ValueConflict
from detection.core.rules.base import Family, Value

_ROLES = frozenset(
    words(
        "provider supplier customer client licensor licensee landlord tenant lessor lessee buyer seller purchaser"
        " vendor contractor subcontractor company employer employee borrower lender guarantor agent principal"
        " consultant processor controller recipient discloser distributor manufacturer owner operator user insurer"
        " insured trustee franchisor franchisee assignor assignee publisher author sponsor beneficiary party parties"
    )
)
_ARTICLE = re.compile(r"^(?:the|each|either|such)\s+", re.IGNORECASE)


def telling(clashes: Sequence[ValueConflict]) -> Sequence[ValueConflict]:
    """The clashes without those of a party's name with the name that it has in the contract, where others are left."""
    others = [clash for clash in clashes if not names_a_party(clash)]
    return others or clashes


def names_a_party(clash: ValueConflict) -> bool:
    """True where one of two names only says which party is meant: "Brightwater" against "Provider"."""
    return clash.family is Family.NAME and (_is_role(clash.premise) or _is_role(clash.hypothesis))


def _is_role(name: Value) -> bool:
    return _ARTICLE.sub("", name.text).strip("\"'“”‘’").casefold() in _ROLES
