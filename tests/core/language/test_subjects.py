from __future__ import annotations

import pytest

from detection.core.language.pipeline import LanguagePipeline
from detection.core.language.subjects import find_topic


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Marta Lindqvist was a Swedish painter. She was born in Malmö. Lindqvist died in 1989.", "Marta Lindqvist"),
        ("The Harwick–Berg House is a historic home in Ohio. It was built in 1820.", "Harwick–Berg House"),
        ("# Ada Lind\n\nThe painter was born in Oslo. Lind died in 1989. She had a dog.", "Ada Lind"),
        ("Hello! Ada Lind (1921-1989) painted boats. She lived in Oslo.", "Ada Lind"),
        ("The Treaty of Arn was signed in 1921. It ended the war.", "Treaty of Arn"),
        ("# How to bake a cake\n\nA cake needs flour. It needs water.", None),
        ("Ada Lind painted boats. Oslo is a city.", None),
        ("The weather was fine. People went out.", None),
        ("", None),
    ],
)
def test_the_topic_is_what_the_text_comes_back_to(pipeline: LanguagePipeline, text: str, topic: str | None) -> None:
    assert find_topic(pipeline.parse(text)) == topic
