"""The packages that are installed: each direct one is explained, and each one's licence is one that fits."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from django.conf import settings
from packaging.requirements import Requirement

ROOT = Path(settings.BASE_DIR)

#: What may be used and shipped beside code under Apache-2.0, as packages call it.
PERMISSIVE = (
    r"MIT|MIT-0|MIT-CMU|0BSD|BSD|BSD-[234]-Clause|[234]-Clause BSD|ISC|Apache|Apache-2\.0|Apache Software|Zlib|"
    r"CC0-1\.0|PSF-2\.0|Python Software Foundation|CNRI-Python|HPND|ZPL-2\.1|Unlicense|TCL"
)
#: Terms of their own, and why they are met: each is used as it is, by its interface, and may be exchanged.
LOOKED_AT = {
    "certifi": "MPL-2.0: a list of certificates, not changed",
    "pathspec": "MPL-2.0: comes with mypy, for tests only",
    "hypothesis": "MPL-2.0: for tests only",
    "tqdm": "MPL-2.0 AND MIT: comes with spaCy, not changed",
    "tld": "MPL-1.1 OR GPL-2.0-only OR LGPL-2.1-or-later: comes with courlan, taken under the MPL, not changed",
    "psycopg": "LGPL-3.0-only: linked and not changed",
    "psycopg-binary": "LGPL-3.0-only: linked and not changed",
    "psycopg-pool": "LGPL-3.0-only: linked and not changed",
    "fpdf2": "LGPL-3.0-only: for tests only",
    "djlint": "GPL-3.0-or-later: a program for tests, no part of what ships",
    "language-tool-python": "GPL-3.0-only: a client for tests, no part of what ships",
    "axe-playwright-python": "MIT by its licence file, with axe-core under MPL-2.0: for tests only",
}
TESTS_ONLY = {"djlint", "fpdf2", "language-tool-python", "hypothesis", "pathspec", "axe-playwright-python"}


def _project() -> dict[str, list[str]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return {"": project["dependencies"], **project["optional-dependencies"]}


def _names(requirements: list[str]) -> set[str]:
    return {_normalised(Requirement(line).name) for line in requirements}


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _with_all_they_need(names: set[str]) -> set[str]:
    """The packages, and those that they need on this machine, directly or not."""
    found: set[str] = set()
    waiting = [Requirement(name) for name in names]
    while waiting:
        wanted = waiting.pop()
        name = _normalised(wanted.name)
        key = f"{name}[{','.join(sorted(wanted.extras))}]"
        if key in found:
            continue
        found.add(key)
        for line in distribution(name).requires or ():
            needed = Requirement(line)
            extras = wanted.extras or {""}
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append(needed)
    return {key.partition("[")[0] for key in found}


def _direct(group: str) -> set[str]:
    return {line.partition(">")[0].partition("=")[0].partition("<")[0] for line in _project()[group]}


PACKAGES = sorted(_with_all_they_need(_direct("")) | _with_all_they_need(_direct("test")))


def licence_of(package: Distribution) -> str:
    """What the package says of itself, in the newest way in which it says it."""
    about = package.metadata
    classifiers = [
        line.split(" :: ")[-1] for line in about.get_all("Classifier") or () if line.startswith("License ::")
    ]
    return about.get("License-Expression") or " AND ".join(classifiers) or (about.get("License") or "").split("\n")[0]


def is_permissive(licence: str) -> bool:
    parts = re.split(r"\s+(?:AND|OR)\s+", licence.replace(" (ISCL)", ""))
    return all(re.fullmatch(rf"(?:{PERMISSIVE})(?: License)?", part.strip("() ")) for part in parts)


@pytest.mark.parametrize("name", PACKAGES)
def test_the_licence_of_every_package_fits(name: str) -> None:
    licence = licence_of(distribution(name))
    if name not in LOOKED_AT:
        assert is_permissive(licence), f"{name}: {licence or 'says nothing'}"


def test_what_was_looked_at_is_still_used_and_still_says_so() -> None:
    assert set(LOOKED_AT) <= set(PACKAGES)
    ours = _with_all_they_need(_direct(""))
    assert not TESTS_ONLY & ours
    for name, why in LOOKED_AT.items():
        licence = licence_of(distribution(name))
        said = re.search(r"[LM]?[GP][PL]L?-\d", licence) or re.search(r"\((MPL [\d.]+)\)", licence)
        assert not licence or said, f"{name} is under {licence} now"
        assert why


@pytest.mark.parametrize("licence", ["GPL-3.0-only", "AGPL-3.0", "MIT AND GPL-2.0-only", "Proprietary", "", "BSDX"])
def test_other_licences_are_not_taken_for_fitting_ones(licence: str) -> None:
    assert not is_permissive(licence)


def _explained() -> dict[str, list[str]]:
    """What the page says of each package, by its name."""
    lines = (ROOT / "docs" / "dependencies.md").read_text().splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return {
        _normalised(name.split()[0]): cells
        for first, *cells in rows
        if first not in ("library", "---")
        for name in first.split(", ")
    }


def test_every_direct_dependency_is_explained_with_who_keeps_it_and_nothing_else_is() -> None:
    explained = _explained()
    assert _names(_project()[""]) | _names(_project()["test"]) <= set(explained) <= set(PACKAGES)
    for name in _names(_project()[""]):
        what, why, keeper = explained[name]
        assert all((what, why, keeper)), name
    assert all(all(cells) for cells in explained.values())


def test_the_image_installs_what_is_pinned_by_checksum() -> None:
    """``manage.py image_requirements`` after a change of constraints.txt."""
    lines = (ROOT / "requirements-image.txt").read_text().replace("\\\n", "").splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    assert all(len(row) > 1 and re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", row[1]) for row in rows)
    of_image = {_normalised(row[0].partition("==")[0]): row[0].partition("==")[2] for row in rows}
    needed = _with_all_they_need(_direct(""))
    assert needed <= set(of_image)
    assert {name: distribution(name).version for name in needed - {"setuptools"}} == {
        name: of_image[name] for name in needed - {"setuptools"}
    }
    assert "--require-hashes" in (ROOT / "Dockerfile").read_text()


def test_every_package_is_pinned() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if line and not line.startswith("#")]
    pinned = {_normalised(line.partition("==")[0]): line.partition("==")[2] for line in lines}
    packages = set(PACKAGES) - {"setuptools"}  # that of the environment, as pip is
    assert packages - set(pinned) == set()
    assert {name: distribution(name).version for name in packages} == {name: pinned[name] for name in packages}
