"""The client with a real socket: endpoint failures, and their reports to the reader."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from decimal import Decimal

import pytest

from detection.core.errors import BudgetExhausted, DetectionError, EndpointRefused, ModelCallFailed
from detection.core.llm.budget import Budget, Spending
from detection.core.llm.client import Endpoint, ModelClient
from detection.core.llm.pricing import Price
from detection.core.llm.types import CallOutcome, CallRecord, ModelAnswer, ModelRequest, Purpose
from detection.core.prompts import Message, Role
from tests.fakes.model_server import Asked, ModelServer, Reply, Script

FINE = Reply(("Fine.",))


def question(text: str = "How are you?", *, samples: int = 1) -> ModelRequest:
    return ModelRequest(Purpose.TEST, "test.v1", "some-model", (Message(Role.USER, text),), samples=samples)


class Listener:
    def __init__(self) -> None:
        self.records: list[CallRecord] = []
        self.waits: list[tuple[str, float]] = []

    async def called(self, record: CallRecord, spending: Spending) -> None:
        self.records.append(record)

    async def waiting(self, reason: str, seconds: float) -> None:
        self.waits.append((reason, seconds))


class Memory:
    def __init__(self) -> None:
        self.answers: dict[str, ModelAnswer] = {}

    async def find(self, key: str) -> ModelAnswer | None:
        return self.answers.get(key)

    async def keep(self, key: str, answer: ModelAnswer) -> None:
        self.answers[key] = answer


@asynccontextmanager
async def opened(
    script: Script,
    *,
    timeout_s: float = 5.0,
    deadline_s: float = 20.0,
    concurrency: int = 64,
    key: str = "sk-secret",
    real_waits: bool = False,
    **options: object,
) -> AsyncIterator[tuple[ModelClient, ModelServer]]:
    async def at_once(seconds: float) -> None:
        await asyncio.sleep(0)

    with ModelServer(script).running() as server:
        endpoint = Endpoint(server.base_url, key, timeout_s, deadline_s, concurrency)
        sleep = {} if real_waits else {"sleep": at_once}
        async with ModelClient(endpoint, **sleep, **options) as client:  # type: ignore[arg-type]
            yield client, server


def in_turn(*replies: Reply) -> Script:
    """The replies in order; the last one repeats."""
    left = list(replies)
    return lambda asked: left.pop(0) if len(left) > 1 else left[0]


async def test_an_answer_with_its_tokens_and_its_price() -> None:
    listener = Listener()
    prices = {"some-model": Price(Decimal(1), Decimal(10))}
    async with opened(lambda asked: Reply(("Very well.",)), prices=prices, listener=listener) as (client, server):
        answer = await client.complete(question())
        assert answer.text == "Very well."
        assert (answer.usage and (answer.usage.prompt, answer.usage.completion)) == (3, 2)
        assert client.spending.usd == Decimal("0.000023")
        assert client.spending.calls == 1
    assert server.asked[0].key == "sk-secret"
    (record,) = listener.records
    assert record.outcome is CallOutcome.ANSWERED
    assert record.seconds > 0


async def test_an_unknown_price_is_unknown_and_not_nothing() -> None:
    async with opened(lambda asked: FINE) as (client, _):
        await client.complete(question())
        assert client.spending.usd is None
        assert client.spending.usage.total > 0


@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param(Reply(status=429), id="429"),
        pytest.param(Reply(status=429, headers={"Retry-After": "0"}), id="429 with Retry-After"),
        pytest.param(Reply(status=500), id="500"),
        pytest.param(Reply(status=503), id="503"),
        pytest.param(Reply(status=529), id="529"),
        pytest.param(Reply(("half an answer",), breaks_off=True), id="disconnect"),
        pytest.param(Reply(body=b"<html>Bad gateway</html>"), id="a web page"),
        pytest.param(Reply(body=b'{"choices": [{"message": {"cont'), id="cut JSON"),
        pytest.param(Reply(body=b'{"choices": []}'), id="no choices"),
        pytest.param(Reply(body=b'{"choices": "none"}'), id="wrong schema"),
        pytest.param(Reply(body=b"[" * 100_000), id="deeply nested"),
    ],
)
async def test_what_may_pass_is_tried_again(trouble: Reply) -> None:
    async with opened(in_turn(trouble, trouble, FINE)) as (client, server):
        assert (await client.complete(question())).text == "Fine."
        assert len(server.asked) == 3
        assert client.spending.calls == 3


@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        pytest.param(Reply(status=401), "refuses the API key", id="401"),
        pytest.param(Reply(status=403), "API key", id="403"),
        pytest.param(Reply(status=429, code="insufficient_quota"), "no credit", id="quota"),
        pytest.param(Reply(status=404), "no model 'some-model'", id="404"),
        pytest.param(Reply(status=404, code="model_not_found"), "no model 'some-model'", id="unknown model"),
    ],
)
async def test_what_no_call_can_pass_ends_the_run_at_once(trouble: Reply, message: str) -> None:
    async with opened(lambda asked: trouble) as (client, server):
        with pytest.raises(EndpointRefused, match=message):
            await client.complete(question())
        with pytest.raises(EndpointRefused, match=message):
            await client.complete(question("Another one?"))
        assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        pytest.param(Reply(status=400, code="context_length_exceeded"), "too long", id="context length"),
        pytest.param(Reply(status=400), "does not accept", id="400"),
        pytest.param(Reply(("",)), "empty answer", id="empty answer"),
        pytest.param(Reply(("I can't.",), refusal="I can't."), "refused", id="refusal"),
        pytest.param(Reply(("x",), finish_reason="content_filter"), "refused", id="content filter"),
    ],
)
async def test_what_concerns_one_call_fails_that_call_alone(trouble: Reply, message: str) -> None:
    async with opened(lambda asked: trouble if "bad" in asked.last else FINE) as (client, server):
        with pytest.raises(ModelCallFailed, match=message):
            await client.complete(question("bad"))
        assert len(server.asked) == 1
        assert (await client.complete(question("good"))).text == "Fine."


async def test_an_answer_of_ten_megabytes_is_not_read() -> None:
    async with opened(lambda asked: Reply(("x" * 10_000_000,))) as (client, _):
        with pytest.raises(ModelCallFailed, match="too long"):
            await client.complete(question())


@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param(Reply(("late",), delay_s=30), id="hang"),
        pytest.param(Reply(("slow " * 50,), seconds_per_chunk=0.2), id="slow stream"),
    ],
)
async def test_a_call_has_a_deadline_however_the_answer_drips(trouble: Reply) -> None:
    async with opened(lambda asked: trouble, timeout_s=0.3, deadline_s=0.8) as (client, _):
        begun = time.monotonic()
        with pytest.raises(ModelCallFailed, match="no answer within"):
            await client.complete(question())
        assert time.monotonic() - begun < 5


async def test_an_endpoint_that_is_not_there() -> None:
    with ModelServer(lambda asked: FINE).running() as server:
        url = server.base_url
    async with ModelClient(Endpoint(url, "", deadline_s=1.0)) as client:
        with pytest.raises(ModelCallFailed, match="cannot be reached"):
            await client.complete(question())


async def test_a_wait_that_the_endpoint_asks_for_is_kept_and_told(quickly_told: None) -> None:
    listener = Listener()
    script = in_turn(Reply(status=429, headers={"Retry-After-Ms": "300"}), FINE)
    async with opened(script, listener=listener, real_waits=True) as (client, server):
        await client.complete(question())
    assert server.asked[1].at - server.asked[0].at >= 0.3
    ((reason, seconds),) = listener.waits
    assert "busy" in reason
    assert seconds >= 0.3


async def test_a_wait_beyond_the_deadline_is_not_begun() -> None:
    script = in_turn(Reply(status=429, headers={"Retry-After": "600"}))
    async with opened(script, real_waits=True) as (client, server):
        with pytest.raises(ModelCallFailed, match="busy"):
            await client.complete(question())
        assert len(server.asked) == 1


async def test_a_cancelled_call_ends_at_once() -> None:
    async with opened(lambda asked: Reply(("late",), delay_s=10)) as (client, server):
        call = asyncio.create_task(client.complete(question()))
        while not server.asked:
            await asyncio.sleep(0.01)
        begun = time.monotonic()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert time.monotonic() - begun < 1


async def test_the_endpoint_gets_no_more_calls_at_a_time_than_it_may() -> None:
    async with opened(lambda asked: Reply(("Fine.",), delay_s=0.05), concurrency=3) as (client, server):
        await asyncio.gather(*(client.complete(question(str(i))) for i in range(12)))
        assert server.most_at_once == 3
        assert len(server.asked) == 12


async def test_the_budget_is_kept() -> None:
    async with opened(lambda asked: FINE, budget=Budget(calls=2)) as (client, server):
        await client.complete(question("1"))
        await client.complete(question("2"))
        with pytest.raises(BudgetExhausted, match="2 model calls"):
            await client.complete(question("3"))
        assert len(server.asked) == 2


async def test_calls_that_start_together_do_not_break_the_budget() -> None:
    async with opened(lambda asked: Reply(("Fine.",), delay_s=0.2), budget=Budget(calls=3)) as (client, server):
        outcomes = await asyncio.gather(*(client.complete(question(str(i))) for i in range(9)), return_exceptions=True)
        assert sum(isinstance(outcome, ModelAnswer) for outcome in outcomes) == 3
        assert sum(isinstance(outcome, BudgetExhausted) for outcome in outcomes) == 6
        assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("budget", "prices", "message"),
    [
        (Budget(tokens=5), {}, "5 tokens"),
        (Budget(usd=Decimal("0.00001")), {"some-model": Price(Decimal(10), Decimal(10))}, r"\$0.00001"),
        (Budget(usd=Decimal(1)), {}, "price of this model is not known"),
    ],
)
async def test_a_budget_in_tokens_or_money(budget: Budget, prices: dict[str, Price], message: str) -> None:
    async with opened(lambda asked: FINE, budget=budget, prices=prices, concurrency=1) as (client, _):
        with pytest.raises(BudgetExhausted, match=message):
            await asyncio.gather(*(client.complete(question(str(i))) for i in range(10)))


async def test_what_is_paid_for_is_not_paid_twice() -> None:
    memory, listener = Memory(), Listener()
    async with opened(lambda asked: FINE, cache=memory, listener=listener) as (client, server):
        await client.complete(question())
        assert (await client.complete(question())).text == "Fine."
        await client.complete(question("Another one?"))
        assert len(server.asked) == 2
        assert client.spending.calls == 2
    assert [record.outcome for record in listener.records] == [
        CallOutcome.ANSWERED,
        CallOutcome.REUSED,
        CallOutcome.ANSWERED,
    ]


async def test_the_same_question_at_the_same_time_is_asked_once() -> None:
    async with opened(lambda asked: Reply(("Fine.",), delay_s=0.1)) as (client, server):
        answers = await asyncio.gather(*(client.complete(question()) for _ in range(5)))
        assert [answer.text for answer in answers] == ["Fine."] * 5
        assert len(server.asked) == 1


async def test_neither_the_key_nor_the_text_is_told_to_anybody(caplog: pytest.LogCaptureFixture) -> None:
    listener = Listener()
    said: list[str] = []
    for status in (400, 401, 404, 500):
        async with opened(lambda asked, s=status: Reply(status=s), listener=listener, deadline_s=1) as (client, _):  # type: ignore[misc]
            try:
                await client.complete(question("my private text"))
            except DetectionError as error:
                said.append(str(error))
            said.append(repr(client.endpoint))
    said += [repr(listener.records), caplog.text]
    assert "private" not in "".join(said)
    assert "sk-secret" not in "".join(said)


async def test_a_schema_is_sent_and_left_out_where_the_endpoint_knows_none() -> None:
    request = ModelRequest(
        Purpose.TEST, "test.v1", "some-model", (Message(Role.USER, "List them."),), schema='{"type": "object"}'
    )
    async with opened(lambda asked: FINE) as (client, server):
        await client.complete(request)
        assert server.asked[0].body["response_format"]["json_schema"]["schema"] == {"type": "object"}
    async with opened(lambda asked: Reply(status=400) if "response_format" in asked.body else FINE) as (client, server):
        assert (await client.complete(request)).text == "Fine."
        assert (await client.complete(replace(request, max_tokens=9))).text == "Fine."
        forms = [asked.body.get("response_format", {}).get("type") for asked in server.asked]
        assert forms == ["json_schema", "json_object", None, None]


# --- Streams ----------------------------------------------------------------------------------------------------

STORY = "The mill was built in 1894. It has twelve rooms. Nobody lives there."


async def read(client: ModelClient) -> list[str]:
    return [piece.text async for piece in client.stream(question())]


async def test_a_streamed_answer_comes_piece_by_piece_with_its_tokens() -> None:
    async with opened(lambda asked: Reply((STORY,))) as (client, _):
        pieces = await read(client)
        assert "".join(pieces) == STORY
        assert len(pieces) > 5
        assert client.spending.usage.completion == len(STORY.split())


async def test_a_stream_that_does_not_begin_is_tried_again() -> None:
    async with opened(in_turn(Reply(status=503), Reply(status=429), Reply((STORY,)))) as (client, server):
        assert "".join(await read(client)) == STORY
        assert len(server.asked) == 3


async def test_a_stream_that_breaks_off_says_so_and_is_not_begun_again() -> None:
    async with opened(lambda asked: Reply((STORY,), breaks_off=True)) as (client, server):
        with pytest.raises(ModelCallFailed, match="broke off"):
            await read(client)
        assert len(server.asked) == 1


async def test_a_stream_that_stalls_has_an_end() -> None:
    async with opened(lambda asked: Reply((STORY,), seconds_per_chunk=5), timeout_s=0.3) as (client, _):
        with pytest.raises(ModelCallFailed, match="no answer within"):
            await read(client)


async def test_a_stream_that_nobody_reads_to_its_end_is_paid_for_as_far_as_it_came() -> None:
    async with opened(lambda asked: Reply((STORY,), seconds_per_chunk=0.2)) as (client, _):
        async with aclosing(client.stream(question())) as pieces:
            first = await anext(pieces)
        assert first.text
        assert client.spending.calls == 1
        assert client.spending.usage.total > 0


async def test_a_stream_says_that_it_was_cut() -> None:
    async with opened(lambda asked: Reply((STORY,), finish_reason="length")) as (client, _):
        pieces = [piece async for piece in client.stream(question())]
    assert [piece.is_cut for piece in pieces][-1]
    assert not pieces[0].is_cut


async def test_an_empty_stream_is_no_answer() -> None:
    async with opened(lambda asked: Reply(("",))) as (client, _):
        with pytest.raises(ModelCallFailed, match="empty"):
            await read(client)


# --- Probabilities ------------------------------------------------------------------------------------------------

PROBABLE = replace(question(), wants_probabilities=True)
#: "Zoë" in three tokens; the last two are parts of one character.
ZOE = Reply(("Zoë",), tokens=((b"Zo", -0.1), (b"\xc3", -2.0), (b"\xab", 0.0)))


async def test_the_tokens_of_an_answer_come_with_their_probabilities() -> None:
    async with opened(lambda asked: ZOE) as (client, _):
        answer = await client.complete(PROBABLE)
    (tokens,) = answer.tokens
    assert b"".join(token.data for token in tokens).decode() == answer.text
    assert [round(token.probability, 3) for token in tokens] == [0.905, 0.135, 1.0]


async def test_a_stream_brings_probabilities_as_well() -> None:
    async with opened(lambda asked: ZOE) as (client, _):
        pieces = [piece async for piece in client.stream(PROBABLE)]
    assert b"".join(token.data for piece in pieces for token in piece.tokens).decode() == "Zoë"


async def test_nobody_asks_for_probabilities_unasked() -> None:
    async with opened(lambda asked: ZOE) as (client, server):
        answer = await client.complete(question())
        assert "logprobs" not in server.asked[0].body
    assert answer.tokens == ()


@pytest.mark.parametrize("streams", [False, True])
async def test_an_endpoint_that_tells_no_probabilities_still_answers(streams: bool) -> None:
    def script(asked: Asked) -> Reply:
        return Reply(status=400) if "logprobs" in asked.body else FINE

    async with opened(script) as (client, server):
        for _ in range(2):
            if streams:
                pieces = [piece async for piece in client.stream(PROBABLE)]
                assert "".join(piece.text for piece in pieces) == "Fine."
            else:
                answer = await client.complete(replace(PROBABLE, samples=1, max_tokens=len(server.asked) + 1))
                assert (answer.text, answer.tokens) == ("Fine.", ())
        assert ["logprobs" in asked.body for asked in server.asked] == [True, False, False]


@pytest.mark.parametrize("content", ["x", [{"token": "a"}], [{"token": "a", "logprob": "much"}], [3], {"a": 1}])
async def test_probabilities_that_cannot_be_read_cost_no_answer(content: object) -> None:
    choice = {"message": {"content": "Fine."}, "finish_reason": "stop", "logprobs": {"content": content}}
    async with opened(lambda asked: Reply(body=json.dumps({"choices": [choice]}).encode())) as (client, _):
        answer = await client.complete(PROBABLE)
    assert (answer.text, answer.tokens) == ("Fine.", ())


async def test_questions_asked_together_all_do_without_what_the_endpoint_refuses() -> None:
    def script(asked: Asked) -> Reply:
        return Reply(status=400, delay_s=0.1) if "response_format" in asked.body else FINE

    requests = [replace(question(f"Question {i}"), schema='{"type": "object"}') for i in range(4)]
    async with opened(script) as (client, _):
        answers = await asyncio.gather(*map(client.complete, requests))
    assert [answer.text for answer in answers] == ["Fine."] * 4


def test_another_way_of_drawing_is_another_question() -> None:
    asked = question("Well?")
    assert replace(asked, top_p=0.6).key("http://x/v1") != asked.key("http://x/v1")
