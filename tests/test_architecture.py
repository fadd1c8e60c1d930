"""The tree of the code: what stands where, and what may import what. ``docs/architecture.md`` says it in words."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "architecture.md"

#: What Django or Celery look for at this place, and what everything else leans on.
LOOSE = {"__init__", "admin", "apps", "models", "tasks", "wiring", "wording"}

Graph = Mapping[str, Set[str]]


def test_nothing_lies_loose() -> None:
    assert {path.stem for path in (ROOT / "detection").glob("*.py")} == LOOSE


def test_the_page_names_every_package_once() -> None:
    named = [package for layer in layers() for package in layer]
    assert sorted(named) == sorted(package for package in graph() if not package.startswith("chatprotect_web"))


def test_imports_lead_downwards() -> None:
    height = {package: -number for number, layer in enumerate(layers()) for package in layer}
    upwards = [
        f"{package} imports {imported}"
        for package, targets in graph().items()
        for imported in targets
        if package in height and imported in height and height[imported] >= height[package]
    ]
    assert not upwards


def test_packages_form_no_circle() -> None:
    """Over all packages, and the modules of the project one by one: some start the application, others serve it."""
    assert not list(circles(graph()))


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))])
def test_paths_that_the_pages_name_exist(page: str) -> None:
    named = re.findall(r"`((?:\w[\w-]*/)+[\w*-]*(?:\.py)?)`", (ROOT / page).read_text(encoding="utf-8"))
    ours = [path for path in named if path.split("/")[0] in {"detection", "chatprotect_web", "tests", "core"}]
    bases = [ROOT, ROOT / "detection"]
    assert not [path for path in ours if not any(any(base.glob(path.rstrip("/"))) for base in bases)]


@cache
def layers() -> list[list[str]]:
    """From the page: the highest layer first."""
    block = re.search(r"```layers\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block, "docs/architecture.md has no block of layers"
    return [line.split("  ")[0].split() for line in block[1].splitlines() if line.strip()]


@cache
def graph() -> Graph:
    """What each package imports of the others."""
    found: dict[str, set[str]] = defaultdict(set)
    for module in modules():
        package = package_of(module)
        found[package] |= {package_of(imported) for imported in imports_of(module)} - {package}
    return found


def package_of(module: str) -> str:
    """The unit of the graph that a module belongs to: a package of the application or of its core."""
    top, *rest = module.split(".")
    if top == "chatprotect_web":
        return module
    return ".".join(rest[:2] if rest[:1] == ["core"] else rest[:1]) or "detection"


@cache
def modules() -> dict[str, Path]:
    found = {}
    for top in ("detection", "chatprotect_web"):
        for path in (ROOT / top).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(module: str) -> Iterator[str]:
    """The modules of ours that a module imports, at any place."""
    path = modules()[module]
    package = module if path.stem == "__init__" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules())
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            names = {f"{base}.{alias.name}" for alias in node.names} & set(modules())
            yield from names
            if base in modules() and len(names) < len(node.names):
                yield base


def circles(edges: Graph) -> Iterator[frozenset[str]]:
    """The sets of packages that reach each other."""
    reached = {package: _reached(edges, package) for package in edges}
    for package in edges:
        circle = frozenset(other for other in reached[package] if package in reached.get(other, ()))
        if circle:
            yield circle


def _reached(edges: Graph, start: str) -> set[str]:
    seen: set[str] = set()
    waiting = list(edges[start])
    while waiting:
        package = waiting.pop()
        if package not in seen:
            seen.add(package)
            waiting.extend(edges.get(package, ()))
    return seen
