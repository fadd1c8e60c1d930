"""The recipes of docs/contributing.md, followed step by step on a copy of the program.

Each step below is an edit that the page asks for, and no other file is touched. Then the copy has to work.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")

_DETECTOR = """
from typing import ClassVar

from ..ports import Requirement
from ..reports import UnitDone, UnitStarted
from ..types import Verdict


class Shouting:
    id: ClassVar[str] = "shouting.v1"
    requires: ClassVar[frozenset[Requirement]] = frozenset()
    compares_sentences: ClassVar[bool] = False

    async def detect(self, request, ports, emit):
        for index in request.pending:
            await emit(UnitStarted(self.id, index))
            await emit(UnitDone(self.id, index, Verdict.NO_PROBLEM_FOUND))

    async def problems(self, material, ports, index, wording):
        return frozenset()

    async def basis(self, material, ports, index):
        return ()
"""
_FAMILY = """
import re
from dataclasses import dataclass
from typing import ClassVar

from detection.core.rules.base import Family, Relation, Value
from detection.core.types import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Route(Value):
    family: ClassVar[Family] = Family.ROUTE

    def relation_to(self, other):
        return Relation.SAME if self.text == other.text else Relation.CONFLICT


def find(reading):
    for match in re.finditer(r"route [A-Z]+", reading.text):
        yield Route(span=Span(*match.span()), text=match.group())
"""
_READER = """
from ..types import Document


def read_log(data, limits):
    return Document(title="", text=data.decode().replace("|", " "))
"""
_LOAD = """

def _log() -> Reader:
    from .readers.log import read_log

    return lambda data, _charset, limits, _progress: read_log(data, limits)
"""
_EXPORT = """
def write(detail):
    return detail.revised_text.upper().encode()
"""
_RETRIEVER = """
from typing import ClassVar

from .retriever import RetrievedDocument


class Almanac:
    name: ClassVar[str] = "almanac"

    async def retrieve(self, query):
        yield RetrievedDocument("Almanac", "", query.claim)
"""

#: What each recipe has one write: (file, text) for a new file, (file, before, after) for a change.
STEPS: dict[str, list[tuple[str, ...]]] = {
    "Add a detector": [
        ("detection/core/detectors/shouting.py", _DETECTOR),
        ("detection/core/detectors/__init__.py", "EvidenceSearch())", "EvidenceSearch(), Shouting())"),
        ("detection/core/detectors/__init__.py", "\nDETECTORS:", "\nfrom .shouting import Shouting\n\nDETECTORS:"),
        ("detection/wording.py", '    "evidence.v1": ', '    "shouting.v1": "volume",\n    "evidence.v1": '),
    ],
    "Add a value family": [
        ("detection/core/rules/base.py", '    NAME = "name"\n', '    NAME = "name"\n    ROUTE = "route"\n'),
        ("detection/core/rules/routes.py", _FAMILY),
        ("detection/core/rules/__init__.py", "    names.find,\n", "    routes.find,\n    names.find,\n"),
        ("detection/core/rules/__init__.py", "    quantities,\n", "    quantities,\n    routes,\n"),
    ],
    "Add a source type": [
        ("detection/core/documents/formats.py", '    WORD = "Word"\n', '    WORD = "Word"\n    LOG = "log"\n'),
        (
            "detection/core/documents/formats.py",
            "\nFORMAT_OF:",
            '\nFORMATS += (DocumentFormat(DocumentKind.LOG, "logs", (".log",), ("text/x-log",), _log),)\nFORMAT_OF:',
        ),
        ("detection/core/documents/formats.py", "\n\n_WORD_MEDIA_TYPE", _LOAD + "\n\n_WORD_MEDIA_TYPE"),
        ("detection/core/documents/readers/log.py", _READER),
        (
            "detection/core/documents/kinds.py",
            '    if data.startswith((b"PK',
            '    if data.startswith(b"LOG|"):\n        return DocumentKind.LOG\n    if data.startswith((b"PK',
        ),
    ],
    "Add an export": [
        ("detection/exports/loud.py", _EXPORT),
        ("detection/exports/__init__.py", "from . import html, json,", "from . import html, json, loud,"),
        (
            "detection/exports/__init__.py",
            "_IN_ORDER = (\n",
            '_IN_ORDER = (\n    ExportFormat("loud", "Loud", "capitals", ".txt", "text/plain", loud.write),\n',
        ),
    ],
    "Add a retriever": [
        ("detection/core/retrieval/almanac.py", _RETRIEVER),
        (
            "detection/core/retrieval/registry.py",
            "RETRIEVERS: dict[str, Registered] = {\n",
            "from .almanac import Almanac\n\nRETRIEVERS: dict[str, Registered] = {\n"
            "    Almanac.name: Registered(lambda tools: Almanac(), is_remote=False),\n",
        ),
        ("detection/wording.py", '    "library": _(', '    "almanac": _("in the almanac"),\n    "library": _('),
    ],
    "Add a setting": [
        (
            "chatprotect_web/settings.py",
            "\n#: The variables of the environment",
            '\nTEA = env.get_text("TEA")\n#: The variables of the environment',
        ),
        (
            "chatprotect_web/settings_page.py",
            '        "DEBUG": ',
            '        "TEA": Explanation("the kind of tea"),\n        "DEBUG": ',
        ),
    ],
}

_CHECKS = """
import asyncio, os
import django
os.environ["DJANGO_SETTINGS_MODULE"] = "chatprotect_web.settings"
django.setup()
from types import SimpleNamespace
from django.conf import settings

