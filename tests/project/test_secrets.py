"""The scan for secrets of ``make lint``: it finds what is planted, and nothing in what is harmless."""

from __future__ import annotations

import base64
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

#: Put together here, so that the scan does not find this file.
PLANTED = {
    "a key of AWS": "AKIA" + "Q3ZT7XKPLM2WVB5N",
    "a token of GitHub": "ghp_" + "a8Kq2LmZ0xW9" + "cVb7Nn5Tt3Rr" + "1Yy6Uu4Ii2Oo",
    "a key of OpenAI": "sk-" + "Q" * 20 + "T3BlbkFJ" + "Z" * 20,
    "a key of Stripe": "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "a private key": "-----BEGIN " + "RSA PRIVATE KEY-----",
    "a token of JSON": ".".join(
        base64.urlsafe_b64encode(part).decode().rstrip("=")
        for part in (b'{"alg":"HS256","typ":"JWT"}', b'{"sub":"1234567890"}', bytes(range(32)))
    ),
    "a password in an address": "postgresql://ada:" + "tr0ub4dor" + "@db/name",
}


@pytest.fixture(scope="module")
def scan() -> str:
    """The command of ``make lint``, for a folder elsewhere."""
    told = subprocess.run(
        ["make", "--dry-run", "lint", f"VENV={sys.prefix}"],
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    (command,) = [line for line in told.splitlines() if "detect-secrets-hook" in line]
    return command


def finds(scan: str, folder: Path, content: str) -> bool:
    """Whether it complains about a file with this content in a repository of its own."""
    (folder / "settings.py").write_text(f'VALUE = "{content}"\n')
    for command in ("git init --quiet", "git add settings.py"):
        subprocess.run(command.split(), cwd=folder, check=True)
    done = subprocess.run(["bash", "-c", scan], cwd=folder, capture_output=True, text=True, check=False)
    assert bool(done.returncode) == ("settings.py" in done.stdout), done.stdout + done.stderr
    return bool(done.returncode)


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_secret_is_found(scan: str, tmp_path: Path, kind: str) -> None:
    assert finds(scan, tmp_path, PLANTED[kind])


def test_what_is_none_is_not(scan: str, tmp_path: Path) -> None:
    assert not finds(scan, tmp_path, "sk-secret, sk-typed, a key of your own, https://ada:password@example.org/")
