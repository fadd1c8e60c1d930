from __future__ import annotations

import pytest

from detection.core.language.pipeline import LanguagePipeline


def states_fact(pipeline: LanguagePipeline, text: str) -> bool:
    (sentence,) = pipeline.parse(text).sentences
    return sentence.states_fact


@pytest.mark.parametrize(
    "text",
    [
        "She was born in Oslo.",
        "Thanks to her efforts, the bridge was saved.",
        "Catchphrase: his best known one is “No!”, which he says often.",
        "Founded in 1921, the mill still works.",
        "Set in Oslo, the novel tells of two sisters.",
        "Yes, the mill burned down in 1921.",
        "There are three mills on the river.",
        "It won!",
        "I visited the mill in 1921.",
        "Sallow, pop. 1,200",
    ],
)
def test_statements(pipeline: LanguagePipeline, text: str) -> None:
    assert states_fact(pipeline, text)


@pytest.mark.parametrize(
    "text",
    [
        "What happened next?",
        "“Who built it?”",
        "Hello!",
        "Thank you for your question.",
        "Sure!",
        "Of course, here is the text you asked for:",
        "I hope this helps!",
        "Let me know if you need anything else.",
        "Would you like to know more.",
        "As an AI language model, I have no opinions.",
        "I'm sorry, but I don't have any information about Ada Lind.",
        "If you have more questions, feel free to ask.",
        "See the list below.",
        "Please note the date.",
        "What a place!",
        "Early life:",
        "2,300",
    ],
)
def test_what_can_be_neither_true_nor_false(pipeline: LanguagePipeline, text: str) -> None:
    assert not states_fact(pipeline, text)


def test_headings_and_code_state_nothing(pipeline: LanguagePipeline) -> None:
    parsed = pipeline.parse("# The mill burned in 1921\n\n```\nthe mill burned\n```")
    assert [sentence.states_fact for sentence in parsed.sentences] == [False, False]
