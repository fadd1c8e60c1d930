"""The source next to the text: each passage links to its sentences, and no part is lost or duplicated."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.test import Client

from detection import services
from detection.core import reports
from detection.core.types import Evidence, FindingKind, Span, Verdict
from detection.models import Check, Source
from detection.selectors.beside import WINDOW_CHARS, Bearing, BesideReader
from detection.services.runs import RunWriter
from tests.factories import OWNER, finding, segment, start_run

pytestmark = pytest.mark.django_db

DETECTOR = "grounding.v1"
SUPPORTING, CLASHING = "The mill was built in 1894.", "It has three wheels."
TEXTS = ("The mill dates from 1894.", "It has two wheels.", "It stands by a bridge.")


def read_source(text: str) -> Source:
    source = services.source_add_text(owner=OWNER, text=text, is_kept=True)
    source.refresh_from_db()
    return source


def compared(source: Source) -> Check:
    """A check with a supported sentence, a conflicting one, and one without a near passage."""
    text, sentences = segment(*TEXTS)
    check = services.check_create(owner=OWNER, text=text, sources=[source])
    use = str(check.sources.get().pk)

    def passage(quote: str) -> Evidence:
        start = source.text.index(quote)
        return Evidence(quote, Span(start, start + len(quote)), source=use)

    conflict = replace(
        finding(sentences, 1, "two", kind=FindingKind.CONFLICTS_WITH_SOURCE),
        evidence=(passage(CLASHING),),
        detector=DETECTOR,
    )
    writer = RunWriter(start_run(check), detectors=(DETECTOR,))
    writer.write([reports.TextSegmented(sentences, topic=None)])
    writer.write([reports.UnitDone(DETECTOR, 0, Verdict.SUPPORTED, evidence=(passage(SUPPORTING),))])
    writer.write([reports.UnitDone(DETECTOR, 1, Verdict.CONFLICTS_WITH_SOURCE, (conflict,))])
    writer.write([reports.UnitDone(DETECTOR, 2, Verdict.UNSURE)])
    Check.objects.filter(pk=check.pk).update(state=Check.State.DONE, run_token=None, lease_until=None)
    return check


def test_a_passage_names_the_sentences_that_it_bears_on_and_how() -> None:
    source = read_source(f"About the mill. {SUPPORTING} {CLASHING} The end.")
    beside = BesideReader(compared(source)).of_use()
    assert beside is not None
    assert "".join(piece.text for piece in beside.pieces) == source.text
    linked = [(piece.text, piece.sentences, piece.bearing) for piece in beside.pieces if piece.sentences]
    assert linked == [(SUPPORTING, (0,), Bearing.SUPPORT), (CLASHING, (1,), Bearing.CONFLICT)]


def test_of_a_long_source_the_part_around_the_passage_is_shown_and_the_rest_is_led_to() -> None:
    filling = "There is more to say of it.\n" * (2 * WINDOW_CHARS // 28)
    reader = BesideReader(compared(read_source(f"{filling}{SUPPORTING} {CLASHING}\n{filling}")))
    beside = reader.of_sentence(1)
    assert beside is not None
    shown = "".join(piece.text for piece in beside.pieces)
    assert CLASHING in shown
    assert len(shown) < WINDOW_CHARS + 2_000
    assert re.fullmatch(r"\d+-\d+", beside.before)
    assert re.fullmatch(r"\d+-\d+", beside.after)
    assert reader.of_sentence(2) is None


def test_the_page_fetches_it_and_nobody_else_does(owner: Client, client: Client) -> None:
    check = compared(read_source(f"{SUPPORTING} {CLASHING} <b>No markup.</b>"))
    address = f"/checks/{check.pk}/beside/"
    html = owner.get(address, {"sentence": "1"}).content.decode()
    assert 'class="passage passage--conflict" href="#sentence-1" data-sentences="1"' in html
    assert "&lt;b&gt;No markup.&lt;/b&gt;" in html
    assert owner.get(address, {"sentence": "2"}).status_code == 204
    assert owner.get(address, {"source": "999999"}).status_code == 404
    assert Client().get(address).status_code == 404
