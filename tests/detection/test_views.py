"""Pages and actions through the real request cycle: forms, refusals, and who may do what."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client

from detection import services
from detection.exports import FORMATS
from detection.models import Check
from detection.owners import SESSION_KEY
from tests.factories import OWNER, checked, finding, segment

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
    assert ">\n\nOne.</textarea>" in page  # a browser drops the first line break of a textarea


def test_an_example_fills_the_form(client: Client) -> None:
    assert "Marta Lindqvist" in client.get("/?example=biography").content.decode()
    assert client.get("/?example=no-such-example").status_code == 200


# --- Whose check it is ------------------------------------------------------------------------------------------

ACTIONS = ["cancel", "resume", "delete", "accept-all", "undo"]


def _paths(check: Check) -> list[tuple[str, str]]:
    found = check.findings.get()
    return [
        ("get", ""),
        *(("get", f"exports/{export_format}/") for export_format in FORMATS),
        *(("post", f"{action}/") for action in ACTIONS),
        ("post", f"suggestions/{found.suggestions.get().pk}/accept/"),
        *(("post", f"findings/{found.pk}/{action}/") for action in ("edit", "reject", "reopen")),
    ]


def test_another_browser_can_neither_see_a_check_nor_act_on_it(client: Client, check: Check) -> None:
    client.post("/checks/new/", {"text": "My own."})
    for method, path in _paths(check):
        response = getattr(client, method)(f"/checks/{check.pk}/{path}", {"wording": "Mine."})
        assert response.status_code == 404, path
        assert "1894" not in response.content.decode()
    assert "1894" not in client.get("/checks/").content.decode()
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
        if method == "post":
            assert owner.get(f"/checks/{check.pk}/{path}").status_code == 405


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


def test_deleting_a_check_deletes_everything_of_it(owner: Client, check: Check) -> None:
    owner.post(f"/checks/{check.pk}/delete/")
    assert not Check.objects.exists()
    assert owner.get(f"/checks/{check.pk}/").status_code == 404


def test_the_revised_text_is_a_file(owner: Client, check: Check) -> None:
    response = owner.get(f"/checks/{check.pk}/exports/text/")
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "attachment" in response.headers["Content-Disposition"]
    assert response.content.decode() == TEXT


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
    for path in ("/", "/checks/", "/help/", f"/checks/{check.pk}/"):
        page = owner.get(path).content.decode()
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=", page), path
        assert not re.search(r"""(?:src|href|action)=["'](?:https?:)?//""", page), path
