import gzip
import random

from detection.lab.training.nli import natural
from detection.lab.training.nli.labels import Label
from detection.lab.training.nli.natural import Document

SENTENCES = (
    "The mill of Orla ground rye for the monks.",
    "The mill of Orla was bought by the monks.",
    "A ferry crossed the river every hour.",
    "The bells were cast by Dutch founders.",
)


def test_half_of_the_documents_trains_by_their_names():
    documents = [Document(f"doc {n}", SENTENCES) for n in range(40)]

    units = natural.natural_units(documents, random.Random(1))

    assert 10 < len(units) == sum(document.trains for document in documents) < 30
    for unit in units:
        assert {example.label for example in unit.examples} == {Label.NOT_CONTRADICTION}
        assert {unit.examples[0].premise, unit.examples[0].hypothesis} == set(SENTENCES[:2])


def test_documents_of_a_treebank_are_put_together(tmp_path):
    path = tmp_path / "bank.conllu.gz"
    lines = "# newdoc id = one\n# text = It burned.\n1\tIt\n\n# text = It fell.\n\n# newdoc id = two\n# text = A = b.\n"
    path.write_bytes(gzip.compress(lines.encode()))

    assert natural.treebank_documents(path) == [
        Document("udone", ("It burned.", "It fell.")),
        Document("udtwo", ("A = b.",)),
    ]


def test_an_article_counts_once_and_a_text_with_contradictions_not_at_all():
    assert len(natural.articles([{"source": "The mill burned."}] * 3)) == 1
    assert natural.clean_texts([{"g": "t", "sentences": ["It burned."], "clean": False}]) == []
