"""The life cycle of a source: added once, read once, used by many checks, and deleted completely."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from detection import events, services
from detection.core import reports
from detection.core.reasons import Reason
from detection.core.types import Evidence, ReadShare, Span, Verdict
from detection.models import Check, CheckEvent, CheckSource, Finding, Source, SourceUpload, Unit
from detection.selectors.detail import CheckDetail
from detection.services.checks import MAX_ATTEMPTS
from detection.services.runs import RunWriter
from detection.services.sources import ABANDONED_AFTER, clean_name
from tests.factories import OWNER, quoting, segment, start_run

TEXT = "Sorrel was founded in 1894. It has 34 inhabitants."
#: It has the signature of a PDF, but is invalid.
BROKEN_PDF = b"%PDF-1.7\nthis is no document"


def add_file(text: str = TEXT, name: str = "notes.txt", owner: str = OWNER) -> Source:
    return services.source_add_file(owner=owner, name=name, data=text.encode(), media_type="text/plain")


def log(check: Check) -> list[str]:
    return list(CheckEvent.objects.filter(parent_check=check).values_list("type", flat=True))


# --- Adding -----------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_pasted_text_is_ready_at_once_and_is_called_by_its_first_line() -> None:
    source = services.source_add_text(owner=OWNER, text=f"# Sorrel\n\n{TEXT}")
    assert (source.state, source.name) == (Source.State.READY, "Sorrel")
    assert not SourceUpload.objects.exists()


@pytest.mark.django_db
def test_the_same_file_added_twice_is_one_source_of_its_owner_and_another_one_of_others() -> None:
    first = add_file()
    assert add_file(name="copy.txt") == first
    assert add_file(owner="somebody else") != first
    assert SourceUpload.objects.count() == 2


@pytest.mark.django_db
def test_a_text_and_a_file_with_the_same_content_are_two_sources() -> None:
    assert services.source_add_text(owner=OWNER, text=TEXT) != add_file()


@pytest.mark.django_db
def test_to_keep_a_file_that_is_there_already_keeps_it() -> None:
    source = add_file()
    services.source_add_file(owner=OWNER, name="notes.txt", data=TEXT.encode(), is_kept=True)
    source.refresh_from_db()
    assert source.is_kept


@pytest.mark.django_db
def test_a_browser_that_names_a_long_type_can_still_add_a_file() -> None:
    source = services.source_add_file(owner=OWNER, name="a.txt", data=TEXT.encode(), media_type="text/" + "x" * 200)
    assert len(source.media_type) == 100


@pytest.mark.django_db
def test_a_file_that_is_added_again_after_a_failure_gets_all_its_attempts() -> None:
    source = add_file()
    Source.objects.filter(pk=source.pk).update(state=Source.State.FAILED, error="no text", attempts=MAX_ATTEMPTS)
    again = add_file()
    again.refresh_from_db()
    assert (again.state, again.error, again.attempts) == (Source.State.QUEUED, "", 0)


@pytest.mark.django_db
def test_what_was_added_and_never_used_goes_after_a_day() -> None:
    lost, kept = add_file("One."), services.source_add_file(owner=OWNER, name="b", data=b"Two.", is_kept=True)
    used = add_file("Three.")
    services.check_create(owner=OWNER, text="It is.", sources=[used])
    Source.objects.update(created_at=timezone.now() - ABANDONED_AFTER - timedelta(minutes=1))
    new = add_file("Four.")
    assert set(Source.objects.all()) == {kept, used, new}
    assert not SourceUpload.objects.filter(source_id=lost.pk).exists()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("report.pdf", "report.pdf", id="ordinary"),
        pytest.param("a\r\nb\x00c\t.txt", "a bc .txt", id="line ends and control characters"),
        pytest.param("", "Untitled", id="none"),
        pytest.param("\x07", "Untitled", id="nothing to show"),
        pytest.param("x" * 300 + ".pdf", "x" * 195 + "….pdf", id="endless"),
        pytest.param("<script>.md", "<script>.md", id="markup stays text"),
    ],
)
def test_names_are_one_line_that_can_be_shown(name: str, expected: str) -> None:
    assert clean_name(name) == expected
    assert len(clean_name(name)) <= 200


# --- Reading ----------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_reading_stores_the_text_and_forgets_the_bytes() -> None:
    source = add_file()
    services.source_read(source_id=source.pk)
    source.refresh_from_db()
    assert (source.state, source.text, source.characters) == (Source.State.READY, TEXT, len(TEXT))
    assert (source.read_token, source.lease_until) == (None, None)
    assert not SourceUpload.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_file_that_cannot_be_read_says_why_and_its_bytes_go() -> None:
    source = services.source_add_file(owner=OWNER, name="report.pdf", data=BROKEN_PDF)
    services.source_read(source_id=source.pk)
    source.refresh_from_db()
    assert source.state == Source.State.FAILED
    assert source.error.endswith(".")
    assert "Traceback" not in source.error
    assert not SourceUpload.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_file_that_could_not_be_read_is_tried_again_when_it_is_added_again() -> None:
    source = services.source_add_file(owner=OWNER, name="report.pdf", data=BROKEN_PDF)
    services.source_read(source_id=source.pk)
    again = services.source_add_file(owner=OWNER, name="report.pdf", data=BROKEN_PDF)
    assert (again, again.state, again.error) == (source, Source.State.QUEUED, "")
    assert SourceUpload.objects.filter(source=source).exists()


@pytest.mark.django_db(transaction=True)
def test_a_source_that_was_read_is_not_read_again() -> None:
    source = add_file()
    services.source_read(source_id=source.pk)
    Source.objects.update(text="as it was")
    services.source_read(source_id=source.pk)
    source.refresh_from_db()
    assert (source.text, source.attempts) == ("as it was", 1)


@pytest.mark.django_db(transaction=True)
def test_a_source_that_another_reader_holds_is_left_alone_until_that_one_is_dead() -> None:
    source = add_file()
    token = uuid.uuid4()
    held = Source.objects.filter(pk=source.pk)
    held.update(state=Source.State.READING, read_token=token, lease_until=timezone.now() + timedelta(minutes=1))
    services.source_read(source_id=source.pk)
    source.refresh_from_db()
    assert (source.state, source.read_token) == (Source.State.READING, token)
    held.update(lease_until=timezone.now() - timedelta(seconds=1))
    services.source_read(source_id=source.pk)
    source.refresh_from_db()
    assert source.state == Source.State.READY


@pytest.mark.django_db(transaction=True)
def test_reading_a_source_that_was_deleted_ends_without_an_error(caplog: pytest.LogCaptureFixture) -> None:
    source = add_file()
    source_id = source.pk
    services.source_delete(source=source)
    services.source_read(source_id=source_id)
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("process_stops")
def test_a_process_that_stops_gives_the_source_back_and_the_attempt_does_not_count() -> None:
    source = add_file()
    services.source_read(source_id=source.pk)
    source.refresh_from_db()
    assert (source.state, source.attempts, source.read_token) == (Source.State.QUEUED, 0, None)
    assert SourceUpload.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_source_whose_readers_keep_dying_is_given_up() -> None:
    source = add_file()
    for attempt in range(1, MAX_ATTEMPTS + 1):
        Source.objects.filter(pk=source.pk).update(state=Source.State.READING, attempts=attempt)
        assert services.sources_recover() == 1
    services.source_read(source_id=source.pk)
    source.refresh_from_db()
    assert source.state == Source.State.FAILED
    assert source.error == Reason.READING_STOPPED.of(MAX_ATTEMPTS)


@pytest.mark.django_db
def test_recovery_queues_what_was_queued_or_being_read_and_leaves_the_rest() -> None:
    queued, reading, ready = add_file("One."), add_file("Two."), services.source_add_text(owner=OWNER, text="Three.")
    Source.objects.filter(pk=reading.pk).update(state=Source.State.READING, read_token=uuid.uuid4())
    assert services.sources_recover() == 2
    states = {source.pk: (source.state, source.read_token) for source in Source.objects.all()}
    assert states == {queued.pk: ("queued", None), reading.pk: ("queued", None), ready.pk: ("ready", None)}


class _Site(BaseHTTPRequestHandler):
    """One page; all others are missing."""

    def do_GET(self) -> None:
        found = self.path == "/parish"
        body = f"<title>Parish history</title><p>{TEXT}</p>".encode() if found else b""
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name of the base class
        pass


@pytest.fixture
def site(settings: Settings) -> Iterator[str]:
    """The address of a permitted web site on this machine."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Site) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.005}, daemon=True).start()
        settings.FETCH_ALLOW = [f"127.0.0.1:{server.server_port}"]
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.django_db(transaction=True)
def test_a_page_is_fetched_and_takes_its_title_also_in_the_checks_that_wait_for_it(site: str) -> None:
    source = services.source_add_page(owner=OWNER, url=f"{site}/parish")
    services.check_create(owner=OWNER, text="It is.", sources=[source])
    services.source_read(source_id=source.pk)
    source.refresh_from_db()
    assert (source.state, source.text) == (Source.State.READY, TEXT)
    assert source.name == CheckSource.objects.get().name == "Parish history"


