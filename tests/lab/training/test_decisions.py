"""The trained decision about a sentence and its sources: features, folds, figures."""

from dataclasses import astuple

import numpy as np
import pytest

from detection.core.comparing.sentence import ComparableSentence
from detection.core.errors import ModelUnavailable
from detection.core.grounding.features import source_features
from detection.core.grounding.local_reading import read_for
from detection.core.grounding.local_sentence import absent_values, refutation_of
from detection.core.local_models.decision import LogisticDecision, load_decision, save_decision
from detection.core.sources.library import open_library
from detection.core.types import SourceText
from detection.lab.training.decisions.sources import LabelledClaim, LabelledSource, features_of, folds

SOURCE = "The ferry Aurora was built in Gdynia in 1998. It carries 240 passengers and does not run in January."
DECISION = LogisticDecision(
    ("sure", "long"),
    means=(1.0, 10.0),
    deviations=(2.0, 5.0),
    weights=((1.0, 0.0), (0.0, 1.0), (-9.0, 0.0)),
    bias=(0.0, 0.0, 0.0),
)


async def features(text, models):
    library = await open_library((SourceText(id="1", name="source", text=SOURCE),), models)
    [parsed] = (await models.parse(text)).sentences
    sentence = ComparableSentence(parsed)
    read = await read_for(sentence, library, models)
    absent = absent_values(library, read, sentence)
    return source_features(sentence, read, absent, refutation_of(sentence, read.readings))


async def test_a_copy_is_entailed_and_gives_nothing_that_is_absent(local_models):
    copy = await features("The ferry Aurora was built in Gdynia in 1998.", local_models)
    wrong = await features("The ferry Aurora was built in Bergen in 2004.", local_models)

    assert copy["entailment_first"] > wrong["entailment_first"]
    assert (copy["absent_names"], copy["absent_figures"]) == (0, 0)
    assert (wrong["absent_names"], wrong["absent_figures"]) == (1, 1)
    assert wrong["clash"] > copy["clash"] == 0


async def test_a_negation_that_only_one_side_has_shows(local_models):
    same = await features("The ferry does not run in January.", local_models)
    other = await features("The ferry runs in January.", local_models)

    assert (same["negation"], same["negation_differs"]) == (True, False)
    assert (other["negation"], other["negation_differs"]) == (False, True)


async def test_features_have_a_row_for_each_claim_of_one_sentence(local_models):
    claims = (LabelledClaim("It carries 240 people.", "s"), LabelledClaim("It is red. It is fast.", "u"))
    found = await features_of([LabelledSource("g1", SOURCE, claims)], local_models)

    assert found.rows.shape == (1, len(found.names))
    assert (found.classes.tolist(), found.groups) == ([0], ("g1",))


def test_probabilities_of_a_decision_add_up_and_follow_the_weights():
    share = DECISION.assess({"sure": 3.0, "long": 10.0})

    assert astuple(share) == pytest.approx(np.array([np.e, 1, np.e**-9]) / (np.e + 1 + np.e**-9))
    with pytest.raises(ModelUnavailable, match="'long'"):
        DECISION.assess({"sure": 3.0})


def test_a_saved_decision_is_loaded_again(tmp_path):
    save_decision(DECISION, tmp_path)

    found = load_decision(tmp_path)

    assert found == DECISION


@pytest.mark.parametrize("content", [None, "", "[]", '{"features": ["sure"]}'])
def test_a_decision_that_cannot_be_read_is_an_error_that_says_what_to_do(content, tmp_path):
    if content is not None:
        (tmp_path / "decision_sources.json").write_text(content)

    with pytest.raises(ModelUnavailable, match=r"decision_sources\.json .*(model calibrate|Put the file)"):
        load_decision(tmp_path)


def test_a_group_is_tested_once_and_never_torn_apart():
    groups = ["a", "a", "b", "c", "c", "d"]
    tested = list(folds(groups, 2))

    assert np.sum(tested, axis=0).tolist() == [1] * len(groups)
    for fold in tested:
        assert {group for group, inside in zip(groups, fold, strict=True) if inside}.isdisjoint(
            group for group, inside in zip(groups, fold, strict=True) if not inside
        )
