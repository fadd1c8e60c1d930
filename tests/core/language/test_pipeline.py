from __future__ import annotations

from pathlib import Path

import pytest

from detection.core.errors import ModelUnavailable
from detection.core.language.pipeline import LanguagePipeline
from detection.core.types import EntityCategory


def test_tokens_carry_universal_labels_and_heads(pipeline: LanguagePipeline) -> None:
    (sentence,) = pipeline.parse("  The mill was built by Ada Lind in Oslo.").sentences
    by_text = {token.text: token for token in sentence.tokens}
    assert by_text["mill"].dependency == "nsubj:pass"
    assert sentence.tokens[by_text["mill"].head].text == "built"
    assert by_text["built"].lemma == "build"
    assert sentence.tokens[by_text["built"].head].text == "built"
    assert [(e.text, e.category) for e in sentence.entities] == [
        ("Ada Lind", EntityCategory.PERSON),
        ("Oslo", EntityCategory.PLACE),
    ]


def test_white_space_inside_a_sentence_is_no_token(pipeline: LanguagePipeline) -> None:
    (sentence,) = pipeline.parse("The mill\n  stands   near the river.").sentences
    assert [token.text for token in sentence.tokens] == ["The", "mill", "stands", "near", "the", "river", "."]


def test_a_pipeline_that_cannot_be_loaded_is_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="CHATPROTECT_SPACY_MODEL"):
        LanguagePipeline(tmp_path)


def test_a_list_of_terms_with_a_clause_of_adverbs_alone_is_parsed(pipeline: LanguagePipeline) -> None:
    """Regression: a repair of the parse found no word except adverbs, and raised an error."""
    text = (
        "What we offer: 54,000 kroner a month during training, 71,000 after the licence; a rota of two weeks on, two "
        "weeks off; accommodation at the pilot station during duty weeks."
    )
    assert "".join(sentence.text for sentence in pipeline.parse(text).sentences) == text
