"""Groups of pairs with one hypothesis, which the model compares in training, and batches of them."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tokenizers import Tokenizer

from detection.core.grounding.slot_reading import MASK
from detection.core.rules.base import Family

from ..nli.batches import EncodedPair
from .labels import Labels, labelled
from .rows import Kind, SlotRow

LONGEST_PAIR = 112  # tokens
_LONGEST_HYPOTHESIS = 48  # tokens
_SPECIAL_TOKENS = 3
_PAIRS_PER_GROUP, _SAME_SLOT_PER_GROUP = 6, 2
#: Most values are names, and they say least about a slot: this share of their rows is left out.
_NAMES_LEFT_OUT: Mapping[Kind, float] = {Kind.POOLED: 0.75, Kind.FACTS: 0.5}
_OTHER_NAMES_LEFT_OUT = 0.2
_LEFT_OUT_WITHOUT_SAME_SLOT = 0.4
_NAME_WEIGHT, _POOLED_WEIGHT = 0.5, 0.6
#: Batches are formed within pools of this many groups.
_POOL_SIZE = 400


@dataclass(frozen=True, slots=True)
class Group:
    """Pairs of one value with values of its source. ``labels``: whether both fill the same slot."""

    pairs: tuple[tuple[str, str], ...]
    labels: tuple[bool, ...]
    weight: float


def draw_groups(rows: Sequence[SlotRow], chooser: random.Random) -> list[Group]:
    """The groups of the rows, without the shares that are left out."""
    drawn = (_draw(row, labels, chooser) for row, labels in labelled(rows))
    return [group for group in drawn if group is not None]


def _draw(row: SlotRow, labels: Labels, chooser: random.Random) -> Group | None:
    same = [index for index, label in enumerate(labels) if label is True]
    chosen = same[:_SAME_SLOT_PER_GROUP]
    others = _drawn_others(row, labels, _PAIRS_PER_GROUP - len(chosen), chooser)
    if not same and chooser.random() < _LEFT_OUT_WITHOUT_SAME_SLOT and row.kind is not Kind.GROUPS:
        return None
    is_name = row.family is Family.NAME
    if is_name and chooser.random() < _NAMES_LEFT_OUT.get(row.kind, _OTHER_NAMES_LEFT_OUT):
        return None
    return Group(
        pairs=tuple((row.candidates[index].premise, row.hypothesis) for index in chosen + others),
        labels=(True,) * len(chosen) + (False,) * len(others),
        weight=(_NAME_WEIGHT if is_name else 1.0) * (_POOLED_WEIGHT if row.kind is Kind.POOLED else 1.0),
    )


def _drawn_others(row: SlotRow, labels: Labels, most: int, chooser: random.Random) -> list[int]:
    """Candidates of other slots: half of them from the most similar sentences, the others from the rest."""
    others = [index for index, label in enumerate(labels) if label is False]
    chooser.shuffle(others)
    others.sort(key=lambda index: -row.candidates[index].overlap)
    nearest, rest = others[: most // 2], others[most // 2 :]
    return nearest + chooser.sample(rest, min(len(rest), most - most // 2))


def encode_pair(tokenizer: Tokenizer, premise: str, hypothesis: str) -> EncodedPair:
    """Token ids of a pair. Long texts are cut to the tokens around the mask. ``tokenizer`` must not truncate."""
    second = _ids_around_mask(tokenizer, hypothesis, _LONGEST_HYPOTHESIS)
    first = _ids_around_mask(tokenizer, premise, LONGEST_PAIR - _SPECIAL_TOKENS - len(second))
    start, end = token_id(tokenizer, "[CLS]"), token_id(tokenizer, "[SEP]")
    return EncodedPair(
        ids=(start, *first, end, *second, end), type_ids=(0,) * (len(first) + 2) + (1,) * (len(second) + 1)
    )


def token_id(tokenizer: Tokenizer, token: str) -> int:
    """The id of a special token."""
    found: int | None = tokenizer.token_to_id(token)
    if found is None:
        raise ValueError(f"the tokenizer has no {token}")
    return found


def _ids_around_mask(tokenizer: Tokenizer, text: str, most: int) -> list[int]:
    ids: list[int] = tokenizer.encode(text, add_special_tokens=False).ids
    mask = token_id(tokenizer, MASK)
    place = ids.index(mask) if mask in ids else 0
    start = max(0, min(place - most // 2, len(ids) - most))
    return ids[start : start + most]


def endless_batches(
    groups: Sequence[Sequence[EncodedPair]], tokens_per_batch: int, chooser: random.Random
) -> Iterator[list[int]]:
    """Indices of the groups of every batch, epoch after epoch. A batch has at most so many tokens, with padding."""
    while True:
        yield from reversed(_epoch(groups, tokens_per_batch, chooser))


def _epoch(groups: Sequence[Sequence[EncodedPair]], tokens_per_batch: int, chooser: random.Random) -> list[list[int]]:
    order = list(range(len(groups)))
    chooser.shuffle(order)
    longest = [max(len(pair.ids) for pair in pairs) for pairs in groups]
    batches: list[list[int]] = []
    for first in range(0, len(order), _POOL_SIZE):
        current: list[int] = []
        pairs = 0
        for index in sorted(order[first : first + _POOL_SIZE], key=longest.__getitem__):
            if current and (pairs + len(groups[index])) * longest[index] > tokens_per_batch:
                batches.append(current)
                current, pairs = [], 0
            current.append(index)
            pairs += len(groups[index])
        batches.append(current)
    chooser.shuffle(batches)
    return batches
