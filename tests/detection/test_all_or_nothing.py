"""Services write atomically: each fails at its last write and leaves nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.apps import apps
from django.db import OperationalError, connection, transaction

from detection import services
from detection.core.active_generation import events as writing
from detection.core.active_generation.types import SentenceState, ValidationMode, WrittenSentence
from detection.core.types import BlockKind
from detection.models import ApiKey, Check, Finding, Source, Suggestion, Unit
from detection.services.active_generation import Assignment, Store
from detection.services.checks import check_interrupt
from tests.factories import OWNER, checked, decided_by_source, finding, quoting, segment, start_run

pytestmark = pytest.mark.django_db

TEXTS = ("It was founded in 1894.", "It has 1,200 inhabitants.")
_, SENTENCES = segment(*TEXTS)
YEAR = decided_by_source(finding(SENTENCES, 0, "1894", TEXTS[0].replace("1894", "1849")))
COUNT = decided_by_source(finding(SENTENCES, 1, "1,200", TEXTS[1].replace("1,200", "2,100")))

Act = Callable[[], object]


def ended() -> Check:
    return checked(TEXTS, [YEAR, COUNT])


def first_finding(check: Check) -> int:
    return Finding.objects.filter(parent_check=check).order_by("pk").values_list("pk", flat=True)[0]


def first_suggestion(check: Check) -> int:
    return Suggestion.objects.filter(finding__parent_check=check).order_by("pk").values_list("pk", flat=True)[0]


def of_ended(act: Callable[[Check], object]) -> Act:
    key = ended().pk
    return lambda: act(Check.objects.get(pk=key))


def accepted(act: Callable[[Check], object]) -> Act:
    check = ended()
    services.suggestion_accept(check=check, suggestion_id=first_suggestion(check))
    return lambda: act(Check.objects.get(pk=check.pk))


def undone(act: Callable[[Check], object]) -> Act:
    check = ended()
    services.suggestion_accept(check=check, suggestion_id=first_suggestion(check))
    services.decision_undo(check=check)
    return lambda: act(Check.objects.get(pk=check.pk))


def in_state(state: Check.State, act: Callable[[Check], object]) -> Act:
    check = ended()
    Unit.objects.filter(parent_check=check).update(state=Unit.State.FAILED)
    Check.objects.filter(pk=check.pk).update(state=state)
    return lambda: act(Check.objects.get(pk=check.pk))


def interrupted() -> Act:
    check = ended()
    run = start_run(check)
    return lambda: check_interrupt(check_id=check.pk, run_token=run.token)


def with_source(act: Callable[[Source], object]) -> Act:
    source = services.source_add_text(owner=OWNER, text="It was founded in 1849.")
    quoting(source, "1849")
    return lambda: act(Source.objects.get(pk=source.pk))


def everything_of_an_owner(act: Act) -> Act:
    ended()
    services.source_add_text(owner=OWNER, text="It was founded in 1849.")
    services.api_key_keep(owner=OWNER, key="sk-1")
    assert ApiKey.objects.filter(owner=OWNER).exists()
    return act


def being_written(act: Callable[[Store], object]) -> Act:
    check = services.check_create(owner=OWNER, prompt="The village of Sorrel", validation=ValidationMode.SELF)
    run = start_run(check)
    store = Store(Assignment(check.pk, run.token, check.prompt, None, ValidationMode.SELF, is_premise_checked=True))
    store.read_settled()
    store.report(writing.SentenceSettled(0, settled_sentence()))
    return lambda: act(store)


def settled_sentence() -> WrittenSentence:
    return WrittenSentence("", TEXTS[0], TEXTS[0], BlockKind.PARAGRAPH, SentenceState.CHECKED)


ACTS: dict[str, Callable[[], Act]] = {
    "create a check": lambda: lambda: services.check_create(owner=OWNER, text="It is so."),
    "cancel a check": lambda: in_state(Check.State.QUEUED, lambda check: services.check_cancel(check=check)),
    "resume a check": lambda: in_state(Check.State.FAILED, lambda check: services.check_resume(check=check)),
    "rename a check": lambda: of_ended(lambda check: services.check_rename(check=check, title="Another")),
    "decide on a premise": lambda: in_state(
        Check.State.WAITING, lambda check: services.premise_decide(check=check, question="Which?")
    ),
    "delete a check": lambda: of_ended(lambda check: services.check_delete(check=check)),
    "interrupt a run": interrupted,
    "check again": lambda: of_ended(lambda check: services.check_again(check=check, text="It is otherwise.")),
    "accept": lambda: of_ended(
        lambda check: services.suggestion_accept(check=check, suggestion_id=first_suggestion(check))
    ),
    "edit": lambda: of_ended(
        lambda check: services.finding_edit(check=check, finding_id=first_finding(check), wording="It is old.")
    ),
    "reject": lambda: of_ended(lambda check: services.finding_reject(check=check, finding_id=first_finding(check))),
    "dismiss": lambda: of_ended(lambda check: services.finding_dismiss(check=check, finding_id=first_finding(check))),
    "reopen": lambda: accepted(lambda check: services.finding_reopen(check=check, finding_id=first_finding(check))),
    "accept all": lambda: of_ended(lambda check: services.findings_accept_all(check=check)),
    "undo": lambda: accepted(lambda check: services.decision_undo(check=check)),
    "redo": lambda: undone(lambda check: services.decision_redo(check=check)),
    "add a file": lambda: lambda: services.source_add_file(owner=OWNER, name="a.txt", data=b"It is so."),
    "rename a source": lambda: with_source(lambda source: services.source_rename(source=source, name="Another")),
    "delete a source": lambda: with_source(lambda source: services.source_delete(source=source)),
    "delete a source with its checks": lambda: with_source(
        lambda source: services.source_delete(source=source, with_checks=True)
    ),
    "make a key": lambda: everything_of_an_owner(
        lambda: services.access_key_create(
            owner=OWNER, name="A key", scopes=["read"], sources=Source.objects.values_list("pk", flat=True)
        )
    ),
    "move to an account": lambda: everything_of_an_owner(lambda: services.owner_move(owner=OWNER, to="account:1")),
    "delete an owner": lambda: everything_of_an_owner(lambda: services.owner_delete(owner=OWNER)),
    "store a written sentence": lambda: being_written(
        lambda store: store.report(writing.SentenceSettled(1, settled_sentence()))
    ),
    "store the end of the writing": lambda: being_written(lambda store: store.finish()),
}


@pytest.mark.parametrize("name", ACTS)
def test_a_service_that_fails_at_its_last_write_leaves_nothing_of_it(name: str) -> None:
    act = ACTS[name]()
    before = rows()
    with counted_writes() as writes, transaction.atomic():
        act()
        assert rows() != before
        transaction.set_rollback(True)
    assert writes[0] > 1, "one write needs no transaction"
    assert rows() == before
    with pytest.raises(OperationalError, match="disk"), disk_full_at(writes[0]):
        act()
    assert rows() == before


def rows() -> dict[str, list[Any]]:
    """All stored rows."""
    models = apps.get_app_config("detection").get_models()
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in models}


@contextmanager
def counted_writes() -> Iterator[list[int]]:
    count = [0]

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        count[0] += is_write(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield count


@contextmanager
def disk_full_at(number: int) -> Iterator[None]:
    """The database refuses this write, counted from 1."""
    count = 0

    def refuse(execute: Any, sql: str, *rest: Any) -> Any:
        nonlocal count
        count += is_write(sql)
        if count == number and is_write(sql):
            raise OperationalError("disk is full")
        return execute(sql, *rest)

    with connection.execute_wrapper(refuse):
        yield


def is_write(sql: str) -> bool:
    return sql.startswith(("INSERT", "UPDATE", "DELETE"))
