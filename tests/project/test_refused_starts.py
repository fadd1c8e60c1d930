"""A start that cannot succeed says one line, and ends with status 1; what it keeps is for its owner alone."""

from __future__ import annotations

import fcntl
import os
import stat
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection

from chatprotect_web import database, embedded, refusals, secret_key

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    "error",
    [
        ImproperlyConfigured("CHATPROTECT_PORT is\n'x'."),
        DatabaseError("file is not a database"),
        PermissionError(13, "Permission denied", "/data/x"),
    ],
)
def test_one_line_and_status_1(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended, refusals.errors_in_one_line():
        raise error
    written = capsys.readouterr().err
    assert ended.value.code == 1
    assert written.startswith("ChatProtect cannot start: ")
    assert written.count("\n") == 1


def _start(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "chatprotect_web.server",
            "-b",
            "127.0.0.1",
            "-p",
            "0",
            "chatprotect_web.asgi:application",
        ],
        cwd=ROOT,
        env={**os.environ, "CHATPROTECT_DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "chatprotect_web.settings"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.cluster
@pytest.mark.parametrize("why", ["corrupt", "second", "file", "read only"])
def test_a_server_that_cannot_start_says_one_line(tmp_path: Path, why: str) -> None:
    with ExitStack() as held:
        if why == "corrupt":
            (tmp_path / "chatprotect.sqlite3").write_bytes(b"no database " * 1_000)
        elif why == "second":
            lock = held.enter_context((tmp_path / "server.lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        elif why == "read only":
            if os.geteuid() == 0:
                pytest.skip("root may write everywhere")
            tmp_path.chmod(0o500)
        folder = tmp_path
        if why == "file":
            folder = tmp_path / "file"
            folder.write_text("")
        ended = _start(folder)
    assert ended.returncode == 1
    assert ended.stderr.startswith("ChatProtect cannot start: ")
    assert ended.stderr.count("\n") == 1


def test_a_second_server_on_a_folder_is_refused(settings, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    settings.DATA_DIR = tmp_path / "data"
    with embedded._lock_data_folder(), pytest.raises(ImproperlyConfigured, match="already using"):
        embedded._lock_data_folder()


def test_a_folder_that_cannot_be_used_is_refused(settings, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "file").write_text("")
    settings.DATA_DIR = tmp_path / "file" / "data"
    with pytest.raises(ImproperlyConfigured, match="cannot be written to"):
        embedded._lock_data_folder()


def test_the_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    made, present = tmp_path / "made", tmp_path / "present"
    present.mkdir()
    present.chmod(0o755)
    secret_key.load_or_create(made / "secret_key")
    secret_key.load_or_create(present / "secret_key")
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (made, present)] == [0o700, 0o700]


@pytest.mark.django_db
def test_the_database_is_for_its_owner_alone() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("a file of SQLite")
    path = Path(connection.settings_dict["NAME"])
    path.chmod(0o644)
    database.keep_private(connection)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", [".gitignore", ".dockerignore"])
def test_settings_of_whoever_runs_it_stay_out(name: str) -> None:
    assert ".env" in (ROOT / name).read_text().splitlines()