@pytest.mark.django_db(transaction=True)
def test_a_page_that_cannot_be_fetched_says_why(site: str) -> None:
    for url in (f"{site}/nothing-here", "http://127.0.0.1:9/", "http://169.254.169.254/latest/meta-data/"):
        source = services.source_add_page(owner=OWNER, url=url)
        services.source_read(source_id=source.pk)
        source.refresh_from_db()
        assert (source.state, source.text) == (Source.State.FAILED, "")
        assert source.error.endswith(".")


@pytest.mark.django_db
def test_a_page_asked_for_twice_at_once_is_fetched_once_and_later_anew() -> None:
    first = services.source_add_page(owner=OWNER, url="https://example.org/a")
    assert services.source_add_page(owner=OWNER, url="https://example.org/a") == first
    Source.objects.update(state=Source.State.READY)
    assert services.source_add_page(owner=OWNER, url="https://example.org/a") != first


# --- In a check -------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_check_reads_its_sources_first_and_tells_the_page() -> None:
    check = services.check_create(owner=OWNER, text="Sorrel was founded in 1849.", sources=[add_file()])
    services.check_run(check_id=check.pk)
    check.refresh_from_db()
    assert check.state == Check.State.DONE
    types = log(check)
    assert types.index("source.reading") < types.index("source.ready") < types.index("check.segmented")
    assert "1849" in check.text[(found := check.findings.get()).start : found.end]
    assert CheckDetail(check).cards[0].quotes[1].label == "notes.txt"


