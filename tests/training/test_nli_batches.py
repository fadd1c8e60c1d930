import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from detection.training.nli.batches import EncodedPair, TrainingSet, encode, load_tokenizer, padded
from detection.training.nli.data import Example
from detection.training.nli.labels import Label

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


@pytest.fixture
def training_set(tokenizer_file):
    examples = [
        Example("the mill " * (1 + number % 7), "is old", Label.ENTAILMENT, weight=float(number))
        for number in range(300)
    ]
    return TrainingSet(examples, load_tokenizer(tokenizer_file, 160), tokens_per_batch=64)


def test_a_plan_has_every_example_once_and_keeps_to_the_budget(training_set):
    plan = training_set.plan("1:0")

    assert sorted(index for indices in plan for index in indices) == list(range(300))
    assert max(training_set.batch(indices).input_ids.size for indices in plan) <= 64


def test_the_plan_depends_on_the_seed_alone(training_set):
    assert training_set.plan("1:0") == training_set.plan("1:0")
    assert training_set.plan("1:0") != training_set.plan("1:1")


def test_a_batch_carries_labels_and_weights(training_set):
    batch = training_set.batch([3, 5])

    assert batch.allowed.tolist() == [[True, False, False]] * 2
    assert batch.weights.tolist() == [3, 5]
    assert batch.weights.dtype == np.float32
