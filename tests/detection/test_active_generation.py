"""A text that is checked during generation: storage, page and decisions of the reader."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from uuid import uuid4

import lxml.html
import pytest
from django.db import connection
from django.test import Client
from pytest_django.fixtures import Settings

from detection import events, services
from detection.core.active_generation.events import SentenceHeld, SentenceSettled, WritingEnded
from detection.core.active_generation.types import Ending, SentenceState, ValidationMode
from detection.core.types import Engine, FindingKind
from detection.exports import FORMATS
from detection.exports.loading import CheckFileRefused
from detection.models import Check, CheckEvent, ModelCall
from detection.selectors.detail import CheckDetail
from detection.services.active_generation import Assignment, Store, TextChanged
from detection.web.live import fragments
from detection.web.owners import SESSION_KEY
from tests.detection.test_fragments import apply, shown
from tests.factories import OWNER
from tests.fakes.model_server import Asked, ModelServer, Reply
from tests.fakes.scripts import contradicting
from tests.fakes.writing import (
    BASIN,
    BRED,
    CRANE,
    FOUNDED,
    PROMPT,
    SOURCE,
    TRUE,
    WRONG_CRANE,
    WritingModel,
    is_validation,
    is_writing,
    prefix_of,
)

WHOLE = f"{FOUNDED} {CRANE} {TRUE} {BASIN}"
QUESTION = "Why was the harbour founded by Jon Berg?"
RECTIFIED = "Why was the harbour founded by Ada Lind?"

pytestmark = pytest.mark.django_db(transaction=True)


class Model:
    """Writes and validates like ``writing``, and answers the other detectors."""

    def __init__(self) -> None:
        self.writing = WritingModel()

    def __call__(self, asked: Asked) -> Reply:
        if "Rewrite the question" in asked.last:
            return Reply((RECTIFIED,))
        if "takes for granted" in asked.last and "boundary" in asked.last:
            said = {"assumption": "Jon Berg founded it.", "quote": "", "reason": "Ada Lind did.", "answer": "no"}
            return Reply((json.dumps(said),))
        if "Take the sentence apart" in asked.last or "hypotheses, boundary" in asked.last:
            return Reply(status=400)  # other detectors, which this test ignores
        return self.writing(asked) if is_writing(asked) or is_validation(asked) else contradicting(asked)


@pytest.fixture
def server(settings: Settings) -> Iterator[ModelServer]:
    with ModelServer(Model()).running() as running:
        settings.LLM_BASE_URL, settings.LLM_API_KEY = running.base_url, "sk-secret"
        settings.GENERATOR_MODEL, settings.ANALYZER_MODEL = "generator", "analyzer"
        yield running


@pytest.fixture
def page(client: Client) -> Callable[[Check], Any]:
    def of(check: Check) -> Any:
        session = client.session
        session[SESSION_KEY] = OWNER
        session.save()
        return lxml.html.fromstring(client.get(f"/checks/{check.pk}/").content.decode())

    return of


def create(prompt: str = PROMPT, mode: ValidationMode = ValidationMode.SEARCH) -> Check:
    sources = [services.source_add_text(owner=OWNER, text=SOURCE)] if mode is ValidationMode.SEARCH else []
    return services.check_create(
        owner=OWNER,
        prompt=prompt,
        engine=Engine.LLM,
        sources=sources,
        retriever="library" if sources else "",
        validation=mode,
    )


def run(check: Check) -> Check:
    services.check_run(check_id=check.pk)
    check.refresh_from_db()
    return check


def test_a_repaired_text_is_checked_and_its_first_version_can_be_had_back(server: ModelServer) -> None:
    check = run(create())
    assert (check.state, check.text) == (Check.State.DONE, WHOLE)
    assert [row.state for row in check.written_sentences.all()] == ["passed", "repaired", "passed", "passed"]
    finding = check.findings.get(kind=FindingKind.REPAIRED_WHILE_GENERATING)
    assert (finding.sentence.text, check.text[finding.start : finding.end]) == (CRANE, "1914")
    assert WRONG_CRANE in finding.message
    (suggestion,) = finding.suggestions.all()
    assert (suggestion.label, suggestion.replacement) == ("use_first_version", WRONG_CRANE)
    services.suggestion_accept(check=check, suggestion_id=suggestion.pk)
    assert CheckDetail(check).revised_text == WHOLE.replace(CRANE, WRONG_CRANE)


def test_accept_all_never_brings_a_mistake_back(server: ModelServer) -> None:
    check = run(create())
    services.findings_accept_all(check=check)
    assert "1941" not in CheckDetail(check).revised_text


def test_the_log_tells_how_each_sentence_fared(server: ModelServer) -> None:
    check = run(create())
    told = [
        (row.type, row.payload.get("state"))
        for row in CheckEvent.objects.filter(parent_check=check, type__startswith="generation.")
    ]
    assert ("generation.sentence", "held") in told
    assert ("generation.sentence", "repaired") in told
    assert ("generation.dropped", None) in told
    assert told[-1] == ("generation.ended", None)


def test_a_run_that_loses_its_check_is_followed_by_one_that_goes_on(server: ModelServer) -> None:
    model = server.script

    def script(asked: Asked) -> Reply:
        if asked.body.get("stream") and CRANE in prefix_of(asked):
            # Simulates a worker that takes over from a killed one while no call is running.
            _until(lambda: check.written_sentences.filter(index=1, state="repaired").exists())
            Check.objects.update(run_token=None)
            connection.close()
        return model(asked)

    check = create()
    server.script = script
    run(check)
    settled = check.written_sentences.exclude(state="held")
    assert settled.count() < 4
    first = {asked.prompt for asked in server.asked if not asked.body.get("stream")}
    answered = ModelCall.objects.filter(parent_check=check, outcome="answered").exclude(answers=None).count()
    assert answered
    server.asked.clear()
    server.script = model
    Check.objects.filter(pk=check.pk).update(state=Check.State.QUEUED)
    assert run(check).text == WHOLE
    asked = {asked.prompt for asked in server.asked if "boundary" in asked.last and not asked.body.get("stream")}
    assert not {prompt for prompt in asked & first if "Answer the question by the passages" in prompt}
    writing = [prefix_of(asked) for asked in server.asked if asked.body.get("stream")]
    assert writing[0].startswith(FOUNDED)


def test_a_page_opened_at_any_moment_is_brought_up_to_date_by_fragments(
    server: ModelServer, page: Callable[[Check], Any]
) -> None:
    model, pages = server.script, []
    check = create()

    def script(asked: Asked) -> Reply:
        seq = Check.objects.values_list("last_seq", flat=True).get(pk=check.pk)
        pages.append((seq, page(check)))
        connection.close()
        return model(asked)

    server.script = script
    run(check)
    fresh = page(check)
    assert any("written--held" in " ".join(shown(older)) for _, older in pages)
    for seq, older in pages:
        apply(older, fragments.since(check.pk, seq).html)
        assert shown(older) == shown(fresh)


def test_the_page_shows_what_was_changed_and_why_while_the_text_is_written(
    server: ModelServer, page: Callable[[Check], Any]
) -> None:
    model = server.script
    server.script = lambda asked: Reply(status=400) if BASIN in str(prefix_of(asked)) + asked.last else model(asked)

    def script(asked: Asked) -> Reply:
        return Reply(status=400) if asked.body.get("stream") and CRANE in prefix_of(asked) else model(asked)

    server.script = script
    check = run(create())
    assert check.state == Check.State.FAILED
    html = lxml.html.tostring(page(check), encoding="unicode")
    assert '<del role="deletion">1941</del><ins role="insertion">1914</ins>' in html
    assert "Is 1941 right in" in html
    assert "Continue writing" in html


@pytest.mark.parametrize(
    ("text", "limits", "told"),
    [
        (f"{FOUNDED} {BASIN}", {"MAX_TEXT_CHARS": 60}, "The text reached the maximum length."),
        (f"{FOUNDED} {BASIN} {FOUNDED} {BASIN}", {}, "The model began to repeat itself."),
        (f"{FOUNDED} {WRONG_CRANE}", {"BUDGET_CALLS": 2}, "budget of 2 model calls"),
        ("I'm sorry, but I cannot do that.", {}, "failed: The model refused to write it."),
        (" ", {}, "failed: The model wrote nothing."),
    ],
)
def test_the_page_tells_why_a_text_ends(
    server: ModelServer,
    page: Callable[[Check], Any],
    settings: Settings,
    text: str,
    limits: dict[str, int],
    told: str,
) -> None:
    for name, value in limits.items():
        setattr(settings, name, value)
    assert isinstance(server.script, Model)
    server.script.writing = WritingModel(text=lambda prefix: "END" if prefix else text)
    status = page(run(create())).get_element_by_id("progress").text_content()
    assert told in " ".join(status.split())


def test_headings_and_code_are_shown_as_such_and_said_not_to_be_checked(
    server: ModelServer, page: Callable[[Check], Any]
) -> None:
    text = f"# The harbour\n\n{FOUNDED}\n\n```python\nopened = 1941\n```\n\n- {BASIN}"
    assert isinstance(server.script, Model)
    server.script.writing = WritingModel(text=lambda prefix: "END" if prefix else text, unsure=["1921"])
    check = run(create())
    assert check.text == text
    done = page(check).get_element_by_id("text")
    Check.objects.update(written_at=None, state=Check.State.CANCELLED)
    check.sentences.all().delete()
    unfinished = page(check).get_element_by_id("text")
    for shown_text in (done, unfinished):
        words = " ".join(shown_text.text_content().split())
        assert [pre.text_content() for pre in shown_text.iter("pre")] == ["opened = 1941"]
        assert "python code: unchanged, not checked" in words
        assert "```" not in words
        assert "2 sentences: not checked" in words
        assert "1 sentence: checked and supported" in words


def test_a_sentence_that_could_not_be_checked_says_so_beside_the_text(
    server: ModelServer, page: Callable[[Check], Any]
) -> None:
    model = server.script
    server.script = lambda asked: Reply(status=400) if "Answer the question by" in asked.last else model(asked)
    notes = page(run(create())).get_element_by_id("how-written").text_content()
    assert f"“{WRONG_CRANE}” not checked: The endpoint does not accept" in " ".join(notes.split())


def test_markup_in_a_written_sentence_and_in_its_evidence_is_text(
    server: ModelServer, page: Callable[[Check], Any]
) -> None:
    evil = "The <script>alert(1)</script> crane was bought in 1914."
    assert isinstance(server.script, Model)
    server.script.writing = WritingModel(text=lambda prefix: evil, unsure=["1914"])
    check = create()
    html = lxml.html.tostring(page(run(check)), encoding="unicode")
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)" in html


# --- The first version, during generation -----------------------------------------------------------------------


def test_the_text_goes_on_from_a_first_version_that_is_put_back_while_it_is_written(
    server: ModelServer, client: Client, page: Callable[[Check], Any]
) -> None:
    model, check, pages = server.script, create(), []
    page(check)

    def script(asked: Asked) -> Reply:
        if asked.body.get("stream") and prefix_of(asked).endswith(CRANE) and not pages:
            # The reader acts while the writer waits for the text after the correction.
            _until(lambda: check.written_sentences.filter(index=1, state="repaired").exists())
            html = lxml.html.tostring(page(check), encoding="unicode")
            pages.append(html)
            assert client.post(f"/checks/{check.pk}/written/1/first-version/").status_code == 302
            pages.append(lxml.html.tostring(page(check), encoding="unicode"))
            connection.close()
        return model(asked)

    server.script = script
    run(check)
    assert "Use the first version" in pages[0]
    assert "first version, restored by you" in pages[1]
    assert "Use the correction" in pages[1]
    assert check.text == f"{FOUNDED} {WRONG_CRANE} {BRED} {BASIN}"
    writing = [prefix_of(asked) for asked in server.asked if asked.body.get("stream")]
    assert writing[-1] == f"{FOUNDED} {WRONG_CRANE}"
    # The finding remains, and the decision is an ordinary one.
    finding = check.findings.get(kind=FindingKind.REPAIRED_WHILE_GENERATING)
    assert (finding.state, finding.sentence.text) == ("rejected", WRONG_CRANE)
    assert [option.label for option in finding.suggestions.all()] == ["use_correction"]
    services.decision_undo(check=check)
    html = lxml.html.tostring(page(check), encoding="unicode")
    assert "Keep the first version" in html
    services.suggestion_accept(check=check, suggestion_id=finding.suggestions.get().pk)
    assert CheckDetail(check).revised_text == check.text.replace(WRONG_CRANE, CRANE)
    services.decision_undo(check=check)
    services.decision_redo(check=check)
    assert CRANE in CheckDetail(check).revised_text


def test_nothing_is_stored_that_goes_by_a_text_the_reader_has_changed(server: ModelServer) -> None:
    check = create()
    run(check)
    rows = list(check.written_sentences.all())
    # The state when the third sentence is settled and the fourth is held.
    token = uuid4()
    Check.objects.update(written_at=None, state=Check.State.RUNNING, run_token=token)
    check.written_sentences.filter(index=3).update(state="held")
    store = Store(Assignment(check.pk, token, PROMPT, None, ValidationMode.SEARCH, is_premise_checked=True))
    written = store.read_settled()
    held = replace(written[-1], state=SentenceState.HELD)
    store.report(SentenceHeld(3, held))
    services.first_version_restore(check=check, index=1)
    check.refresh_from_db()
    assert check.text == f"{FOUNDED} {WRONG_CRANE} {TRUE}"
    assert check.written_sentences.count() == 3
    for event in (SentenceHeld(3, held), SentenceSettled(3, written[-1]), WritingEnded(Ending.COMPLETE, "")):
        with pytest.raises(TextChanged):
            store.report(event)
    with pytest.raises(TextChanged):
        store.finish()
    assert check.written_sentences.count() == 3
    # The page says that the next sentence was written from the correction.
    (view,) = [view for view in CheckDetail(check).written if view.is_restored]
    assert view.written_before == (3,)
    assert [sentence.text for sentence in store.read_settled()] == [FOUNDED, f"{WRONG_CRANE}", TRUE]
    services.correction_restore(check=check, index=1)
    assert [sentence.text for sentence in store.read_settled()] == [row.text for row in rows[:3]]


@pytest.mark.parametrize("index", [0, 1, 7])
def test_what_was_not_corrected_or_is_written_already_has_no_first_version_to_put_back(
    server: ModelServer, client: Client, page: Callable[[Check], Any], index: int
) -> None:
    check = run(create())
    page(check)
    refused = client.post(f"/checks/{check.pk}/written/{index}/first-version/", headers={"HX-Request": "true"})
    assert (refused.status_code, "is finished" in refused.content.decode()) == (409, True)
    Check.objects.update(written_at=None)
    if index != 1:
        refused = client.post(f"/checks/{check.pk}/written/{index}/first-version/", headers={"HX-Request": "true"})
        assert (refused.status_code, "was not corrected" in refused.content.decode()) == (409, True)


def test_a_sentence_that_was_left_out_can_be_put_back_while_the_text_is_written(server: ModelServer) -> None:
    check = create()
    check.written_sentences.create(
        index=0, lead="", text="", first_version=WRONG_CRANE, kind="paragraph", state="left_out", reason="x"
    )
    services.first_version_restore(check=check, index=0)
    run(check)
    assert check.text.startswith(WRONG_CRANE)
    finding = check.findings.get(kind=FindingKind.REPAIRED_WHILE_GENERATING, state="rejected")
    (suggestion,) = finding.suggestions.all()
    assert (suggestion.label, suggestion.replacement) == ("leave_out", "")


def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


# --- Questions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("question", [RECTIFIED, "What was founded in 1911?"])
def test_a_false_premise_waits_for_a_decision_and_the_question_decided_on_is_answered(
    server: ModelServer, client: Client, page: Callable[[Check], Any], question: str
) -> None:
    check = run(create(QUESTION, ValidationMode.SELF))
    assert check.state == Check.State.WAITING
    assert not any(asked.body.get("stream") for asked in server.asked)
    html = lxml.html.tostring(page(check), encoding="unicode")
    assert "Jon Berg founded it." in html
    assert RECTIFIED in html
    client.post(f"/checks/{check.pk}/premise/", {"question": question})
    assert run(check).state == Check.State.DONE
    assert (check.prompt, check.text) == (question, WHOLE)
    assert not check.findings.filter(kind=FindingKind.FALSE_PREMISE).exists()
    assert question in next(asked.last for asked in server.asked if asked.body.get("stream"))


def test_a_question_that_is_answered_as_it_was_asked_is_told_of(
    server: ModelServer, client: Client, page: Callable[[Check], Any]
) -> None:
    check = run(create(QUESTION, ValidationMode.SELF))
    page(check)
    client.post(f"/checks/{check.pk}/premise/", {"question": QUESTION})
    check = run(check)
    assert check.state == Check.State.DONE
    finding = check.findings.get(kind=FindingKind.FALSE_PREMISE)
    assert "Jon Berg founded it." in finding.message


def test_an_empty_question_is_no_decision(server: ModelServer, client: Client, page: Callable[[Check], Any]) -> None:
    check = run(create(QUESTION, ValidationMode.SELF))
    page(check)
    refused = client.post(f"/checks/{check.pk}/premise/", {"question": " "}, headers={"HX-Request": "true"})
    assert refused.status_code == 409
    check.refresh_from_db()
    assert check.state == Check.State.WAITING


# --- Exports ----------------------------------------------------------------------------------------------------


def test_a_corrected_text_can_be_taken_away_and_loaded_with_how_it_was_written(
    server: ModelServer, page: Callable[[Check], Any]
) -> None:
    check = run(create())
    check.written_sentences.filter(index=1).update(chosen_at=3)
    data = FORMATS["json"].write(CheckDetail(check))
    loaded = services.check_import(owner=OWNER, data=data)
    assert loaded.text == WHOLE
    finding = loaded.findings.get(kind=FindingKind.REPAIRED_WHILE_GENERATING)
    assert finding.suggestions.get().replacement == WRONG_CRANE
    how = [page(one).get_element_by_id("how-written").text_content().split() for one in (check, loaded)]
    assert how[0] == how[1]
    assert "Is 1941 right in" in " ".join(how[1])

    markdown = FORMATS["markdown"].write(CheckDetail(loaded)).decode()
    report = FORMATS["html"].write(CheckDetail(loaded)).decode()
    for document in (markdown, report):
        assert "How the text was written" in document
        assert "1 sentence: corrected" in document
        assert WRONG_CRANE in document.partition("How the text was written")[2]


def test_a_file_whose_account_of_the_writing_was_changed_is_refused(server: ModelServer) -> None:
    written = FORMATS["json"].write(CheckDetail(run(create())))
    changes: list[tuple[dict[str, object], str]] = [
        ({"text": "Another text."}, "do not make the text"),
        ({"text": ""}, "kept without one"),
        ({"state": "passed"}, "changed without a reason"),
        ({"chosen_at": 99}, "after the end of the text"),
        ({"state": "held"}, "written › 1 › state"),
    ]
    for change, problem in changes:
        content = json.loads(written)
        content["written"][1] |= change
        with pytest.raises(CheckFileRefused, match=problem):
            services.check_import(owner=OWNER, data=json.dumps(content).encode())


def test_a_text_that_is_not_finished_is_loaded_as_far_as_it_is_settled(server: ModelServer) -> None:
    check = run(create())
    Check.objects.update(written_at=None, state=Check.State.CANCELLED, text=f"{FOUNDED} {CRANE}")
    check.sentences.all().delete()
    check.written_sentences.filter(index=2).update(state="held")
    check.written_sentences.filter(index=3).delete()
    check.refresh_from_db()
    loaded = services.check_import(owner=OWNER, data=FORMATS["json"].write(CheckDetail(check)))
    services.check_resume(check=loaded)
    server.asked.clear()
    assert run(loaded).text == WHOLE
    assert next(prefix_of(asked) for asked in server.asked if is_writing(asked)) == f"{FOUNDED} {CRANE}"


def test_a_question_that_waits_is_taken_away_as_one_that_was_stopped(server: ModelServer) -> None:
    check = run(create(QUESTION, ValidationMode.SELF))
    loaded = services.check_import(owner="somebody-else", data=FORMATS["json"].write(CheckDetail(check)))
    assert (loaded.state, loaded.prompt) == (Check.State.CANCELLED, QUESTION)


# --- The form ---------------------------------------------------------------------------------------------------


def test_the_form_asks_whether_to_check_while_writing(server: ModelServer, client: Client, settings: Settings) -> None:
    assert "Check while writing?" in client.get("/").content.decode()
    values = {"text": "", "prompt": PROMPT, "engine": "llm", "validation": "self"}
    assert client.post("/checks/new/", values).status_code == 302
    assert Check.objects.get().validation == ValidationMode.SELF
    refused = client.post("/checks/new/", {**values, "validation": "search"})
    assert refused.status_code == 422
    assert "choose where to look for evidence" in refused.content.decode()
    settings.LLM_BASE_URL = ""
    assert "Check while writing?" not in client.get("/").content.decode()


def test_a_text_that_was_pasted_is_not_written(server: ModelServer, client: Client) -> None:
    client.post("/checks/new/", {"text": WHOLE, "prompt": PROMPT, "engine": "llm", "validation": "self"})
    assert Check.objects.get().validation == ValidationMode.NONE


def test_every_new_event_has_a_renderer() -> None:
    assert set(fragments.TARGETS) == set(events.EVENT_TYPES.values())
