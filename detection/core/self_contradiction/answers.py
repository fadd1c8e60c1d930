"""Read the sentence in an answer and decide whether it answers the question. If not, nothing was checked."""

from __future__ import annotations

import re
from typing import Final

from ..errors import ModelCallFailed
from ..language.english import is_english, is_latin

_LONGEST_SENTENCE: Final = 1_500
_MIN_WORDS: Final = 3
_QUOTES: Final = "\"“”„'‘’*_`"
_WORD: Final = re.compile(r"[^\W_]+")
_FENCE: Final = re.compile(r"^\s*(?:`{3,}|~{3,})[\w-]*\s*$")
_LABEL: Final = re.compile(
    r"^(?:the )?(?:(?:next|original|revised|merged|new) sentence|sentence|answer|output)\s*:\s*", re.IGNORECASE
)
#: Introductions before the sentence: "Sure! Here is the next sentence:".
_LEAD: Final = re.compile(
    r"""^(?:(?:sure(?:\ thing)?|certainly|of\ course|okay|ok|absolutely|alright|great|got\ it|understood)\b
    [^.:!,]{0,20}[!.,:]+\s*)+""",
    re.IGNORECASE | re.VERBOSE,
)
_HERE_IT_IS: Final = re.compile(
    r"^(?:here(?:['’]s| is| are)|this is|below is|the next sentence is)\b[^:]{0,80}:\s*", re.IGNORECASE
)
_MARKUP: Final = re.compile(r"</?[a-z][\w-]*(?:\s[^<>]*)?>|<\||\|>|^\s*[{\[#|]|`{3}|\[/?[A-Z]{2,}\]", re.IGNORECASE)

