"""The engine has no Django imports: a script, a notebook or another framework can use it."""

from __future__ import annotations

import subprocess
import sys

import pytest

EVERY_MODULE = """
import importlib, pkgutil, sys
import detection.core
for module in pkgutil.walk_packages(detection.core.__path__, "detection.core."):
    importlib.import_module(module.name)
print(" ".join(sorted(name for name in sys.modules if "." not in name)))
"""


@pytest.mark.parametrize("forbidden", ["django", "channels", "celery", "asgiref", "redis", "kombu"])
def test_the_core_imports_no_web_framework(forbidden: str, modules_of_core: set[str]) -> None:
    assert "numpy" in modules_of_core
    assert forbidden not in modules_of_core


def test_a_server_that_leaves_the_models_to_a_child_does_not_load_their_libraries() -> None:
    loaded = _run("import detection.core.run.pipeline, detection.core.local_models.process, sys; print(*sys.modules)")
    assert {"spacy", "onnxruntime", "tokenizers"}.isdisjoint(loaded)


@pytest.fixture(scope="module")
def modules_of_core() -> set[str]:
    return _run(EVERY_MODULE)


def _run(code: str) -> set[str]:
    completed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(completed.stdout.split())
