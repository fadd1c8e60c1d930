"""Which sentences state something that can be true or false. In doubt, a sentence does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from detection.core.types import BlockKind, Sentence, Token

_CLOSING_MARKS = "\"'”’»)]*_ "
_TALK: Final = re.compile(
    r"^\W*(?:"
    r"hi|hello|hey|dear \w+|good (?:morning|afternoon|evening)|welcome|"
    r"thank(?:s| you)(?: (?:for|so much|very much|again)\b.*)?|"
    r"sure|certainly|of course|absolutely|"
    r"great question|yes|no|ok|okay|you(?:'|’)re welcome|(?:kind |best |warm )?regards|sincerely(?: yours)?|cheers"
    r")\W*$",
    re.IGNORECASE,
)
_ABOUT_THE_ANSWER: Final = re.compile(
    r"^\W*(?:"
    r"(?:i|we) hope (?:this|that|you)\b|let me know\b|feel free\b|"
    r"please (?:let|note|feel|see|find|contact|do not hesitate)\b|"
    r"would you like\b|if you (?:have|need|want|would|'d|’d)\b.*\b(?:let me|ask|feel free|happy to|glad to)\b|"
    r"as an? (?:ai|artificial intelligence|large language|language)\b|"
    r"i(?:(?:'|’)| a)m (?:sorry|an? (?:ai|language))\b|"
    r"i(?:'|’)(?:d|ll) be (?:happy|glad)\b|i (?:do not|don(?:'|’)t|cannot|can(?:'|’)t) (?:have|provide|access|find)\b|"
    r"here(?:'|’)?s?(?: is| are)? (?:a|an|the|some|your|my)\b[^.]*:$|(?:sure|certainly|of course)[,!]"
    r")",
    re.IGNORECASE,
)
_SUBJECTS: Final = frozenset({"nsubj", "nsubj:pass", "csubj", "csubj:pass", "nsubj:outer", "expl"})


def states_fact(sentence: Sentence, tokens: Sequence[Token]) -> bool:
    """False for questions, greetings, headings, code, instructions and talk about the answer itself."""
    if sentence.block_kind in (BlockKind.HEADING, BlockKind.CODE):
        return False
    text = sentence.text.rstrip(_CLOSING_MARKS)
    if not any(map(str.isalpha, text)):
        return False
    if text.endswith(("?", "？", "؟")) or _TALK.match(text) or _ABOUT_THE_ANSWER.match(text):
        return False
    return not (_is_label(text, tokens) or _is_instruction(tokens) or _is_exclamation(text, tokens))


def _is_label(text: str, tokens: Sequence[Token]) -> bool:
    """A line that only introduces what follows ("Early life:")."""
    return text.endswith(":") and not any(token.pos in ("VERB", "AUX") for token in tokens)


def _is_instruction(tokens: Sequence[Token]) -> bool:
    """A sentence that begins with its main verb in the base form and has no subject ("See the list below")."""
    words = [position for position, token in enumerate(tokens) if token.pos != "PUNCT"]
    if len(words) < 2:
        return False
    first = words[1] if tokens[words[0]].text.lower() == "please" else words[0]
    verb = tokens[first]
    if any(token.text == ":" for token in tokens[:4]):
        return False  # a label that the tagger took for a verb ("Catchphrase: ...")
    has_subject = any(token.head == first and token.dependency in _SUBJECTS for token in tokens)
    return verb.head == first and verb.pos == "VERB" and verb.tag == "VB" and not has_subject


def _is_exclamation(text: str, tokens: Sequence[Token]) -> bool:
    """An exclamation without a verb ("What a place!")."""
    return text.endswith("!") and not any(token.pos in ("VERB", "AUX") for token in tokens)