@pytest.mark.django_db(transaction=True)
def test_a_check_goes_on_without_a_source_that_cannot_be_read_and_says_so() -> None:
    broken = services.source_add_file(owner=OWNER, name="report.pdf", data=BROKEN_PDF)
    check = services.check_create(owner=OWNER, text="Sorrel was founded in 1849.", sources=[broken, add_file()])
    services.check_run(check_id=check.pk)
    check.refresh_from_db()
    assert check.state == Check.State.DONE
    assert check.findings.exists()
    detail = CheckDetail(check)
    assert [use.name for use in detail.unreadable_sources] == ["report.pdf"]
    assert [use.name for use in detail.readable_sources] == ["notes.txt"]
    assert log(check).count("source.failed") == 1


@pytest.mark.django_db(transaction=True)
def test_without_any_source_that_can_be_read_nothing_counts_as_compared_with_a_source() -> None:
    broken = services.source_add_file(owner=OWNER, name="report.pdf", data=BROKEN_PDF)
    check = services.check_create(owner=OWNER, text="Sorrel was founded in 1849.", sources=[broken])
    services.check_run(check_id=check.pk)
    unit = Unit.objects.get(parent_check=check, detector__startswith="grounding")
    assert (unit.state, unit.reason) == (Unit.State.NOT_CHECKED, "no_source")
    assert not CheckDetail(Check.objects.get()).is_grounded


@pytest.mark.django_db(transaction=True)
def test_a_check_that_is_stopped_while_it_reads_leaves_the_source_to_be_read() -> None:
    source = add_file()
    check = services.check_create(owner=OWNER, text="It is.", sources=[source])
    Check.objects.update(cancel_requested=True)
    services.check_run(check_id=check.pk)
    check.refresh_from_db()
    source.refresh_from_db()
    assert check.state == Check.State.CANCELLED
    assert source.state in (Source.State.QUEUED, Source.State.READY)
    services.check_resume(check=check)
    services.check_run(check_id=check.pk)
    check.refresh_from_db()
    assert check.state == Check.State.DONE


@pytest.mark.django_db(transaction=True)
def test_a_source_deleted_before_the_run_is_left_out() -> None:
    source = add_file()
    check = services.check_create(owner=OWNER, text="Sorrel was founded in 1849.", sources=[source])
    services.source_delete(source=source)
    services.check_run(check_id=check.pk)
    check.refresh_from_db()
    assert check.state == Check.State.DONE
    assert [(use.name, use.state) for use in CheckDetail(check).sources] == [("notes.txt", "deleted")]


@pytest.mark.django_db
def test_what_supports_a_sentence_is_told_when_it_is_asked_for() -> None:
    text, sentences = segment("Sorrel was founded in 1894.")
    source = services.source_add_text(owner=OWNER, text=TEXT)
    check = services.check_create(owner=OWNER, text=text, sources=[source])
    use = check.sources.get()
    writer = RunWriter(start_run(check), detectors=("grounding.v1",))
    writer.write([reports.TextSegmented(sentences, None)])
    support = Evidence(quote=TEXT[:27], span=Span(0, 27), source=str(use.pk))
    done = reports.UnitDone("grounding.v1", 0, Verdict.SUPPORTED, (), (support,), ReadShare(10, 412))
    writer.write([done])
    report = CheckDetail(check).sentence_report(0)
    assert report is not None
    assert report.sentence.can_be_asked
    assert [(quote.label, quote.href) for quote in report.quotes] == [
        (source.name, f"/sources/{source.pk}/?quote=0-27#quote")
    ]
    assert report.read == ReadShare(10, 412)
    assert CheckDetail(check).sentence_report(1) is None


