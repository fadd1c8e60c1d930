"""Write the inputs of the two trainings: spaCy documents and word vectors."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import spacy
from spacy.tokens import Doc, DocBin

from . import entities, parses
from .config import Config
from .conllu import TreebankSentence
from .fronting import fronted
from .lists import name_lists
from .mentions import MarkedText, Unifier
from .replacement import NameReplacer
from .sources import Sources

PARSES_TRAIN = "parses_train.spacy"
PARSES_DEVELOPMENT = "parses_development.spacy"
ENTITIES_TRAIN = "entities_train.spacy"
ENTITIES_DEVELOPMENT = "entities_development.spacy"
VECTORS = "vectors"


def prepare(sources: Sources, config: Config, work: Path) -> None:
    """Write the documents of both trainings to ``work``."""
    work.mkdir(parents=True, exist_ok=True)
    vocab = spacy.blank("en").vocab
    generator = random.Random(config.seed)  # noqa: S311 not for secrets
    training = _training_passages(sources, config, generator)
    _save((parses.as_document(passage, vocab) for passage in training), work / PARSES_TRAIN)
    generator = random.Random(config.seed)  # noqa: S311
    development = [
        passage for name in config.parses.development for passage in parses.passages(sources.sentences(name), generator)
    ]
    _save((parses.as_document(passage, vocab) for passage in development), work / PARSES_DEVELOPMENT)
    _prepare_entities(sources, config, work)


def listed_words(sources: Sources, config: Config) -> Iterator[str]:
    """Texts for the word counts of the vectors: encyclopedic texts, training texts, and names again."""
    yield from name_lists().all_names() * config.vectors.listed_name_count
    yield from sources.plain_texts()
    for name in config.parses.train:
        for sentence in sources.sentences(name):
            yield " ".join(word.text for word in sentence.words)
    rows = sources.entity_rows()
    for row, _ in (*rows.train, *rows.development):
        yield row["text"]
        for start, end, _ in row["ents"]:
            yield from [row["text"][start:end]] * config.vectors.marked_name_count


def _training_passages(
    sources: Sources, config: Config, generator: random.Random
) -> list[tuple[TreebankSentence, ...]]:
    passages: list[tuple[TreebankSentence, ...]] = []
    for name, copies in config.parses.train.items():
        sentences = list(sources.sentences(name))
        for _ in range(copies):
            for passage in parses.passages(sentences, generator):
                curly = generator.random() < config.parses.curly_quotes
                passages.append(tuple(map(parses.with_curly_quotes, passage)) if curly else passage)
        moved = [(sentence,) for original in sentences for sentence in fronted(original)]
        passages += moved * config.parses.fronted_copies
    generator.shuffle(passages)
    return passages


def _prepare_entities(sources: Sources, config: Config, work: Path) -> None:
    recipe = config.entities
    generator = random.Random(recipe.seed)  # noqa: S311
    rows = sources.entity_rows()
    lists = name_lists()
    unifier = Unifier(lists, (*rows.train, *rows.development))
    development = [unifier.unify(*row) for row in rows.development]
    train = [unifier.unify(*row) for row in rows.train]
    replacer = NameReplacer(train, lists, generator)
    copies = [
        replacer.replaced(marked)
        for marked in train
        if any(mention.label for mention in marked.mentions) and generator.random() < recipe.replaced_copies
    ]
    mixed = [*train, *copies]
    generator.shuffle(mixed)
    nlp = spacy.blank("en")
    _save((entities.as_document(marked, nlp) for marked in development), work / ENTITIES_DEVELOPMENT)
    varied = _with_some_curly_quotes(entities.joined(mixed, generator), recipe.curly_quotes, generator)
    _save((entities.as_document(marked, nlp) for marked in varied), work / ENTITIES_TRAIN)


def _with_some_curly_quotes(
    texts: Iterable[MarkedText], share: float, generator: random.Random
) -> Iterator[MarkedText]:
    for marked in texts:
        curly = generator.random() < share
        yield replace(marked, text=entities.with_curly_quotes(marked.text)) if curly else marked


def _save(documents: Iterable[Doc], path: Path) -> None:
    DocBin(docs=[document for document in documents if len(document)], store_user_data=False).to_disk(path)
