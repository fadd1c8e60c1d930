"""Select the sentences that can be true or false. When in doubt, a sentence is selected."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from detection.core.language.vocabulary import words
from detection.core.types import BlockKind, Sentence, Token

_QUOTATION_MARKS: Final = "\"'”’»"
_CLOSING_MARKS: Final = _QUOTATION_MARKS + ")]*_ "
_QUESTION_MARKS: Final = ("?", "？", "؟")
_I_AM: Final = r"i(?:['’]| a)m"
_I_DO_NOT: Final = r"i (?:do not|don['’]t|cannot|can['’]t|could not|couldn['’]t|am unable to)"

#: Introductions after which a statement is still factual: "Sure, the mill burned down".
_OPENING: Final = re.compile(
    rf"^\W*(?:(?:sure|certainly|of course|absolutely|yes|no|ok|okay|well|unfortunately|{_I_AM} sorry,? but|"
    r"as an? (?:ai|artificial intelligence|(?:large |ai )?language model|ai (?:model|assistant))(?=,))[,!:.]?\s+)+"
    r"(?=(?P<rest>.+))",
    re.IGNORECASE,
)
#: Phrases that introduce a statement: "Please note that", "Did you know that".
_POINTS_OUT: Final = re.compile(
    r"^\W*(?:please |let us |let['’]s |it should be |you should )*(?:"
    r"(?:note|notice|noted|remember|remembered|recall|observe|know|(?:keep|bear) in mind|be aware)|"
    r"(?:did|do) you know|let me (?:tell you|say|add)|i can (?:tell you|say|confirm)|would you believe|"
    rf"{_I_AM} (?:sorry|happy|glad|afraid) to (?:say|tell you|report)"
    r") that\b",
    re.IGNORECASE,
)
#: Whole sentences that are addressed to the reader, and lines that only name what follows.
_TALK: Final = re.compile(
    r"^\W*(?:"
    r"hi|hello|hello there|hey|dear (?:\w+|[^,.!?]{1,40},)|welcome|"
    r"good (?:morning|afternoon|evening|bye|luck)(?:,? everyone)?|goodbye|bye|"
    r"congratulations|happy birthday|stay tuned|to be continued|not at all|hm+|wow|oh no|"
    r"thank(?:s| you)(?: (?:so much|very much|again|a lot))?|"
    r"sure|certainly|of course|absolutely|yes,? of course|"
    r"(?:that(?:['’]s| is|was) an? )?(?:great|good|excellent|interesting) question|yes|no|ok|okay|"
    r"you(?:['’]re| are) welcome|you(?:['’]re| are)(?: \w+ly)? (?:right|correct)|"
    r"(?:(?:kind|best|warm) )?regards(?:, [\w ]{1,40})?|sincerely(?: yours)?|cheers|"
    r"(?:i )?(?:hope|hopefully) th(?:is|at) (?:helps|helped)|(?:happy|glad) (?:to help|i could help)|"
    r"my apologies|sorry|apologies|read more|may (?:he|she|they) rest in peace|"
    r"(?:here|below|the following)(?:['’]s| is| are)\b[^.]*:|"
    r"references|sources|external links|further reading|bibliography|introduction|conclusion|summary"
    r")\W*$",
    re.IGNORECASE,
)
#: Beginnings of sentences about the answer, its writer or its reader.
_ABOUT_THE_ANSWER: Final = re.compile(
    r"^\W*(?:"
    r"(?:i|we) (?:hope (?:this|that|you)|wish (?:you|everyone)|apologi[sz]e)\b|let me\b|let(?:['’]s| us)\b|"
    r"thank(?:s| you)(?: \w+){0,3} for\b|(?:sorry|(?:my )?apologies) for\b|see also:|"
    r"feel free\b|please (?:let|note|feel|see|find|contact|do not hesitate)\b|(?:would|could|can|will) you\b|"
    r"if you (?:have|need|want|would|['’]d)\b.*\b(?:let me|ask|feel free|happy to|glad to)\b|"
    rf"{_I_AM} (?:sorry\b|an? (?:ai|language)\b|(?:happy|glad|here) to (?:help|assist)|not (?:sure|certain|aware)\b)|"
    r"i(?:['’]d|['’]ll| would| will) be (?:happy|glad)\b|i can (?:help|assist) you\b|"
    r"i(?:['’]ll| will|['’]d like to)(?: now| first| briefly)* (?:describe|explain|summari[sz]e|outline|list)\b|"
    rf"{_I_DO_NOT} (?:provide|access|browse|answer|help|assist|verify|confirm|predict|say|know|(?:have|find) "
    r"(?:\w+ )?(?:information|access|knowledge|data|details|opinions?|feelings|beliefs|records?|mentions?|sources?))\b|"
    r"i have no (?:information|access|knowledge|opinions?|feelings|beliefs|preferences)\b|"
    r"(?:long live|may you) \w+"
    r")",
    re.IGNORECASE,
)
_PART_OF_TEXT: Final = r"(?:table|list|chart|overview|summary|comparison|section|breakdown|timeline)s?"
_SHOWS: Final = (
    r"(?:also |briefly )?(?:compares?|shows?|lists?|summari[sz]es?|presents?|outlines?|describes?|contrasts?|sets? out|"
    r"breaks? down)\b(?! (?:\w+ )?that\b)"
)
_GIVES: Final = (
    r"(?:(?:gives?|provides?) (?:you )?an? (?:\w+ )?(?:overview|summary|list)|covers?|explains?|contains?|collects?|"
    r"looks? at|sums? up|walks? you through)\b(?! that\b)"
)
#: Sentences that only say what a part of the text presents.
_ABOUT_THE_TEXT: Final = re.compile(
    r"^\W*(?:"
    rf"(?:the|this) (?:(?:short|brief) )?{_PART_OF_TEXT} {_SHOWS}|"
    rf"(?:(?:the (?:following|next)|this) (?:short |brief )?(?:{_PART_OF_TEXT}|article|post|guide|page)|"
    rf"the {_PART_OF_TEXT} (?:below|above|here)) (?:{_SHOWS}|{_GIVES})|"
    rf"in (?:this|the (?:following|next)) (?:{_PART_OF_TEXT}|article|post|guide), (?:we|i|you)\b|"
    r"(?:here are|here(?: is|['’]s) (?:an?|how|what|everything)|(?:below|what follows|the following) (?:is|are)|"
    r"below,? you(?:['’]ll| will| can) find)\b(?![\s\S]*[:,]\s*\S)|"
    r"[^,;]*\b(?:is|are) (?:summari[sz]ed\b|(?:listed|shown|compared|given|set out|described) "
    rf"(?:below|here|above|in the (?:following )?{_PART_OF_TEXT}(?: below)?)\W*$))",
    re.IGNORECASE,
)
#: "The mill burned down, didn't it?" is a statement.
_TAG_QUESTION: Final = re.compile(
    r"\w, (?:right|(?:is|was|are|were|do|does|did|has|have|had|can|could|will|would)(?:n['’]t)? "
    r"(?:it|he|she|they|there))\?$",
    re.IGNORECASE,
)
_SUBJECTS: Final = frozenset({"nsubj", "nsubj:pass", "csubj", "csubj:pass", "nsubj:outer", "expl"})
_AUXILIARIES: Final = frozenset({"aux", "aux:pass", "mark"})
_SPEAKERS: Final = frozenset(
    words(
        "i you we this that these those there everything anything something nothing which what who one anyone "
        "everyone some any all answer information text summary explanation response overview list article question "
        "questions topic example day stay"
    )
)
"""Subjects of sentences about an answer or its readers."""
_RELATIVES: Final = frozenset({"WDT", "WP", "WP$"})
_OPEN_CLAUSE: Final = frozenset(words("if whether when where why how which what who"))
_BEFORE_AN_IMPERATIVE: Final = frozenset(
    words("please do n't n’t not never always just simply first then next finally ok")
)


def states_fact(sentence: Sentence, tokens: Sequence[Token]) -> bool:
    """False for questions, greetings, headings, code, instructions and talk about the answer itself."""
    if sentence.block_kind in (BlockKind.HEADING, BlockKind.CODE):
        return False
    text = sentence.text.rstrip(_CLOSING_MARKS)
    if not any(map(str.isalpha, text)):
        return False
    if _POINTS_OUT.match(text) or _TAG_QUESTION.search(text):
        return True
    if _is_question(sentence.text, tokens) or _is_talk(text, tokens):
        return False
    is_title = _is_label(text, tokens) or _is_open_clause(text, tokens)
    return not (is_title or _is_instruction(tokens) or _is_exclamation(text, tokens))


def gives_instruction(sentence: Sentence, tokens: Sequence[Token]) -> bool:
    """True for instructions, but not for requests to the reader about the answer ("Let me know ...")."""
    if sentence.block_kind in (BlockKind.HEADING, BlockKind.CODE):
        return False
    text = sentence.text.rstrip(_CLOSING_MARKS)
    return not _is_question(sentence.text, tokens) and not _is_talk(text, tokens) and _is_instruction(tokens)


def _is_question(text: str, tokens: Sequence[Token]) -> bool:
    """A sentence that ends in a question mark, unless it states who asked or what something is called."""
    bare = text.rstrip(_CLOSING_MARKS)
    if not bare.endswith(_QUESTION_MARKS):
        return False
    if not text[len(bare) :].strip(" )]*_") or text[0] in "\"'“‘«":
        return True
    return tokens[0].tag in ("WDT", "WP", "WRB") or tokens[0].dependency in ("aux", "aux:pass", "cop")


def _is_talk(text: str, tokens: Sequence[Token]) -> bool:
    """Greetings, and sentences only about the answer, a part of it, or its readers."""
    if _TALK.match(text) or (_ABOUT_THE_TEXT.match(text) and not any(map(str.isdigit, text))):
        return True
    opening = _OPENING.match(text)
    rest = opening["rest"] if opening else text
    return bool(_TALK.match(rest) or _ABOUT_THE_ANSWER.match(rest)) and not _speaks_of_others(tokens)


def _speaks_of_others(tokens: Sequence[Token]) -> bool:
    """Whether a factual clause has a subject outside the conversation."""
    return any(
        token.dependency in _SUBJECTS
        and _antecedent(token, tokens).text.lower() not in _SPEAKERS
        and not _is_open(token.head, tokens)
        for token in tokens
    )


def _antecedent(subject: Token, tokens: Sequence[Token]) -> Token:
    """The noun that a relative pronoun refers to; any other subject itself."""
    clause = tokens[subject.head]
    is_relative = subject.tag in _RELATIVES and clause.dependency == "acl:relcl"
    return tokens[clause.head] if is_relative else subject


def _is_open(clause: int, tokens: Sequence[Token]) -> bool:
    """True for "when it was built" after "I do not know"."""
    is_relative = tokens[clause].dependency == "acl:relcl"
    return not is_relative and any(token.head == clause and token.text.lower() in _OPEN_CLAUSE for token in tokens)


def _is_label(text: str, tokens: Sequence[Token]) -> bool:
    """A line that only introduces what follows ("Early life:")."""
    return text.endswith(":") and not any(token.pos in ("VERB", "AUX") for token in tokens)


def _is_open_clause(text: str, tokens: Sequence[Token]) -> bool:
    """A clause that only names what follows: "What the stations measured."."""
    return text.endswith(".") and tokens[0].tag in ("WP", "WRB") and tokens[0].head == 0


def _is_instruction(tokens: Sequence[Token]) -> bool:
    """A sentence without a subject whose main verb is an imperative ("See the list below", "Do not feed the birds")."""
    spoken = [position for position, token in enumerate(tokens) if token.pos != "PUNCT"]
    first = next((i for i in spoken if tokens[i].text.lower() not in _BEFORE_AN_IMPERATIVE), None)
    if len(spoken) < 2 or first is None:
        return False
    if any(token.tag in _RELATIVES and before.text == "," for before, token in pairwise(tokens)):
        return False  # the added clause is a fact: "Visit the mill, which was built in 1921"
    verb = tokens[first]
    if any(token.text == ":" for token in tokens[:4]):
        return False  # a label that the tagger tagged as a verb ("Catchphrase: ...")
    has_subject = any(token.head == first and token.dependency in _SUBJECTS for token in tokens)
    is_base_form = verb.tag == "VB" or (verb.tag == "VBP" and first != spoken[0])
    is_imperative = verb.head == first and verb.pos == "VERB" and is_base_form and not has_subject
    return is_imperative or _is_imperative_behind_clause(tokens)


def _is_imperative_behind_clause(tokens: Sequence[Token]) -> bool:
    """True for "If the light is red, unplug the device" and "After the restart, enter the password"."""
    root = next((place for place, token in enumerate(tokens) if token.head == place), 0)
    # "To reset it, hold the button": the parser takes the purpose for the main clause.
    is_of_purpose = tokens[0].text.lower() == "to"
    places = [place for place, token in enumerate(tokens) if token.head == root and (place == root or is_of_purpose)]
    return any(_is_imperative_behind_comma(place, tokens) for place in places if tokens[place].tag == "VB")


def _is_imperative_behind_comma(verb: int, tokens: Sequence[Token]) -> bool:
    comma = verb - 1
    while comma > 0 and tokens[comma].text.lower() in _BEFORE_AN_IMPERATIVE:
        comma -= 1
    if comma <= 0 or tokens[comma].text != ",":
        return False
    behind = tokens[comma:]
    return not any(
        token.head == verb and token.dependency in _SUBJECTS | _AUXILIARIES and token.text.lower() != "do"
        for token in behind
    )


def _is_exclamation(text: str, tokens: Sequence[Token]) -> bool:
    """An exclamation without a verb ("What a place!")."""
    return text.endswith("!") and not any(token.pos in ("VERB", "AUX") for token in tokens)
