"""Dropout with masks from bytes."""

import pytest

torch = pytest.importorskip("torch", reason="PyTorch comes with the `train` extra")

from detection.lab.training.nli.dropout import Dropout  # noqa: E402

STATES = torch.ones(200, 500)


def test_a_share_of_the_states_is_zero_and_the_mean_stays():
    torch.manual_seed(7)
    left = Dropout(0.25)(STATES)

    assert (left == 0).float().mean().item() == pytest.approx(0.25, abs=0.01)
    assert left.unique().tolist() == pytest.approx([0.0, 4 / 3])
    assert left.mean().item() == pytest.approx(1.0, abs=0.01)


def test_every_call_and_every_layer_draws_a_mask_of_its_own_and_a_seed_repeats_them():
    torch.manual_seed(7)
    first, second = Dropout(0.1), Dropout(0.1)
    masks = [first(STATES), first(STATES), second(STATES)]
    torch.manual_seed(7)
    again = Dropout(0.1)

    assert not any(torch.equal(mask, other) for mask, other in ((masks[0], masks[1]), (masks[0], masks[2])))
    assert torch.equal(again(STATES), masks[0])


def test_nothing_is_zero_outside_of_training_or_for_a_share_of_nothing():
    assert torch.equal(Dropout(0.5).eval()(STATES), STATES)
    assert torch.equal(Dropout(0.0)(STATES), STATES)
