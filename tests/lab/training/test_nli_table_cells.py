"""The cells of a table become claims about its source, each beside one that the source entails less or more."""

import random

import pytest

from detection.lab.training.nli.labels import InferenceClass, Label
from detection.lab.training.nli.table_cells import cells_units

TABLE = {
    "source": "The Sill ferry costs 7 euros and runs in winter. The Arn ferry costs 9 euros.",
    "head": ["Ferry", "Fare", "Open in winter"],
    "rows": [
        {"name": "Sill", "cells": [{"t": "8 euros", "l": "c", "r": "7 euros"}, {"t": "Yes", "l": "s"}]},
        {"name": "Arn", "cells": [{"t": "9 euros", "l": "s"}, {"t": "No", "l": "u"}]},
    ],
}


@pytest.mark.parametrize("seed", range(10))
def test_a_claim_is_ranked_beside_the_same_claim_with_other_words(seed):
    sill, arn = cells_units(TABLE, random.Random(seed))

    name = "the ferry Sill" if "the ferry Sill" in sill.examples[0].hypothesis else "Sill"
    assert {example.hypothesis: example.label for example in sill.examples} == {
        f"Fare of {name}: 8 euros.": Label.CONTRADICTION,
        f"Fare of {name}: 7 euros.": Label.ENTAILMENT,
        f"Open in winter of {name}: Yes.": Label.ENTAILMENT,
        f"Open in winter of {name}: No.": Label.NOT_ENTAILMENT,
    }
    assert all(example.premise == TABLE["source"] for example in sill.examples)
    entailed = {(rank.better, rank.worse) for rank in sill.ranks if rank.of is InferenceClass.ENTAILMENT}
    assert {(1, 0), (2, 3), (2, 0)} == entailed
    assert [example.label for example in arn.examples] == [Label.ENTAILMENT, Label.NOT_ENTAILMENT, Label.NEUTRAL]
