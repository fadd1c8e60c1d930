import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from detection.lab.training.nli.batches import EncodedPair, encode, load_tokenizer, padded
from detection.lab.training.nli.data import Example
from detection.lab.training.nli.labels import InferenceClass, Label
from detection.lab.training.nli.packing import load_packed, pack
from detection.lab.training.nli.training_set import TrainingSet
from detection.lab.training.nli.units import Rank, Unit

WORDS = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "the", "mill", "is", "old", "and", "burned"]


@pytest.fixture
def tokenizer_file(tmp_path):
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    path = tmp_path / "tokenizer.json"
    tokenizer.save(str(path))
    return path


def test_a_pair_is_encoded_as_the_runtime_forms_it(tokenizer_file):
    (pair,) = encode(load_tokenizer(tokenizer_file, 160), [("the mill burned", "old mill")])

    assert [WORDS[token] for token in pair.ids] == ["[CLS]", "the", "mill", "burned", "[SEP]", "old", "mill", "[SEP]"]
    assert pair.type_ids == (0, 0, 0, 0, 0, 1, 1, 1)


def test_the_longer_sentence_is_cut_first(tokenizer_file):
    (pair,) = encode(load_tokenizer(tokenizer_file, 10), [("the mill " * 20, "it burned")])

    assert len(pair.ids) == 10
    assert pair.type_ids.count(1) == 3


def test_padding_is_masked():
    ids, mask, types = padded([EncodedPair((1, 4, 2), (0, 0, 0)), EncodedPair((1, 2), (0, 1))])

    assert ids.tolist() == [[1, 4, 2], [1, 2, 0]]
    assert mask.tolist() == [[1, 1, 1], [1, 1, 0]]
    assert types.tolist() == [[0, 0, 0], [0, 1, 0]]


def test_rows_without_a_pair_fill_a_shape_and_attend_to_one_token():
    ids, mask, _ = padded([EncodedPair((1, 4, 2), (0, 0, 0))], rows=2, length=4)

    assert ids.tolist() == [[1, 4, 2, 0], [0, 0, 0, 0]]
    assert mask.tolist() == [[1, 1, 1, 0], [1, 0, 0, 0]]


@pytest.fixture
def training_set(tokenizer_file):
    rank = Rank(InferenceClass.CONTRADICTION, better=0, worse=1)
    units = [
        Unit(
            (
                Example("the mill " * (1 + number % 7), "is old", Label.ENTAILMENT, weight=float(number)),
                Example("the mill", "is old", Label.CONTRADICTION),
            ),
            (rank,),
        )
        for number in range(150)
    ]
    return TrainingSet(pack([units], load_tokenizer(tokenizer_file, 20)), tokens_per_batch=128, lengths=(8, 16, 20))


def test_a_plan_has_every_unit_once_and_few_shapes(training_set):
    plan = training_set.plan("1")

    assert sorted(index for indices in plan for index in indices) == list(range(150))
    shapes = {training_set.batch(indices).input_ids.shape for indices in plan}
    assert shapes <= {(16, 8), (8, 16), (6, 20)}


def test_the_plan_depends_on_the_seed_alone(training_set):
    assert training_set.plan("1") == training_set.plan("1")
    assert training_set.plan("1") != training_set.plan("2")


def test_a_batch_carries_labels_weights_and_ranks_of_its_pairs_alone(training_set):
    batch = training_set.batch([3, 5])

    assert batch.allowed.tolist() == [[True, False, False], [False, False, True]] * 2
    assert batch.weights.tolist() == [3, 1, 5, 1]
    assert batch.weights.dtype == np.float32
    assert batch.ranks.tolist() == [[2, 0, 1], [2, 2, 3]]


def test_a_batch_without_ranks_has_none(tokenizer_file):
    unit = Unit((Example("the mill", "is old", Label.NEUTRAL),))
    batch = TrainingSet(pack([[unit]], load_tokenizer(tokenizer_file, 20)), 128, (8, 20)).batch([0])

    assert batch.ranks.shape == (0, 3)


@pytest.mark.parametrize("most", [10, 11, 12, 40])
def test_packed_pairs_are_cut_and_padded_as_the_tokenizer_does(tokenizer_file, most):
    lengths = [(2, 3), (9, 2), (2, 9), (9, 9), (10, 9), (4, 5), (20, 1)]
    pairs = [("mill " * premise, "old " * hypothesis) for premise, hypothesis in lengths]
    tokenizer = load_tokenizer(tokenizer_file, most)
    expected = padded(encode(tokenizer, pairs), rows=9, length=most)

    packed = pack([[Unit((Example(*pair, Label.NEUTRAL),)) for pair in pairs]], tokenizer)

    for ours, theirs in zip(packed.padded(np.arange(len(pairs)), 9, most), expected, strict=True):
        assert ours.tolist() == theirs.tolist()
    assert packed.lengths(most).tolist() == expected[1].sum(axis=1)[: len(pairs)].tolist()


def test_a_file_of_packed_units_gives_the_same_batches(tokenizer_file, tmp_path):
    passes = [[Unit((Example("the mill", f"is {word}", Label.NEUTRAL),)) for word in WORDS[4:]]] * 2
    packed = pack(passes, load_tokenizer(tokenizer_file, 20))
    packed.save(tmp_path / "units.npz")

    before, after = (TrainingSet(units, 32, (8,)) for units in (packed, load_packed(tmp_path / "units.npz")))

    plan = before.plan("1")
    assert plan == after.plan("1")
    assert [before.batch(indices).input_ids.tolist() for indices in plan] == [
        after.batch(indices).input_ids.tolist() for indices in plan
    ]


def test_one_pass_follows_the_other(tokenizer_file):
    passes = [[Unit((Example("the mill", "is old", Label.NEUTRAL),))] * 5 for _ in range(2)]
    plan = TrainingSet(pack(passes, load_tokenizer(tokenizer_file, 20)), 32, (8,)).plan("1")

    order = [index for indices in plan for index in indices]
    assert sorted(order[:5]) == [0, 1, 2, 3, 4]
    assert sorted(order[5:]) == [5, 6, 7, 8, 9]
