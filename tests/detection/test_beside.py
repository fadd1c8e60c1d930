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


def compared(
    source: Source, *, supporting: str = SUPPORTING, clashing: str = CLASHING, nearest: str | None = None
) -> Check:
    """A check with a supported sentence, a conflicting one, and an unsure one, without a near passage by itself."""
    text, sentences = segment(*TEXTS)
    check = services.check_create(owner=OWNER, text=text, sources=[source])
    use = str(check.sources.get().pk)

    def passage(quote: str) -> Evidence:
        start = source.text.index(quote)
        return Evidence(quote, Span(start, start + len(quote)), source=use)

    conflict = replace(
        finding(sentences, 1, "two", kind=FindingKind.CONFLICTS_WITH_SOURCE),
        evidence=(passage(clashing),),
        detector=DETECTOR,
    )
    writer = RunWriter(start_run(check), detectors=(DETECTOR,))
    writer.write([reports.TextSegmented(sentences, topic=None)])
    writer.write([reports.UnitDone(DETECTOR, 0, Verdict.SUPPORTED, evidence=(passage(supporting),))])
    writer.write([reports.UnitDone(DETECTOR, 1, Verdict.CONFLICTS_WITH_SOURCE, (conflict,))])
    writer.write([reports.UnitDone(DETECTOR, 2, Verdict.UNSURE, evidence=(passage(nearest),) if nearest else ())])
    Check.objects.filter(pk=check.pk).update(state=Check.State.DONE, run_token=None, lease_until=None)
    return check


def test_a_passage_names_the_sentences_that_it_bears_on_and_how() -> None:
    source = read_source(f"About the mill. {SUPPORTING} {CLASHING} The end.")
    beside = BesideReader(compared(source)).of_use()
    assert beside is not None
    assert "".join(piece.text for piece in beside.pieces) == source.text
    linked = [(piece.text, piece.sentences, piece.bearing) for piece in beside.pieces if piece.is_link]
    assert linked == [(SUPPORTING, (0,), Bearing.SUPPORT), (CLASHING, (1,), Bearing.CONFLICT)]


def test_a_span_tells_for_each_bearing_its_sentences_and_what_is_merely_nearest_is_no_link() -> None:
    source = read_source(f"{SUPPORTING} {CLASHING}")
    # The third sentence was compared with the first one of the source, which does not bear it out.
    beside = BesideReader(compared(source, nearest=SUPPORTING)).of_use()
    assert beside is not None
    assert [(link.bearing, link.numbers) for link in beside.pieces[0].links] == [
        (Bearing.SUPPORT, "1"),
        (Bearing.NEAR, "3"),
    ]
    alone = BesideReader(compared(source, nearest=CLASHING, clashing=SUPPORTING)).of_use()
    assert alone is not None
    assert [(piece.bearing, piece.is_link) for piece in alone.pieces if piece.links] == [
        (Bearing.CONFLICT, True),
        (Bearing.NEAR, False),
    ]


def test_a_section_that_bears_a_sentence_out_as_a_whole_colours_none_of_its_sentences() -> None:
    section = " ".join(f"The mill has a wheel of number {number}." for number in range(30))
    beside = BesideReader(compared(read_source(f"{section} {CLASHING}"), supporting=section)).of_use()
    assert beside is not None
    assert [(piece.bearing, piece.sentences) for piece in beside.pieces if piece.links] == [
        (Bearing.NEAR, (0,)),
        (Bearing.CONFLICT, (1,)),
    ]


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
    assert '<a class="passage passage--conflict" href="#sentence-1" data-sentences="1" data-strongest="1"' in html
    assert 'title="Conflicts with: sentence 2">' in html
    assert 'title="Bears out: sentence 1">' in html
    assert "&lt;b&gt;No markup.&lt;/b&gt;" in html
    assert owner.get(address, {"sentence": "2"}).status_code == 204
    assert owner.get(address, {"source": "999999"}).status_code == 404
    assert Client().get(address).status_code == 404
