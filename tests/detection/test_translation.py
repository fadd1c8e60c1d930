"""Every page with a catalogue that marks translated texts: unmarked texts are not translatable."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import docx
import pytest
from django.conf import settings as django_settings
from django.template.loader import get_template
from django.test import Client
from django.utils.translation import override
from pytest_django.fixtures import Settings

from detection import services
from detection.core.messages import MessageCode
from detection.core.reasons import Reason
from detection.core.types import Engine, FindingKind
from detection.models import Check, Finding, Suggestion, Unit
from detection.web.live import fragments
from detection.web.owners import SESSION_KEY
from tests.factories import OWNER, checked, finding, segment, with_merge
from tests.fakes.model_server import ModelServer

from .test_active_generation import Model, create, run
from .test_evidence import searched

pytestmark = pytest.mark.django_db

TEXTS = (
    "Sorrel lies on the northern shore of Lake Ferrin.",
    "It has 1,200 inhabitants and was founded in 1894.",
    "Sorrel lies on the southern shore of the lake.",
)
#: Names, which are the same in every language.
UNTRANSLATED = frozenset(
    {
        "ChatProtect",
        "txt",
        "md",
        "docx",
        "html",
        "json",
        "https",
        "English",
        "Esperanto",
        "model",
        "Markdown",
        "Word",
        "JSON",
        "Ctrl",
        "Shift",
        "en",
        "wikipedia",
        "example",
        "org",
    }
)
#: Elements with content of a user, a source or the engine, or with a key.
FOREIGN = {"title", "script", "style", "svg", "kbd", "code", "textarea", "bdi", "q", "time"}
VOID = {"input", "meta", "link", "br", "img", "hr", "use", "path", "circle", "rect"}
ATTRIBUTES = ("title", "aria-label", "aria-description", "placeholder", "alt")
WORD = re.compile(r"[^\W\d_]{2,}")


class Unmarked(HTMLParser):
    """Collects the words of a page outside brackets."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._foreign = 0
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        if not self._foreign:
            for name in ATTRIBUTES:
                self._look_at(values.get(name) or "")
        if tag in VOID:
            return
        is_foreign = tag in FOREIGN or values.get("dir") == "auto"
        self._open.append((tag, is_foreign))
        self._foreign += is_foreign

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        return

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            name, is_foreign = self._open.pop()
            self._foreign -= is_foreign
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        if not self._foreign:
            self._look_at(data)

    def _look_at(self, text: str) -> None:
        before = None
        while before != text:
            before, text = text, re.sub(r"⟦[^⟦⟧]*⟧", "", text)
        if any(word not in UNTRANSLATED for word in WORD.findall(text)):
            self.found.append(text.strip())


def unmarked(html: str) -> list[str]:
    parser = Unmarked()
    parser.feed(html)
    return parser.found


@pytest.fixture
def reader(marking: str) -> Client:
    """A browser that requests the marking language."""
    client = Client(headers={"accept-language": marking})
    session = client.session
    session[SESSION_KEY] = OWNER
    session.save()
    return client


