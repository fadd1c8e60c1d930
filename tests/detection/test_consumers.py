"""The websocket through the real routed application: permissions, replay, live events, reconnection."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.contrib.sessions.backends.db import SessionStore
from pytest_django.fixtures import Settings

from chatprotect_web.asgi import application
from detection import events, services
from detection.models import Check, CheckEvent
from detection.web.live.consumers import COME_BACK, LONGEST_PAUSE_S, NO_SUCH_CHECK, PAUSE_S, pause_after
from detection.web.live.log_poller import log_poller
from detection.web.owners import SESSION_KEY
from tests.factories import OWNER, checked, decided_by_source, finding, segment
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.django_db(transaction=True)

TEXT, SENTENCES = segment("It was founded in 1894.")
YEAR = decided_by_source(finding(SENTENCES, 0, "1894", TEXT.replace("1894", "1849")))


def _session(owner: str) -> str:
    session = SessionStore()
    session[SESSION_KEY] = owner
    session.save()
    assert session.session_key is not None
    return session.session_key


async def _open(
    check: Check, *, owner: str = OWNER, since: str = "0", more: str = "", origin: str = "http://localhost:8000"
) -> WebsocketCommunicator:
    cookie = f"chatprotect_session={await sync_to_async(_session)(owner)}"
    return WebsocketCommunicator(
        application,
        f"/ws/checks/{check.pk}/?since={since}&{more}",
        headers=[(b"cookie", cookie.encode()), (b"origin", origin.encode()), (b"host", b"localhost:8000")],
    )


async def _until_pages_wait(number: int) -> None:
    """Wait until this number of open pages have read the log and wait for new events."""
    async with asyncio.timeout(PATIENCE_S):
        while sum(bool(page._changed._waiters) for page in log_poller._pages) < number:  # type: ignore[attr-defined]
            await asyncio.sleep(0.01)


async def _receive(socket: WebsocketCommunicator) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(await socket.receive_from(timeout=PATIENCE_S))
    return message


@pytest.fixture
def check() -> Check:
    return checked([TEXT], [YEAR])


async def test_a_page_gets_what_it_has_missed_and_then_what_happens(check: Check) -> None:
    socket = await _open(check)
    assert (await socket.connect())[0]
    replay = await _receive(socket)
    assert replay["seq"] == check.last_seq
    assert "1894" in replay["html"]
    await sync_to_async(services.findings_accept_all)(check=check)
    live = await _receive(socket)
    assert live["seq"] > replay["seq"]
    assert "<ins>1849</ins>" in live["html"]
    await socket.disconnect()


async def test_a_page_that_comes_back_gets_neither_a_gap_nor_a_double(check: Check) -> None:
    await sync_to_async(services.findings_accept_all)(check=check)
    socket = await _open(check, since=str(check.last_seq))
    await socket.connect()
    missed = await _receive(socket)
    await socket.disconnect()
    again = await _open(check, since=str(missed["seq"]))
    await again.connect()
    assert await again.receive_nothing(timeout=0.5)
    await again.disconnect()


async def test_what_the_answer_to_a_page_tells_it_is_told_to_other_pages_only(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("detection.web.live.log_poller.INTERVAL_S", 60)
    asking, other = [await _open(check, since=str(check.last_seq), more=f"page={page}") for page in ("asking", "other")]
    for socket in (asking, other):
        await socket.connect()
    await _until_pages_wait(2)

    def decide() -> None:
        with events.answered_to("asking"):
            services.findings_accept_all(check=check)

    await sync_to_async(decide)()
    told = await _receive(other)
    await asking.send_to(str(told["seq"]))
    await sync_to_async(services.decision_undo)(check=check)
    undone = await _receive(other)
    assert await _receive(asking) == undone
    for socket in (asking, other):
        await socket.disconnect()


async def test_other_pages_are_told_once_the_answer_is_there(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    monkeypatch.setattr("detection.events.nudges.send", lambda group, message: sent.append(message["answered_to"]))

    def decide() -> None:
        with events.answered_to("asking"):
            services.findings_accept_all(check=check)
            services.decision_undo(check=check)
            assert not sent  # rendering would delay the answer

    await sync_to_async(decide)()
    assert sent == ["asking"]


async def test_a_page_whose_answer_was_lost_is_told_after_all(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("detection.web.live.log_poller.INTERVAL_S", 0.2)
    socket = await _open(check, since=str(check.last_seq), more="page=asking")
    await socket.connect()
    await _until_pages_wait(1)

    def decide() -> None:
        with events.answered_to("asking"):
            services.findings_accept_all(check=check)

    await sync_to_async(decide)()
    assert "1849" in (await _receive(socket))["html"]
    await socket.disconnect()


async def test_each_page_is_told_in_its_own_language(check: Check, marking: str) -> None:
    heard = []
    for language in ("en", marking, "no-such-language"):
        socket = await _open(check, more=f"language={language}")
        await socket.connect()
        heard.append((await _receive(socket))["html"])
        await socket.disconnect()
    assert ["⟦Undo the last decision⟧" in html for html in heard] == [False, True, False]


async def test_two_pages_hear_of_the_same_decision(check: Check) -> None:
    sockets = [await _open(check, since=str(check.last_seq)) for _ in range(2)]
    for socket in sockets:
        await socket.connect()
    await sync_to_async(services.findings_accept_all)(check=check)
    first, second = [await _receive(socket) for socket in sockets]
    assert first == second
    for socket in sockets:
        await socket.disconnect()


async def test_a_nudge_that_is_lost_is_made_up_for_by_the_poll(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("detection.web.live.log_poller.INTERVAL_S", 0.2)
    monkeypatch.setattr("detection.events.log.nudge", lambda check_id: None)
    socket = await _open(check, since=str(check.last_seq))
    await socket.connect()
    await _until_pages_wait(1)
    await sync_to_async(services.findings_accept_all)(check=check)
    assert "1849" in (await _receive(socket))["html"]
    await socket.disconnect()


async def test_events_from_another_thread_and_loop_arrive_at_once(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("detection.web.live.log_poller.INTERVAL_S", 60)
    socket = await _open(check, since=str(check.last_seq))
    await socket.connect()
    await _until_pages_wait(1)
    await asyncio.to_thread(services.findings_accept_all, check=check)
    assert "1849" in (await _receive(socket))["html"]
    await socket.disconnect()


@pytest.mark.parametrize("owner", ["somebody-else", ""])
async def test_another_browser_hears_nothing_and_is_told_not_to_try_again(check: Check, owner: str) -> None:
    socket = await _open(check, owner=owner)
    await socket.connect()
    assert await socket.receive_output(timeout=PATIENCE_S) == {"type": "websocket.close", "code": NO_SUCH_CHECK}


@pytest.mark.parametrize("key", ["abcdefgh\\000", "\\000" * 40, "", "x" * 5_000])
async def test_a_cookie_that_is_no_session_hears_nothing(check: Check, key: str) -> None:
    cookie = f'chatprotect_session="{key}"'.encode()
    headers = [(b"cookie", cookie), (b"origin", b"http://localhost"), (b"host", b"localhost")]
    socket = WebsocketCommunicator(application, f"/ws/checks/{check.pk}/", headers=headers)
    await socket.connect()
    assert await socket.receive_output(timeout=PATIENCE_S) == {"type": "websocket.close", "code": NO_SUCH_CHECK}


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "http://localhost:9999", "http://localhost:8000.evil.example", "null", "file://"],
)
async def test_a_foreign_origin_is_refused(check: Check, origin: str) -> None:
    socket = await _open(check, origin=origin)
    assert (await socket.connect())[0] is False


async def test_a_page_of_a_deleted_check_is_told_so(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("detection.web.live.log_poller.INTERVAL_S", 0.2)
    socket = await _open(check, since=str(check.last_seq))
    await socket.connect()
    await _until_pages_wait(1)
    await sync_to_async(services.check_delete)(check=check)
    assert await socket.receive_output(timeout=PATIENCE_S) == {"type": "websocket.close", "code": NO_SUCH_CHECK}


async def test_a_page_that_cannot_be_told_more_is_sent_away_to_come_back(check: Check) -> None:
    socket = await _open(check, since=str(check.last_seq))
    await socket.connect()
    # A newer version may write this while this one still serves pages.
    await CheckEvent.objects.acreate(parent_check=check, seq=check.last_seq + 1, type="of.tomorrow", payload={})
    await Check.objects.aupdate(last_seq=check.last_seq + 1)
    await sync_to_async(events.nudge)(check.pk)
    assert await socket.receive_output(timeout=PATIENCE_S) == {"type": "websocket.close", "code": COME_BACK}


@pytest.mark.parametrize("since", ["-1", "9" * 30, "x", "1e3", "%00"])
async def test_nonsense_in_the_address_means_from_the_beginning(check: Check, since: str) -> None:
    socket = await _open(check, since=since)
    await socket.connect()
    assert (await _receive(socket))["seq"] == check.last_seq
    await socket.disconnect()


@pytest.mark.parametrize(("required", "hears"), [(False, True), (True, False)])
async def test_without_a_login_nothing_is_heard_where_one_is_required(
    check: Check, settings: Settings, required: bool, hears: bool
) -> None:
    settings.REQUIRE_LOGIN = required
    socket = await _open(check)
    await socket.connect()
    if hears:
        assert (await _receive(socket))["seq"] == check.last_seq
        await socket.disconnect()
    else:
        assert await socket.receive_output(timeout=PATIENCE_S) == {"type": "websocket.close", "code": NO_SUCH_CHECK}


def test_a_page_that_is_slow_to_render_rests_for_longer_but_not_for_ever() -> None:
    assert pause_after(0.001) == PAUSE_S, "a quick page is told at once"
    assert pause_after(0.1) < pause_after(0.2) < LONGEST_PAUSE_S
    assert pause_after(60) == LONGEST_PAUSE_S
