from .base import Value


def substitute(premise: Value, premise_text: str, hypothesis: Value, hypothesis_text: str) -> str | None:
    return hypothesis_text[: hypothesis.span.start] + premise.text + hypothesis_text[hypothesis.span.end :]
