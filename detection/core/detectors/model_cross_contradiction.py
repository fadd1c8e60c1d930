"""Find sentences of one text that contradict each other, with a language model that reads the whole text.

The model names pairs and quotes the words that clash; the local models add the pairs that they are sure of. The model
then answers the two-turn question of the paper (METHODS A.3) for each pair, in both orders; only pairs that are
contradictory in both are shown. A sentence that was not read completely, or whose pair stayed undecided, ends as failed
with the reason, and is never called fine.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..comparing.sentence import ComparableSentence
from ..errors import DetectionError
from ..findings import in_document, make_finding
from ..grounding.quotes import QuoteFinder
from ..llm.attribution import asking_for
from ..messages import Message, MessageCode
from ..places import place_of
from ..ports import DetectionRequest, Emit, Material
from ..reasons import Reason
from ..reports import UnitDone, UnitFailed, UnitResult, UnitSkipped, UnitStarted
from ..rules.alignment import ValueConflict
from ..rules.phrases import phrase_at
from ..self_contradiction.model import Contradictions
from ..self_contradiction.pairs import COMPARE_PAIRS, Comparison, StatementPair
from ..text_reading.answers import NamedPair
from ..text_reading.reader import Reading, TextReader
from ..types import BlockKind, Evidence, Finding, FindingKind, SourceText, Span, Verdict
from .contradiction_suggestions import is_rewritten, suggestions_of_contradiction

#: Limit of pairs to verify for each sentence of the text. Only a bad model names more.
PAIRS_PER_SENTENCE = 0.5
MIN_PAIRS = 12

ONE_SENTENCE = Reason.ONE_SENTENCE.of()
_QUOTE_MISSING = "The model named a contradiction with words that do not stand in the text."
_TOO_MANY = "The model named {named:,} contradictions, and {asked:,} of them were looked at. This one was not."

# Not calibrated: no answers of models that read whole texts are on record.
_SCORE, _SCORE_OF_BOTH = 0.8, 0.9

_BY_MODEL = "The language model named this pair when it read the whole text, and confirmed it both ways round."
_BY_BOTH = (
    "The language model and the local models named this pair, and the language model confirmed it both ways round."
)
_BY_LOCAL = "The local models named this pair, and the language model confirmed it both ways round."


@dataclass(frozen=True, slots=True)
class LocalPair:
    """A contradiction that the local models are sure of. ``conflict`` has the words, if the rules can name them."""

    earlier: int
    later: int
    score: float
    conflict: ValueConflict | None


#: Code and headings are neither checked nor compared with.
_NOT_COMPARED = frozenset({BlockKind.CODE, BlockKind.HEADING})

#: Returns the contradictions that the local models find between the sentence at an index and earlier ones.
FindLocal = Callable[[int], Awaitable[Iterable[LocalPair]]]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A pair to verify, with the words of each sentence that clash, counted in the sentences."""

    earlier: int
    later: int
    earlier_words: Span | None = None
    later_words: Span | None = None
    local: LocalPair | None = None
    is_named: bool = False

    @property
    def rank(self) -> tuple[int, float]:
        """Sort key: pairs that both the model and the local models found come first."""
        score = self.local.score if self.local else 0.0
        return (-int(self.is_named) - int(self.local is not None), -score)


@dataclass(slots=True)
class _Outcome:
    """The result of all pairs, keyed by the later sentence, and the reasons why some are undecided."""

    proved: defaultdict[int, list[tuple[_Candidate, Comparison]]] = field(default_factory=lambda: defaultdict(list))
    unsettled: dict[int, str] = field(default_factory=dict)


