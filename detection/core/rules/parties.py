"""Names of the parties of a contract: "the Provider" may be Brightwater Ltd."""

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
    """The clashes without those between a party's name and its role in the contract, if others remain."""
    others = [clash for clash in clashes if not names_a_party(clash)]
    return others or clashes


def names_a_party(clash: ValueConflict) -> bool:
    """True if one of two names is a role of a party: "Brightwater" against "Provider"."""
    return clash.family is Family.NAME and (_is_role(clash.premise) or _is_role(clash.hypothesis))


def _is_role(name: Value) -> bool:
    return _ARTICLE.sub("", name.text).strip("\"'“”‘’").casefold() in _ROLES
