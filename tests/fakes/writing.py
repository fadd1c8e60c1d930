"""A language model that writes about a harbour, one thing of it wrong, and checks it by years and nothing else."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from tests.fakes.model_server import Asked, Reply

PROMPT = "Tell me about the harbour of Karsholm."
SOURCE = (
    "The harbour of Karsholm was founded by Ada Lind in 1911. Its first crane was bought in 1914. "
    "A second basin was added in 1921. The lighthouse was lit for the first time in 1930."
)

FOUNDED = "The harbour of Karsholm was founded by Ada Lind in 1911."
WRONG_CRANE = "Its first crane was bought in 1941."
CRANE = "Its first crane was bought in 1914."
BRED = "So until 1941 all ships were unloaded by hand."
TRUE = "So until 1914 all ships were unloaded by hand."
BASIN = "A second basin was added in 1921."

#: What the prompts of the validation end with.
_VALIDATION = (
    "Pick out the concepts",
    "Write the question for each line",
    "Answer the question by the passages",
    "Answer it from what you know",
    "Correct the sentence.",
)
_YEAR = re.compile(r"\b1\d{3}\b")
#: What tells the facts of the source apart.
_FACTS = ("founded", "crane", "basin", "lighthouse")
_TITLE = re.compile(r"^Passage .*:$", re.MULTILINE)
_SENTENCE = re.compile(r"[^.!?]+[.!?]")

SURE, UNSURE = -0.05, -1.2


def harbour(prefix: str) -> str:
    """What is written behind a text: the third sentence goes by the second."""
    sentences = [FOUNDED, WRONG_CRANE, BRED if "1941" in prefix or not prefix else TRUE, BASIN]
    written = len(_SENTENCE.findall(prefix))
    return " ".join(sentences[written:]) or "END"


@dataclass
class WritingModel:
    """The script of a server. ``text`` gives what comes behind a text; words with ``unsure`` in them are guessed."""

    text: Callable[[str], str] = harbour
    unsure: Collection[str] = ("1941",)
    corrects: bool = True
    """Whether it says in passing how a sentence should read that the passages refute."""
    reply: Reply = field(default_factory=Reply)
    """How the text is sent: its delays, whether it breaks off or is cut."""

    def __call__(self, asked: Asked) -> Reply:
        if asked.body.get("stream"):
            return self.write(asked)
        if "passages, boundary" in asked.last:
            said = answer(section(asked, "question"), section(asked, "passages"))
            if self.corrects and said["answer"] == "no" and "sentence, boundary" in asked.last:
                said["correction"] = repaired(section(asked, "sentence"), section(asked, "passages"))
            return _json(said)
        if "what was asked about the sentence" in asked.last:
            return Reply((repaired(section(asked, "sentence"), section(asked, "knowledge")),))
        if "sentence, boundary" in asked.last:
            return _json({"questions": questions(section(asked, "sentence"))})
        return _json(answer(section(asked, "question"), SOURCE))

    def write(self, asked: Asked) -> Reply:
        text = self.text(prefix_of(asked))
        tokens = tuple(
            (word.encode(), UNSURE if any(guessed in word for guessed in self.unsure) else SURE)
            for word in re.findall(r"\s*\S+|\s+\Z", text)
        )
        sent = self.reply
        return Reply(
            (text,),
            delay_s=sent.delay_s,
            seconds_per_chunk=sent.seconds_per_chunk,
            breaks_off=sent.breaks_off,
            finish_reason=sent.finish_reason,
            tokens=tokens,
        )


class GatedModel:
    """Writes no further than to the corrected sentence, as long as ``gate`` is closed."""

    def __init__(self) -> None:
        self.writing = WritingModel()
        self.gate = threading.Event()

    def __call__(self, asked: Asked) -> Reply:
        if is_writing(asked):
            if prefix_of(asked).endswith(CRANE):
                self.gate.wait(120)
            return self.writing(asked)
        # The detectors that come when the text is written are not what is tested.
        return self.writing(asked) if is_validation(asked) else Reply(status=400)


def prefix_of(asked: Asked) -> str:
    """The text that the model is asked to go on with; "" when it is to begin one."""
    found = re.search(r"(?:text|answer) so far:\n(.*)\n\nGo on", asked.last, re.DOTALL)
    return found[1] if found else ""


def is_writing(asked: Asked) -> bool:
    return bool(asked.body.get("stream"))


def is_validation(asked: Asked) -> bool:
    """Whether it is asked for the concepts of a sentence, for an answer about them, or for a correction."""
    return any(words in asked.last for words in _VALIDATION)


def section(asked: Asked, name: str) -> str:
    """What stands under a heading of the last prompt."""
    found = re.search(rf"^--- {name}, boundary \w+ ---\n(.*?)\n--- ", asked.question, re.MULTILINE | re.DOTALL)
    assert found, asked.question
    return found[1]


def questions(sentence: str) -> list[dict[str, str]]:
    """One about each year of the sentence."""
    return [{"words": year, "question": f"Is {year} right in: {sentence}"} for year in _YEAR.findall(sentence)]


def answer(question: str, passages: str) -> dict[str, str]:
    """Yes where the year stands with something of the question; no where something of it stands with another year."""
    asked = _YEAR.search(question)
    told = {
        year[0]: sentence.strip()
        for sentence in _SENTENCE.findall(_TITLE.sub("", passages))
        if (year := _YEAR.search(sentence)) and any(fact in question and fact in sentence for fact in _FACTS)
    }
    if asked is None or not told:
        return {"quote": "", "reason": "Nothing is said about it.", "answer": "unknown"}
    if asked[0] in told:
        return {"quote": told[asked[0]], "reason": told[asked[0]], "answer": "yes"}
    other = next(iter(told.values()))
    return {"quote": other, "reason": other, "answer": "no"}


def repaired(sentence: str, knowledge: str) -> str:
    said = next(
        year[0]
        for known in _SENTENCE.findall(_TITLE.sub("", knowledge))
        if (year := _YEAR.search(known)) and any(fact in sentence and fact in known for fact in _FACTS)
    )
    return _YEAR.sub(said, sentence)


def _json(value: object) -> Reply:
    return Reply((json.dumps(value),))
