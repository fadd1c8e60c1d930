"""Rows of the slot model: masked values of claims and of what they are compared with."""

import gzip
import json

import pytest
from tokenizers import Tokenizer

from detection.core.types import Span
from detection.lab.training.slots.groups import LONGEST_PAIR, encode_pair, token_id
from detection.lab.training.slots.material import Material, build_rows, materials
from detection.lab.training.slots.rows import Claim, Kind, load, masked, save

SOURCE = "The ferry Aurora was built in Gdynia in 1998. It carries 240 passengers. A ticket costs 12 euros."
CLAIM = Claim("g1", "The ferry Aurora carries 260 passengers.", "c", "carries 240 passengers")


async def rows_of(models, *found):
    return [row async for row in build_rows(iter(found), models)]


def test_a_mask_takes_the_place_of_the_value():
    assert masked("It costs 12 euros.", Span(9, 17)) == "It costs [MASK]."


async def test_a_figure_is_compared_with_those_of_its_kind_in_the_source(local_models, tmp_path):
    rows = await rows_of(local_models, Material(Kind.SOURCES, SOURCE, [CLAIM]))

    [figure] = [row for row in rows if row.family != "name"]
    assert figure.hypothesis == "The ferry Aurora carries [MASK] passengers."
    assert not figure.is_reference
    [found] = figure.candidates
    assert found.premise == "The ferry Aurora was built in Gdynia in 1998. It carries [MASK] passengers."
    assert (found.agrees, found.is_reference, found.is_elsewhere) == (False, True, False)

    save(rows, tmp_path / "rows.jsonl.gz")
    assert load(tmp_path / "rows.jsonl.gz") == rows


async def test_the_premise_of_a_pair_is_masked_sentence_by_sentence(local_models):
    [row] = await rows_of(
        local_models,
        Material(Kind.POOLED, "The mill has 3 floors. It has 20 windows.", [Claim("g1", "It has 21 windows.", "c")]),
    )

    assert [candidate.premise for candidate in row.candidates] == [
        "The mill has [MASK] floors.",
        "It has [MASK] windows.",
    ]


async def test_a_claim_of_two_sentences_has_no_rows(local_models):
    claim = Claim("g1", "It carries 240 passengers. It is old.", "s")

    assert await rows_of(local_models, Material(Kind.SOURCES, SOURCE, [claim])) == []


@pytest.fixture
def data(tmp_path):
    def write(path, *rows):
        path.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(path, "wt") as lines:
            lines.writelines(json.dumps(row) + "\n" for row in rows)

    pooled = {"cluster": 4, "premise": "P", "hypothesis": "H", "label": "neutral", "source": "fever_dev"}
    fact = {"s": "S", "c": "C", "w": "W"}
    claims = [{"t": f"T{number}", "a": "s", "b": "c"} for number in range(12)]
    group = {"g": "h-4", "base": "B", "same": ["S1"], "contra": ["C1"], "neutral": ["N1"]}
    given, own = tmp_path / "train" / "authored", tmp_path / "own"
    write(given / "sources.jsonl.gz", {"g": "h-1", "source": "X", "claims": [{"t": "T", "l": "c", "w": "W"}]})
    write(given / "groups.jsonl.gz", group)
    write(own / "two_sources_1.jsonl.gz", {"g": "h-2", "source_a": "A", "source_b": "B", "claims": claims})
    write(own / "facts_1.jsonl.gz", {"g": "h-3", "source": "F", "facts": [fact], "u": ["U"]})
    write(
        tmp_path / "train" / "nli" / "train_permissive.jsonl.gz",
        pooled,
        {**pooled, "source": "another"},
        {**pooled, "label": "not_entailment"},
        {**pooled, "premise": "P" * 900},
    )
    return tmp_path


def test_every_data_set_gives_material(data):
    found = [
        *materials(data, own=data / "own"),
        *materials(data, own=data / "own", held_out=True),  # whichever side the hashes of the groups fall on
    ]

    of_kind = {kind: [material for material in found if material.kind is kind] for kind in Kind}
    assert of_kind[Kind.SOURCES] == [Material(Kind.SOURCES, "X", [Claim("h-1", "T", "c", "W")])]
    assert [(m.premise, len(m.claims), m.claims[0].letter) for m in of_kind[Kind.TWO_SOURCES]] == [
        ("A", 8, "s"),
        ("B", 8, "c"),
    ]
    assert [{m.premise, m.claims[0].text} for m in of_kind[Kind.GROUPS]] == [{"B", "S1"}, {"B", "C1"}, {"B", "N1"}]
    assert of_kind[Kind.FACTS] == [
        Material(Kind.FACTS, "F", [Claim("h-3", "S", "s"), Claim("h-3", "C", "c", "W . S"), Claim("h-3", "U", "u")])
    ]
    assert of_kind[Kind.POOLED] == [Material(Kind.POOLED, "P", [Claim("4", "H", "u")])]


def test_a_long_text_is_cut_around_its_mask(settings):
    tokenizer = Tokenizer.from_file(str(settings.NLI_MODEL / "slots" / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()

    pair = encode_pair(tokenizer, "far " * 300 + "[MASK]" + " away" * 300, "It costs [MASK].")

    assert len(pair.ids) == len(pair.type_ids) == LONGEST_PAIR
    assert pair.ids.count(token_id(tokenizer, "[MASK]")) == 2
    with pytest.raises(ValueError, match="no"):
        token_id(tokenizer, "[SLOT]")
