import pytest

from detection.core.local_models.process import InProcessModels
from detection.lab.training.nli import histograms

PAGE = "The Sorrel Bridge was opened in May 1911 by the mayor of Harwick, Ada Fenn."
FILLER = "Rye and flax grow on small fields, and the farmers sell their harvest at the market on Mondays. "


def test_pages_of_factual_claims_score_higher(local_models: InProcessModels):
    rows = [
        {"premise": FILLER * 60 + PAGE, "hypothesis": "The Sorrel Bridge was opened in May 1911.", "factual": True},
        {"premise": FILLER, "hypothesis": "Ada Fenn was born in Lisbon.", "factual": False},
    ]

    counted = histograms.count(local_models.scorer, rows)

    # Eleven counts in each histogram: one for each feature and one for the page.
    assert sum(counted.factual[6:]) == pytest.approx(5 / 11)
    assert sum(counted.hallucinated[:6]) == pytest.approx(7 / 11)
