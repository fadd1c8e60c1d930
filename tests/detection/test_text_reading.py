"""The page of a check whose text a language model reads: findings and unread sentences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from detection import services
from detection.core.types import Engine
from detection.models import Check, Unit
from detection.selectors.estimates import estimates
from detection.web.owners import SESSION_KEY
from detection.wiring import LanguageModel
from detection.wording import reason_words
from tests.factories import OWNER
from tests.fakes import reading
from tests.fakes.model_server import Asked, ModelServer, Reply
from tests.fakes.scripts import contradicting

pytestmark = pytest.mark.django_db(transaction=True)

MODEL = LanguageModel("", "generator", "analyzer")
READING = "cross_contradiction.v1"
THINGS = ["gate", "wall", "door", "roof", "tree", "hedge", "bench", "lamp", "shed", "fence", "well", "path"]
TEXT = "The mill was built in 1894. It has twelve rooms. The mill was built in 1912."


@pytest.fixture
def server(settings: Settings) -> Iterator[ModelServer]:
    with ModelServer(contradicting).running() as running:
        settings.LLM_BASE_URL, settings.LLM_API_KEY = running.base_url, "sk-secret"
        settings.GENERATOR_MODEL, settings.ANALYZER_MODEL = "generator", "analyzer"
        yield running


def page(client: Client, text: str = TEXT) -> str:
    check: Check = services.check_create(owner=OWNER, text=text, topic="the mill", engine=Engine.LLM)
    services.check_run(check_id=check.pk)
    session = client.session
    session[SESSION_KEY] = OWNER
    session.save()
    return client.get(f"/checks/{check.pk}/").content.decode()


def test_a_contradiction_within_the_text_is_on_the_page_with_both_quotes(server: ModelServer, client: Client) -> None:
    content = page(client)
    assert "This sentence says “built in 1912”, sentence 1 says “built in 1894”." in content
    assert "confirmed it both ways round" in content


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(("",), refusal="No."), "The model refused to answer."),
        (Reply(("{}",), finish_reason="length"), "its answer was cut off"),
        (Reply(("Fine.",)), "did not answer in the form that was asked for"),
        (reading.naming([reading.item(1, 2, "nine", "ten")]), "words that do not stand in the text"),
        (reading.naming([reading.item(2, 90, "a", "b")]), "against one that does not exist"),
        (reading.naming([], read=(1, 1)), "read only a part of these sentences"),
        (Reply((reading.naming([]).texts[0][:-2],)), "did not answer in the form that was asked for"),
    ],
    ids=["refused", "cut", "unreadable", "made-up quotes", "no such sentence", "half of it", "cut without a word"],
)
def test_what_was_not_read_is_told_in_words(server: ModelServer, client: Client, reply: Reply, words: str) -> None:
    def script(asked: Asked) -> Reply:
        return reply if reading.reads(asked) else contradicting(asked)

    server.script = script
    assert words in page(client, "The yard has a gate. It has twelve rooms.")
    second = Unit.objects.get(detector=READING, sentence__index=1)
    assert second.state == Unit.State.FAILED


def test_more_pairs_than_are_looked_at_are_told_in_words(server: ModelServer, client: Client) -> None:
    text = " ".join(f"The {thing} in the yard is green." for thing in THINGS)
    named = [reading.item(one, two, "is green", "is green") for one, two in combinations(range(1, len(THINGS) + 1), 2)]
    server.script = lambda asked: reading.naming(named) if reading.reads(asked) else contradicting(asked)
    assert "The model named 66 contradictions, and 12 of them were looked at. This one was not." in page(client, text)


def test_a_budget_that_ends_with_the_reading_leaves_what_it_named_not_fine(
    server: ModelServer, client: Client, settings: Settings
) -> None:
    settings.BUDGET_TOKENS = 10
    assert "The budget of 10 tokens is used up" in page(client)
    assert not any(map(reading.compares, server.asked))
    assert Unit.objects.get(detector=READING, sentence__index=2).state == Unit.State.FAILED


def test_the_form_counts_the_reading_and_a_pair_for_every_tenth_sentence(settings: Settings) -> None:
    """By the bounds of ``tests/core/detectors/test_reading_costs.py``, for sentences of 25 tokens."""
    assert estimates(MODEL).reading.tokens >= 1.4 * 25 + 250 / 10


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The mill was built in 1894.", "there is no other sentence to compare it with"),
        (
            "Die Mühle wurde im Jahr 1894 von der Familie Lind gebaut und steht am Ufer des Flusses. Sie ist heute ein "
            "Museum und hat zwölf Zimmer. Die Mühle wurde im Jahr 1912 gebaut und ist nicht in der Hand der Familie.",
            "read English only",
        ),
    ],
)
def test_what_is_not_read_at_all_is_told_in_words(server: ModelServer, client: Client, text: str, words: str) -> None:
    page(client, text)
    units = Unit.objects.filter(detector=READING)
    assert units
    assert all(words in reason_words(unit.reason) for unit in units)
    assert not any(map(reading.reads, server.asked))


def test_the_reading_can_be_switched_off_and_then_costs_nothing(
    server: ModelServer, client: Client, settings: Settings
) -> None:
    with_reading = estimates(MODEL).sentence.tokens
    settings.LLM_READ_TEXT = False
    assert "The mill" in page(client)
    assert not any(map(reading.reads, server.asked))
    assert estimates(MODEL).sentence.tokens < with_reading
    assert estimates(MODEL).reading.tokens == 0
