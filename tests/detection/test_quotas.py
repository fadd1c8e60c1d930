"""Quotas of one visitor, even with many cookies, so that others keep their share."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.conf import settings as project
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from detection import services
from detection.core.llm.budget import Budget, Spending
from detection.core.llm.types import CallOutcome, CallRecord, Purpose, TokenUsage
from detection.core.types import Engine
from detection.models import Check, DailySpending, Source
from detection.services import quotas, reading, runs, spending

pytestmark = pytest.mark.django_db

HERE, THERE = "address:here", "address:there"


def running(owner: str, payer: str) -> Check:
    check = services.check_create(owner=owner, payer=payer, text="It has two gates.")
    lease = timezone.now() + timedelta(seconds=30)
    Check.objects.filter(pk=check.pk).update(state=Check.State.RUNNING, lease_until=lease)
    return check


def waiting_source(payer: str, text: str) -> Source:
    return services.source_add_file(owner=f"owner of {payer}", payer=payer, name="a.txt", data=text.encode())


def call(tokens: int, cost: str | None, outcome: CallOutcome = CallOutcome.ANSWERED) -> CallRecord:
    return CallRecord(
        key="k", purpose=Purpose.TRIGGER, prompt="p.v1", model="m", outcome=outcome, seconds=0.1,
        usage=TokenUsage(tokens, 0), cost_usd=None if cost is None else Decimal(cost), reason="",
    )  # fmt: skip


# --- Checks ---------------------------------------------------------------------------------------------------------


def test_forty_fresh_visitors_of_one_address_are_one(settings: Settings) -> None:
    settings.MAX_WAITING_OF_ADDRESS = 3
    sent = [Client().post("/checks/new/", {"text": "It has two gates."}).status_code for _ in range(5)]
    assert sent == [302, 302, 302, 429, 429]
    other = Client().post("/checks/new/", {"text": "It has two gates."}, REMOTE_ADDR="192.0.2.7")
    assert other.status_code == 302


def test_all_addresses_of_a_network_of_ipv6_are_one(settings: Settings) -> None:
    settings.MAX_WAITING_OF_ADDRESS = 1
    texts = {"text": "It has two gates."}
    assert Client().post("/checks/new/", texts, REMOTE_ADDR="2001:db8::1").status_code == 302
    assert Client().post("/checks/new/", texts, REMOTE_ADDR="2001:db8::2").status_code == 429
    assert Client().post("/checks/new/", texts, REMOTE_ADDR="2001:db8:0:1::1").status_code == 302


def test_an_account_is_not_counted_with_its_network(settings: Settings, client: Client) -> None:
    settings.MAX_WAITING_OF_ADDRESS = 1
    client.force_login(get_user_model().objects.create_user("ada"))
    assert Client().post("/checks/new/", {"text": "One."}).status_code == 302
    assert client.post("/checks/new/", {"text": "Two."}).status_code == 302


def test_no_address_is_kept_readable() -> None:
    Client().post("/checks/new/", {"text": "It has two gates."}, REMOTE_ADDR="192.0.2.7")
    payer = Check.objects.get().payer
    assert payer.startswith("address:")
    assert "192.0" not in payer


def test_one_network_leaves_places_to_the_others(settings: Settings) -> None:
    settings.MAX_RUNNING, settings.MAX_RUNNING_OF_ADDRESS = 1, 2
    running("a", HERE)
    running("b", HERE)
    third = services.check_create(owner="c", payer=HERE, text="It has two gates.")
    neighbour = services.check_create(owner="d", payer=THERE, text="It has two gates.")
    assert runs._claim(third.pk) is None
    assert runs._claim(neighbour.pk) is not None


def test_in_one_process_a_place_is_left() -> None:
    assert project.MAX_RUNNING_OF_ADDRESS < project.EMBEDDED_CONCURRENCY


def test_places_that_all_share_go_to_who_has_none(settings: Settings) -> None:
    settings.CHECK_PLACES, settings.MAX_RUNNING, settings.MAX_RUNNING_OF_ADDRESS = 2, 2, 2
    running("a", HERE)
    busy = running("b", HERE)
    more = services.check_create(owner="c", payer=HERE, text="It has two gates.")
    neighbour = services.check_create(owner="d", payer=THERE, text="It has two gates.")
    assert runs._claim(neighbour.pk) is None, "all places are taken"
    assert quotas.next_to_run() == neighbour
    Check.objects.filter(pk=busy.pk).update(state=Check.State.DONE)
    assert runs._claim(neighbour.pk) is not None
    assert quotas.next_to_run() == more


# --- Sources --------------------------------------------------------------------------------------------------------


def test_readers_are_shared_out(settings: Settings) -> None:
    settings.READING_PLACES = 2
    first, second, third = (waiting_source(HERE, f"Text {number}.") for number in range(3))
    neighbour = waiting_source(THERE, "Another text.")
    assert reading._claim(first.pk) is not None
    assert reading._claim(second.pk) is None
    assert quotas.next_to_read() == neighbour
    assert reading._claim(neighbour.pk) is not None
    assert reading._claim(third.pk) is None  # all places are taken


def test_who_has_too_many_sources_or_bytes_is_told(settings: Settings, client: Client) -> None:
    settings.MAX_SOURCES_STORED, settings.MAX_SOURCES_BYTES, settings.ADDRESS_FACTOR = 2, 100, 2

    def add(content: bytes, visitor: Client = client) -> int:
        return visitor.post("/sources/add/", {"uploads": SimpleUploadedFile("a.txt", content)}).status_code

    assert [add(b"one"), add(b"x" * 98), add(b"two")] == [302, 429, 302]
    assert add(b"three") == 429
    assert [add(b"four", Client()), add(b"five", Client())] == [302, 302]
    assert add(b"six", Client()) == 429  # of the network
    assert Source.objects.count() == 4


def test_a_limit_may_be_used_up_to_the_last_byte(settings: Settings) -> None:
    settings.MAX_SOURCES_BYTES, settings.ADDRESS_FACTOR = 100, 3
    waiting_source(HERE, "x" * 60)
    waiting_source(HERE, "y" * 40)
    with pytest.raises(services.TooManySources, match="too much space"):
        waiting_source(HERE, "z")


# --- Spending of the operator's key ---------------------------------------------------------------------------------


def test_a_day_is_counted_also_when_its_checks_are_deleted(settings: Settings) -> None:
    settings.LLM_API_KEY, settings.DAILY_TOKENS_ADDRESS, settings.DAILY_TOKENS_ALL = "sk-x", 100, 1_000
    spending.note_spending(call(60, None), payer=HERE)
    spending.note_spending(call(60, None, CallOutcome.REUSED), payer=HERE)
    assert spending.within_day(Budget(), Spending(), payer=HERE).tokens == 40
    spending.note_spending(call(40, None), payer=HERE)
    Check.objects.all().delete()
    with pytest.raises(spending.DailyBudgetSpent, match="budget"):
        services.check_create(owner="a", payer=HERE, text="It has two gates.", engine=Engine.LLM)
    services.check_create(owner="a", payer=HERE, text="It has two gates.", engine=Engine.LOCAL)
    services.check_create(owner="b", payer=THERE, text="It has two gates.", engine=Engine.LLM)
    DailySpending.objects.update(day=timezone.now().date() - timedelta(days=1))
    services.check_create(owner="a", payer=HERE, text="It has two gates.", engine=Engine.LLM)


def test_everybody_together_has_a_day(settings: Settings) -> None:
    settings.LLM_API_KEY, settings.DAILY_TOKENS_ALL = "sk-x", 100
    for number in range(4):
        spending.note_spending(call(25, None), payer=f"address:{number}")
    with pytest.raises(spending.DailyBudgetSpent):
        spending.refuse_when_spent(payer="account:1")


def test_where_prices_are_known_money_counts(settings: Settings) -> None:
    settings.LLM_API_KEY, settings.DAILY_TOKENS_ADDRESS, settings.DAILY_USD_ADDRESS = "sk-x", 100, Decimal("0.50")
    spending.note_spending(call(1_000, "0.20"), payer=HERE)
    budget = spending.within_day(Budget(usd=Decimal(5)), Spending(), payer=HERE)
    assert budget.usd == Decimal("0.30")
    spending.note_spending(call(50, None), payer=HERE)  # from now on the cost of the day is unknown
    assert spending.left_today(HERE).is_nothing


def test_a_key_of_ones_own_is_nobodys_budget(settings: Settings) -> None:
    settings.LLM_API_KEY, settings.DAILY_TOKENS_ADDRESS = "", 10
    spending.note_spending(call(60, None), payer=HERE)
    spending.refuse_when_spent(payer=HERE)
    assert not DailySpending.objects.exists()


def test_it_is_on_by_default() -> None:
    assert project.DAILY_TOKENS_ADDRESS
    assert project.DAILY_TOKENS_ALL


def test_a_day_tells_calls_and_money_apart_from_tokens_without_a_price(settings: Settings) -> None:
    settings.LLM_API_KEY = "sk-x"
    spending.note_spending(call(60, None), payer=HERE)
    spending.note_spending(call(40, "0.25"), payer=HERE)
    day = DailySpending.objects.get(payer=HERE)
    assert (day.calls, day.tokens, day.unpriced_tokens, day.usd) == (2, 100, 60, Decimal("0.25"))


def test_what_an_earlier_run_of_the_check_has_spent_is_not_taken_off_twice(settings: Settings) -> None:
    settings.LLM_API_KEY, settings.DAILY_TOKENS_ADDRESS = "sk-x", 100
    settings.DAILY_USD_ADDRESS = Decimal("1.00")
    spending.note_spending(call(60, None), payer=HERE)
    earlier = Spending(calls=1, usage=TokenUsage(60, 0), usd=None)
    assert spending.within_day(Budget(), earlier, payer=HERE) == Budget(tokens=100)
    DailySpending.objects.all().delete()
    spending.note_spending(call(60, "0.40"), payer=HERE)
    earlier = Spending(calls=1, usage=TokenUsage(60, 0), usd=Decimal("0.40"))
    assert spending.within_day(Budget(), earlier, payer=HERE).usd == Decimal("1.00")


def test_a_day_in_money_is_over_at_its_last_cent(settings: Settings) -> None:
    settings.LLM_API_KEY, settings.DAILY_USD_ADDRESS = "sk-x", Decimal("0.50")
    spending.note_spending(call(60, "0.49"), payer=HERE)
    spending.refuse_when_spent(payer=HERE)
    spending.note_spending(call(60, "0.01"), payer=HERE)
    with pytest.raises(spending.DailyBudgetSpent):
        spending.refuse_when_spent(payer=HERE)