@pytest.fixture
def check() -> Check:
    """A check with a warning in every state."""
    _, sentences = segment(*TEXTS)
    pair = finding(sentences, 2, "southern", "Sorrel lies on the northern shore.", "", opposite=(0, "northern"))
    found = [
        with_merge(pair, sentences, 0, "Sorrel lies on the northern shore of Lake Ferrin, a lake."),
        finding(sentences, 1, "1894", TEXTS[1].replace("1894", "1849"), kind=FindingKind.CONFLICTS_WITH_SOURCE),
        finding(sentences, 1, "1,200", TEXTS[1].replace("1,200", "2,100"), kind=FindingKind.NOT_IN_SOURCE),
        finding(sentences, 0, "Lake", "", kind=FindingKind.NOT_IN_SOURCE),
        finding(sentences, 0, "shore", TEXTS[0].replace("shore", "bank"), kind=FindingKind.REFUTED_BY_EVIDENCE),
    ]
    made = checked(TEXTS, found)
    of = {made.text[f.start : f.end]: f for f in Finding.objects.filter(parent_check=made)}
    services.suggestion_accept(check=made, suggestion_id=of["1894"].suggestions.get().pk)
    services.finding_reject(check=made, finding_id=of["1,200"].pk)
    services.finding_dismiss(check=made, finding_id=of["Lake"].pk)
    services.decision_undo(check=made)
    labels = {"Remove it": "remove_sentence 1", "Use this": "use_source", "Merge": "merge_sentences 1 3"}
    for label, of_the_engine in labels.items():
        Suggestion.objects.filter(label=label).update(label=of_the_engine)
    return made


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/?example=summary",
        "/checks/",
        "/checks/?words=nowhere",
        "/sources/",
        "/settings/",
        "/help/",
        "/data/delete/",
        "/accounts/login/",
        "/nowhere/",
    ],
)
def test_pages(reader: Client, path: str, settings: Settings) -> None:
    settings.LLM_BASE_URL, settings.GENERATOR_MODEL = "http://127.0.0.1:1/v1", "a-model"
    assert unmarked(reader.get(path).content.decode()) == []


def test_lists_that_have_something_in_them(reader: Client, check: Check) -> None:
    services.source_add_text(owner=OWNER, text="Something to compare with.")
    for path in ("/checks/", "/sources/", "/"):
        assert unmarked(reader.get(path).content.decode()) == []


@pytest.mark.parametrize("part", ["", "accept-all/", "decisions/", "again/", "sentences/1/"])
def test_the_review(reader: Client, check: Check, part: str) -> None:
    assert unmarked(reader.get(f"/checks/{check.pk}/{part}").content.decode()) == []


def test_what_a_finding_says_is_in_the_language_of_the_reader(reader: Client) -> None:
    _, sentences = segment(*TEXTS)
    message = MessageCode.SOURCE_SAYS.of(theirs="1849", own="1894")
    check = checked(TEXTS, [replace(finding(sentences, 1, "1894", ""), message=message)])
    assert check.findings.get().message == message.stored
    marked = "⟦The source says “1849”, this sentence says “1894”.⟧"
    for path in ("", "exports/html/", "exports/markdown/"):
        assert marked in reader.get(f"/checks/{check.pk}/{path}").content.decode()


def test_why_something_was_not_done_is_in_the_language_of_the_reader(reader: Client, check: Check) -> None:
    check.units.update(state=Unit.State.FAILED, reason=Reason.OUT_OF_TIME.of())
    assert "⟦not reached within the time limit" in reader.get(f"/checks/{check.pk}/").content.decode()


@pytest.mark.parametrize("state", Check.State.values)
def test_the_review_in_every_state(reader: Client, state: str) -> None:
    check = services.check_create(owner=OWNER, text=TEXTS[0], engine=Engine.LLM)
    Check.objects.filter(pk=check.pk).update(state=state)
    assert unmarked(reader.get(f"/checks/{check.pk}/").content.decode()) == []


def test_what_others_may_read_and_take_away(reader: Client, check: Check) -> None:
    services.share_create(check=check)
    html = reader.get(f"/shared/{check.share_link.token}/").content.decode()
    assert unmarked(html) == []


@pytest.mark.parametrize("part", ["", "sentences/0/", "sentences/1/", "sentences/2/", "exports/html/"])
def test_what_was_looked_up(reader: Client, part: str) -> None:
    check = searched()
    Suggestion.objects.update(label="use_document")
    assert unmarked(reader.get(f"/checks/{check.pk}/{part}").content.decode()) == []


