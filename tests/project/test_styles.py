"""Style sheets and templates: one file per component, one naming scheme, lines that can be read."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
STYLES = ROOT / "static" / "css"
TEMPLATES = ROOT / "templates"

#: block, block__element, block--variant, is-state, verdict-value; words joined by hyphens, values as they are stored.
NAME = re.compile(
    r"(?:is|verdict)-[a-z_-]+|[a-z0-9]+(?:-[a-z0-9]+)*(?:__[a-z0-9]+(?:-[a-z0-9]+)*)?(?:--[a-z0-9_]+(?:-[a-z0-9_]+)*)?"
)


def test_every_style_sheet_is_on_the_page_once() -> None:
    base = (TEMPLATES / "base.html").read_text(encoding="utf-8")
    linked = re.findall(r"{% static 'css/([\w/-]+\.css)' %}", base)
    assert len(linked) == len(set(linked))
    files = {path.relative_to(STYLES).as_posix() for path in STYLES.rglob("*.css")}
    assert set(linked) == files - {"report.css"}  # a report needs nothing from elsewhere: its style is inside


def test_class_names_follow_one_scheme() -> None:
    classes = {name for path in STYLES.rglob("*.css") for name in class_names(path.read_text(encoding="utf-8"))}
    assert len(classes) > 200
    assert not sorted(name for name in classes if not NAME.fullmatch(name))


def test_a_component_is_styled_in_one_file() -> None:
    assert not [path.name for path in STYLES.rglob("*.css") if path.read_text(encoding="utf-8").count("\n") > 340]


def test_lines_of_templates_are_short() -> None:
    pages = {path.relative_to(TEMPLATES): path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.html")}
    assert not [path for path, html in pages.items() if any(len(line) > 160 for line in html.splitlines())]


def class_names(style: str) -> list[str]:
    rules = re.sub(r"/\*.*?\*/|\"[^\"]*\"|url\([^)]*\)", "", style, flags=re.DOTALL)
    selectors = re.sub(r"{[^{}]*}", "{}", rules)
    return re.findall(r"\.([a-zA-Z_][\w-]*)", selectors)
