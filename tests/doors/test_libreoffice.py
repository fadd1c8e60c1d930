"""LibreOffice with its setting for a LanguageTool server, which names this server."""

from __future__ import annotations

from pathlib import Path

import httpx2

from detection.lab.benchmarks.server import Server
from tests.libreoffice import run_macro

from .conftest import Person

#: LibreOffice sends one paragraph at a time to the configured proofreader.
_MACRO = """\
Sub Work(folder As String)
  Dim locale As New com.sun.star.lang.Locale
  locale.Language = "en"
  locale.Country = "US"
  checker = createUnoService("org.openoffice.lingu.LanguageToolGrammarChecker")
  found = ""
  For Each paragraph In Array("{first}", "{second}")
    result = checker.doProofreading("text", paragraph, locale, 0, Len(paragraph), Array())
    For Each problem In result.aErrors
      found = found & Mid(paragraph, problem.nErrorStart + 1, problem.nErrorLength) & Chr(9) & problem.aFullComment
      For Each suggestion In problem.aSuggestions
        found = found & Chr(9) & suggestion
      Next
      found = found & Chr(30)
    Next
    found = found & Chr(29)
  Next
  StoreText(folder & "/found", found)
End Sub
"""
END_OF_PROBLEM, END_OF_PARAGRAPH = "\x1e", "\x1d"
_PATH = "/org.openoffice.Office.Linguistic/GrammarChecking/LanguageTool"
LATER = "The bridge was opened in 1941."
#: With a character of two UTF-16 units, which LibreOffice counts like the protocol.
WRONG = f"\N{BRIDGE AT NIGHT} The bridge was opened in 1932. {LATER}"
RIGHT = "The bridge has three arches."


def test_a_paragraph_is_marked_with_a_rewrite(server: Server, person: Person, tmp_path: Path) -> None:
    key = person.make_key("writing_tools")
    settings = {
        (_PATH, "IsEnabled"): "true",
        (_PATH, "BaseURL"): f"{server.url}/v2",
        (_PATH, "Username"): "me",
        (_PATH, "ApiKey"): key,
    }
    for text in (WRONG, RIGHT):
        # LibreOffice waits ten seconds at most; the first check loads the models.
        form = {"text": text, "language": "en-US", "username": "me", "apiKey": key}
        httpx2.post(f"{server.url}/v2/check", data=form, timeout=300).raise_for_status()
    work = tmp_path / "files"
    work.mkdir()
    run_macro(_MACRO.format(first=WRONG, second=RIGHT), tmp_path / "profile", work, settings)
    wrong, right, _end = (work / "found").read_text(encoding="utf-8").split(END_OF_PARAGRAPH)
    (problem,) = wrong.split(END_OF_PROBLEM)[:-1]
    assert problem.split("\t") == ["1941", "Contradiction inside the text", "1932"]
    assert right == ""
