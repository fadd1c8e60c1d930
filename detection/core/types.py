"""Value types that modules exchange. All are immutable; all offsets are code points, half-open."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from .messages import Message


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range ``[start, end)`` of code points in the text that the context names."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: [{self.start}, {self.end})")

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def shifted(self, offset: int) -> Span:
        return Span(self.start + offset, self.end + offset)

    def contains(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


class BlockKind(StrEnum):
    """The kind of block that contains a sentence."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    LIST_ITEM = "list_item"
    CODE = "code"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of the text. ``text`` is exactly ``document_text[start:end]``, without outer white space."""

    index: int
    start: int
    end: int
    text: str
    block: int = 0
    block_kind: BlockKind = BlockKind.PARAGRAPH

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a text between two clear boundaries: one sentence, or several if a boundary is in doubt.

    ``text`` is exactly ``document_text[span.start:span.end]``. A sentence may begin at ``places``, counted in ``text``.
    """

    span: Span
    text: str
    block: int
    block_kind: BlockKind
    places: tuple[int, ...] = ()


class EntityCategory(StrEnum):
    """The categories of METHODS B.3: who or what a name or value refers to."""

    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    GROUP = "group"  # nationalities, religions, political groups
    EVENT = "event"
    PRODUCT = "product"
    WORK = "work"
    QUANTITY = "quantity"
    DATE = "date"
    TITLE = "title"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Entity:
    """A named entity or value of one sentence; ``span`` counts from the start of the document."""

    span: Span
    text: str
    category: EntityCategory


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a parsed sentence.

    ``span`` counts from the start of the document. ``tag`` is a Penn Treebank tag, ``pos`` a universal one, and
    ``dependency`` a Universal Dependencies label, whatever pipeline is installed. ``head`` is the position of the
    head within the sentence's tokens; the root is its own head.
    """

    span: Span
    text: str
    lemma: str
    tag: str
    pos: str
    dependency: str
    head: int


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """A sentence with what the language pipeline found in it."""

    sentence: Sentence
    tokens: tuple[Token, ...]
    entities: tuple[Entity, ...] = ()
    states_fact: bool = True
    """False for questions, greetings, headings, instructions: they cannot be true or false."""
    is_instruction: bool = False
    """True for "Bake the rolls at 220 degrees": it states no fact, but its figures can contradict a source."""

    @property
    def text(self) -> str:
        return self.sentence.text

    def children(self, position: int) -> Iterator[int]:
        """Positions of the tokens whose head is the token at ``position``, in order."""
        return (i for i, token in enumerate(self.tokens) if token.head == position and i != position)


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A text (the one under test, or a source) with its sentences in order."""

    text: str
    sentences: tuple[ParsedSentence, ...]


class PlaceKind(StrEnum):
    """How a part of a source is named."""

    PAGE = "page"
    HEADING = "heading"


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a source that has a name: page "37", or the text under the heading "Finances".

    ``span`` counts in the text of the source. Pages do not overlap, and neither do headings: the text of a heading ends
    where the next heading begins.
    """

    kind: PlaceKind
    label: str
    span: Span


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text that the user trusts. ``id`` is chosen by the caller and repeated in every piece of evidence."""

    id: str
    name: str
    text: str
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadShare:
    """How many passages of the sources were read for a sentence: of long sources only the nearest ones are read."""

    read: int
    total: int


class GroundingLevel(StrEnum):
    """What is compared with the sources: the whole sentence, or each name and value in it (METHODS B.2, B.3)."""

    SENTENCE = "sentence"
    ENTITY = "entity"


class PairKind(StrEnum):
    """What two texts are compared for; a model of its own judges each kind."""

    STATEMENTS = "statements"
    """Whether the premise entails or contradicts the hypothesis."""
    SLOT = "slot"
    """Whether the masked values of two sentences fill the same slot; entailment says yes."""


class NliPair(NamedTuple):
    premise: str
    hypothesis: str
    kind: PairKind = PairKind.STATEMENTS


class NliScore(NamedTuple):
    """Probabilities that sum to 1."""

    entailment: float
    neutral: float
    contradiction: float


#: The score of a pair that no model reads: it says nothing for or against the hypothesis.
UNREAD = NliScore(entailment=0.0, neutral=1.0, contradiction=0.0)


class FindingKind(StrEnum):
    """The kind of problem that a sentence has."""

    SELF_CONTRADICTION = "self_contradiction"
    CROSS_CONTRADICTION = "cross_contradiction"
    CONFLICTS_WITH_SOURCE = "conflicts_with_source"
    NOT_IN_SOURCE = "not_in_source"
    REFUTED_BY_EVIDENCE = "refuted_by_evidence"
    UNSUPPORTED_BY_EVIDENCE = "unsupported_by_evidence"
    REPAIRED_WHILE_GENERATING = "repaired_while_generating"
    FALSE_PREMISE = "false_premise"


