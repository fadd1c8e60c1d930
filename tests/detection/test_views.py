"""Pages and actions through the real request cycle: forms, refusals and permissions."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from detection import services
from detection.core import reports
from detection.exports import FORMATS
from detection.models import Check
from detection.selectors.detail import CheckDetail
from detection.services.runs import RunWriter
from detection.web.owners import SESSION_KEY
from tests.core.documents.files import pdf, word
from tests.factories import DETECTOR, OWNER, YEAR_ALONE, checked, decided_by_source, finding, segment, start_run

pytestmark = pytest.mark.django_db

TEXTS = ("It was founded in 1894.", "It has two gates.")
TEXT, SENTENCES = segment(*TEXTS)
YEAR = finding(SENTENCES, 0, "1894", TEXTS[0].replace("1894", "1849"))
HTMX = {"HX-Request": "true"}


@pytest.fixture
def check() -> Check:
    return checked(TEXTS, [YEAR])


# --- Making a check ---------------------------------------------------------------------------------------------


def test_a_text_is_stored_as_it_was_sent(client: Client) -> None:
    text = "  Ada “Lind” 👩‍🔬 was born.\r\n\r\nשלום עולם.\n"
    response = client.post("/checks/new/", {"text": text, "source": "", "topic": "  Ada\tLind "})
    check = Check.objects.get()
    assert response.headers["Location"] == f"/checks/{check.pk}/"
    assert check.text == text.replace("\r\n", "\n")
    assert check.topic == "Ada Lind"
    assert not check.sources.exists()


def test_a_source_is_stored_beside_it(client: Client) -> None:
    client.post("/checks/new/", {"text": "One.", "source": "Two."})
    assert [use.source.text for use in Check.objects.get().sources.all() if use.source] == ["Two."]


DOCUMENTS = {
    "word": ("mill.docx", word(lambda document: document.add_paragraph("The mill was built in 1894."))),
    "pdf": ("mill.pdf", pdf(["The mill was built in 1894."])),
    "html": ("mill.html", b"<html><body><p>The mill was built in 1894.</p></body></html>"),
    "text": ("mill.txt", b"The mill was built in 1894."),
}


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_text_can_be_a_file(client: Client, kind: str) -> None:
    name, data = DOCUMENTS[kind]
    response = client.post("/checks/new/", {"text": "", "text_file": SimpleUploadedFile(name, data)})
    check = Check.objects.get()
    assert response.headers["Location"] == f"/checks/{check.pk}/"
    assert check.text.strip() == "The mill was built in 1894."
    read = client.post("/text/read/", {"text_file": SimpleUploadedFile(name, data)})
    assert read.content.decode().strip() == "The mill was built in 1894."


def test_markdown_stays_as_it_stands(client: Client) -> None:
    text = "# The mill\n\n1. It was **built** in 1894.\n"
    read = client.post("/text/read/", {"text_file": SimpleUploadedFile("mill.md", text.encode())})
    assert read.content.decode() == text.strip()


def test_a_file_that_is_no_document_is_refused_by_its_content_and_no_text_is_lost(client: Client) -> None:
    picture = b"\x89PNG\r\n\x1a\n" + b"\0" * 40
    read = client.post("/text/read/", {"text_file": SimpleUploadedFile("mill.docx", picture)})
    assert read.status_code == 422
    assert "mill.docx: It is a picture (PNG)." in read.content.decode()
    both = {"text": "One.", "text_file": SimpleUploadedFile("mill.txt", b"Two.")}
    response = client.post("/checks/new/", both)
    assert response.status_code == 422
    assert "There is a text and a file." in response.content.decode()
    assert "One.</textarea>" in response.content.decode()
    assert not Check.objects.exists()


LONG = "x" * (settings.MAX_TEXT_CHARS + 1)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param({"text": ""}, "Paste a text first.", id="empty"),
        pytest.param({"text": " \n\t "}, "nothing but white space", id="only spaces"),
        pytest.param({"text": LONG}, "20,001 characters; the limit is 20,000", id="too long"),
        pytest.param({"text": "a\x07b\x00c"}, "2 characters that cannot be shown", id="control characters"),
        pytest.param({"text": "One.", "source": "%PDF\x01"}, "The source holds 1 character", id="source is not text"),
        pytest.param({"text": "One.", "source": "x" * 1_000_001}, "The source has 1,000,001", id="source too long"),
        pytest.param({"text": "One.", "topic": "x" * 201}, "at most 200 characters", id="topic too long"),
        pytest.param({"text": "One.", "strictness": "wild"}, "Select a valid choice", id="unknown strictness"),
    ],
)
def test_bad_input_gets_a_clear_message_and_loses_nothing(client: Client, data: dict[str, str], message: str) -> None:
    response = client.post("/checks/new/", data)
    page = response.content.decode()
    assert response.status_code == 422
    assert message in page
    for value in data.values():
        assert value in page
    assert not Check.objects.exists()


def test_characters_that_cannot_be_shown_are_removed_on_request(client: Client) -> None:
    client.post("/checks/new/", {"text": "a\x07b\x00c.", "remove_unprintable": "1"})
    assert Check.objects.get().text == "abc."


def test_a_text_that_begins_with_a_line_break_keeps_it_in_the_form(client: Client) -> None:
    page = client.post("/checks/new/", {"text": "\nOne.", "topic": "x" * 201}).content.decode()
    assert ">\n\nOne.</textarea>" in page  # browsers drop the first line break of a textarea


def test_an_example_fills_the_form(client: Client) -> None:
    assert "Marta Lindqvist" in client.get("/?example=biography").content.decode()
    assert client.get("/?example=no-such-example").status_code == 200


# --- Ownership --------------------------------------------------------------------------------------------------

ACTIONS = ["cancel", "resume", "delete", "rename", "accept-all", "undo", "redo", "again/estimate"]


def _paths(check: Check) -> list[tuple[str, str]]:
    found = check.findings.get()
    return [
        ("get", ""),
        *(("get", f"exports/{export_format}/") for export_format in FORMATS),
        ("get", "decisions/"),
        ("get", "accept-all/"),
        ("get", "again/"),
        *(("post", f"{action}/") for action in ACTIONS),
        ("post", f"suggestions/{found.suggestions.get().pk}/accept/"),
        *(("post", f"findings/{found.pk}/{action}/") for action in ("edit", "reject", "dismiss", "reopen")),
    ]


def test_another_browser_can_neither_see_a_check_nor_act_on_it(client: Client, check: Check) -> None:
    client.post("/checks/new/", {"text": "My own."})
    for method, path in _paths(check):
        response = getattr(client, method)(f"/checks/{check.pk}/{path}", {"wording": "Mine."})
        assert response.status_code == 404, path
        assert not YEAR_ALONE.search(response.content.decode())
    assert not YEAR_ALONE.search(client.get("/checks/").content.decode())
    check.refresh_from_db()
    assert (check.state, check.decisions.count()) == (Check.State.DONE, 0)


def test_every_action_asks_for_the_csrf_token(check: Check) -> None:
    strict = Client(enforce_csrf_checks=True)
    session = strict.session
    session[SESSION_KEY] = OWNER
    session.save()
    posts = [path for method, path in _paths(check) if method == "post"]
    for path in [*(f"/checks/{check.pk}/{path}" for path in posts), "/checks/new/"]:
        response = strict.post(path, {"text": "One.", "wording": "Mine."})
        assert response.status_code == 403, path
        assert "Reload it and try again" in response.content.decode()
    assert Check.objects.get().decisions.count() == 0


def test_actions_are_not_done_by_a_link(owner: Client, check: Check) -> None:
    for method, path in _paths(check):
        if method == "post" and path != "accept-all/":  # a preview
            assert owner.get(f"/checks/{check.pk}/{path}").status_code == 405
    owner.get(f"/checks/{check.pk}/accept-all/")
    assert not check.decisions.exists()


# --- Acting -----------------------------------------------------------------------------------------------------


def test_a_plain_form_leads_back_to_the_page(owner: Client, check: Check) -> None:
    suggestion = check.findings.get().suggestions.get()
    response = owner.post(f"/checks/{check.pk}/suggestions/{suggestion.pk}/accept/")
    assert response.headers["Location"] == f"/checks/{check.pk}/"
    assert "1849" in owner.get(f"/checks/{check.pk}/exports/text/").content.decode()


def test_in_place_only_what_changed_comes_back(owner: Client, check: Check) -> None:
    suggestion = check.findings.get().suggestions.get()
    response = owner.post(f"/checks/{check.pk}/suggestions/{suggestion.pk}/accept/", headers=HTMX)
    html = response.content.decode()
    assert response.status_code == 200
    assert "<html" not in html
    assert re.search(r'id="sentence-0".*<del>1894</del><ins>1849</ins>', html, flags=re.DOTALL)


def test_a_decision_that_is_impossible_is_answered_with_the_reason_and_the_present_state(
    owner: Client, check: Check
) -> None:
    response = owner.post(f"/checks/{check.pk}/undo/", headers=HTMX)
    assert response.status_code == 409
    assert "There is nothing to undo." in response.content.decode()


def test_a_plain_form_is_told_as_well_why_nothing_was_decided(owner: Client, check: Check) -> None:
    response = owner.post(f"/checks/{check.pk}/undo/")
    assert response.status_code == 409
    assert "There is nothing to undo." in response.content.decode()


def test_a_decision_on_what_has_changed_since_it_was_shown_is_refused_and_says_so(owner: Client, check: Check) -> None:
    found = check.findings.get()
    seen = CheckDetail(check).cards[0].seen
    services.finding_reject(check=check, finding_id=found.pk)
    path = f"/checks/{check.pk}/suggestions/{found.suggestions.get().pk}/accept/"
    response = owner.post(path, {"seen": seen}, headers=HTMX)
    assert response.status_code == 409
    assert "has changed since this page showed it" in response.content.decode()
    assert owner.post(path, {"seen": CheckDetail(check).cards[0].seen}, headers=HTMX).status_code == 200


def test_accept_all_shows_each_change_beside_its_passage_and_accepts_what_was_ticked(owner: Client) -> None:
    count, year = (
        decided_by_source(finding(SENTENCES, 1, "two", TEXTS[1].replace("two", "four"))),
        decided_by_source(finding(SENTENCES, 0, "1894", TEXTS[0].replace("1894", "1849"))),
    )
    within = finding(SENTENCES, 1, "gates", TEXTS[1].replace("gates", "doors"))
    check = checked(TEXTS, [year, count, within])
    page = owner.get(f"/checks/{check.pk}/accept-all/").content.decode()
    assert page.count('type="checkbox"') == 2
    assert '<ins role="insertion">four</ins>' in page
    assert page.count("<b>otherwise</b>") == 2
    ticked = check.findings.get(start=count.span.start).suggestions.get().pk
    owner.post(f"/checks/{check.pk}/accept-all/", {"suggestion": [ticked]})
    assert CheckDetail(check).revised_text == TEXT.replace("two", "four")


def test_what_was_decided_is_listed_with_its_reason_also_after_it_was_undone(owner: Client, check: Check) -> None:
    found = check.findings.get()
    owner.post(f"/checks/{check.pk}/findings/{found.pk}/dismiss/", {"reason": "The plaque says so."})
    services.decision_undo(check=check)
    page = owner.get(f"/checks/{check.pk}/decisions/").content.decode()
    assert "Sentence 1: ignored" in page
    assert "The plaque says so." in page
    assert "undone" in page


def test_what_was_stopped_is_not_called_a_text_without_facts(owner: Client) -> None:
    text, sentences = segment("It was founded in 1894.", "It has two lanes.")
    stopped = services.check_create(owner=OWNER, text=text)
    RunWriter(start_run(stopped), detectors=(DETECTOR,)).write([reports.TextSegmented(sentences, topic=None)])
    services.check_cancel(check=stopped)
    services.checks_recover()
    page = owner.get(f"/checks/{stopped.pk}/").content.decode()
    assert "0 of 2 sentences checked" in page
    assert "The check was stopped before any sentence was finished." in page
    assert "without a claim" not in page
    assert "states a fact" not in page


def test_deleting_a_check_deletes_everything_of_it(owner: Client, check: Check) -> None:
    owner.post(f"/checks/{check.pk}/delete/")
    assert not Check.objects.exists()
    assert owner.get(f"/checks/{check.pk}/").status_code == 404


def test_the_revised_text_is_a_file(owner: Client, check: Check) -> None:
    response = owner.get(f"/checks/{check.pk}/exports/text/")
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "attachment" in response.headers["Content-Disposition"]
    assert response.content.decode() == TEXT


def test_checks_are_found_by_words_of_their_titles_and_texts_and_can_be_renamed(owner: Client, check: Check) -> None:
    other = checked(("Ada Lind painted.",))
    owner.post(f"/checks/{other.pk}/rename/", {"title": "A painter"})
    for words, expected in (("painter", [other]), ("ada painted", [other]), ("gates", [check]), ("ada gates", [])):
        page = owner.get("/checks/", {"words": words}).content.decode()
        assert [row for row in (check, other) if f"/checks/{row.pk}/" in page] == expected
    assert "A painter" in owner.get("/checks/").content.decode()
    owner.post(f"/checks/{other.pk}/rename/", {"title": "  "})
    other.refresh_from_db()
    assert other.title == "A painter"


def test_what_somebody_chooses_in_the_settings_fills_in_the_form(owner: Client) -> None:
    page = owner.post("/settings/", {"strictness": "strict"}).content.decode()
    assert "Saved." in page
    assert '<option value="strict" selected>' in owner.get("/").content.decode()
    assert '<option value="strict" selected>' not in Client().get("/").content.decode()


def test_the_settings_of_the_operator_can_be_read_and_keys_are_not_among_them(owner: Client, settings: Any) -> None:
    settings.LLM_BASE_URL, settings.LLM_API_KEY = "https://models.example/v1", "sk-of-the-operator"
    settings.GENERATOR_MODEL = settings.ANALYZER_MODEL = "gpt-4o-mini"
    page = owner.get("/settings/").content.decode()
    assert "models.example" in page
    assert "$0.15 for a million tokens" in page
    assert "sk-of-the-operator" not in page
    assert "The operator has set a key for everybody." in page


# --- Hostile text -----------------------------------------------------------------------------------------------

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.mark.django_db(transaction=True)
def test_markup_in_text_source_and_topic_is_shown_as_text_everywhere(client: Client) -> None:
    client.post("/checks/new/", {"text": f"{SCRIPT} It is.", "source": f"{SCRIPT} It was.", "topic": SCRIPT})
    check = Check.objects.get()
    services.check_run(check_id=check.pk)
    pages = [f"/checks/{check.pk}/", "/checks/"]
    refused = client.post("/checks/new/", {"text": SCRIPT, "source": SCRIPT, "topic": SCRIPT * 9}).content.decode()
    for page in [refused, *(client.get(path).content.decode() for path in pages)]:
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "&lt;script&gt;" in page


def test_headers_forbid_foreign_and_inline_code(client: Client) -> None:
    headers = client.get("/").headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_no_page_has_inline_scripts_or_styles(client: Client, owner: Client, check: Check) -> None:
    own = (f"/checks/{check.pk}/{part}" for part in ("", "again/", "decisions/", "accept-all/"))
    for path in ("/", "/checks/", "/help/", "/settings/", *own):
        page = owner.get(path).content.decode()
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=", page), path
        assert not re.search(r"""(?:src|href|action)=["'](?:https?:)?//""", page), path


def test_a_text_in_another_language_is_refused_before_anything_is_made_of_it(owner: Client) -> None:
    german = "Die Brücke wurde im Jahre 1934 eröffnet und ist 402 Meter lang. Sie wurde von einem Mann aus Oslo gebaut."
    for text in (f"{german} {german}", "Ада родилась в Осло."):
        response = owner.post("/checks/new/", {"text": text})
        assert response.status_code == 422
        assert "This text is not in English" in response.content.decode()
    assert not Check.objects.exists()
