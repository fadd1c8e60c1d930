from __future__ import annotations

import gzip
from enum import StrEnum
from pathlib import Path

import pytest

from detection.lab.evaluation.rows import BadData, Fields, Row, read_rows, sample

from .conftest import WriteRows


class Colour(StrEnum):
    RED = "red"
    GREEN = "green"


def read(fields: Fields) -> Row[str, bool] | None:
    return Row(fields.text("text"), fields.flag("label")) if fields.text("text") else None


ROWS = [{"text": "one", "label": True}, {"text": "", "label": True}, {"text": "zwölf", "label": False}]


@pytest.mark.parametrize("packed", [False, True])
def test_reads_plain_and_packed_files_and_leaves_out_what_does_not_count(write_rows: WriteRows, packed: bool) -> None:
    folder = write_rows("colours", ROWS, packed=packed)
    assert read_rows(folder, "colours", read) == [Row("one", True), Row("zwölf", False)]


def test_says_which_folder_is_missing(tmp_path: Path) -> None:
    with pytest.raises(BadData, match=r"no folder .*nowhere.*--data DIR"):
        read_rows(tmp_path / "nowhere", "colours", read)


def test_says_which_file_is_missing(tmp_path: Path) -> None:
    with pytest.raises(BadData, match=r"neither colours\.jsonl nor colours\.jsonl\.gz"):
        read_rows(tmp_path, "colours", read)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"text": "a"', "line 2: this is not JSON"),
        (b"[1, 2]", "line 2: this is not a JSON object"),
        (b'{"text": "a", "label": "yes"}', "line 2: the field 'label' should be true or false"),
        (b'{"label": true}', "line 2: the field 'text' should be a text"),
        (b'{"text": "\xff"}', "line 2: this is not UTF-8"),
        (b"[" * 100_000, "line 2: this is not JSON"),
    ],
)
def test_says_which_line_is_broken_and_how(tmp_path: Path, line: bytes, reason: str) -> None:
    (tmp_path / "colours.jsonl").write_bytes(b'{"text": "one", "label": true}\n' + line + b"\n")
    with pytest.raises(BadData, match=reason) as caught:
        read_rows(tmp_path, "colours", read)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "data", [b"no gzip", gzip.compress(b'{"text": "one", "label": true}\n' * 50)[:-12]], ids=["not packed", "cut off"]
)
def test_says_that_a_packed_file_is_broken(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "colours.jsonl.gz").write_bytes(data)
    with pytest.raises(BadData, match="cannot be read"):
        read_rows(tmp_path, "colours", read)


def test_a_file_without_a_row_that_counts_is_refused(write_rows: WriteRows) -> None:
    with pytest.raises(BadData, match="no row that counts"):
        read_rows(write_rows("colours", ROWS[1:2]), "colours", read)


def test_fields_of_other_kinds_are_checked() -> None:
    fields = Fields({"words": ["a", 1], "colour": "blue", "parts": {"x": 1}, "none": None}, "here")
    with pytest.raises(BadData, match="'words' should be a list of texts"):
        fields.texts("words")
    with pytest.raises(BadData, match="'colour' should be 'red' or 'green'"):
        fields.choice("colour", Colour)
    with pytest.raises(BadData, match="'parts' should be an object of objects"):
        fields.objects("parts")
    assert fields.objects("none") == fields.objects("missing") == {}


def test_a_sample_is_spread_evenly() -> None:
    assert sample(range(10), 3) == [0, 3, 6]
    assert sample(range(10), 10) == sample(range(10), 99) == sample(range(10), None) == list(range(10))
