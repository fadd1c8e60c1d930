"""Pages and forms of sources: valid input, refusals and permissions."""

from __future__ import annotations

import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django.fixtures import Settings

from detection import services
from detection.models import Check, Source
from detection.web.forms.sources import MAX_SOURCES
from detection.web.owners import SESSION_KEY
from tests.factories import OWNER, YEAR_ALONE, quoting

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>"


def file(name: str = "notes.txt", data: bytes = b"It was founded in 1894.") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data, content_type="text/plain")


def pasted(text: str = "It was founded in 1894.", owner: str = OWNER) -> Source:
    return services.source_add_text(owner=owner, text=text)


# --- With a check, in one form ----------------------------------------------------------------------------------


def test_without_a_script_text_files_page_and_library_go_with_the_check(owner: Client) -> None:
    chosen = pasted("From the library.")
    data = {
        "text": "It is.",
        "source": "Pasted.",
        "uploads": [file("a.txt", b"A."), file("b.md", b"B.")],
        "page": "https://example.org/report",
        "sources": [str(chosen.pk)],
    }
    response = owner.post("/checks/new/", data)
    assert response.status_code == 302
    uses = Check.objects.get().sources.all()
    assert [use.name for use in uses] == ["Pasted.", "From the library.", "a.txt", "b.md", "example.org/report"]
    assert [use.source.state for use in uses if use.source] == ["ready", "ready", "queued", "queued", "queued"]


def test_a_refused_form_keeps_what_was_uploaded_and_chosen(owner: Client, settings: Settings) -> None:
    settings.MAX_SOURCE_BYTES = 1_000
    chosen = pasted("From the library.")
    large = file("large.pdf", b"x" * 1_001)
    data = {
        "text": "",
        "source": "Mine.",
        "uploads": [file("a.txt"), large, file("none.txt", b"")],
        "sources": chosen.pk,
    }
    response = owner.post("/checks/new/", data)
    page = response.content.decode()
    assert response.status_code == 422
    assert "Paste a text first." in page
    assert "large.pdf has 1001" in page
    assert "none.txt is empty." in page
    assert "Mine." in page
    kept = [Source.objects.get(name="a.txt"), chosen]
    for source in kept:
        assert f'name="sources" value="{source.pk}" checked' in " ".join(page.split())
    assert not Check.objects.exists()
    owner.post("/checks/new/", {"text": "It is.", "sources": [str(source.pk) for source in kept]})
    assert {use.source for use in Check.objects.get().sources.all()} == set(kept)


@pytest.mark.parametrize(
    ("page", "message"),
    [
        pytest.param("not an address", "Enter an address starting with https://.", id="words"),
        pytest.param("ftp://example.org/a", "Enter an address starting with https://", id="another protocol"),
        pytest.param("javascript:alert(1)", "Enter an address starting with https://.", id="script"),
        pytest.param("https://example.org/" + "x" * 2000, "at most 2000 characters", id="endless"),
    ],
)
def test_an_address_that_cannot_be_fetched_is_refused_with_a_reason(client: Client, page: str, message: str) -> None:
    response = client.post("/checks/new/", {"text": "It is.", "page": page})
    assert response.status_code == 422
    assert message in response.content.decode()
    assert "It is." in response.content.decode()
    assert not Source.objects.exists()


def test_too_many_sources_are_refused_and_none_is_lost(owner: Client) -> None:
    uploads = [file(f"{number}.txt", str(number).encode()) for number in range(MAX_SOURCES + 1)]
    response = owner.post("/checks/new/", {"text": "It is.", "uploads": uploads})
    page = response.content.decode()
    assert response.status_code == 422
    assert f"up to {MAX_SOURCES}" in page
    assert all(f"{number}.txt" in page for number in range(MAX_SOURCES + 1))


def test_a_source_that_is_gone_is_said_to_be_gone(owner: Client) -> None:
    gone = str(uuid.uuid4())
    page = owner.post("/checks/new/", {"text": "It is.", "sources": gone}).content.decode()
    assert "no longer there" in page
    assert "It is." in page


def test_a_source_of_somebody_else_cannot_be_put_into_a_check(owner: Client) -> None:
    foreign = pasted("Not yours.", owner="somebody else")
    response = owner.post("/checks/new/", {"text": "It is.", "sources": str(foreign.pk)})
    assert response.status_code == 422
    assert "Not yours." not in response.content.decode()
    assert not Check.objects.exists()


# --- Added at once, from the form -------------------------------------------------------------------------------


