"""Training documents of the entity recogniser."""

import random
import re
from collections.abc import Iterable, Iterator, Sequence

from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.util import filter_spans

from .mentions import MarkedText, Mention

_SIZES = (1, 1, 2, 3)
_APOSTROPHE = re.compile(r"(?<=\w)'")
_OPENING_QUOTE = re.compile(r'(^|[\s(\[])"')


def joined(texts: Sequence[MarkedText], generator: random.Random) -> Iterator[MarkedText]:
    """Join one, two or three texts at a time, because the recogniser reads single and several sentences."""
    start = 0
    while start < len(texts):
        size = generator.choice(_SIZES)
        yield _join(texts[start : start + size])
        start += size


def _join(texts: Iterable[MarkedText]) -> MarkedText:
    text = ""
    mentions: list[Mention] = []
    for marked in texts:
        offset = len(text) + 1 if text else 0
        text = f"{text} {marked.text}" if text else marked.text
        mentions += [Mention(m.start + offset, m.end + offset, m.label) for m in marked.mentions]
    return MarkedText(text, tuple(mentions))


def with_curly_quotes(text: str) -> str:
    """The text with typographic quotation marks and apostrophes, of the same length."""
    return _OPENING_QUOTE.sub(r"\1“", _APOSTROPHE.sub("’", text)).replace('"', "”")


def as_document(marked: MarkedText, nlp: Language) -> Doc:
    """The text as a document of the pipeline's tokens; partial tokens of a name are included completely."""
    doc = nlp.make_doc(marked.text)
    named = filter_spans([span for mention in marked.mentions if mention.label and (span := _span(doc, mention))])
    taken = {position for span in named for position in range(span.start, span.end)}
    unknown = []
    for mention in marked.mentions:
        span = None if mention.label else _span(doc, mention)
        if span is not None and taken.isdisjoint(range(span.start, span.end)):
            unknown.append(span)
            taken.update(range(span.start, span.end))
    doc.set_ents(named, missing=unknown, default="outside")
    return doc


def _span(doc: Doc, mention: Mention) -> Span | None:
    return doc.char_span(mention.start, mention.end, label=mention.label or "", alignment_mode="expand")