from chatprotect_web import settings_page
page = settings_page.render(settings.VARIABLES)
assert "| `CHATPROTECT_TEA` |  | text | the kind of tea |" in page

from detection import wiring, wording
from detection.core.control import never
from detection.core.detectors import DETECTORS
from detection.core.local_models.process import InProcessModels
from detection.core.ports import Ports
from detection.core.run import pipeline
from detection.core.run.collector import Collector
collector = Collector()
request = pipeline.CheckRequest("The mill was built in 1894. It has nine rooms.", (), detectors=("shouting.v1",))
models = InProcessModels(wiring.model_settings())
asyncio.run(pipeline.run(request, Ports(models), collector.report, cancelled=never))
results = [result for units in collector.results.values() for result in units.values()]
assert [(type(result).__name__, result.detector) for result in results] == [("UnitDone", "shouting.v1")] * 2
assert wording.DETECTOR_LABELS["shouting.v1"] == "volume"

from detection.core.rules import Relation, compare, extract
(first,), (second,) = extract("it follows route B"), extract("it follows route C")
assert first.family == "route" and compare(first, second) is Relation.CONFLICT

from detection.core.documents import read_document
from detection.core.documents import formats
from detection.core.documents.types import DocumentLimits
from detection.web.forms.sources import ACCEPTED_FILES
from detection.core.retrieval.media_types import declared_media_type
document = read_document(b"LOG|ready", name="a.log", media_type="", limits=DocumentLimits(),
                         progress=lambda done, total: None, stop=lambda: False)
assert document.text == "LOG ready"
assert ".log" in ACCEPTED_FILES and "logs" in formats.READABLE
assert declared_media_type("", "/a.log") == "text/x-log"

from detection.exports import FORMATS
assert FORMATS["loud"].write(SimpleNamespace(revised_text="quiet")) == b"QUIET"

from detection.core.retrieval.registry import RETRIEVERS
from detection.core.retrieval.retriever import Query
async def first_found():
    async for found in RETRIEVERS["almanac"].make(None).retrieve(Query("It rained.")):
        return found
assert asyncio.run(first_found()).text == "It rained."
assert wording.retriever_label("almanac") == "in the almanac"
"""


def headings() -> list[str]:
    return re.findall(r"^## (Add .+)$", PAGE, re.MULTILINE)


def test_every_recipe_is_followed() -> None:
    assert headings() == list(STEPS)


@pytest.mark.parametrize("recipe", STEPS)
def test_the_page_names_every_file_that_a_recipe_touches(recipe: str) -> None:
    section = PAGE.split(f"## {recipe}\n")[1].split("\n## ")[0]
    for path in {step[0] for step in STEPS[recipe]}:
        folder = path.rpartition("/")[0] + "/"
        assert f"`{path}`" in section or f"`{folder}`" in section, path


def test_the_recipes_lead_to_a_program_that_works(tmp_path: Path) -> None:
    for package in ("chatprotect_web", "detection"):
        ignored = shutil.ignore_patterns("__pycache__", "data", "lab")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    for folder in ("detection/data", "templates", "static"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    for step in (step for steps in STEPS.values() for step in steps):
        file = tmp_path / step[0]
        if len(step) == 2:
            assert not file.exists()
            file.write_text(step[1], encoding="utf-8")
            continue
        before = file.read_text(encoding="utf-8")
        assert before.count(step[1]) == 1, step
        file.write_text(before.replace(step[1], step[2]), encoding="utf-8")
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("CHATPROTECT_", "DJANGO_"))
    }
    environment["PYTHONPATH"] = str(tmp_path)
    environment["CHATPROTECT_DATA_DIR"] = str(tmp_path / "var")
    ran = subprocess.run(
        [sys.executable, "-c", _CHECKS], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
