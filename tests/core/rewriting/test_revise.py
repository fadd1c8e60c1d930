from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.errors import StaleSuggestion
from detection.core.rewriting.revise import DiffKind, Edit, apply, compose, diff, edits, text_diff, touches
from detection.core.types import Sentence, Span

BRIDGE = "The bridge opened in 1932 and cost 12 million pounds."


def test_two_suggestions_for_different_words_of_a_sentence_go_together() -> None:
    year = BRIDGE.replace("1932", "1936")
    cost = BRIDGE.replace("12", "14")
    assert compose(BRIDGE, [year, cost]) == "The bridge opened in 1936 and cost 14 million pounds."
    assert compose(BRIDGE, [cost, year]) == compose(BRIDGE, [year, cost])


def test_the_same_change_twice_is_made_once() -> None:
    year = BRIDGE.replace("1932", "1936")
    assert compose(BRIDGE, [year, year]) == year


def test_two_suggestions_for_the_same_words_clash() -> None:
    with pytest.raises(StaleSuggestion, match=r"^Another accepted change has altered the same words\.$"):
        compose(BRIDGE, [BRIDGE.replace("1932", "1936"), BRIDGE.replace("1932", "1940")])


@pytest.mark.parametrize(
    ("original", "replacements"),
    [
        pytest.param("She lives there.", ("She now lives there.", "She often lives there."), id="two insertions"),
        pytest.param("She lives there.", ("She lives there now.", "She lives here."), id="after a changed word"),
        pytest.param("She lives there.", ("There, she lives there.", "He lives there."), id="at the very start"),
    ],
)
def test_two_changes_at_one_place_clash_in_either_order(original: str, replacements: tuple[str, str]) -> None:
    for order in (replacements, replacements[::-1]):
        with pytest.raises(StaleSuggestion):
            compose(original, order)


def test_edits_clash_at_an_equal_start_or_end_or_where_they_overlap() -> None:
    word, before, after, far = (Edit(Span(*span), "x") for span in ((4, 9), (4, 4), (9, 9), (10, 12)))
    assert word.clashes_with(before)
    assert before.clashes_with(word)
    assert word.clashes_with(after)
    assert after.clashes_with(word)
    assert word.clashes_with(Edit(Span(8, 11), "x"))
    assert before.clashes_with(Edit(Span(4, 4), "y"))
    assert not before.clashes_with(Edit(Span(4, 4), "x")), "the same edit twice"
    assert not word.clashes_with(far)
    assert not far.clashes_with(word)


def test_removal_goes_before_every_other_change() -> None:
    assert compose(BRIDGE, [BRIDGE.replace("1932", "1936"), ""]) == ""


def test_nothing_accepted_leaves_the_sentence_alone() -> None:
    assert compose(BRIDGE, []) == BRIDGE


def test_touches_tells_changed_words_from_words_left_alone() -> None:
    revised = BRIDGE.replace("1932", "1936")
    assert touches(BRIDGE, revised, Span(21, 25))
    assert not touches(BRIDGE, revised, Span(35, 37))
    assert touches(BRIDGE, "", Span(35, 37))


def test_diff_joins_changes_that_only_a_space_separates() -> None:
    parts = diff("It opened in May 1932.", "It opened in June 1936.")
    assert [(part.kind, part.text) for part in parts] == [
        (DiffKind.EQUAL, "It opened in "),
        (DiffKind.DELETED, "May 1932"),
        (DiffKind.INSERTED, "June 1936"),
        (DiffKind.EQUAL, "."),
    ]


WORDS = st.lists(st.sampled_from(["a", "an", "old", "town", "1,200", "born", ",", ".", "é", "👩‍🔬"]), max_size=12)


@given(WORDS, WORDS)
def test_edits_lead_from_the_original_to_the_replacement(before: list[str], after: list[str]) -> None:
    original, replacement = " ".join(before), " ".join(after)
    text = original
    for edit in reversed(edits(original, replacement)):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    assert text == replacement


@given(WORDS, WORDS)
def test_diff_holds_both_texts_whole(before: list[str], after: list[str]) -> None:
    original, replacement = " ".join(before), " ".join(after)
    parts = diff(original, replacement)
    assert "".join(part.text for part in parts if part.kind is not DiffKind.INSERTED) == original
    assert "".join(part.text for part in parts if part.kind is not DiffKind.DELETED) == replacement


