"""The list of checks: its counts and their cost."""

from __future__ import annotations

import pytest
from django.db import connection
from django.template.loader import render_to_string

from detection import services
from detection.models import Check, CheckSource, Sentence, Unit
from detection.selectors.history import checks_of_owner
from tests.factories import OWNER, checked, finding, segment

pytestmark = pytest.mark.django_db


def test_sentences_warnings_and_sources_are_counted_each_for_itself() -> None:
    texts = ("It was founded in 1894.", "It has two gates.", "It is red.")
    _, sentences = segment(*texts)
    check = checked(texts, [finding(sentences, 0, "1894", "It is old."), finding(sentences, 1, "two", "It has one.")])
    services.finding_reject(check=check, finding_id=check.findings.all()[0].pk)
    for position in range(2):
        CheckSource.objects.create(parent_check=check, position=position, name="a source")
    empty = services.check_create(owner=OWNER, text="Nothing yet.")
    counted = {
        row.id: (row.sentences, row.findings, row.open_findings, row.has_sources) for row in checks_of_owner(OWNER)
    }
    assert counted == {check.pk: (3, 2, 1, True), empty.pk: (0, 0, 0, False)}


def test_a_check_with_failed_sentences_is_not_listed_as_one_without_warnings() -> None:
    check = checked(("It was founded in 1894.", "It has two gates."), [])
    listed = checks_of_owner(OWNER)
    assert [row.has_failures for row in listed] == [False]
    assert "no warnings" in render_to_string("detection/history.html", {"checks": listed})
    check.units.filter(sentence__index=1).update(state=Unit.State.FAILED)
    page = render_to_string("detection/history.html", {"checks": checks_of_owner(OWNER)})
    assert "no warnings" not in page
    assert "not all sentences could be checked" in page
    check.units.update(state=Unit.State.FAILED)
    page = render_to_string("detection/history.html", {"checks": checks_of_owner(OWNER)})
    assert "no sentence could be checked" in page


def test_a_large_check_does_not_make_the_list_slow() -> None:
    """A loaded file may have thousands of sentences with hundreds of warnings each."""
    assert _steps_of_list(80) < 3 * _steps_of_list(40)


def _steps_of_list(size: int) -> int:
    """Thousands of database steps for a list with a check of ``size`` sentences, warnings and sources."""
    Check.objects.all().delete()
    texts = [f"Number {number}." for number in range(size)]
    _, sentences = segment(*texts)
    check = checked(texts, [finding(sentences, index, "Number") for index in range(0, size, 2)])
    CheckSource.objects.bulk_create(
        CheckSource(parent_check=check, position=position, name="a source") for position in range(size // 5)
    )
    assert Sentence.objects.count() == size
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    connection.connection.set_progress_handler(count, 100)
    checks_of_owner(OWNER)
    connection.connection.set_progress_handler(None, 0)
    return steps
