"""LibreOffice itself, without a window: it runs a macro of LibreOffice Basic in a profile of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

_MODULE = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Main" script:language="StarBasic">
{code}</script:module>
"""
_LIBRARY = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE library:library PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "library.dtd">
<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false">
 <library:element library:name="Main"/>
</library:library>
"""
#: What macros share: the end, and a file of text.
_COMMON = """\
Sub Main
  On Error GoTo Failed
  Work(Environ("FOLDER"))
  StarDesktop.terminate()
  Exit Sub
Failed:
  StoreText(Environ("FOLDER") & "/error", "line " & Erl & ": " & Error$)
  StarDesktop.terminate()
End Sub

Sub StoreText(url As String, text As String)
  files = createUnoService("com.sun.star.ucb.SimpleFileAccess")
  If files.exists(url) Then files.kill(url)
  stream = createUnoService("com.sun.star.io.TextOutputStream")
  stream.setOutputStream(files.openFileWrite(url))
  stream.setEncoding("UTF-8")
  stream.writeString(text)
  stream.closeOutput()
End Sub

"""
_SETTING = '<item oor:path="{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'

#: Values of LibreOffice's own configuration, by the path of their group and their name.
Settings = Mapping[tuple[str, str], str]


def run_macro(code: str, profile: Path, folder: Path, settings: Settings | None = None) -> None:
    """Run ``Sub Work(folder)`` of the code; it may store text in the folder with ``StoreText(url, text)``."""
    executable = shutil.which("soffice")
    if executable is None:
        message = "LibreOffice is missing: install it (Debian: apt install --no-install-recommends libreoffice-writer)."
        if os.environ.get("REQUIRE_LIBREOFFICE"):
            pytest.fail(message)
        pytest.skip(message)
    start = [executable, "--headless", "--norestore", "--nologo", f"-env:UserInstallation={profile.as_uri()}"]
    # A new profile is filled with LibreOffice's own macros, over any that were there.
    subprocess.run([*start, "--terminate_after_init"], check=True, timeout=120)
    library = profile / "user" / "basic" / "Standard"
    (library / "Main.xba").write_text(_MODULE.format(code=escape(_COMMON + code)))
    (library / "script.xlb").write_text(_LIBRARY)
    _set(profile / "user" / "registrymodifications.xcu", settings or {})
    environment = os.environ | {"FOLDER": folder.as_uri()}
    subprocess.run([*start, "macro:///Standard.Main.Main"], env=environment, check=True, timeout=300)
    problem = folder / "error"
    assert not problem.exists(), problem.read_text()


def _set(file: Path, settings: Settings) -> None:
    items = [_SETTING.format(path=path, name=name, value=escape(value)) for (path, name), value in settings.items()]
    known = file.read_text(encoding="utf-8")
    file.write_text(known.replace("</oor:items>", "".join(items) + "</oor:items>"), encoding="utf-8")