# --- Deleting ---------------------------------------------------------------------------------------------------

SECRET = "The vault opens at a quarter past nine."


def _tables_with(words: str) -> set[str]:
    """The tables with these words in any column."""
    found = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT * FROM "{table}"')  # names come from the database itself
            values = [value for row in cursor.fetchall() for value in row]
            if any(words in str(bytes(v) if isinstance(v, memoryview) else v) for v in values):
                found.add(table)
    return found


def _write_log_to_file() -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.fetchall()


@pytest.mark.django_db
def test_a_deleted_source_is_gone_everywhere_read_or_not() -> None:
    unread, ready = add_file(SECRET), services.source_add_text(owner=OWNER, text=SECRET)
    assert _tables_with("vault") == {"detection_source", "detection_sourceupload"}
    services.check_create(owner=OWNER, text="It is.", sources=[unread, ready])
    services.source_delete(source=unread)
    services.source_delete(source=ready)
    assert _tables_with("vault") == set()


@pytest.mark.django_db(transaction=True)
def test_the_text_of_a_deleted_source_does_not_stay_in_the_database_file() -> None:
    source = services.source_add_text(owner=OWNER, text=f"{SECRET}\n" * 2_000)
    file = Path(str(connection.settings_dict["NAME"]))
    _write_log_to_file()
    assert SECRET.encode() in file.read_bytes()
    services.source_delete(source=source)
    _write_log_to_file()
    assert SECRET.encode() not in file.read_bytes()


@pytest.mark.django_db
def test_checks_keep_their_quotes_of_a_deleted_source_unless_they_are_deleted_too() -> None:
    source = services.source_add_text(owner=OWNER, text=f"Notes\n{SECRET}")
    check = quoting(source, SECRET)
    services.source_delete(source=source)
    assert _tables_with(SECRET) == {"detection_finding"}
    detail = CheckDetail(Check.objects.get())
    assert (detail.cards[0].quotes[1].label, detail.cards[0].quotes[1].href) == ("Pasted text", "")
    assert log(check)[-1] == "source.deleted"

    again = services.source_add_text(owner=OWNER, text=f"Notes\n{SECRET}")
    beside = services.source_add_text(owner=OWNER, text="Beside it.")
    quoting(again, SECRET, beside)
    Check.objects.filter(pk=check.pk).delete()
    services.source_delete(source=again, with_checks=True)
    assert _tables_with(SECRET) == set()
    assert not Check.objects.exists()
    assert not Source.objects.filter(pk=beside.pk).exists()


@pytest.mark.django_db
def test_deleting_a_check_deletes_its_sources_but_those_kept_or_used_elsewhere() -> None:
    own, shared = (services.source_add_text(owner=OWNER, text=text) for text in ("One.", "Two."))
    kept = services.source_add_text(owner=OWNER, text="Three.", is_kept=True)
    first = services.check_create(owner=OWNER, text="It is.", sources=[own, shared, kept])
    second = services.check_create(owner=OWNER, text="It is.", sources=[shared])
    services.check_delete(check=first)
    assert set(Source.objects.all()) == {shared, kept}
    services.check_delete(check=second)
    assert set(Source.objects.all()) == {kept}


@pytest.mark.django_db
def test_a_source_taken_out_of_a_form_is_deleted_unless_it_is_kept_or_used() -> None:
    own, used = add_file("One."), add_file("Two.")
    kept = services.source_add_text(owner=OWNER, text="Three.", is_kept=True)
    services.check_create(owner=OWNER, text="It is.", sources=[used])
    for source in (own, used, kept):
        services.source_discard(source=source)
    assert set(Source.objects.all()) == {used, kept}


@pytest.mark.django_db
def test_renaming_renames_it_in_the_checks_as_well() -> None:
    source = add_file()
    services.check_create(owner=OWNER, text="It is.", sources=[source])
    services.source_rename(source=source, name="  Parish\nhistory ")
    source.refresh_from_db()
    assert source.name == CheckSource.objects.get().name == "Parish history"
    services.source_rename(source=source, name="  ")
    source.refresh_from_db()
    assert source.name == "Parish history"


@pytest.mark.django_db
def test_the_event_of_a_deletion_names_the_findings_that_quote_the_source() -> None:
    source = services.source_add_text(owner=OWNER, text=f"Notes\n{SECRET}")
    check = quoting(source, SECRET)
    services.source_delete(source=source)
    event = events.load(CheckEvent.objects.get(parent_check=check, type="source.deleted"))
    assert event == events.SourceDeleted(check.sources.get().pk, (Finding.objects.get().pk,))
