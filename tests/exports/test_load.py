"""A check that is taken away as JSON and loaded again: the same page, and nothing that was not checked."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from detection import services
from detection.core.evidence.plan import SearchEffort
from detection.core.evidence.record import ClaimRecord, DocumentReading, SearchRecord, StopReason
from detection.core.retrieval.retriever import SkippedPage
from detection.core.types import DocumentLink, Evidence, FindingKind, Span, text_hash
from detection.exports import FORMATS
from detection.exports.loading import CheckFileRefused
from detection.models import Check, Decision, Finding, ModelCall, Source, Unit
from detection.selectors.detail import CheckDetail
from detection.storage.evidence import EVIDENCE, SEARCH
from detection.web.owners import SESSION_KEY
from tests.costs import measured
from tests.exports.documents import decided, index_of, sample
from tests.factories import OWNER, checked, finding, quoting, segment, with_companions

pytestmark = pytest.mark.django_db

_CHANGING = (
    (r'name="decision" value="\d+"', "DECISION"),
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID"),
    (r'name="csrfmiddlewaretoken" value="\w+"', "TOKEN"),
    (r'X-CSRFToken": "\w+"', "TOKEN"),
    (r"(card|wording|read|dismiss|reason|suggestions|findings)([-/])\d+", r"\1\2N"),
    (r'data-(finding|findings|seq)="[\d ]+"', r"data-\1"),
)


def page_of(check: Check) -> str:
    """The page of a check without ids, tokens and numbers of events."""
    client = Client()
    session = client.session
    session[SESSION_KEY] = check.owner
    session.save()
    page = client.get(f"/checks/{check.pk}/").content.decode()
    for pattern, sign in _CHANGING:
        page = re.sub(pattern, sign, page)
    return page


def saved(check: Check) -> bytes:
    return FORMATS["json"].write(CheckDetail(Check.objects.get(pk=check.pk)))


@cache
def saved_sample() -> bytes:
    """What is changed by each test of its own; the first one makes it."""
    return saved(sample().check)


def loaded_elsewhere(check: Check) -> Check:
    """The check, taken away, deleted with everything of it, and loaded by somebody else."""
    data = saved(check)
    services.check_delete(check=check)
    Source.objects.all().delete()
    return services.check_import(owner="somebody-else", data=data)


def with_decisions() -> Check:
    check = sample().check
    finding = check.findings.get(sentence__index=index_of("northern"))
    services.finding_edit(check=check, finding_id=finding.pk, wording="It lies on the shore of Lake Ferrin.")
    services.finding_reject(check=check, finding_id=check.findings.first().pk)  # type: ignore[union-attr]
    services.decision_undo(check=check)
    return check


def with_sources() -> Check:
    kept = services.source_add_text(owner=OWNER, text="Founded in 1849, it says. And more.")
    failed = services.source_add_text(owner=OWNER, text="x")
    Source.objects.filter(pk=failed.pk).update(state=Source.State.FAILED, error="It is a scan.", text="", name="b.pdf")
    gone = services.source_add_text(owner=OWNER, text="Gone by then.")
    check = quoting(kept, "Founded in 1849", failed, gone)
    services.source_delete(source=gone)
    return check


def with_searches() -> Check:
    check = decided("It was founded in 1894. It has two gates.", {}, left_open={0: ""}).check
    document = DocumentReading("Gates", "https://gates.example/a?b=1", "It was built in 1849.", Span(0, 21), 0.1, 0.2)
    skipped = SkippedPage("Closed", "https://closed.example/", "It wants a login.")
    claim = ClaimRecord("It was founded in 1894", Span(0, 22), (document,), (skipped,), StopReason.DECIDED)
    record = SEARCH.to_json(SearchRecord("wikipedia", 10, (claim,)))
    unit = Unit.objects.get(sentence__index=0)
    evidence = Evidence("It was built in 1849.", Span(0, 21), document=DocumentLink("Gates", document.url), score=0.9)
    Unit.objects.filter(pk=unit.pk).update(detector="evidence.v1", search=record, passages_read=2, passages_total=9)
    Finding.objects.update(kind=FindingKind.REFUTED_BY_EVIDENCE, evidence=EVIDENCE.to_json((evidence,)))
    plan = {"miss": 1.0, "false_alarm": 1.0, "retrieval": 0.01, "most_documents": 10}
    Check.objects.filter(pk=check.pk).update(
        retriever="wikipedia", search_effort=SearchEffort.CAREFUL, search_plan=plan, engine="llm", topic="Gates"
    )
    for cost in (Decimal("0.00012"), None):
        ModelCall.objects.create(
            parent_check=check, key="k", purpose="test", prompt="direct.v1", model="m", outcome="answered",
            seconds=1.5, prompt_tokens=10, completion_tokens=5, cost_usd=cost, answers={"secret": 1},
        )  # fmt: skip
    return Check.objects.get(pk=check.pk)


def stopped() -> Check:
    check = sample().check
    Unit.objects.filter(sentence__index=1).update(state=Unit.State.FAILED, reason="It timed out.", verdict="")
    Unit.objects.filter(sentence__index=3).update(state=Unit.State.PENDING, verdict="")
    Finding.objects.filter(sentence__index=3).delete()
    Decision.objects.all().delete()
    Check.objects.filter(pk=check.pk).update(state=Check.State.CANCELLED)
    return Check.objects.get(pk=check.pk)


@pytest.mark.parametrize("make", [with_decisions, with_searches, stopped])
def test_a_loaded_check_shows_the_same_page(make: Callable[[], Check]) -> None:
    check = make()
    before = page_of(check)
    again = loaded_elsewhere(check)
    assert again.owner == "somebody-else"
    assert page_of(again) == before


def test_a_loaded_check_brings_its_sources_and_what_became_of_them() -> None:
    check = with_sources()
    before = page_of(check)
    assert all(words in before for words in ("It is a scan.", "was deleted", "?quote="))
    again = loaded_elsewhere(check)
    assert page_of(again) == before
    services.check_delete(check=again)
    assert not Source.objects.exists()


def test_the_history_goes_on_where_it_was() -> None:
    check = with_decisions()
    originals = [CheckDetail(check).revised_text]
    while check.decisions.filter(undone_at=None).exists():
        services.decision_undo(check=check)
        originals.append(CheckDetail(check).revised_text)
    Check.objects.all().delete()
    again = loaded_elsewhere(with_decisions())
    times = list(again.decisions.values_list("created_at", flat=True))
    assert times == sorted(times, reverse=True)
    for expected in originals[1:]:
        services.decision_undo(check=again)
        assert CheckDetail(again).revised_text == expected


def test_a_check_that_is_at_work_is_loaded_as_a_stopped_one() -> None:
    check = services.check_create(owner=OWNER, text="It waits.")
    again = loaded_elsewhere(check)
    assert (again.state, again.text) == (Check.State.CANCELLED, "It waits.")


def test_loading_twice_makes_two_checks_and_one_source() -> None:
    data = saved(with_sources())
    Check.objects.all().delete()
    Source.objects.all().delete()
    for _ in range(2):
        services.check_import(owner=OWNER, data=data)
    assert (Check.objects.count(), Source.objects.filter(state=Source.State.READY).count()) == (2, 1)


def test_answers_of_models_stay_behind() -> None:
    assert b"secret" not in saved(with_searches())


# --- What is refused --------------------------------------------------------------------------------------------


def _first_finding(content: dict[str, Any]) -> dict[str, Any]:
    return next(f for s in content["sentences"] for u in s["units"] for f in u["findings"])  # type: ignore[no-any-return]


def _set(*path: str | int, to: object) -> Callable[[dict[str, Any]], None]:
    def change(content: dict[str, Any]) -> None:
        place: Any = content
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to

    return change


def _set_finding(field: str, to: object) -> Callable[[dict[str, Any]], None]:
    return lambda content: _first_finding(content).__setitem__(field, to)


def _set_suggestion(field: str, to: object) -> Callable[[dict[str, Any]], None]:
    return lambda content: _first_finding(content)["suggestions"][0].__setitem__(field, to)


QUOTE = {
    "quote": "x", "start": 0, "end": 1, "sentence": None, "source": None, "conflict": [], "score": None,
    "document": None,
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        pytest.param(_set("surprise", to=1), "surprise: Extra inputs", id="unknown field"),
        pytest.param(_set("sentences", 0, "surprise", to=1), "sentences › 0 › surprise", id="unknown field inside"),
        pytest.param(_set("version", to=2), "version 2; this program reads version 1", id="newer version"),
        pytest.param(_set("format", to="other"), "no check", id="another format"),
        pytest.param(_set("text", to="y" * 10_000), "does not stand in the text", id="another text"),
        pytest.param(_set("text", to="\0"), "null character", id="null character"),
        pytest.param(_set("text", to=7), "valid string", id="wrong type"),
        pytest.param(_set("sentences", 2, "start", to=10**9), "lies outside the text", id="offset beyond the text"),
        pytest.param(_set("sentences", 2, "start", to=-1), "greater than or equal to 0", id="negative offset"),
        pytest.param(_set("sentences", 1, "index", to=0), "has the number 1", id="index twice"),
        pytest.param(_set("sentences", 0, "block", to=99), "stands in an earlier paragraph", id="block order"),
        pytest.param(_set("sentences", 0, "units", 0, "state", to="wonderful"), "Input should be", id="unknown state"),
        pytest.param(_set("sentences", 0, "units", 0, "verdict", to="true"), "Input should be", id="unknown verdict"),
        pytest.param(_set("sentences", 0, "units", 0, "verdict", to=""), "without being done", id="no verdict"),
        pytest.param(_set("sentences", 0, "units", 0, "passages_read", to=3), "half a count", id="half a count"),
        pytest.param(_set("state", to="hacked"), "state: Input should be", id="unknown state of the check"),
        pytest.param(_set("revised", to="Nothing."), "revised text", id="revised text"),
        pytest.param(_set("decisions", 0, "changes", 0, "finding", to=99), "not there", id="decision on nothing"),
        pytest.param(_set("decisions", 0, "undone_at", to="2026-01-01T00:00:00Z"), "", id="an undone decision is fine"),
        pytest.param(_set("decisions", 0, "changes", 0, "accepted_after", to=None), "do not lead", id="decisions"),
        pytest.param(_set_finding("score", 1.5), "less than or equal to 1", id="score"),
        pytest.param(_set_finding("end", 10**6), "outside its sentence", id="warning beyond its sentence"),
        pytest.param(_set_finding("fingerprint", "x"), "match pattern", id="fingerprint"),
        pytest.param(_set_finding("state", "accepted"), "0 suggestions are accepted", id="state of a warning"),
        pytest.param(_set_finding("evidence", [QUOTE | {"end": 5}]), "beyond the end", id="quote beyond its end"),
        pytest.param(_set_finding("evidence", [QUOTE | {"source": 0}]), "not there", id="unknown source"),
        pytest.param(_set_finding("evidence", [QUOTE | {"sentence": 0}]), "do not stand in", id="words of nobody"),
        pytest.param(_set_finding("evidence", [QUOTE | {"conflict": [[0, 9]]}]), "marks words", id="conflict"),
        pytest.param(
            _set_finding("evidence", [QUOTE | {"document": {"title": "", "url": "javascript:alert(1)"}}]),
            "no address of a web page",
            id="link that is a script",
        ),
        pytest.param(_set_suggestion("base_hash", "0" * 16), "written for another sentence", id="hash"),
        pytest.param(_set_suggestion("sentence", 999), "not there", id="suggestion for no sentence"),
        pytest.param(_set_suggestion("method", "magic"), "Input should be", id="unknown method"),
    ],
)  # fmt: skip
def test_a_file_that_was_changed_is_refused_with_the_place(
    change: Callable[[dict[str, Any]], None], problem: str
) -> None:
    content = json.loads(saved_sample())
    Check.objects.all().delete()
    change(content)
    data = json.dumps(content).encode()
    if not problem:
        services.check_import(owner=OWNER, data=data)
        return
    with pytest.raises(CheckFileRefused, match=re.escape(problem)):
        services.check_import(owner=OWNER, data=data)
    assert not Check.objects.exists()


def test_a_change_of_several_sentences_is_loaded_as_it_is() -> None:
    texts = ("It was founded in 1894.", "Since 1894 it has grown.")
    _, sentences = segment(*texts)
    found = finding(sentences, 0, "1894", texts[0].replace("1894", "1849"))
    check = checked(texts, [with_companions(found, {1: texts[1].replace("1894", "1849")})])
    services.suggestion_accept(check=check, suggestion_id=CheckDetail(check).cards[0].rewrites[0].suggestion)
    again = loaded_elsewhere(check)
    assert CheckDetail(again).revised_text == "It was founded in 1849. Since 1849 it has grown."
    services.decision_undo(check=again)
    assert CheckDetail(again).cards[0].rewrites[0].companion_numbers == (2,)

    content = json.loads(saved(again))
    for sentence, problem in ((0, "changes a sentence twice"), (99, "changes a sentence that is not there")):
        _first_finding(content)["suggestions"][0]["companions"][0]["sentence"] = sentence
        with pytest.raises(CheckFileRefused, match=problem):
            services.check_import(owner=OWNER, data=json.dumps(content).encode())


def test_two_accepted_changes_of_the_same_words_are_refused() -> None:
    content = json.loads(saved(decided("It was founded in 1894.", {0: "It was founded in 1849."}).check))
    found = _first_finding(content)
    other = json.loads(json.dumps(found)) | {"id": 1, "fingerprint": "0" * 32}
    other["suggestions"][0] |= {"id": 1, "replacement": "It was founded in 1850."}
    content["sentences"][0]["units"][0]["findings"].append(other)
    with pytest.raises(CheckFileRefused, match="change the same words"):
        services.check_import(owner=OWNER, data=json.dumps(content).encode())


@pytest.mark.parametrize("data", [b"", b"no", b"[]", b'"text"', b"\xff\xfe", b"[" * 100_000, b"PK\x03\x04", b"{}"])
def test_what_is_no_check_is_said_to_be_none(client: Client, data: bytes) -> None:
    response = client.post("/checks/load/", {"file": SimpleUploadedFile("a.json", data)})
    assert response.status_code == 422
    assert "no check" in response.content.decode()
    assert not Check.objects.exists()


def test_the_form_loads_a_check_and_leads_to_it(client: Client) -> None:
    data = saved(sample().check)
    response = client.post("/checks/load/", {"file": SimpleUploadedFile("a.json", data)})
    page = client.get(response.headers["Location"]).content.decode()
    assert "The village of Sorrel" in page
    assert 'action="/checks/load/"' in client.get("/checks/").content.decode()


def test_the_form_asks_for_a_file_and_for_a_smaller_one(client: Client, settings: Any) -> None:
    assert "Choose a file first." in client.post("/checks/load/").content.decode()
    settings.MAX_CHECK_FILE_BYTES = 1_000
    large = SimpleUploadedFile("a.json", b"x" * 1_001)
    assert "the limit is" in client.post("/checks/load/", {"file": large}).content.decode()


def _many(item: str, count: int) -> bytes:
    return b'{"format": "chatprotect-check", "version": 1, ' + ", ".join([item] * count).encode() + b"}"


def _costly_files() -> dict[str, bytes]:
    """A megabyte each."""
    head = '{"format": "chatprotect-check", "version": 1, '
    return {
        "unknown fields": (head + ", ".join(f'"x{number}": 1' for number in range(75_000)) + "}").encode(),
        "unknown fields of many items": (head + '"decisions": [' + ", ".join(['{"x": 1}'] * 60_000) + "]}").encode(),
        "unknown fields of items of items": (
            head + '"sentences": [{"units": [' + ", ".join(['{"findings": [{"x": 1}]}'] * 18_000) + "]}]}"
        ).encode(),
        "one field a hundred thousand times": _many('"text": 1', 90_000),
        "many items": (head + '"places": [' + "1," * 480_000 + "1]}").encode(),
        "deep": b"[" * 1_000_000,
        "an object in an object": b'{"a":' * 200_000,
        "a string without an end": b'"' + b'\\"' * 500_000,
        "a long number": b"9" * 1_000_000,
    }


@pytest.mark.parametrize("name", _costly_files())
def test_a_file_full_of_errors_costs_little(name: str) -> None:
    data = _costly_files()[name]
    with measured() as cost, pytest.raises(CheckFileRefused):
        services.check_import(owner=OWNER, data=data)
    assert cost.peak_bytes < 100_000_000
    assert cost.processor_s < 1  # 0.3 on a machine with nothing else to do


def test_decisions_are_taken_back_one_by_one_in_no_time() -> None:
    """Six thousand decisions on a warning beside three hundred accepted ones."""
    content = json.loads(saved(with_decisions()))
    sentence, unit = content["sentences"][0], content["sentences"][0]["units"][0]
    assert content["decisions"]
    content["decisions"] = [
        {
            "kind": "dismiss",
            "created_at": "2026-01-01T00:00:00Z",
            "undone_at": None,
            "is_abandoned": False,
            "changes": [],
        }
    ] * 6_000
    found = _first_finding(content)
    unit["findings"] = [_accepted(found, number, sentence) for number in range(50)]
    with measured() as cost, contextlib.suppress(CheckFileRefused):
        services.check_import(owner=OWNER, data=json.dumps(content).encode())
    assert cost.processor_s < 5


def _accepted(found: dict[str, Any], number: int, sentence: dict[str, Any]) -> dict[str, Any]:
    suggestion = found["suggestions"][0] | {
        "id": number, "sentence": 0, "base_hash": text_hash(sentence["text"]), "replacement": sentence["text"],
        "state": "accepted", "position": 0,
    }  # fmt: skip
    return found | {
        "id": number, "fingerprint": f"{number:032x}", "state": "accepted", "start": sentence["start"],
        "end": sentence["end"], "evidence": [], "suggestions": [suggestion],
    }  # fmt: skip


def test_a_text_that_is_too_long_here_is_refused() -> None:
    data = saved(decided("word " * 30 + ".", {}).check)
    long = json.loads(data)
    long["text"] = long["revised"] = "x" * (settings.MAX_TEXT_CHARS + 1)
    long["sentences"] = []
    with pytest.raises(CheckFileRefused, match="the limit here is 20,000"):
        services.check_import(owner=OWNER, data=json.dumps(long).encode())


def test_markup_in_a_loaded_check_is_shown_as_text() -> None:
    script = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    content = json.loads(saved(sample().check))
    found = _first_finding(content)
    found |= {"message": script, "explanation": script}
    content |= {"title": script, "topic": script, "error": script}
    again = services.check_import(owner="other", data=json.dumps(content).encode())
    for page in (page_of(again), FORMATS["html"].write(CheckDetail(again)).decode()):
        assert "<script>alert" not in page
        assert "<img" not in page
