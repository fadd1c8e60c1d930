"""Export the slot model to ONNX with dynamic int8, and check it as the runtime reads it."""

import logging
import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from detection.core.grounding.slot_reading import MASK
from detection.core.local_models.nli.description import Label, ModelDescription, save_description
from detection.core.local_models.nli.scorer import NliScorer
from detection.core.types import NliPair

from ..nli.export import Parity, compare_exports, quantise, require_parity, torch_probabilities, write_onnx
from ..nli.model import TOKENIZER_FILE
from ..nli.scoring import Pair
from .groups import token_id
from .model import TwoLogits, load_model
from .train import open_tokenizer

logger = logging.getLogger(__name__)

#: Longer than the pairs of the training, whose texts are cut around the mask: the runtime must not cut a mask off.
_MAX_TOKENS = 192
DESCRIPTION = ModelDescription(
    labels=(Label.ENTAILMENT, Label.REST), max_tokens=_MAX_TOKENS, name="ChatProtect slots", licence="Apache-2.0"
)


def export(weights: Path, directory: Path, pairs: Sequence[Pair]) -> Parity:
    """Write ``model.onnx`` (int8), ``tokenizer.json`` and ``model.json``.

    Raises:
        ExportError: the model differs from the trained one over the pairs.
    """
    model = TwoLogits(load_model(weights, token_id(open_tokenizer(), MASK))).eval()
    directory.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as temporary:
        full = Path(temporary) / "model.onnx"
        write_onnx(model, full)
        quantise(full, directory / "model.onnx")
        for folder in (directory, full.parent):
            shutil.copyfile(TOKENIZER_FILE, folder / "tokenizer.json")
            save_description(DESCRIPTION, folder)
        parity = compare_exports(
            trained=torch_probabilities(model, pairs, DESCRIPTION.max_tokens, TOKENIZER_FILE),
            full=_probabilities(full.parent, pairs),
            small=_probabilities(directory, pairs),
        )
    require_parity(parity, directory / "model.onnx")
    logger.info("exported %s: %s", directory, parity)
    return parity


def _probabilities(folder: Path, pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """Probabilities [pair, label] that the runtime gives."""
    scores = NliScorer(folder, threads=2).score([NliPair(*pair) for pair in pairs])
    return np.array([(score.entailment, 1 - score.entailment) for score in scores])
