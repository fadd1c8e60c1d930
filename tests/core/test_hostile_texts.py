"""Pathological texts in the parser, every family of rules, the comparison and the word diff.

None raises an error, all offsets are valid, and none has runaway growth.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from detection.core.comparing.sentence import ComparableSentence
from detection.core.local_models.process import InProcessModels
from detection.core.plain_text import remove_unprintable
from detection.core.rewriting.revise import DiffKind, diff
from detection.core.rules import extract
from detection.core.rules.alignment import conflicts_between
from detection.core.run.pipeline import MAX_SENTENCE_CHARS, MAX_SENTENCE_WORDS
from tests.core.test_hostile_patterns import PUMPS
from tests.hostile import PAYLOADS

#: On a busy machine the slowest text takes two or three seconds.
DEADLINE_S = 60
WORDS = (
    *("The mill", " was", " built", " in", " 1894", " 1,200", " not", " never", " 12 km", " $5 million", " 5 %"),
    *(" of", " and", ",", ";", ".", "\n", " – ", "“", "”", "(", ")", "-", "'s", " Ada Lind", " who", " 3 March"),
    *(" twice", " a day", " half", " the first", "\u0301", "\u200d", "\u202e", "\u00a0", "\u2028", "\ufeff", "字"),
    *(" ſix", " Auguſt", " ſecond", " sıx"),
    *(" שלום", "👩‍🔬", "\U000e0041", " <b>", "&amp;", "\\", "{{", "\t", "|", "# ", "- ", "``` "),
)


@contextmanager
def soon() -> Iterator[None]:
    """Interrupt the body after the deadline, even within a library."""

    def give_up(number: int, frame: object) -> None:
        raise TimeoutError(f"not done after {DEADLINE_S} seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, DEADLINE_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def look_through(models: InProcessModels, text: str) -> None:
    """Run everything that reads a text: on every sentence, and on each with the previous one."""
    before: ComparableSentence | None = None
    for parsed in models.language.parse(text).sentences:
        sentence = parsed.sentence
        assert text[sentence.start : sentence.end] == sentence.text
        for value in extract(parsed):
            assert 0 <= value.span.start < value.span.end <= len(sentence.text)
        current = ComparableSentence(parsed)
        if before is not None:
            conflicts_between(before.clause, current.clause)
            before.overlap(current)
            parts = diff(before.text, current.text)
            assert "".join(part.text for part in parts if part.kind is not DiffKind.INSERTED) == before.text
            assert "".join(part.text for part in parts if part.kind is not DiffKind.DELETED) == current.text
        before = current


def test_the_same_again_and_again(local_models: InProcessModels) -> None:
    """Repeat it up to the limit of a sentence: alone, after the beginning of one, and as the end of one."""
    for pump in PUMPS:
        most = min(MAX_SENTENCE_CHARS // len(pump), MAX_SENTENCE_WORDS * (1 + len(pump.split()) // 2))
        run = pump * max(1, most - 4)
        with soon():
            look_through(local_models, f"{run}\n\nThe mill {run}.\n\n{run} was built in 1894.")


def test_words_that_would_be_markup(local_models: InProcessModels) -> None:
    with soon():
        look_through(local_models, remove_unprintable("\n\n".join(PAYLOADS)))
        look_through(local_models, remove_unprintable(" ".join(PAYLOADS)))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=8), max_size=60).map("".join))
def test_any_words_in_any_order(local_models: InProcessModels, text: str) -> None:
    with soon():
        look_through(local_models, remove_unprintable(text))