def test_files_sent_from_the_form_come_back_as_rows(client: Client) -> None:
    response = client.post("/sources/add/", {"uploads": [file("a.txt", b"A."), file("b.txt", b"B.")]}, headers=HTMX)
    html = response.content.decode()
    assert response.status_code == 200
    sources = {source.name: source for source in Source.objects.all()}
    assert [html.index(str(sources[name].pk)) for name in ("a.txt", "b.txt")] == sorted(
        html.index(str(source.pk)) for source in sources.values()
    )
    assert "<html" not in html
    assert not any(source.is_kept for source in sources.values())
    rows = client.get(f"/sources/rows/?id={sources['b.txt'].pk}&id=nonsense&id={uuid.uuid4()}").content.decode()
    assert "b.txt" in rows
    assert "a.txt" not in rows


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param({}, "Choose a file, or give a web address.", id="nothing"),
        pytest.param({"page": "nowhere at all"}, "Enter an address starting with https://.", id="no address"),
        pytest.param({"uploads": file("none.txt", b"")}, "none.txt is empty.", id="empty file"),
    ],
)
def test_what_cannot_be_added_is_answered_with_the_reason_as_plain_text(
    client: Client, data: dict[str, object], message: str
) -> None:
    response = client.post("/sources/add/", data, headers=HTMX)
    assert (response.status_code, response.headers["Content-Type"]) == (422, "text/plain; charset=utf-8")
    assert message in response.content.decode()


def test_a_hostile_file_name_is_a_name_and_nothing_else(client: Client) -> None:
    for name in ("../../etc/passwd", f"{SCRIPT}.txt", "a\u202egnp.txt", "x" * 400 + ".txt"):
        client.post("/sources/add/", {"uploads": file(name, name.encode())}, headers=HTMX)
    names = set(Source.objects.values_list("name", flat=True))
    assert "passwd" in names
    assert all("/" not in name and len(name) <= 200 for name in names)
    for path in ("/sources/", "/"):
        page = client.get(path).content.decode()
        assert "<script>alert" not in page
        assert "<img" not in page


# --- The list ---------------------------------------------------------------------------------------------------


def test_the_list_shows_ones_own_sources_and_how_often_they_are_used(owner: Client) -> None:
    source = pasted("Parish history.")
    pasted("Not yours.", owner="somebody else")
    services.check_create(owner=OWNER, text="It is.", sources=[source])
    page = " ".join(owner.get("/sources/").content.decode().split())
    assert "Parish history." in page
    assert "used in 1 check" in page
    assert "Not yours." not in page


def test_what_is_added_to_the_list_stays_there(owner: Client) -> None:
    response = owner.post("/sources/add/", {"uploads": [file("a.txt")], "page": "https://example.org/"})
    assert response.headers["Location"] == "/sources/"
    assert all(Source.objects.values_list("is_kept", flat=True))


def test_the_list_says_which_files_were_refused_and_takes_the_others(owner: Client) -> None:
    response = owner.post("/sources/add/", {"uploads": [file("a.txt"), file("none.txt", b"")]})
    page = response.content.decode()
    assert response.status_code == 422
    assert "none.txt is empty." in page
    assert Source.objects.get().name == "a.txt"


def test_before_deleting_it_is_said_which_checks_use_it(owner: Client) -> None:
    source = pasted("Notes\nIt was founded in 1849.")
    check = quoting(source, "It was founded in 1849.")
    page = " ".join(owner.get(f"/sources/{source.pk}/delete/").content.decode().split())
    assert "1 check compares with it" in page
    assert check.title in page
    assert Source.objects.exists()
    owner.post(f"/sources/{source.pk}/delete/")
    assert not Source.objects.exists()
    review = owner.get(f"/checks/{check.pk}/").content.decode()
    assert "This source was deleted." in review
    assert "It was founded in 1849." in review
    assert str(source.pk) not in review


def test_checks_go_along_only_when_that_is_wanted(owner: Client) -> None:
    source = pasted("Notes\nIt was founded in 1849.")
    quoting(source, "It was founded in 1849.")
    owner.post(f"/sources/{source.pk}/delete/", {"with_checks": "1"})
    assert not Check.objects.exists()


def test_keep_and_rename(owner: Client) -> None:
    source = pasted()
    owner.post(f"/sources/{source.pk}/keep/")
    owner.post(f"/sources/{source.pk}/rename/", {"name": "Parish history"})
    source.refresh_from_db()
    assert (source.is_kept, source.name) == (True, "Parish history")


# --- Ownership --------------------------------------------------------------------------------------------------

