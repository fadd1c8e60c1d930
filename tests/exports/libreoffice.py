"""LibreOffice itself, without a window: what it makes of a Word file when all changes are accepted or rejected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.libreoffice import run_macro

# A macro of LibreOffice Basic. It stores each document as text twice, with the comments of the first beside it.
_MACRO = """\
Sub Work(folder As String)
  index = 0
  Do While FileExists(folder & "/" & index & ".docx")
    Settle(folder & "/" & index & ".docx", ".uno:AcceptAllTrackedChanges", "accepted")
    Settle(folder & "/" & index & ".docx", ".uno:RejectAllTrackedChanges", "rejected")
    index = index + 1
  Loop
End Sub

Sub Settle(url As String, command As String, suffix As String)
  Dim loading(0) As New com.sun.star.beans.PropertyValue
  loading(0).Name = "Hidden"
  loading(0).Value = True
  document = StarDesktop.loadComponentFromURL(url, "_blank", 0, loading())
  fields = document.getTextFields().createEnumeration()
  comments = ""
  Do While fields.hasMoreElements()
    field = fields.nextElement()
    If field.supportsService("com.sun.star.text.textfield.Annotation") Then
      comments = comments & field.Content & Chr(30)
    End If
  Loop
  StoreText(url & "." & suffix & ".comments", comments)
  dispatcher = createUnoService("com.sun.star.frame.DispatchHelper")
  dispatcher.executeDispatch(document.CurrentController.Frame, command, "", 0, Array())
  paragraphs = document.Text.createEnumeration()
  text = ""
  Do While paragraphs.hasMoreElements()
    paragraph = paragraphs.nextElement()
    text = text & paragraph.ListLabelString & Chr(9) & paragraph.ParaStyleName & Chr(9) & paragraph.String & Chr(30)
  Loop
  StoreText(url & "." & suffix, text)
  document.close(True)
End Sub
"""


@dataclass(frozen=True, slots=True)
class SettledParagraph:
    """A paragraph of a file whose changes were settled."""

    label: str
    """The number or bullet that LibreOffice puts before it."""
    style: str
    text: str


@dataclass(frozen=True, slots=True)
class SettledFile:
    """What LibreOffice reads in a file: its comments, and its text when changes are accepted or rejected."""

    comments: tuple[str, ...]
    accepted: tuple[SettledParagraph, ...]
    rejected: tuple[SettledParagraph, ...]


def settle(files: Sequence[bytes], folder: Path) -> list[SettledFile]:
    """Open each Word file and settle its changes both ways. One start of LibreOffice for all of them."""
    work = folder / "files"
    work.mkdir()
    for number, content in enumerate(files):
        (work / f"{number}.docx").write_bytes(content)
    run_macro(_MACRO, folder / "profile", work)
    return [
        SettledFile(
            comments=tuple(_read(work / f"{number}.docx.accepted.comments")),
            accepted=_paragraphs(work / f"{number}.docx.accepted"),
            rejected=_paragraphs(work / f"{number}.docx.rejected"),
        )
        for number in range(len(files))
    ]


def _paragraphs(path: Path) -> tuple[SettledParagraph, ...]:
    return tuple(SettledParagraph(*record.split("\t", maxsplit=2)) for record in _read(path))


def _read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\x1e")[:-1]
