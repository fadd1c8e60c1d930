from __future__ import annotations

import pytest

from detection.core.plain_text import NotText, decode, find_unprintable, normalise_line_ends, remove_unprintable


def test_ordinary_text_has_nothing_unprintable() -> None:
    assert find_unprintable("Tabs\t, line\nends, “quotes”, 👩‍🔬, עברית, \u200b and \u00a0 are fine.") is None


def test_control_characters_are_counted_and_located() -> None:
    found = find_unprintable("one\ntwo\x07three\x00")
    assert found is not None
    assert str(found) == "2 characters that cannot be shown (the first, U+0007, in line 2)"
    assert remove_unprintable("one\ntwo\x07three\x00") == "one\ntwothree"


def test_line_ends_become_one_character() -> None:
    assert normalise_line_ends("a\r\nb\rc\nd") == "a\nb\nc\nd"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_files_are_read_by_their_byte_order_mark_or_as_utf_8(encoding: str) -> None:
    assert decode("Malmö – 1911\r\n".encode(encoding), name="a.txt") == "Malmö – 1911\n"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("Malmö".encode("latin-1"), id="another encoding"),
        pytest.param(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", id="PDF"),
        pytest.param(b"PK\x03\x04\x14\x00\x06\x00", id="zip"),
        pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00", id="PNG"),
    ],
)
def test_a_file_that_is_not_text_is_refused_by_name(data: bytes) -> None:
    with pytest.raises(NotText, match="report"):
        decode(data, name="report")
