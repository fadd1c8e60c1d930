# TEMPORARY stand-in until the language branch lands.
import threading

import spacy

from ..types import *


M = {
    "PERSON": EntityCategory.PERSON,
    "ORG": EntityCategory.ORGANISATION,
    "GPE": EntityCategory.PLACE,
    "LOC": EntityCategory.PLACE,
    "NORP": EntityCategory.GROUP,
    "EVENT": EntityCategory.EVENT,
    "PRODUCT": EntityCategory.PRODUCT,
    "WORK_OF_ART": EntityCategory.WORK,
}


class LanguagePipeline:
    def __init__(self, model):
        self._nlp = spacy.load(model)
        self._lock = threading.Lock()

    def parse(self, text):
        with self._lock:
            sentences = []
            pos = 0
            block = 0
            for line in text.split("\n"):
                if line.strip():
                    doc = self._nlp(line)
                    for s in doc.sents:
                        t = s.text.strip()
                        if not t:
                            continue
                        st = pos + s.start_char + (len(s.text) - len(s.text.lstrip()))
                        sent = Sentence(len(sentences), st, st + len(t), t, block)
                        toks = tuple(
                            Token(
                                Span(pos + k.idx, pos + k.idx + len(k.text)),
                                k.text,
                                k.lemma_,
                                k.tag_,
                                k.pos_,
                                k.dep_,
                                k.head.i - s.start,
                            )
                            for k in s
                        )
                        ents = tuple(
                            Entity(
                                Span(pos + e.start_char, pos + e.end_char),
                                e.text,
                                M.get(e.label_, EntityCategory.OTHER),
                            )
                            for e in s.ents
                        )
                        sentences.append(ParsedSentence(sent, toks, ents, True))
                    block += 1
                pos += len(line) + 1
            return ParsedText(text, tuple(sentences))
