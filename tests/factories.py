"""Checks in every state, made by the services that make them in the running project."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace

from detection import services
from detection.core import reports
from detection.core.labels import SuggestionLabel
from detection.core.messages import Message
from detection.core.types import (
    Companion,
    Evidence,
    Finding,
    FindingKind,
    Sentence,
    Span,
    Suggestion,
    SuggestionMethod,
    Verdict,
    text_hash,
)
from detection.models import Check, Source
from detection.services.runs import Run, RunWriter

OWNER = "owner-of-the-test"
DETECTOR = "cross_contradiction.v1"
#: The year of many texts as a word of its own, since random identifiers of a page may have the same digits.
YEAR_ALONE = re.compile(r"\b1894\b")


def segment(*texts: str) -> tuple[str, tuple[Sentence, ...]]:
    """A text of one paragraph, and its sentences."""
    sentences, position = [], 0
    for index, text in enumerate(texts):
        sentences.append(Sentence(index, position, position + len(text), text))
        position += len(text) + 1
    return " ".join(texts), tuple(sentences)


def finding(
    sentences: Sequence[Sentence],
    index: int,
    words: str,
    *rewrites: str,
    opposite: tuple[int, str] | None = None,
    kind: FindingKind = FindingKind.CROSS_CONTRADICTION,
    verified: bool = True,
) -> Finding:
    """A finding about ``words`` of a sentence. ``rewrites`` are new wordings of that sentence, "" to remove it."""
    sentence = sentences[index]
    start = sentence.start + sentence.text.index(words)
    evidence: tuple[Evidence, ...] = ()
    if opposite is not None:
        other = sentences[opposite[0]]
        conflict = other.start + other.text.index(opposite[1])
        evidence = (
            Evidence(
                quote=other.text,
                span=other.span,
                sentence=other.index,
                conflict=(Span(conflict, conflict + len(opposite[1])),),
            ),
        )
    return Finding(
        sentence=index,
        span=Span(start, start + len(words)),
        kind=kind,
        verdict=Verdict.CONTRADICTED,
        score=0.9,
        message=Message(text=f"Something is wrong with {words}."),
        explanation="It was compared.",
        evidence=evidence,
        detector=DETECTOR,
        quoted=words,
        suggestions=tuple(
            Suggestion(
                sentence=index,
                replacement=rewrite,
                base_hash=text_hash(sentence.text),
                method=SuggestionMethod.LOCAL if rewrite else SuggestionMethod.DROP,
                verified=verified,
                label="Use this" if rewrite else "Remove it",
            )
            for rewrite in rewrites
        ),
    )


def decided_by_source(found: Finding) -> Finding:
    """The finding as a conflict with a source that decides it: what accept all takes."""
    passage = Evidence("The source says otherwise.", Span(0, 26), source="0", conflict=(Span(16, 25),))
    suggestions = (
        replace(one, label=SuggestionLabel.USE_SOURCE.of()) if one.replacement else one for one in found.suggestions
    )
    return replace(
        found,
        kind=FindingKind.CONFLICTS_WITH_SOURCE,
        evidence=(passage, *found.evidence),
        suggestions=tuple(suggestions),
    )


def with_suggestion_for(found: Finding, sentence: Sentence, rewrite: str) -> Finding:
    """The finding with one more way out, which changes another sentence."""
    extra = Suggestion(
        sentence.index, rewrite, text_hash(sentence.text), SuggestionMethod.LOCAL, verified=True, label="Change other"
    )
    return replace(found, suggestions=(*found.suggestions, extra))


def with_merge(found: Finding, sentences: Sequence[Sentence], earlier: int, wording: str) -> Finding:
    """The finding with one more way out: its sentence goes into the one at ``earlier``."""
    extra = Suggestion(
        earlier,
        wording,
        text_hash(sentences[earlier].text),
        SuggestionMethod.LOCAL,
        verified=True,
        label="Merge",
        absorbed=found.sentence,
    )
    return replace(found, suggestions=(*found.suggestions, extra))


def with_companions(found: Finding, wordings: Mapping[int, str]) -> Finding:
    """The finding with one more way out, first: its rewrite, with new ``wordings`` of other sentences."""
    rewrite = next(one for one in found.suggestions if one.replacement)
    together = replace(
        rewrite,
        label=SuggestionLabel.CHANGE_TOGETHER.of(1 + len(wordings)),
        companions=tuple(Companion(index, wording) for index, wording in wordings.items()),
    )
    return replace(found, suggestions=(together, *(replace(one, verified=False) for one in found.suggestions)))


def start_run(check: Check) -> Run:
    """Give the check to a run, without starting the pipeline."""
    run = Run(check.pk, token=uuid.uuid4())
    Check.objects.filter(pk=check.pk).update(state=Check.State.RUNNING, run_token=run.token, attempts=1)
    return run


def checked(texts: Sequence[str], findings: Sequence[Finding] = (), *, owner: str = OWNER) -> Check:
    """A finished check with these sentences and findings."""
    text, sentences = segment(*texts)
    check = services.check_create(owner=owner, text=text)
    run = start_run(check)
    done: list[reports.PipelineEvent] = [reports.TextSegmented(sentences, topic=None)]
    for sentence in sentences:
        own = tuple(found for found in findings if found.sentence == sentence.index)
        verdict = Verdict.CONTRADICTED if own else Verdict.NO_PROBLEM_FOUND
        done.append(reports.UnitStarted(DETECTOR, sentence.index))
        done.append(reports.UnitDone(DETECTOR, sentence.index, verdict, own))
    # All at once, as a run stores what belongs together: a transaction for each takes three times as long.
    RunWriter(run, detectors=("cross_contradiction.v1",)).write(done)
    Check.objects.filter(pk=check.pk).update(state=Check.State.DONE, run_token=None, lease_until=None)
    check.refresh_from_db()
    return check


def quoting(source: Source, quote: str, *others: Source, owner: str = OWNER) -> Check:
    """A check of one sentence with a finding that quotes a source."""
    text, sentences = segment("It was founded in 1894.")
    check = services.check_create(owner=owner, text=text, sources=[source, *others])
    writer = RunWriter(start_run(check), detectors=("grounding.v1",))
    writer.write([reports.TextSegmented(sentences, topic=None)])
    start = source.text.index(quote)
    evidence = Evidence(quote, Span(start, start + len(quote)), source=str(check.sources.get(source=source).pk))
    conflict = finding(sentences, 0, "1894", kind=FindingKind.CONFLICTS_WITH_SOURCE)
    found = replace(conflict, evidence=(evidence,), detector="grounding.v1")
    writer.write([reports.UnitDone("grounding.v1", 0, Verdict.CONFLICTS_WITH_SOURCE, (found,))])
    Check.objects.filter(pk=check.pk).update(state=Check.State.DONE, run_token=None, lease_until=None)
    check.refresh_from_db()
    return check
