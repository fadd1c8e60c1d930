"""The order of the classes in untrusted configurations."""

from __future__ import annotations

from typing import Any

import pytest

from detection.core.errors import ModelNotInstalled
from detection.core.local_models.nli.description import Label
from detection.core.model_hub.labels import labels_of, read_labels

ENTAILMENT, NEUTRAL, CONTRADICTION, REST = Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION, Label.REST


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["entailment", "neutral", "contradiction"], (ENTAILMENT, NEUTRAL, CONTRADICTION)),
        (["CONTRADICTION", "NEUTRAL", "ENTAILMENT"], (CONTRADICTION, NEUTRAL, ENTAILMENT)),
        (["contradiction", "entailment", "neutral"], (CONTRADICTION, ENTAILMENT, NEUTRAL)),
        (["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"], (ENTAILMENT, CONTRADICTION, NEUTRAL)),
        (["entailment", "not_entailment"], (ENTAILMENT, REST)),
        (["hallucinated", "supported"], (REST, ENTAILMENT)),
        (["Hallucination", "Consistent"], (REST, ENTAILMENT)),
        (["not-entailment", "Entailment"], (REST, ENTAILMENT)),
        (["contradiction", "entailment"], (CONTRADICTION, ENTAILMENT)),
    ],
)
def test_classes_are_known_by_their_names(names: list[str], expected: tuple[Label, ...]) -> None:
    assert read_labels(names) == expected
    # A file may list them in any order; their numbers decide.
    listed = dict(reversed([(str(position), name) for position, name in enumerate(names)]))
    assert labels_of({"id2label": listed}) == expected


@pytest.mark.parametrize(
    "names",
    [
        ["LABEL_0", "LABEL_1", "LABEL_2"],
        ["positive", "negative"],
        ["entailment", "entailment", "neutral"],
        ["entailment", "neutral"],
        ["entailment", "not_entailment", "neutral"],
        ["neutral", "contradiction"],
    ],
)
def test_other_classes_are_refused_with_the_way_to_name_them(names: list[str]) -> None:
    with pytest.raises(ModelNotInstalled, match="--labels"):
        labels_of({"id2label": {str(position): name for position, name in enumerate(names)}})


@pytest.mark.parametrize(
    "config",
    [
        None,
        [],
        {},
        {"id2label": None},
        {"id2label": ["entailment", "neutral", "contradiction"]},
        {"id2label": {"0": "entailment"}},
        {"id2label": {"1": "entailment", "2": "not_entailment"}},
        {"id2label": {"0": "entailment", "1": 7}},
        {"id2label": {str(position): "entailment" for position in range(1_000)}},
    ],
)
def test_a_configuration_without_classes_is_refused(config: Any) -> None:
    with pytest.raises(ModelNotInstalled, match="id2label"):
        labels_of(config)
