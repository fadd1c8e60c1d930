"""A text that is checked while it is generated: prompts, repairs, and the context of the next sentence."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable, Iterator

import pytest

from detection.core.active_generation.collector import WritingCollector
from detection.core.active_generation.events import SentenceHeld, WritingEvent
from detection.core.active_generation.types import (
    Answer,
    ConceptChoice,
    Ending,
    SentenceState,
    Style,
    ValidationMode,
    WritingOptions,
    WritingRequest,
)
from detection.core.errors import Cancelled, EndpointRefused, ModelCallFailed
from detection.core.llm.budget import Budget
from detection.core.types import BlockKind
from tests.core.active_generation.conftest import Write
from tests.fakes.model_server import Asked, ModelServer, Reply
from tests.fakes.writing import (
    BASIN,
    BRED,
    CRANE,
    FOUNDED,
    TRUE,
    WRONG_CRANE,
    WritingModel,
    is_writing,
    prefix_of,
    section,
)
from tests.waiting import PATIENCE_S


def states(collector: WritingCollector) -> list[SentenceState]:
    return [sentence.state for sentence in collector.sentences]


def prefixes(server: ModelServer) -> list[str]:
    """The texts that the model was asked to continue."""
    return [prefix_of(asked) for asked in server.asked if is_writing(asked)]


def ending(collector: WritingCollector) -> Ending | None:
    return collector.end.ending if collector.end else None


# --- What it is for ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("drafts_ahead", [True, False])
async def test_a_wrong_fact_is_repaired_and_the_next_sentence_is_written_from_the_repaired_text(
    server: ModelServer, write_text: Write, drafts_ahead: bool
) -> None:
    collector = await write_text(drafts_ahead=drafts_ahead)
    assert collector.text == f"{FOUNDED} {CRANE} {TRUE} {BASIN}"
    assert f"{FOUNDED} {CRANE}" in prefixes(server)
    assert not any("1941" in prefix for prefix in prefixes(server))
    second = collector.sentences[1]
    assert (second.state, second.first_version) == (SentenceState.REPAIRED, WRONG_CRANE)
    (refutation,) = second.refutations
    assert refutation.question.concept == "1941"
    assert refutation.question.probability == pytest.approx(0.301, abs=0.001)
    (evidence,) = refutation.evidence
    assert (evidence.quote, evidence.source) == (CRANE.rstrip("."), "0")


async def test_without_validation_the_wrong_fact_spreads(server: ModelServer, write_text: Write) -> None:
    collector = await write_text(mode=ValidationMode.NONE)
    assert collector.text == f"{FOUNDED} {WRONG_CRANE} {BRED} {BASIN}"
    assert len(server.asked) == 1
    assert set(states(collector)) == {SentenceState.NOT_CHECKED}


async def test_a_correct_sentence_with_uncertain_tokens_stays_word_for_word(
    server: ModelServer, write_text: Write
) -> None:
    server.script = WritingModel(text=lambda prefix: f"{FOUNDED} {BASIN}", unsure=["1911", "1921"])
    collector = await write_text()
    assert collector.text == f"{FOUNDED} {BASIN}"
    assert states(collector) == [SentenceState.CHECKED] * 2
    assert all(validation.evidence for sentence in collector.sentences for validation in sentence.validations)


async def test_what_the_model_is_sure_of_costs_no_call(server: ModelServer, write_text: Write) -> None:
    server.script = WritingModel(text=lambda prefix: f"{FOUNDED} {BASIN}", unsure=[])
    collector = await write_text()
    assert states(collector) == [SentenceState.PASSED] * 2
    assert len(server.asked) == 1


async def test_what_was_drafted_behind_a_repaired_sentence_is_thrown_away(
    server: ModelServer, write_text: Write
) -> None:
    watching = WatchingForDraft(BRED)
    model = WritingModel()

    def examine_once_the_draft_is_there(asked: Asked) -> Reply:
        if not is_writing(asked) and "1941" in asked.last:
            assert watching.is_drafted.wait(PATIENCE_S)
        return model(asked)

    server.script = examine_once_the_draft_is_there
    collector = await write_text(collector=watching)
    assert collector.dropped
    assert BRED not in collector.text
    server.script = model
    alone = await write_text(drafts_ahead=False)
    assert not alone.dropped


async def test_what_was_asked_about_a_draft_is_not_asked_again_where_the_model_writes_the_same_behind_a_correction(
    server: ModelServer, write_text: Write
) -> None:
    server.script = WritingModel(text=_crane_and_basin(BASIN), unsure=["1941", "1921"])
    collector = await write_text()
    assert (collector.text, collector.dropped) == (f"{WRONG_CRANE.replace('1941', '1914')} {BASIN}", 1)
    assert states(collector) == [SentenceState.REPAIRED, SentenceState.CHECKED]
    assert len([asked for asked in server.asked if "Is 1921 right in" in asked.last]) == 1


async def test_what_rests_on_words_that_a_correction_took_out_is_asked_again(
    server: ModelServer, write_text: Write
) -> None:
    basin = "A second basin was added in 1921."
    model = WritingModel(text=_crane_and_basin(basin), unsure=["1941", "1921"])

    def script(asked: Asked) -> Reply:
        if "Pick out the concepts" in asked.last and "basin" in section(asked, "sentence"):
            # "second" refers to the previous text, correct or not.
            year = "1941" if "1941" in section(asked, "text before") else "1914"
            question = f"Was 1921 when a basin was added to the harbour with the crane of {year}?"
            return Reply((json.dumps({"questions": [{"words": "1921", "question": question}]}),))
        return model(asked)

    server.script = script
    collector = await write_text()
    assert "of 1914?" in collector.sentences[1].validations[0].question.text


class WatchingForDraft(WritingCollector):
    """Says when a sentence was drafted."""

    def __init__(self, awaited: str) -> None:
        super().__init__()
        self.is_drafted = threading.Event()
        self._awaited = awaited

    async def report(self, event: WritingEvent) -> None:
        await super().report(event)
        if isinstance(event, SentenceHeld) and event.sentence.text == self._awaited:
            self.is_drafted.set()


def _crane_and_basin(basin: str) -> Callable[[str], str]:
    def text(prefix: str) -> str:
        if not prefix:
            return f"{WRONG_CRANE} {basin}"
        return "END" if "basin" in prefix else basin

    return text


async def test_what_nothing_is_said_about_is_not_called_borne_out(server: ModelServer, write_text: Write) -> None:
    collector = await write_text(source="Sorrel lies on the northern shore of Lake Ferrin.")
    second = collector.sentences[1]
    assert (second.state, second.text) == (SentenceState.UNSETTLED, WRONG_CRANE)
    assert second.validations[0].answer is Answer.UNKNOWN


async def test_an_answer_that_rests_on_a_made_up_quote_does_not_count(server: ModelServer, write_text: Write) -> None:
    def script(asked: Asked) -> Reply:
        if "passages, boundary" in asked.last:
            said = {"quote": "No crane was ever bought there.", "reason": "None was.", "answer": "no"}
            return Reply((json.dumps(said),))
        return model(asked)

    model = server.script = WritingModel()
    server.script = script
    collector = await write_text()
    assert (collector.sentences[1].state, collector.sentences[1].text) == (SentenceState.UNSETTLED, WRONG_CRANE)


async def test_the_memory_of_the_model_repairs_as_well_and_is_told_apart(
    server: ModelServer, write_text: Write
) -> None:
    collector = await write_text(mode=ValidationMode.SELF)
    second = collector.sentences[1]
    assert (second.state, second.text) == (SentenceState.REPAIRED, CRANE)
    (evidence,) = second.refutations[0].evidence
    assert (evidence.source, evidence.document, evidence.quote) == (None, None, CRANE)
    assert not any("passages, boundary" in asked.last for asked in server.asked)


# --- Concepts and probabilities ---------------------------------------------------------------------------------


async def test_without_probabilities_all_concepts_are_validated_or_the_first_few(
    server: ModelServer, write_text: Write
) -> None:
    text = "The harbour was founded in 1911, and a lighthouse was lit in 1930."
    server.script = lambda asked: Reply((text,)) if is_writing(asked) else WritingModel()(asked)
    everything = await write_text()
    assert [v.question.concept for v in everything.sentences[0].validations] == ["1911", "1930"]
    assert {v.question.probability for v in everything.sentences[0].validations} == {None}
    some = await write_text(most_concepts=1)
    assert [v.question.concept for v in some.sentences[0].validations] == ["1911"]


async def test_the_analyzer_is_told_which_words_the_model_was_not_sure_of(
    server: ModelServer, write_text: Write
) -> None:
    text = "The harbour was founded by Ada Lind in 1911, and a lighthouse was lit in 1930."
    server.script = WritingModel(text=lambda prefix: "END" if prefix else text, unsure=["Ada", "Lind", "1930"])
    collector = await write_text()
    (asked,) = [asked for asked in server.asked if "Pick out the concepts" in asked.last]
    assert section(asked, "words").splitlines() == ["Ada Lind", "1930"]
    assert [v.question.concept for v in collector.sentences[0].validations] == ["1930"]


async def test_the_language_pipeline_may_name_the_concepts(server: ModelServer, write_text: Write) -> None:
    def script(asked: Asked) -> Reply:
        assert "Pick out the concepts" not in asked.last
        return model(asked)

    model = WritingModel()
    server.script = script
    collector = await write_text(concepts=ConceptChoice.LOCAL)
    assert collector.text == f"{FOUNDED} {CRANE} {TRUE} {BASIN}"


async def test_the_first_concept_that_fails_ends_the_others(server: ModelServer, write_text: Write) -> None:
    text = "Its first crane was bought in 1941, and the crane broke in 1933."
    model = WritingModel(text=lambda prefix: BASIN if prefix else text, unsure=["1941", "1933"], corrects=False)

    def script(asked: Asked) -> Reply:
        if "Correct the sentence" in asked.last:
            return Reply(("REMOVE",))
        reply = model(asked)
        if "passages, boundary" in asked.last:
            reply.delay_s = 3 if "Is 1933 right in" in asked.last else 0.5
        return reply

    server.script = script
    collector = await write_text()
    assert sum("passages, boundary" in asked.last for asked in server.asked) == 2
    assert [v.question.concept for v in collector.sentences[0].validations] == ["1941"]


# --- Repairs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rewrite",
    [
        pytest.param("I'm sorry, but I cannot do that.", id="an excuse"),
        pytest.param("Jon Berg opened a school in Sorrel, and many children went there.", id="about something else"),
        pytest.param(WRONG_CRANE, id="the same again"),
        pytest.param("REMOVE", id="nothing left"),
        pytest.param("Its first crane was bought in 1914. It was green.", id="two sentences"),
    ],
)
async def test_a_repair_that_does_more_or_less_than_that_leaves_the_sentence_out(
    server: ModelServer, write_text: Write, rewrite: str
) -> None:
    model = WritingModel(text=lambda prefix: f"{FOUNDED} {WRONG_CRANE}" if not prefix else BASIN, corrects=False)
    server.script = lambda asked: Reply((rewrite,)) if "Correct the sentence" in asked.last else model(asked)
    collector = await write_text()
    assert collector.text.startswith(f"{FOUNDED} {BASIN}")
    second = collector.sentences[1]
    assert (second.state, second.text, second.first_version) == (SentenceState.LEFT_OUT, "", WRONG_CRANE)


async def test_a_correction_that_comes_with_the_answer_costs_no_call_of_its_own(
    server: ModelServer, write_text: Write
) -> None:
    collector = await write_text()
    assert collector.sentences[1].text == CRANE
    assert not any("Correct the sentence" in asked.last for asked in server.asked)


async def test_a_correction_that_comes_with_the_answer_and_does_more_than_that_is_asked_for(
    server: ModelServer, write_text: Write
) -> None:
    model = WritingModel()

    def script(asked: Asked) -> Reply:
        reply = model(asked)
        if "passages, boundary" in asked.last and '"no"' in reply.texts[0]:
            return Reply((json.dumps(json.loads(reply.texts[0]) | {"correction": f"{CRANE} It was green."}),))
        return reply

    server.script = script
    collector = await write_text()
    assert (collector.sentences[1].state, collector.sentences[1].text) == (SentenceState.REPAIRED, CRANE)
    assert sum("Correct the sentence" in asked.last for asked in server.asked) == 1


async def test_a_correction_of_the_words_in_question_is_asked_about_in_the_same_way(
    server: ModelServer, write_text: Write
) -> None:
    second = (await write_text()).sentences[1]
    assert [(v.question.concept, v.question.text) for v in second.validations] == [
        ("1941", f"Is 1941 right in: {WRONG_CRANE}"),
        ("1914", f"Is 1914 right in: {CRANE}"),
    ]
    assert second.validations[1].question.span.of(CRANE) == "1914"
    assert not any("Write the question for each line" in asked.last for asked in server.asked)


async def test_a_repair_is_validated_like_the_sentence(server: ModelServer, write_text: Write) -> None:
    model = WritingModel(corrects=False)
    wrong = [CRANE.replace("1914", "1915")]
    server.script = lambda asked: (
        Reply((wrong.pop(),)) if wrong and "Correct the sentence" in asked.last else model(asked)
    )
    collector = await write_text()
    second = collector.sentences[1]
    assert (second.state, second.text) == (SentenceState.REPAIRED, CRANE)
    assert [(v.question.concept, v.answer) for v in second.validations] == [
        ("1941", Answer.NO),
        ("1915", Answer.NO),
        ("1914", Answer.YES),
    ]


# --- Ends -------------------------------------------------------------------------------------------------------


async def test_the_text_ends_where_the_model_has_no_more_to_say(server: ModelServer, write_text: Write) -> None:
    assert ending(await write_text()) is Ending.COMPLETE


@pytest.mark.parametrize("drafts_ahead", [True, False])
async def test_the_text_ends_at_its_length(server: ModelServer, write_text: Write, drafts_ahead: bool) -> None:
    collector = await write_text(most_sentences=3, drafts_ahead=drafts_ahead)
    assert (collector.text, ending(collector)) == (f"{FOUNDED} {CRANE} {TRUE}", Ending.LENGTH)
    collector = await write_text(most_characters=60, drafts_ahead=drafts_ahead)
    assert (collector.text, ending(collector)) == (FOUNDED, Ending.LENGTH)


async def test_an_answer_that_is_cut_is_gone_on_with(server: ModelServer, write_text: Write) -> None:
    def text(prefix: str) -> str:
        return BASIN if prefix else f"{FOUNDED} And in the year"

    model = WritingModel(text=text)

    def script(asked: Asked) -> Reply:
        model.reply = Reply() if prefix_of(asked) else Reply(finish_reason="length")
        return model(asked)

    server.script = script
    collector = await write_text()
    assert (collector.text, ending(collector)) == (f"{FOUNDED} {BASIN}", Ending.COMPLETE)
    assert prefixes(server) == ["", FOUNDED]


async def test_the_text_ends_where_the_budget_does_and_what_was_not_checked_says_so(
    server: ModelServer, write_text: Write
) -> None:
    server.script = WritingModel(unsure=["1911", "1941"])
    collector = await write_text(budget=Budget(calls=3))
    assert ending(collector) is Ending.BUDGET
    assert collector.end
    assert "budget of 3 model calls" in collector.end.reason
    assert collector.sentences[-1].state is SentenceState.NOT_CHECKED
    assert "budget" in collector.sentences[-1].reason
    assert not collector.held


async def test_a_cancelled_text_ends_at_once_and_what_was_settled_stays(server: ModelServer, write_text: Write) -> None:
    collector = WritingCollector()
    model = WritingModel()

    def script(asked: Asked) -> Reply:
        reply = model(asked)
        reply.delay_s = 0 if is_writing(asked) else 8
        return reply

    async def cancelled() -> bool:
        return bool(collector.sentences)

    server.script = script
    with pytest.raises(Cancelled):
        await write_text(collector=collector, cancelled=cancelled)
    assert collector.text == FOUNDED
    assert collector.end is None


async def test_a_model_that_repeats_itself_is_stopped(server: ModelServer, write_text: Write) -> None:
    server.script = WritingModel(text=lambda prefix: f"{FOUNDED} {BASIN} {FOUNDED} {BASIN}")
    collector = await write_text()
    assert (collector.text, ending(collector)) == (f"{FOUNDED} {BASIN}", Ending.REPEATED)


async def test_a_model_that_repeats_itself_for_ever_is_not_read_on(server: ModelServer, write_text: Write) -> None:
    model, is_left = WritingModel(), threading.Event()
    event = json.dumps({"choices": [{"delta": {"content": f"{FOUNDED} "}, "logprobs": None}]})

    def again_and_again() -> Iterator[bytes]:
        try:
            yield from itertools.repeat(f"data: {event}\n\n".encode())
        finally:
            is_left.set()

    def script(asked: Asked) -> Reply:
        if is_writing(asked):
            return Reply(body=again_and_again, seconds_per_chunk=0.001)
        assert is_left.wait(PATIENCE_S)  # the repetition is detected long before the text is examined
        return model(asked)

    server.script = script
    collector = await write_text()
    assert (collector.text, ending(collector)) == (FOUNDED, Ending.REPEATED)
    assert server.sent < 1_000_000


async def test_a_model_that_begins_with_what_is_written_is_not_taken_twice(
    server: ModelServer, write_text: Write
) -> None:
    def text(prefix: str) -> str:
        return f"{prefix} {TRUE}" if prefix else f"{FOUNDED} {WRONG_CRANE}"

    server.script = WritingModel(text=text)
    collector = await write_text()
    assert collector.text == f"{FOUNDED} {CRANE} {TRUE}"


async def test_a_sentence_that_is_wrong_again_and_again_ends_the_text(server: ModelServer, write_text: Write) -> None:
    def text(prefix: str) -> str:
        return f"Its crane number {len(server.asked)} was bought in 1941."

    model = WritingModel(text=text, corrects=False)
    server.script = lambda asked: Reply(("REMOVE",)) if "Correct the sentence" in asked.last else model(asked)
    collector = await write_text()
    assert (collector.text, ending(collector)) == ("", Ending.STUCK)
    assert states(collector) == [SentenceState.LEFT_OUT] * 3


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply(("I'm sorry, but I cannot help with that.",)), Ending.REFUSED),
        (Reply(("",)), Ending.EMPTY),
        (Reply((" \n ",)), Ending.EMPTY),
    ],
)
async def test_a_refusal_and_nothing_at_all_are_no_text(
    server: ModelServer, write_text: Write, reply: Reply, expected: Ending
) -> None:
    server.script = lambda asked: reply
    collector = await write_text()
    assert (collector.text, collector.sentences, ending(collector)) == ("", [], expected)


async def test_a_text_that_breaks_off_keeps_what_was_whole(server: ModelServer, write_text: Write) -> None:
    server.script = WritingModel(reply=Reply(breaks_off=True), unsure=[])
    collector = WritingCollector()
    with pytest.raises(ModelCallFailed, match="broke off"):
        await write_text(collector=collector)
    assert f"{FOUNDED} {WRONG_CRANE} {BRED} {BASIN}".startswith(collector.text)


async def test_an_answer_without_the_list_that_was_asked_for_names_no_concepts_and_checks_nothing(
    server: ModelServer, write_text: Write
) -> None:
    model = WritingModel(unsure=["1941"])
    server.script = lambda asked: Reply(('{"error": []}',)) if "Pick out the concepts" in asked.prompt else model(asked)
    collector = await write_text()
    second = collector.sentences[1]
    assert (second.state, second.text) == (SentenceState.NOT_CHECKED, WRONG_CRANE)
    assert "in the form that was asked for" in second.reason


async def test_a_call_that_fails_leaves_the_sentence_as_it_is_and_says_why(
    server: ModelServer, write_text: Write
) -> None:
    model = WritingModel()
    server.script = lambda asked: Reply(status=400) if "passages, boundary" in asked.last else model(asked)
    collector = await write_text()
    second = collector.sentences[1]
    assert (second.state, second.text) == (SentenceState.NOT_CHECKED, WRONG_CRANE)
    assert "does not accept" in second.reason
    assert ending(collector) is Ending.COMPLETE


async def test_an_endpoint_that_refuses_ends_the_text_with_an_error(server: ModelServer, write_text: Write) -> None:
    model = WritingModel()
    server.script = lambda asked: model(asked) if is_writing(asked) else Reply(status=401)
    collector = WritingCollector()
    with pytest.raises(EndpointRefused):
        await write_text(collector=collector)
    assert collector.text == FOUNDED


# --- Text without sentences -------------------------------------------------------------------------------------


@pytest.mark.parametrize("drafts_ahead", [True, False])
async def test_headings_and_code_are_kept_and_not_checked_and_items_are_checked(
    server: ModelServer, write_text: Write, drafts_ahead: bool
) -> None:
    parts = [
        "# The harbour\n\n",
        f"{FOUNDED} Its rules:\n\n",
        "```\nopen = 1941. Or later\n```\n\n",
        f"- {WRONG_CRANE}\n",
        f"- {BASIN}",
    ]

    def text(prefix: str) -> str:
        whole = "".join(parts)
        done = prefix.replace("1914", "1941")
        assert whole.startswith(done)
        return whole[len(done) :].lstrip(" ") or "END"

    server.script = WritingModel(text=text)
    collector = await write_text(drafts_ahead=drafts_ahead)
    assert collector.text == "".join(parts).replace(WRONG_CRANE, CRANE)
    kinds = {sentence.kind: (sentence.state, sentence.reason) for sentence in collector.sentences}
    assert kinds[BlockKind.HEADING] == (SentenceState.NOT_CHECKED, "is_heading")
    assert kinds[BlockKind.CODE] == (SentenceState.NOT_CHECKED, "is_code")
    assert states(collector)[-2] is SentenceState.REPAIRED


async def test_a_sentence_that_states_no_fact_is_not_checked(server: ModelServer, write_text: Write) -> None:
    server.script = WritingModel(text=lambda prefix: f"Who bought the crane in 1941? {FOUNDED}")
    collector = await write_text()
    assert (collector.sentences[0].state, collector.sentences[0].reason) == (
        SentenceState.NOT_CHECKED,
        "states_no_fact",
    )


# --- Continuation and steps -------------------------------------------------------------------------------------


async def test_a_text_is_taken_up_where_an_earlier_run_left_it(server: ModelServer, write_text: Write) -> None:
    first = await write_text(most_sentences=2)
    asked = {asked.prompt for asked in server.asked if not is_writing(asked)}
    server.asked.clear()
    options = WritingOptions(mode=ValidationMode.SEARCH)
    request = WritingRequest("Tell me about the harbour.", written=tuple(first.sentences), options=options)
    rest = await write_text(request=request)
    assert rest.text == f" {TRUE} {BASIN}"
    assert prefixes(server)[0] == f"{FOUNDED} {CRANE}"
    assert not asked & {again.prompt for again in server.asked}


async def test_an_answer_in_steps_is_written_from_the_repaired_step(server: ModelServer, write_text: Write) -> None:
    def text(prefix: str) -> str:
        last = "So, the answer is 1914." if "1914" in prefix else "So, the answer is 1941."
        return last if prefix else f"{WRONG_CRANE} {last}"

    server.script = WritingModel(text=text)
    options = WritingOptions(mode=ValidationMode.SEARCH)
    request = WritingRequest("When did the harbour get its crane?", style=Style.STEPS, options=options)
    collector = await write_text(request=request)
    assert collector.text == f"{CRANE} So, the answer is 1914."
    assert "one after the other" in server.asked[0].prompt
    assert "the next step" in [asked for asked in server.asked if is_writing(asked)][1].last