#: Refusals and excuses.
EXCUSE: Final = re.compile(
    r"^(?:i(?:['’]m| am) (?:sorry|unable|not able)|sorry\b|i (?:cannot|can['’]t|don['’]t|do not|apologi[sz]e)\b"
    r"|as an ai\b|unfortunately, i\b)",
    re.IGNORECASE,
)
#: More excuses, for text that cannot be the beginning of an answer.
_EXCUSE_OF_ALL_KINDS: Final = re.compile(
    r"""^(?:
    i(?:['’]m|\ am)\ (?:sorry|unable|afraid|not\ (?:able|comfortable|sure|aware|certain|familiar|allowed|programmed))
    | sorry\b | (?:my\ )?apologies\b | regrettably\b | unfortunately\b
    | i\ (?:cannot|can\ not|could\ not|do\ not|will\ not|must\ decline|apologi[sz]e|have\ no|need\ more)\b
    | i\ (?:can|couldn|don|won)['’]t\b | i(?:['’]d|\ would)\ (?:rather\ not|need|prefer)\b
    | as\ an?\ (?:ai|large|language|assistant)\b | please\ (?:provide|note|specify|clarify|let\ me)\b
    | (?:could|can)\ you\b | without\ (?:more|further|additional)\b
    | it\ (?:would|is)\ (?:not\ )?(?:be\ )?(?:in)?appropriate\b
    | okay,\ (?:so\ )?(?:the\ user|let) | the\ user\ (?:wants|asks|is\ asking)\b | we\ need\ to\b | let['’]s\b
    | let\ me\b | hmm\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
#: Statements that nothing is known, which are not alternative answers.
_NOTHING_KNOWN: Final = re.compile(
    r"""^\W*(?:n\s?/\s?a|none|null|nil|unknown|undefined|no\ answer|tbd
        |not\ (?:applicable|available|specified|known|provided))\W*$
    | \b(?:no|not\ enough|insufficient|little|limited|without)\s+(?:\w+\s+){0,2}
        (?:information|data|records?|details?|evidence|documentation|sources?)\b(?:\s+\w+){0,3}\s*
        (?:\b(?:available|found|about|on|to|regarding|concerning)\b|$|[.,])
    | \b(?:is|are|was|were|remains?)\s+(?:(?:currently|still|also)\s+)?
        (?:not\ (?:publicly\ |widely\ |exactly\ |precisely\ |well[- ])?
            (?:known|clear|certain|available|documented|recorded|specified|disclosed)
        |unclear|uncertain|unspecified|unavailable|unknown\s*(?:[.,]|$))
    | \bcannot\ (?:be\ )?(?:determined?|confirm(?:ed)?|verif(?:y|ied)|provide|say|answer)\b
    | \blanguage\ model\b | \[(?:insert|your|name|date|year|place)\b""",
    re.IGNORECASE | re.VERBOSE,
)
#: Words that carry no information about the fact.
_EMPTY: Final = frozenset(
    _WORD.findall(
        "a an the of in on at by to for from with as and or is are was were be been being has have had do does did it "
        "its he she they them his her their this that these those who which what when where"
    )
)
_PRONOUNS: Final = frozenset(_WORD.findall("it he she they his her its their this these"))
_ENGLISH: Final = frozenset(_WORD.findall("the of and is are was were has had by with from"))
#: Common words of other languages that are not English words. Some also occur in names.
_FOREIGN: Final = frozenset(
    _WORD.findall(
        "der das und ist wurde wurden ein eine einen einem einer im von mit für auf nicht auch sich dem zur zum "
        "le les une sont été dans et avec sur qui que il elle el los las una son fue con por para lo gli è sono nel "
        "nella della da di com em uma foi het een werd zijn voor"
    )
)

NO_SENTENCE: Final = "The model did not write the sentence that was asked for."
CUT: Final = "The answer of the model was cut off at its limit."
NOT_THE_FACT: Final = "The model did not answer the question about this fact."


def read_sentence(answer: str) -> str:
    """The one sentence in an answer, without what models put around it.

    Raises:
        ModelCallFailed: it is an excuse or not a sentence.
    """
    lines = [line.strip() for line in answer.strip().splitlines() if line.strip() and not _FENCE.match(line)]
    line = ""
    for line in lines:
        line = _without_lead(line)
        if line and not line.endswith(":"):
            break
    if not re.search(r"\w", line) or len(line) > _LONGEST_SENTENCE or EXCUSE.match(line) or _MARKUP.search(line):
        raise ModelCallFailed(NO_SENTENCE)
    return line


def _without_lead(line: str) -> str:
    for pattern in (_LEAD, _HERE_IT_IS, _LABEL):
        line = pattern.sub("", line, count=1).strip()
    while len(line) > 1 and line[0] in _QUOTES and line[-1] in _QUOTES:
        line = line[1:-1].strip()
    return line


def read_alternative(answer: str, subject: str, relation: str, *, is_cut: bool) -> str:
    """The sentence of an answer that was to fill the gap behind a subject and a relation.

    Raises:
        ModelCallFailed: it is not a sentence, is truncated, says that nothing is known, is in another language, or is
            about something else. Comparing it would find no contradiction and pass the fact as fine.
    """
    sentence = read_sentence(answer)
    if is_cut and len([line for line in answer.strip().splitlines() if line.strip()]) == 1:
        raise ModelCallFailed(CUT)
    if is_excuse(sentence) or not fills_gap(sentence, subject, relation):
        raise ModelCallFailed(NOT_THE_FACT)
    return sentence


def is_excuse(answer: str) -> bool:
    """Whether a model declines or thinks aloud instead of answering."""
    return _EXCUSE_OF_ALL_KINDS.match(answer.strip()) is not None


def fills_gap(sentence: str, subject: str, relation: str) -> bool:
    """Whether a sentence is an answer: it has the subject, the relation, and something else."""
    words = [word.casefold() for word in _WORD.findall(sentence)]
    if len(words) < _MIN_WORDS or _NOTHING_KNOWN.search(sentence) or sentence.rstrip().endswith("?"):
        return False
    if not is_latin(sentence) or not is_english(sentence) or _is_foreign(set(words)):
        return False
    said = {_short(word) for word in words}
    asked_subject, asked_relation = _shorts(subject), _shorts(relation)
    has_subject = not asked_subject or bool(said & asked_subject) or bool(_PRONOUNS & set(words))
    has_relation = not asked_relation or bool(said & asked_relation)
    return has_subject and has_relation and bool(said - asked_subject - asked_relation - _EMPTY)


def _is_foreign(words: set[str]) -> bool:
    return len(_FOREIGN & words) > 1 and not _ENGLISH & words


def _shorts(words: str) -> set[str]:
    return {_short(word.casefold()) for word in _WORD.findall(words) if word.casefold() not in _EMPTY}


def _short(word: str) -> str:
    """The common stem of the forms of a word: "raged", "raging"."""
    return word[:4]