#: These kinds do not say that a sentence is wrong, only that its sources are silent about it.
SILENT_KINDS = frozenset({FindingKind.NOT_IN_SOURCE, FindingKind.UNSUPPORTED_BY_EVIDENCE})


class Verdict(StrEnum):
    """The verdict on a sentence. Declared worst first; :attr:`rank` follows that order."""

    CONTRADICTED = "contradicted"
    CONFLICTS_WITH_SOURCE = "conflicts_with_source"
    NOT_IN_SOURCE = "not_in_source"
    UNSURE = "unsure"
    SUPPORTED = "supported"
    NO_PROBLEM_FOUND = "no_problem_found"
    NOT_CHECKED = "not_checked"
    FAILED = "failed"

    @property
    def rank(self) -> int:
        return _RANKS[self]


_RANKS = {verdict: rank for rank, verdict in enumerate(Verdict)}


class Engine(StrEnum):
    """The models that judge: only those that ship with the program, or a language model as well."""

    LOCAL = "local"
    LLM = "llm"


class Strictness(StrEnum):
    """Which warnings are shown: strict shows more, lenient only the surest."""

    STRICT = "strict"
    BALANCED = "balanced"
    LENIENT = "lenient"


class SuggestionMethod(StrEnum):
    """The author of the replacement."""

    LLM = "llm"
    LOCAL = "local"
    DROP = "drop"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class DocumentLink:
    """A document that a search found; ``url`` is "" for a source of the user."""

    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quote that supports a finding, and its position.

    ``span`` counts in the text under test when ``sentence`` is set, and in the source named by ``source`` when that
    is set. With neither, ``span`` counts in the quote, which is from the web page ``document`` or, if that is None, an
    alternative sentence of a model. ``conflict`` has the words of the quote that contradict the claim, counted like
    ``span``.
    """

    quote: str
    span: Span
    sentence: int | None = None
    source: str | None = None
    conflict: tuple[Span, ...] = ()
    score: float | None = None
    document: DocumentLink | None = None


@dataclass(frozen=True, slots=True)
class Companion:
    """The new wording of another sentence, which a suggestion changes at the same time."""

    sentence: int
    replacement: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A replacement for one whole sentence; ``replacement == ""`` removes it.

    ``base_hash`` is :func:`text_hash` of the sentence it was written for. ``label`` is a code (``labels``) for the
    effect of accepting, when a finding offers several suggestions. ``absorbed`` is the index of a second sentence that
    is merged into the replacement and removed. ``companions`` are sentences that repeat the replaced value.
    """

    sentence: int
    replacement: str
    base_hash: str
    method: SuggestionMethod
    verified: bool
    label: str = ""
    absorbed: int | None = None
    companions: tuple[Companion, ...] = ()

    @property
    def is_of_one_sentence(self) -> bool:
        """False for a merge, and for a change of several sentences together."""
        return self.absorbed is None and not self.companions


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with one sentence, with the words, the reason and the evidence."""

    sentence: int
    span: Span
    """The wrong words of the sentence, counted in the text under test."""
    kind: FindingKind
    verdict: Verdict
    score: float
    """How sure the detector is, 0 to 1, calibrated where possible."""
    message: Message
    explanation: str
    evidence: tuple[Evidence, ...]
    detector: str
    quoted: str
    """The text of ``span``."""
    context: tuple[str, str] = ("", "")
    """A few words before and after ``quoted``, to distinguish two equal quotes."""
    prompt: str | None = None
    suggestions: tuple[Suggestion, ...] = field(default=())

    def fingerprint(self) -> str:
        """Identify the finding by its content and not by its position.

        The same words with the same neighbours and the same kind give the same fingerprint after an edit elsewhere
        in the text: the key for idempotent inserts and for "dismissed before". The contradicting sentence or source
        passage is part of it: dismissing the objection of one source does not dismiss that of another.
        """
        says_otherwise = self.kind is FindingKind.CONFLICTS_WITH_SOURCE
        opposite = [item.quote for item in self.evidence if item.sentence is not None or says_otherwise]
        parts = [
            self.kind,
            *_words(self.context[0]),
            "\x1f",
            *_words(self.quoted),
            "\x1f",
            *_words(self.context[1]),
        ]
        for quote in opposite:
            parts += ["\x1f", *_words(quote)]
        return hashlib.sha256("\x1e".join(parts).encode()).hexdigest()[:32]


def _words(text: str) -> list[str]:
    return text.casefold().split()


def text_hash(text: str) -> str:
    """Hash a piece of text (hexadecimal, 16 characters)."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
