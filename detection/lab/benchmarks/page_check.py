"""A finished check of 300 sentences with 120 warnings, put into the database that the environment names.

``python -m detection.lab.benchmarks.page_check OWNER`` prints its id. It is stored by what stores a run, without
a model.
"""

from __future__ import annotations

import os
import sys
import uuid
from dataclasses import replace

import django

SENTENCES = 300
WARNINGS = 120


def main(owner: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatprotect_web.settings")
    django.setup()
    sys.stdout.write(f"{_store(owner)}\n")


def _store(owner: str) -> str:
    # Django has to be set up before its models are imported.
    from ... import services
    from ...core import reports
    from ...core.messages import MessageCode
    from ...core.types import Evidence, Finding, FindingKind, Sentence, Span, Suggestion, SuggestionMethod, Verdict
    from ...core.types import text_hash as hash_of
    from ...models import Check
    from ...services.runs import Run, RunWriter

    detector = "cross_contradiction.v1"
    texts = [f"Harbour number {i} was founded in {1600 + i} and has {10 + i} berths." for i in range(SENTENCES)]
    sentences: list[Sentence] = []
    position = 0
    for index, text in enumerate(texts):
        sentences.append(Sentence(index, position, position + len(text), text, block=index // 6))
        position += len(text) + (2 if index % 6 == 5 else 1)
    whole = "".join(text + ("\n\n" if index % 6 == 5 else " ") for index, text in enumerate(texts))

    def unit(sentence: Sentence) -> reports.UnitDone:
        is_flagged = sentence.index * WARNINGS // SENTENCES != (sentence.index + 1) * WARNINGS // SENTENCES
        if not is_flagged or not sentence.index:
            return reports.UnitDone(detector, sentence.index, Verdict.NO_PROBLEM_FOUND)
        year = str(1600 + sentence.index)
        start = sentence.start + sentence.text.index(year)
        other = sentences[sentence.index - 1]
        rewrite = sentence.text.replace(year, "1600")
        suggestion = Suggestion(
            sentence.index,
            rewrite,
            hash_of(sentence.text),
            SuggestionMethod.LOCAL,
            verified=True,
            label="As before",
        )
        found = Finding(
            sentence=sentence.index,
            span=Span(start, start + len(year)),
            kind=FindingKind.CROSS_CONTRADICTION,
            verdict=Verdict.CONTRADICTED,
            score=0.9,
            message=MessageCode.SENTENCES_EXCLUDE.of(number=other.index + 1),
            explanation="Both sentences give a value for the same thing.",
            evidence=(Evidence(other.text, other.span, sentence=other.index),),
            detector=detector,
            quoted=year,
            suggestions=(suggestion, replace(suggestion, replacement="", label="Remove it")),
        )
        return reports.UnitDone(detector, sentence.index, Verdict.CONTRADICTED, (found,))

    check = services.check_create(owner=owner, text=whole)
    run = Run(check.pk, token=uuid.uuid4())
    Check.objects.filter(pk=check.pk).update(state=Check.State.RUNNING, run_token=run.token)
    writer = RunWriter(run, detectors=(detector,))
    writer.write([reports.TextSegmented(tuple(sentences), topic=None), *map(unit, sentences)])
    Check.objects.filter(pk=check.pk).update(state=Check.State.DONE, run_token=None, lease_until=None)
    return str(check.pk)


if __name__ == "__main__":
    main(sys.argv[1])