# --- The whole text ---------------------------------------------------------------------------------------------

TEXT = "# Sorrel\n\nOne. Two. Three.\n\n- Four.\n- Five.\n\nSix."


def _sentences(text: str, *wanted: tuple[str, int]) -> list[Sentence]:
    sentences = []
    for index, (words, block) in enumerate(wanted):
        start = text.index(words)
        sentences.append(Sentence(index, start, start + len(words), words, block))
    return sentences


SENTENCES = _sentences(
    TEXT, ("Sorrel", 0), ("One.", 1), ("Two.", 1), ("Three.", 1), ("Four.", 2), ("Five.", 3), ("Six.", 4)
)


@pytest.mark.parametrize(
    ("replacements", "revised"),
    [
        pytest.param({}, TEXT, id="nothing"),
        pytest.param({2: "Zwei."}, TEXT.replace("Two.", "Zwei."), id="other words"),
        pytest.param({1: ""}, TEXT.replace("One. ", ""), id="first of a paragraph"),
        pytest.param({2: ""}, TEXT.replace(" Two.", ""), id="in the middle"),
        pytest.param({3: ""}, TEXT.replace(" Three.", ""), id="last of a paragraph"),
        pytest.param({1: "", 2: ""}, TEXT.replace("One. Two. ", ""), id="two at the start"),
        pytest.param({1: "", 2: "", 3: ""}, TEXT.replace("\n\nOne. Two. Three.", ""), id="a whole paragraph"),
        pytest.param({4: ""}, TEXT.replace("\n\n- Four.", ""), id="a list item with its marker"),
        pytest.param({5: ""}, TEXT.replace("\n- Five.", ""), id="the last list item"),
        pytest.param({0: ""}, TEXT.replace("# Sorrel\n\n", ""), id="the heading at the very start"),
        pytest.param({6: ""}, TEXT.replace("\n\nSix.", ""), id="the very end"),
        pytest.param({1: "", 6: "Sechs."}, TEXT.replace("One. ", "").replace("Six.", "Sechs."), id="both"),
    ],
)
def test_apply(replacements: dict[int, str], revised: str) -> None:
    assert apply(TEXT, SENTENCES, replacements) == revised


def test_a_paragraph_of_several_lines_goes_with_all_of_them() -> None:
    text = "Before.\n\nOne.\nTwo.\n\nBehind."
    lines = [
        Sentence(i, text.index(word), text.index(word) + 4, word, block=1) for i, word in enumerate(["One.", "Two."])
    ]
    sentences = [Sentence(2, 0, 7, "Before.", block=0), *lines]
    assert apply(text, sentences, {0: "", 1: ""}) == "Before.\n\nBehind."


def test_one_word_of_a_very_long_sentence_is_one_change() -> None:
    original = " ".join(["the"] * 300)
    (edit,) = edits(f"{original} mill {original}", f"{original} tower {original}")
    assert (edit.span, edit.text) == (Span(len(original) + 1, len(original) + 5), "tower")


def test_apply_can_remove_everything() -> None:
    assert apply(TEXT, SENTENCES, {sentence.index: "" for sentence in SENTENCES}).strip() == ""


WORDINGS = st.dictionaries(st.sampled_from(range(len(SENTENCES))), st.sampled_from(["", "Zwei.", "One more.", "Five"]))


@given(WORDINGS)
def test_the_changes_of_a_text_hold_both_texts_whole(replacements: dict[int, str]) -> None:
    parts = text_diff(TEXT, SENTENCES, replacements)
    assert "".join(part.text for part in parts if part.kind is not DiffKind.INSERTED) == TEXT
    assert "".join(part.text for part in parts if part.kind is not DiffKind.DELETED) == apply(
        TEXT, SENTENCES, replacements
    )
    assert all(part.text for part in parts)


@given(WORDS, WORDS)
def test_no_part_of_a_diff_is_empty(before: list[str], after: list[str]) -> None:
    parts = diff(" ".join(before), " ".join(after))
    assert all(part.text for part in parts)
    assert all(isinstance(part.kind, DiffKind) for part in parts)


def test_the_changes_of_a_text_stand_between_equal_parts() -> None:
    kinds = [part.kind for part in text_diff(TEXT, SENTENCES, {2: "Zwei."})]
    assert kinds == [DiffKind.EQUAL, DiffKind.DELETED, DiffKind.INSERTED, DiffKind.EQUAL, DiffKind.EQUAL]
