"""A small treebank written for the tests."""

from detection.lab.training.language.conllu import TreebankSentence, parse_treebank


def sentence(*rows: str) -> TreebankSentence:
    """One sentence; a row is ``text lemma tag head label``, with ``+`` after the text if no space follows."""
    (result,) = parse_treebank(_lines(rows))
    return result


def _lines(rows: tuple[str, ...]) -> list[str]:
    lines = []
    for number, row in enumerate(rows, start=1):
        text, lemma, tag, head, label = row.split()
        other = "SpaceAfter=No" if text.endswith("+") else "_"
        fields = (str(number), text.removesuffix("+"), lemma, "X", tag, "_", head, label, "_", other)
        lines.append("\t".join(fields) + "\n")
    return [*lines, "\n"]
