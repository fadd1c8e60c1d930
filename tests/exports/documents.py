"""Checks of whole texts, with what was decided on their sentences."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import timezone

from detection import services
from detection.core import reports
from detection.core.language.segment import cut
from detection.core.types import Sentence, Verdict
from detection.models import Check
from detection.selectors.detail import CheckDetail
from detection.services.runs import RunWriter
from tests.factories import DETECTOR, OWNER, finding, start_run

TEXT = """\
# The village of Sorrel

Sorrel has 1,200 inhabitants. It lies on the northern shore of Lake Ferrin. A railway reached the village in 1894, and
the fishing trade grew with it.

## Sights

1. The old station, which closed in 1971.
2. The lighthouse of 1888 & its <keeper>.
3. The church.
   - with a tower
   - with two bells

> Quoted from the guide.

שלום לכולם. The village is called סורל.

```python
def main():
    return 1
```

The end.
"""


def sentences_of(text: str) -> tuple[Sentence, ...]:
    return tuple(
        Sentence(index, stretch.span.start, stretch.span.end, stretch.text, stretch.block, stretch.block_kind)
        for index, stretch in enumerate(cut(text))
    )


def decided(text: str, wordings: Mapping[int, str], *, left_open: Mapping[int, str] | None = None) -> CheckDetail:
    """A finished check whose findings offer new wordings of sentences, by index; ``wordings`` are accepted."""
    sentences = sentences_of(text)
    offered = {**wordings, **(left_open or {})}
    check = services.check_create(owner=OWNER, text=text)
    writer = RunWriter(start_run(check), detectors=(DETECTOR,))
    writer.write([reports.TextSegmented(sentences, topic=None)])
    for sentence in sentences:
        words = max(sentence.text.split(), key=len)
        found = (
            [finding(sentences, sentence.index, words, offered[sentence.index])] if sentence.index in offered else []
        )
        verdict = Verdict.CONTRADICTED if found else Verdict.NO_PROBLEM_FOUND
        writer.write([reports.UnitDone(DETECTOR, sentence.index, verdict, tuple(found))])
    Check.objects.filter(pk=check.pk).update(
        state=Check.State.DONE, run_token=None, lease_until=None, finished_at=timezone.now()
    )
    for row in check.findings.all():
        if row.sentence.index in wordings:
            services.suggestion_accept(check=check, suggestion_id=row.suggestions.get().pk)
    return CheckDetail(Check.objects.get(pk=check.pk))


def index_of(words: str, text: str = TEXT) -> int:
    """Which sentence has these words."""
    return next(sentence.index for sentence in sentences_of(text) if words in sentence.text)


def sample() -> CheckDetail:
    """A text with every kind of block, with words changed, sentences and whole blocks removed, one warning open."""
    year = sentences_of(TEXT)[index_of("1971")].text.replace("1971", "1967")
    wordings = {index_of("1971"): year, index_of("railway"): "", index_of("1888"): "", index_of("The end"): ""}
    northern = sentences_of(TEXT)[index_of("northern")].text.replace("northern", "southern")
    return decided(TEXT, wordings, left_open={index_of("northern"): northern})
