"""The temperature, histograms and decisions are fitted to a model and stored in its folder."""

import gzip
import json
from math import isfinite
from pathlib import Path

import pytest

from detection.core.evidence.histograms import load_histograms
from detection.core.local_models.decision import Decision, load_decision
from detection.core.local_models.nli.calibration import load_temperature
from detection.core.local_models.process import ModelSettings
from detection.lab.training.fitting import calibrate
from detection.lab.training.nli.authored import Origin, is_held_out
from detection.wiring import model_settings
from tests.fakes.onnx_model import tiny_model, tiny_tokenizer

PAGE = "The mill of Orla was built in 1849. It ground rye for the monks."


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))


def held_out(kind: str, count: int) -> list[str]:
    """Names of held-out groups."""
    names = (f"{kind}-{number}" for number in range(2000))
    return [name for name in names if is_held_out(kind, Origin.GIVEN, name)][:count]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    texts = {"s": "The mill is from 1849.", "c": "It is from 1900.", "u": "It is red."}
    claims = [{"t": text, "l": letter} for letter, text in texts.items()]
    write(
        root / "train/authored/sources.jsonl.gz",
        [{"g": name, "genre": "g", "source": PAGE, "claims": claims} for name in held_out("sources", 6)],
    )
    write(root / "train/authored/sides.jsonl.gz", [])
    pair = {"premise": PAGE, "hypothesis": "It is a mill.", "label": "entailment", "source": "s", "weight": 1.0}
    write(root / "train/nli/dev_permissive.jsonl.gz", [pair] * 9 + [{**pair, "label": "contradiction"}])
    write(root / "eval/chatprotect_pairs.jsonl.gz", [])
    for name in ("aggrefact_cliff_goyal", "conli_qags_cnndm", "conli_qags_xsum", "conli_summeval"):
        write(root / f"eval/{name}.jsonl.gz", [])
    write(
        root / "eval/bayes_nbc.jsonl.gz",
        [{"premise": PAGE, "hypothesis": "The mill is from 1849.", "factual": factual} for factual in (True, False)],
    )
    return root


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The folder of our own texts: one with contradictions, of which not all sentences are compared."""
    sentences = [
        "The mill was built in 1849.",
        "It grinds rye.",
        "The mill was built in 1900.",
        "Two cows graze beside it.",
        "The mill was built in 1931.",
    ]
    pairs = [{"a": 0, "b": 2}, {"a": 0, "b": 4}, {"a": 2, "b": 4}]
    write(tmp_path / "own/exam_texts_a.jsonl.gz", [{"g": "t", "sentences": sentences, "pairs": pairs}])
    return tmp_path / "own"


@pytest.fixture
def model(tmp_path: Path) -> ModelSettings:
    """A model that is overconfident of entailment."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(tiny_model([6.0, 0.0, 0.0]))
    (folder / "tokenizer.json").write_bytes(tiny_tokenizer())
    (folder / "model.json").write_text(
        json.dumps({"labels": ["entailment", "neutral", "contradiction"], "max_tokens": 64, "pad_id": 0})
    )
    settings = model_settings()
    return ModelSettings(language=settings.language, nli=folder)


async def test_all_that_is_fitted_lies_beside_the_model(model: ModelSettings, data: Path, own: Path) -> None:
    told: list[str] = []

    await calibrate(model, data, told.append, own=own)

    assert load_temperature(model.nli) > 1.5
    assert sum(load_histograms(model.nli).factual) == pytest.approx(1)
    for about, classes in ((Decision.OF_SOURCES, 3), (Decision.OF_PAIRS, 2), (Decision.OF_PARTNERS, 2)):
        decision = load_decision(model.nli, about)
        assert [len(row) for row in decision.weights] == [len(decision.features)] * classes
        assert all(map(isfinite, decision.bias))
    assert [line.split()[0] for line in told] == ["temperature", "histograms", "decision", "decision", "decision"]


async def test_data_that_is_missing_leaves_the_model_as_it_was(model: ModelSettings, tmp_path: Path) -> None:
    before = sorted(model.nli.iterdir())

    with pytest.raises(FileNotFoundError):
        await calibrate(model, tmp_path / "nowhere", print, own=tmp_path / "own")

    assert sorted(model.nli.iterdir()) == before
