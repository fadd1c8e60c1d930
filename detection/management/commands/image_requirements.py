"""``manage.py image_requirements``: write requirements-image.txt, the packages of the image with checksums."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

#: The Python of the base image (Dockerfile), and its machines.
PYTHON = "3.12"
MACHINES = ("x86_64", "aarch64")
SYSTEMS = ("manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014")
#: The image builds the program's package with it; pip handles the others.
BUILD = "setuptools"

_HEAD = f"""\
# What the image installs, with the checksums of the files for Python {PYTHON} on {" and ".join(MACHINES)}.
# Made from pyproject.toml and constraints.txt by `manage.py image_requirements`.
"""


class Command(BaseCommand):
    help = (
        "Write requirements-image.txt: the pinned packages with their checksums, for the image. Asks the package index."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        folder = Path(settings.BASE_DIR)
        hashes: dict[tuple[str, str], set[str]] = defaultdict(set)
        for machine in MACHINES:
            for package in _packages(folder, machine):
                name = (package["metadata"]["name"], package["metadata"]["version"])
                hashes[name].add(package["download_info"]["archive_info"]["hashes"]["sha256"])
        lines = [
            f"{name}=={version}" + "".join(f" \\\n    --hash=sha256:{one}" for one in sorted(found))
            for (name, version), found in sorted(hashes.items(), key=lambda item: item[0][0].lower())
        ]
        (folder / "requirements-image.txt").write_text(_HEAD + "\n".join(lines) + "\n", encoding="utf-8")
        self.stdout.write(f"wrote requirements-image.txt: {len(lines)} packages")


def _packages(folder: Path, machine: str) -> list[dict[str, Any]]:
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    platforms = [f"--platform={system}_{machine}" for system in SYSTEMS]
    with tempfile.TemporaryDirectory() as target:
        done = subprocess.run(  # noqa: S603 - pip, with what the project itself names
            [
                *(sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", "--report=-"),
                *(f"--python-version={PYTHON}", "--only-binary=:all:", *platforms, f"--target={target}"),
                *(f"--constraint={folder / 'constraints.txt'}", *project["dependencies"], BUILD),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise CommandError(f"pip cannot find all packages:\n{done.stderr[-2000:]}")
    installed: list[dict[str, Any]] = json.loads(done.stdout)["install"]
    return installed
