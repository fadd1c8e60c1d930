"""A search for evidence in lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.evidence.record import ClaimRecord, SearchRecord
from ..wording import count_of


def lines_of_search(search: SearchRecord) -> Iterator[str]:
    """Each claim, its documents, and its probability after each document."""
    for claim in search.claims:
        yield f"? {claim.claim} {_outcome(claim, search.most_documents)}"
        for reading in claim.documents:
            where = f"{reading.title} ({reading.url})" if reading.url else reading.title
            quote = reading.quote.of(reading.passage)
            yield f"  {where}: “{quote}” {reading.entailment:.2f}, then {100 * reading.factual:.0f} %"
        for page in claim.skipped:
            yield f"  not read: {page.title} ({page.url}): {page.reason}"


def _outcome(claim: ClaimRecord, most_documents: int) -> str:
    if not claim.documents:
        return "nothing was found about it" if not claim.skipped else "nothing that was found could be read"
    read = count_of(most_documents, "document")
    return f"{100 * claim.factual:.0f} % likely right, after {len(claim.documents)} of at most {read}"
