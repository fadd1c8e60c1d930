"""Which worker gets which tests: whole files, the long ones first, and what shares a server or a cluster together."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

_TESTS = Path(__file__).parent

_ON_CLUSTER = ("test_faults", "test_scaled", "test_scaled_load")
_ON_SERVER_OF_DOORS = (
    "test_access",
    "test_api",
    "test_contract",
    "test_guard",
    "test_languagetool",
    "test_libreoffice",
)
#: Files that use one cluster, or one server: their worker starts it once.
_TOGETHER = {
    **{f"e2e/{name}.py": "cluster" for name in _ON_CLUSTER},
    **{f"doors/{name}.py": "doors" for name in _ON_SERVER_OF_DOORS},
}
#: All files with a browser, so that each worker starts the browser and its server once, and others that take more than
#: five seconds, beginning with the longest. By itself pytest-xdist begins with what has many tests, and ends with one
#: worker in a long file of few tests while the others have nothing to do.
_LONGEST = (
    "cluster",
    "e2e/test_main_job.py",
    "e2e/test_sources.py",
    "e2e/test_kill.py",
    "e2e/test_hostile_words.py",
    "e2e/test_review.py",
    "e2e/test_at_once.py",
    "e2e/test_abuse.py",
    "e2e/test_accessibility.py",
    "e2e/test_cards.py",
    "e2e/test_active_generation.py",
    "e2e/test_every_state.py",
    "e2e/test_editing.py",
    "e2e/test_beside.py",
    "e2e/test_load.py",
    "e2e/test_small_screens.py",
    "e2e/test_exports.py",
    "e2e/test_model_choice.py",
    "e2e/test_evidence.py",
    "e2e/test_language_model.py",
    "e2e/test_limits.py",
    "e2e/test_proxy.py",
    "doors",
    "core/local_models/test_process.py",
    "detection/test_hostile_models.py",
    "core/detectors/test_fresh_texts.py",
    "core/retrieval/test_web_retrievers.py",
    "detection/test_active_generation.py",
    "core/detectors/test_reading_costs.py",
    "detection/test_any_request.py",
    "exports/test_load.py",
    "detection/test_language_model.py",
    "core/documents/test_pdf.py",
    "doors/test_language_server.py",
    "doors/test_command_line.py",
    "core/detectors/test_grounding.py",
    "core/test_hostile_texts.py",
    "core/detectors/test_model_cross_contradiction.py",
    "core/documents/test_limits.py",
    "core/test_time_limit.py",
    "core/test_hostile_patterns.py",
    "detection/test_every_address.py",
    "doors/test_mcp.py",
    "core/detectors/test_wrong_readings.py",
    "core/detectors/test_cross_contradiction.py",
    "core/detectors/test_contract.py",
    "core/grounding/test_local_entity.py",
    "project/test_refused_starts.py",
    "core/test_endpoints.py",
    "project/test_watchdog.py",
    "detection/test_model_command.py",
    "doors/test_remembering.py",
    "lab/evaluation/test_command.py",
    "core/detectors/test_table_cells.py",
    "detection/test_generate_text.py",
    "core/llm/test_client.py",
    "detection/test_decisions.py",
    "detection/test_fragments.py",
    "exports/test_word.py",
    "core/llm/test_single_slot.py",
    "test_recipes.py",
)


class LongestFirst(LoadFileScheduling):  # type: ignore[misc]  # pytest-xdist is untyped
    """File by file. Not --dist=loadgroup: pytest-xdist 3.8 does not find its groups with pytest 9.2."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid).removeprefix("tests/")
        return _TOGETHER.get(file, file)

    def _assign_work_unit(self, node: object) -> None:
        longest = next((scope for scope in _LONGEST if scope in self.workqueue), None)
        if longest is not None:
            self.workqueue.move_to_end(longest, last=False)
        super()._assign_work_unit(node)


def make_scheduler(config: pytest.Config, log: Producer) -> LongestFirst:
    """Raises:
    ValueError: a file that is named here is not there any more.
    """
    gone = [name for name in (*_TOGETHER, *_LONGEST) if name.endswith(".py") and not (_TESTS / name).is_file()]
    if gone:
        raise ValueError(f"tests/scheduling.py names files that are gone: {', '.join(gone)}")
    return LongestFirst(config, log)