PATHS = [
    ("get", ""),
    ("get", "delete/"),
    ("post", "delete/"),
    ("post", "discard/"),
    ("post", "keep/"),
    ("post", "rename/"),
]


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_another_browser_can_neither_see_a_source_nor_act_on_it(client: Client, method: str, path: str) -> None:
    source = pasted()
    client.post("/checks/new/", {"text": "My own."})
    response = getattr(client, method)(f"/sources/{source.pk}/{path}", {"name": "Mine", "with_checks": "1"})
    assert response.status_code == 404
    assert not YEAR_ALONE.search(response.content.decode())
    assert str(source.pk) not in client.get(f"/sources/rows/?id={source.pk}").content.decode()
    source.refresh_from_db()
    assert (source.name, source.is_kept) == ("It was founded in 1894.", False)


def test_every_action_asks_for_the_csrf_token() -> None:
    source = pasted()
    strict = Client(enforce_csrf_checks=True)
    session = strict.session
    session[SESSION_KEY] = OWNER
    session.save()
    actions = [f"/sources/{source.pk}/{path}" for method, path in PATHS if method == "post"]
    for path in [*actions, "/sources/add/"]:
        assert strict.post(path).status_code == 403, path
    assert Source.objects.exists()


def test_actions_are_not_done_by_a_link(owner: Client) -> None:
    source = pasted()
    for path in ("discard/", "keep/", "rename/"):
        assert owner.get(f"/sources/{source.pk}/{path}").status_code == 405
    owner.get(f"/sources/{source.pk}/delete/")
    assert Source.objects.exists()


# --- A source, open at a quote ----------------------------------------------------------------------------------


def test_a_source_opens_at_the_quote_with_the_words_that_clash(owner: Client) -> None:
    text = "It has 34 inhabitants. It was founded in 1849. It lies on a lake."
    source = pasted(text)
    start, year = text.index("It was"), text.index("1849")
    page = owner.get(f"/sources/{source.pk}/?quote={start}-{start + 23}&words={year}-{year + 4}").content.decode()
    assert '<mark class="quoted" id="quote">It was founded in </mark><mark class="quoted"><b>1849</b></mark>' in page
    assert "It lies on a lake." in page


def test_the_pane_gets_the_passage_without_the_page_around_it(owner: Client) -> None:
    source = pasted()
    html = owner.get(f"/sources/{source.pk}/?quote=0-2", headers=HTMX).content.decode()
    assert html.lstrip().startswith('<div class="excerpt"')


def test_of_a_long_source_only_the_part_around_the_quote_is_sent_and_more_on_request(owner: Client) -> None:
    lines = [f"Line {number} of the long report." for number in range(40_000)]
    text = "\n".join(lines)
    source = pasted(text)
    start = text.index(lines[20_000])
    page = owner.get(f"/sources/{source.pk}/?quote={start}-{start + len(lines[20_000])}").content.decode()
    assert len(page) < 40_000
    assert lines[20_000] in page
    assert lines[20_100] not in page
    assert lines[1_000] not in page
    assert "Show more before" in page
    assert "Show more after" in page
    more = next(part for part in page.split('href="') if 'data-more="after"' in part.split(">")[0]).split('"')[0]
    assert lines[20_100] in owner.get(more.replace("&amp;", "&")).content.decode()


@pytest.mark.parametrize("query", ["quote=9-2", "quote=x-y", "quote=99999-199999", "show=5-", "quote=1-2&words=-", "?"])
def test_an_address_that_makes_no_sense_shows_the_source_all_the_same(owner: Client, query: str) -> None:
    source = pasted()
    assert owner.get(f"/sources/{source.pk}/?{query}").status_code == 200


def test_markup_in_a_source_and_its_name_is_shown_as_text_everywhere(owner: Client) -> None:
    source = pasted(f"{SCRIPT}\nIt was founded in 1849. {SCRIPT}")
    Source.objects.update(error=SCRIPT, url=f"https://example.org/?{SCRIPT}")
    check = quoting(source, f"It was founded in 1849. {SCRIPT}")
    paths = [f"/sources/{source.pk}/", f"/sources/{source.pk}/delete/", "/sources/", "/", f"/checks/{check.pk}/"]
    Source.objects.create(owner=OWNER, kind="file", name=SCRIPT, state="failed", error=SCRIPT)
    for path in [*paths, f"/sources/rows/?id={source.pk}"]:
        page = owner.get(path).content.decode()
        assert "<script>alert" not in page, path
        assert "<img" not in page, path
        assert "&lt;script&gt;" in page, path


def test_no_page_has_inline_scripts_or_styles(owner: Client) -> None:
    source = pasted()
    for path in ("/sources/", f"/sources/{source.pk}/", f"/sources/{source.pk}/delete/"):
        page = owner.get(path).content.decode()
        assert " style=" not in page
        assert "<style" not in page
        assert "onclick" not in page