class ModelCrossContradiction:
    """The detector ``detector`` with a language model as reader and judge."""

    def __init__(
        self, detector: str, reader: TextReader, contradictions: Contradictions, find_local: FindLocal
    ) -> None:
        self._detector = detector
        self._reader = reader
        self._contradictions = contradictions
        self._find_local = find_local

    async def detect(self, request: DetectionRequest, emit: Emit) -> None:
        material, pending = request.material, request.pending
        if len(material.sentences) < 2:
            await emit(*(UnitSkipped(self._detector, index, ONE_SENTENCE) for index in pending))
            return
        await emit(*(UnitStarted(self._detector, index) for index in pending))
        with asking_for(self._detector, pending):
            outcome = await self._examine(material, pending)
        for index in pending:
            await emit(await self._result(request, index, outcome))

    async def _examine(self, material: Material, pending: Sequence[int]) -> _Outcome:
        reading = await self._reader.read(material.sentences, material.topic)
        local = {(pair.earlier, pair.later): pair for index in pending for pair in await self._find_local(index)}
        outcome = _Outcome(unsettled=dict(reading.unread))
        candidates = _candidates(material.sentences, reading, local, outcome.unsettled)
        wanted = sorted((one for one in candidates if one.later in set(pending)), key=lambda one: one.rank)
        most = max(MIN_PAIRS, int(PAIRS_PER_SENTENCE * len(material.sentences)))
        for one in wanted[most:]:
            outcome.unsettled.setdefault(one.later, _TOO_MANY.format(named=len(wanted), asked=most))
        await self._prove(material, wanted[:most], outcome)
        return outcome

    async def _prove(self, material: Material, candidates: Sequence[_Candidate], outcome: _Outcome) -> None:
        """Verify the pairs; only those that are contradictory in one order are asked in the other."""
        place = f"Text: {place_of(material, 0).description}"
        pairs = [_statements(material.sentences, one) for one in candidates]
        there = await self._contradictions.judge(place, pairs)
        holding = [i for i, result in enumerate(there) if isinstance(result, Comparison) and result.votes.is_yes]
        back = dict(
            zip(holding, await self._contradictions.judge(place, [pairs[i].turned for i in holding]), strict=True)
        )
        for i, (one, first) in enumerate(zip(candidates, there, strict=True)):
            second = back.get(i)
            failure = next((result for result in (first, second) if isinstance(result, DetectionError)), None)
            if failure is not None:
                outcome.unsettled.setdefault(one.later, str(failure))
            elif isinstance(first, Comparison) and isinstance(second, Comparison) and second.votes.is_yes:
                outcome.proved[one.later].append((one, first))

    async def _result(self, request: DetectionRequest, index: int, outcome: _Outcome) -> UnitResult:
        proved = outcome.proved.get(index, [])
        if not proved:
            reason = outcome.unsettled.get(index)
            if reason is not None:
                return UnitFailed(self._detector, index, reason)
            return UnitDone(self._detector, index, Verdict.NO_PROBLEM_FOUND)
        with asking_for(self._detector, (index,)):
            findings = [
                await self._finding(request, one, comparison, gets_rewrite=is_rewritten(number, len(proved)))
                for number, (one, comparison) in enumerate(proved)
            ]
        return UnitDone(self._detector, index, Verdict.CONTRADICTED, tuple(findings))

    async def _finding(
        self, request: DetectionRequest, one: _Candidate, comparison: Comparison, *, gets_rewrite: bool
    ) -> Finding:
        sentences = request.material.sentences
        earlier, later = sentences[one.earlier], sentences[one.later]
        evidence = Evidence(
            quote=earlier.text,
            span=earlier.parsed.sentence.span,
            sentence=one.earlier,
            conflict=(in_document(one.earlier_words, earlier),) if one.earlier_words else (),
        )
        return make_finding(
            later,
            span=in_document(one.later_words, later) if one.later_words else later.parsed.sentence.span,
            kind=FindingKind.CROSS_CONTRADICTION,
            verdict=Verdict.CONTRADICTED,
            score=_SCORE_OF_BOTH if one.is_named and one.local else _SCORE,
            message=_message(one, earlier, later),
            explanation=f"{comparison.explanation} {_found_by(one)}".strip(),
            evidence=(evidence,),
            detector=self._detector,
            prompt=COMPARE_PAIRS.id,
            suggestions=await suggestions_of_contradiction(
                request,
                earlier,
                later,
                one.local.conflict if one.local else None,
                self._contradictions,
                gets_rewrite=gets_rewrite,
            ),
        )


def _candidates(
    sentences: Sequence[ComparableSentence],
    reading: Reading,
    local: Mapping[tuple[int, int], LocalPair],
    unsettled: dict[int, str],
) -> list[_Candidate]:
    """The pairs to verify, each once. Pairs with made-up quotes are recorded as undecided and not verified."""
    found: dict[tuple[int, int], _Candidate] = {}
    made_up: set[tuple[int, int]] = set()
    for pair in reading.pairs:
        key = (pair.earlier, pair.later)
        if any(sentences[index].parsed.sentence.block_kind in _NOT_COMPARED for index in key):
            continue
        words = _quoted(sentences, reading.told, pair)
        if words is None:
            made_up.add(key)
        else:
            found.setdefault(key, _Candidate(*key, *words, local=local.get(key), is_named=True))
    for key, known in local.items():
        found.setdefault(key, _of_local(known))
    for _, later in made_up - found.keys():
        unsettled.setdefault(later, _QUOTE_MISSING)
    return list(found.values())


def _of_local(pair: LocalPair) -> _Candidate:
    conflict = pair.conflict
    return _Candidate(
        pair.earlier,
        pair.later,
        conflict.premise.span if conflict else None,
        conflict.hypothesis.span if conflict else None,
        local=pair,
    )


def _quoted(
    sentences: Sequence[ComparableSentence], told: Mapping[int, str], pair: NamedPair
) -> tuple[Span | None, Span | None] | None:
    """The positions of the quoted words in both sentences; None if a quote does not occur.

    Quotes from the prompt's version of a sentence, where names replace pronouns, have no position.
    """
    spans: list[Span | None] = []
    for index, words in ((pair.earlier, pair.earlier_words), (pair.later, pair.later_words)):
        span = _find(words, sentences[index].text)
        if span is None and _find(words, told.get(index, "")) is None:
            return None
        spans.append(span)
    return spans[0], spans[1]


def _find(words: str, text: str) -> Span | None:
    quotes = QuoteFinder([SourceText("", "", text)]).find(words)
    return Span(min(q.span.start for q in quotes), max(q.span.end for q in quotes)) if quotes else None


def _statements(sentences: Sequence[ComparableSentence], one: _Candidate) -> StatementPair:
    return StatementPair(
        sentences[one.earlier].text,
        sentences[one.later].text,
        _said_before(sentences, one.earlier),
        _said_before(sentences, one.later),
    )


def _said_before(sentences: Sequence[ComparableSentence], index: int) -> str:
    """The preceding sentence, if a pronoun refers to it; else ""."""
    return sentences[index - 1].text if index and sentences[index].leans_on_previous else ""


def _message(one: _Candidate, earlier: ComparableSentence, later: ComparableSentence) -> Message:
    own = phrase_at(later.clause, one.later_words) if one.later_words else ""
    other = phrase_at(earlier.clause, one.earlier_words) if one.earlier_words else ""
    if own and other and own.casefold() != other.casefold():
        return MessageCode.VALUES_DIFFER.of(own=own, other=other, number=one.earlier + 1)
    return MessageCode.SENTENCES_EXCLUDE.of(number=one.earlier + 1)


def _found_by(one: _Candidate) -> str:
    if one.is_named:
        return _BY_BOTH if one.local else _BY_MODEL
    return _BY_LOCAL
