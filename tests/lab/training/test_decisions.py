"""The trained decisions about sentences with sources and about pairs: features, folds, figures."""

import gzip
import json

import numpy as np
import pytest

from detection.core.comparing.sentence import ComparableSentence
from detection.core.errors import ModelUnavailable
from detection.core.grounding.features import source_features
from detection.core.grounding.local_reading import read_for
from detection.core.grounding.local_sentence import absent_values
from detection.core.local_models.decision import Decision, LogisticDecision, load_decision, save_decision
from detection.core.sources.library import open_library
from detection.core.types import SourceText
from detection.lab.training.decisions.features import Features, folds, of_every_nth_group
from detection.lab.training.decisions.fit import cross_fitted, fit, probabilities, that_keeps
from detection.lab.training.decisions.pairs import (
    LabelledText,
    held_out_texts,
    pair_features_of,
    partner_features_of,
    texts_for_figures,
)
from detection.lab.training.decisions.sources import (
    LabelledClaim,
    LabelledSource,
    features_of,
    news_summaries,
    own_summaries,
)
from detection.lab.training.nli.authored import OWN_DIRECTORY

NEWS_ROW = {"dataset": "CLIFF", "group": "doc/1", "source": "The weather was bad."}
SOURCE = "The ferry Aurora was built in Gdynia in 1998. It carries 240 passengers and does not run in January."
DECISION = LogisticDecision(
    ("sure", "long"),
    means=(1.0, 10.0),
    deviations=(2.0, 5.0),
    weights=((1.0, 0.0), (0.0, 1.0), (-9.0, 0.0)),
    bias=(0.0, 0.0, 0.0),
)


def write_rows(file, rows):
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))


async def features(text, models):
    library = await open_library((SourceText(id="1", name="source", text=SOURCE),), models)
    [parsed] = (await models.parse(text)).sentences
    sentence = ComparableSentence(parsed)
    read = await read_for(sentence, library, models)
    return source_features(sentence, read, absent_values(library, read, sentence))


async def test_a_copy_is_entailed_and_gives_no_name_that_is_absent(local_models):
    copy = await features("The ferry Aurora was built in Gdynia in 1998.", local_models)
    wrong = await features("The ferry Aurora was built in Bergen in 2004.", local_models)

    assert copy["entailment_first"] > wrong["entailment_first"]
    assert copy["passage_entailment"] > wrong["passage_entailment"]
    assert (copy["absent_names"], wrong["absent_names"]) == (0, 1)


async def test_a_negation_that_only_one_side_has_is_opposed(local_models):
    same = await features("The ferry does not run in January.", local_models)
    other = await features("The ferry runs in January.", local_models)

    assert other["contradiction_most"] > 0 > same["contradiction_most"]
    assert other["nearest_contradiction"] > 0 > same["nearest_contradiction"]


async def test_a_source_without_sentences_gives_features_of_nothing_read(local_models):
    library = await open_library((SourceText(id="1", name="source", text=""),), local_models)
    [parsed] = (await local_models.parse("The ferry runs in January.")).sentences
    sentence = ComparableSentence(parsed)
    found = source_features(sentence, await read_for(sentence, library, local_models), absent=())

    assert (found["passages"], found["absent_names"]) == (0, 0)
    assert found["entailment_first"] < 0
    assert found["passage_entailment"] < 0


def test_a_summary_of_news_is_labelled_where_people_marked_it(tmp_path):
    rows = [
        {"consistent": True, "error_types": [], "annotated_spans": None, "summary": "It rained. It snowed."},
        {"consistent": False, "error_types": ["intrinsic-NP"], "annotated_spans": "['two']",
         "summary": "It rained. It snowed on two days. Twofold."},
        {"consistent": False, "error_types": ["extrinsic-NP", "intrinsic-NP"], "annotated_spans": None,
         "summary": "It hailed."},
        {"consistent": False, "error_types": ["extrinsic-NP"], "annotated_spans": "['three']",
         "summary": "It rained. It snowed."},
        {"consistent": True, "error_types": [], "annotated_spans": None, "summary": "Evaluated.", "group": "doc/x"},
        {"consistent": True, "error_types": [], "annotated_spans": None, "summary": "Grammar.", "dataset": "Goyal21"},
    ]  # fmt: skip
    write_rows(tmp_path / "eval" / "aggrefact_cliff_goyal.jsonl.gz", [NEWS_ROW | row for row in rows])
    for name in ("conli_qags_cnndm", "conli_qags_xsum", "conli_summeval"):
        write_rows(tmp_path / "eval" / f"{name}.jsonl.gz", [{"group": "doc/x"}])

    found = [[(claim.letter, claim.text, claim.before) for claim in one.claims] for one in news_summaries(tmp_path)]

    assert found == [
        [("s", "It rained.", ""), ("s", "It snowed.", "It rained.")],
        [("c", "It snowed on two days.", "It rained.")],
        [("u", "It hailed.", "")],
    ]


async def test_features_have_a_row_for_each_claim_of_one_sentence(local_models):
    claims = (LabelledClaim("It carries 240 people.", "s"), LabelledClaim("It is red. It is fast.", "u"))
    found = await features_of([LabelledSource("g1", SOURCE, claims)], local_models)

    assert found.rows.shape == (1, len(found.names))
    assert (found.classes.tolist(), found.groups) == ([0], ("g1",))


def test_a_text_stays_with_its_repair():
    texts = [LabelledText(group, (number,), frozenset()) for group in "abcd" for number in "12"]

    chosen = of_every_nth_group(texts, 2)

    assert [(text.group, *text.sentences) for text in chosen] == [("a", "1"), ("a", "2"), ("c", "1"), ("c", "2")]


