"""The weights that wait to ship are kept as what they differ by from the model that ships now."""

import hashlib
from pathlib import Path

import numpy as np

DETECTION = Path(__file__).parents[3] / "detection"


def test_the_kept_weights_belong_to_the_model_that_ships():
    model = (DETECTION / "data" / "nli" / "model.onnx").read_bytes()

    with np.load(DETECTION / "lab" / "training" / "nli" / "kept" / "weights.npz") as kept:
        assert str(kept["model"]) == hashlib.sha256(model).hexdigest()
