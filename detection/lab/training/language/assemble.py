"""Assemble one pipeline from the two trained ones."""

import json
import shutil
from pathlib import Path
from typing import cast

import spacy
from spacy.pipeline import AttributeRuler

from .tag_rules import add_tag_rules

META = Path(__file__).with_name("meta.json")


def assemble(parser: Path, entities: Path, output: Path) -> None:
    """Write the pipeline, and replace an existing one.

    Args:
        parser: trained pipeline of tagger, parser and lemmatizer.
        entities: trained pipeline of the entity recogniser with its tok2vec.
        output: directory to write.
    """
    nlp = spacy.load(parser)
    add_tag_rules(cast(AttributeRuler, nlp.add_pipe("attribute_ruler", after="trainable_lemmatizer")))
    nlp.add_pipe("ner", source=spacy.load(entities), last=True)
    nlp.meta = {**nlp.meta, **json.loads(META.read_text(encoding="utf-8")), "performance": {}}
    # The trained configurations name local files of the training machine.
    for section in ("paths", "initialize"):
        for key in ("train", "dev", "vectors"):
            if key in nlp.config[section]:
                nlp.config[section][key] = None
    shutil.rmtree(output, ignore_errors=True)
    nlp.to_disk(output)