def test_a_text_that_was_checked_while_it_was_written(reader: Client, settings: Settings) -> None:
    with ModelServer(Model()).running() as running:
        settings.LLM_BASE_URL, settings.LLM_API_KEY = running.base_url, "sk-secret"
        settings.GENERATOR_MODEL, settings.ANALYZER_MODEL = "generator", "analyzer"
        check = run(create())
    for path in (f"/checks/{check.pk}/", f"/checks/{check.pk}/exports/html/"):
        assert unmarked(reader.get(path).content.decode()) == []


def test_what_comes_to_an_open_page(marking: str, check: Check) -> None:
    with override(marking):
        assert unmarked(fragments.since(check.pk, 0).html) == []


def test_the_report_that_is_taken_away(reader: Client, check: Check) -> None:
    assert unmarked(reader.get(f"/checks/{check.pk}/exports/html/").content.decode()) == []


@pytest.mark.parametrize("format_id", ["markdown", "word"])
def test_what_is_taken_away_says_in_the_language_of_the_reader_all_that_is_not_of_the_text(
    reader: Client, marking: str, check: Check, format_id: str
) -> None:
    """Only the text and the engine's messages about it are the same in another language."""
    path = f"/checks/{check.pk}/exports/{format_id}/"
    here, elsewhere = (_lines(reader.get(path, headers={"accept-language": code})) for code in ("en", marking))
    of_the_engine = {words for f in check.findings.all() for words in (f.message, f.explanation)}
    assert len(here - elsewhere) >= 10
    assert not [line for line in here & elsewhere if line not in of_the_engine and not _is_of_the_text(line)]


def _lines(response: Any) -> set[str]:
    """The lines of a Markdown or Word file, with comments and footer."""
    if "markdown" in response["content-type"]:
        return {
            line.replace("\\", "").strip("#>-* ") for line in response.content.decode().splitlines() if line.strip("- ")
        }
    file = docx.Document(io.BytesIO(response.content))
    paragraphs = [*file.paragraphs, *file.sections[0].footer.paragraphs]
    paragraphs += [paragraph for comment in file.comments for paragraph in comment.paragraphs]
    return {paragraph.text for paragraph in paragraphs if paragraph.text}


def _is_of_the_text(line: str) -> bool:
    words = set(WORD.findall(line))
    return words <= set(WORD.findall(" ".join(TEXTS)))


def test_a_refusal_is_in_the_language_of_the_reader(reader: Client, check: Check) -> None:
    answer = reader.post(f"/checks/{check.pk}/redo/", {"decision": "0"}, headers={"hx-request": "true"})
    assert answer.status_code == 409
    assert unmarked(answer.content.decode()) == []


def test_words_of_the_scripts_go_through_the_catalogue() -> None:
    """Scripts show only texts from gettext calls, which makemessages finds."""
    calls = r"(?:textContent\s*=|say\(|announce\(|refuse\([^,]*,|showNotice\()"
    shown = re.compile(calls + r"""\s*(["`][^"`]*[A-Za-z]{3})""")
    for script in (Path(django_settings.BASE_DIR) / "static" / "js").glob("*.js"):
        source = script.read_text()
        assert [found for found in shown.findall(source) if "${" not in found] == [], script.name
        for call in re.findall(r"gettext\(([^)]{3})", source):
            assert call.lstrip()[0] in "\"'s", f"{script.name}: only literal texts are found by makemessages"


def test_a_page_in_another_language_gets_the_words_of_its_scripts(reader: Client) -> None:
    assert b'src="/words.js"' in reader.get("/").content
    assert b"words.js" not in Client().get("/").content
    assert b"gettext" in reader.get("/words.js").content


def test_the_lists_of_words_are_made_when_they_are_shown() -> None:
    """Modules are loaded only once, in any language."""
    from detection import wording

    with override(None):
        assert str(wording.DECIDED) == "decided by you"


def test_every_template_can_be_read() -> None:
    """Some are used only after searches or failures."""
    folder = Path(django_settings.BASE_DIR) / "templates"
    for path in folder.rglob("*.html"):
        get_template(str(path.relative_to(folder)))
