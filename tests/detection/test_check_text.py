"""``manage.py check_text`` with all kinds of sources."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.core.documents.files import pdf, word

FACT = "The harbour of Karsholm was founded in 1912 by Ada Lind."


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "answer.txt"
    path.write_text("The harbour of Karsholm was founded in 1911 by Ada Lind.")
    return path


def _evidence(text: Path, source: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    call_command("check_text", str(text), source=[str(source)], json="-")
    (sentence,) = json.loads(capsys.readouterr().out)["sentences"]
    assert sentence["verdict"] == "conflicts_with_source"
    evidence: dict[str, Any] = sentence["findings"][0]["evidence"][0]
    assert evidence["quote"] == FACT
    return evidence


@pytest.mark.parametrize(
    ("name", "data", "page", "heading"),
    [
        ("a.txt", FACT.encode(), None, None),
        ("a.pdf", pdf(["Preface.", f"History\n{FACT}"], headings=["History"]), "2", "History"),
        (
            "a.docx",
            word(lambda document: (document.add_heading("History"), document.add_paragraph(FACT))),
            None,
            "History",
        ),
    ],
)
def test_evidence_says_on_which_page_and_under_which_heading_it_stands(
    name: str, data: bytes, page: str | None, heading: str | None, *, text: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = text.with_name(name)
    source.write_bytes(data)
    evidence = _evidence(text, source, capsys)
    assert (evidence["source"], evidence["page"], evidence["heading"]) == (str(source), page, heading)


def test_people_read_the_place_too(text: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = text.with_name("report.pdf")
    source.write_bytes(pdf(["Preface.", FACT]))
    call_command("check_text", str(text), source=[str(source)])
    assert f"{source}, page 2: “{FACT}”" in capsys.readouterr().out


def test_a_source_that_cannot_be_read_is_bad_input(text: Path) -> None:
    source = text.with_name("picture.pdf")
    source.write_bytes(b"\x89PNG\r\n\x1a\n\x00")
    with pytest.raises(CommandError, match=r"picture\.pdf cannot be read\. It is a picture") as raised:
        call_command("check_text", str(text), source=[str(source)])
    assert raised.value.returncode == 2


def test_nothing_found_is_not_called_true_and_what_was_not_done_is_said(
    text: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("check_text", str(text))
    compared = capsys.readouterr().out
    assert "That does not mean that all of it is true. The sentences were compared with each other" in compared
    source = text.with_name("same.txt")
    source.write_text(text.read_text())
    call_command("check_text", str(text), source=[str(source)])
    with_source = capsys.readouterr().out
    assert "That does not mean that all of it is true." in with_source
    assert "compared with each other" not in with_source
