"""What the language model of the tests answers."""

from __future__ import annotations

import json
import re
import time

from tests.fakes import grounding, reading, writing
from tests.fakes.model_server import Asked, Reply


def contradicting(asked: Asked) -> Reply:
    """A model that remembers one thing otherwise: that the mill was built in 1849, and who works there not at all.

    What it has sources for it judges by them.
    """
    read = reading.answering(asked)
    if read is not None:
        return read
    if "Take the sentence apart" in asked.last:
        return _one_claim(writing.section(asked, "sentence"))
    if "boundary" in asked.last:
        return grounding.answering(asked)
    if "So, are the two statements" in asked.last:
        clash = re.search(r"Statement 1: .*\b1(?!849)\d{3}\b.*\nStatement 2: .*1849", asked.prompt)
        return Reply(("Yes" if clash else "No",) * asked.samples)
    if "Explain in at most three sentences" in asked.last:
        return Reply(("The two give different years.",))
    if "Rewrite the original sentence" in asked.last:
        sentence = re.search(r"Original sentence: (.*)", asked.last)
        assert sentence
        return Reply((re.sub(r" in 1\d{3}", "", sentence[1]),))
    if "was built" in asked.last.rsplit("Fill the gap:", 1)[-1]:
        return Reply(("The mill was built in 1849.",))
    gap = re.search(r"Fill the gap: \((.*); (.*); _\)", asked.last)
    return Reply((f"{gap[1]} {gap[2]} what the records say." if gap else "Nobody knows.",))


def _one_claim(sentence: str) -> Reply:
    """The sentence as it is, about its last number or its last word."""
    words = re.findall(r"\b\d[\d,]*\b", sentence) or re.findall(r"\w+", sentence)
    return Reply((json.dumps({"claims": [{"words": words[-1], "claim": sentence}]}),))


def slowly(asked: Asked) -> Reply:
    """The same as :func:`contradicting`, after a while."""
    time.sleep(0.25)
    return contradicting(asked)