def test_texts_for_figures_are_not_those_of_the_training(tmp_path):
    row = {"g": "given", "sentences": ["It rained.", "It was dry."], "pairs": [{"a": 0, "b": 1}]}
    write_rows(tmp_path / "eval" / "authored_texts.jsonl.gz", [row])
    for letter, group in (("j", "trained"), ("k", "own")):
        write_rows(tmp_path / "own" / f"fresh_texts_{letter}.jsonl.gz", [row | {"g": group}])

    found = texts_for_figures(tmp_path, tmp_path / "own")

    assert [(text.group, text.contradictions) for text in found] == [("own", {(0, 1)}), ("given", {(0, 1)})]


def test_probabilities_of_a_decision_add_up_and_follow_the_weights():
    share = DECISION.shares({"sure": 3.0, "long": 10.0})

    assert share == pytest.approx(np.array([np.e, 1, np.e**-9]) / (np.e + 1 + np.e**-9))
    with pytest.raises(ModelUnavailable, match="'long'"):
        DECISION.shares({"sure": 3.0})


@pytest.mark.parametrize("about", Decision)
def test_a_saved_decision_is_loaded_again(about, tmp_path):
    save_decision(DECISION, tmp_path, about)

    found = load_decision(tmp_path, about)

    assert found == DECISION


@pytest.mark.parametrize("about", Decision)
@pytest.mark.parametrize("content", [None, "", "[]", '{"features": ["sure"]}'])
def test_a_decision_that_cannot_be_read_is_an_error_that_says_what_to_do(content, about, tmp_path):
    if content is not None:
        (tmp_path / about).write_text(content)

    with pytest.raises(ModelUnavailable, match=rf"{about} .*(model calibrate|Put the file)"):
        load_decision(tmp_path, about)


def test_a_group_is_tested_once_and_never_torn_apart():
    groups = ["a", "a", "b", "c", "c", "d"]
    tested = list(folds(groups, 2))

    assert np.sum(tested, axis=0).tolist() == [1] * len(groups)
    for fold in tested:
        assert {group for group, inside in zip(groups, fold, strict=True) if inside}.isdisjoint(
            group for group, inside in zip(groups, fold, strict=True) if not inside
        )


TEXT = LabelledText(
    "mill",
    (
        "The old mill of Orla was built in 1849.",
        "Its miller keeps two cows.",
        "The old mill of Orla was built in 1902.",
    ),
    frozenset({(0, 2)}),
)


async def test_every_pair_of_a_text_that_a_check_reads_has_its_features_and_its_class(local_models):
    found = await pair_features_of([TEXT], local_models)

    assert found.rows.shape == (1, len(found.names))
    assert (found.classes.tolist(), found.groups) == ([1], ("mill",))
    of_name = dict(zip(found.names, found.rows[0], strict=True))
    assert of_name["clash"] > 0.5
    assert of_name["neighbours"] == 0


async def test_sentences_have_features_of_partners_once_there_are_too_many_to_compare_them_all(local_models):
    more = ("The mill has two floors.", "A path leads to the old mill.")
    text = LabelledText("mill", (*TEXT.sentences, *more), frozenset({(0, 2), (1, 4)}))

    found = await partner_features_of([text], local_models)

    assert found.rows.shape == (4, len(found.names)), "those of the fifth sentence, which has four before it"
    assert found.classes.tolist() == [0, 1, 0, 0]
    assert found.rows[:, found.names.index("neighbours")].tolist() == [0, 0, 0, 1]
    assert sorted(np.expm1(found.rows[:, found.names.index("nearer_candidates")])) == pytest.approx([0, 1, 2, 3])


async def test_a_sentence_that_is_read_as_two_is_left_out(local_models):
    text = LabelledText("g", ("It burned. It stood.", "The mill burned.", "The mill stood."), frozenset({(1, 2)}))

    found = await pair_features_of([text], local_models)

    assert found.classes.tolist() == [1]


def test_a_fitted_decision_tells_what_can_be_told_and_knows_what_cannot():
    chooser = np.random.default_rng(1)
    classes = chooser.integers(2, size=400)
    rows = np.stack([classes + chooser.normal(0, 0.5, 400), chooser.normal(0, 1, 400)], axis=1)
    features = Features(2, ("telling", "noise"), rows, classes, tuple(f"g{n // 4}" for n in range(400)))

    decision = fit(features, penalty=10.0)

    agree, contradict = decision.weights
    assert contradict[0] > 0.5
    assert agree == pytest.approx([-weight for weight in contradict])
    assert abs(contradict[1]) < 0.2
    assert probabilities(decision, features).shape == (400, 2)
    by_others = cross_fitted(features, penalty=10.0)
    assert (by_others.argmax(axis=1) == classes).mean() > 0.75
    assert by_others.sum(axis=1) == pytest.approx(1)


def test_a_bias_keeps_the_wanted_share_of_a_class():
    rows = np.arange(100.0).reshape(-1, 1)
    features = Features(2, ("nearness",), rows, (rows[:, 0] >= 80).astype(int), ("g",) * 100)

    found = probabilities(that_keeps(0.75, fit(features, penalty=10.0), features), features)[:, 1] >= 0.5

    assert np.flatnonzero(found).tolist() == list(range(85, 100))


def test_our_own_texts_for_the_decisions_are_whole():
    texts = held_out_texts(OWN_DIRECTORY)

    assert {bool(text.contradictions) for text in texts} == {True, False}
    for text in texts:
        assert all(first < second < len(text.sentences) for first, second in text.contradictions)
    claims = [claim for source in own_summaries() for claim in source.claims]
    assert {claim.letter for claim in claims} == set("scu")
    assert sum(not claim.before for claim in claims) == len(own_summaries())
