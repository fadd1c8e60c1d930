"""A whole check with a server that answers one call at a time, with all times divided by 30."""

from __future__ import annotations

from detection.core.control import never
from detection.core.llm.client import ModelClient
from detection.core.llm.endpoint import Endpoint
from detection.core.local_models.process import InProcessModels
from detection.core.ports import Ports
from detection.core.reports import UnitDone
from detection.core.run import pipeline
from detection.core.run.collector import Collector
from detection.core.self_contradiction.model import Contradictions
from tests.fakes.model_server import ModelServer
from tests.fakes.single_slot import FACTS, TEXT, SingleSlot, nothing_to_read

#: 3 seconds per call, 60 for one answer and 180 for all attempts, as in the settings.
CALL_S, TIMEOUT_S, DEADLINE_S = (seconds / 30 for seconds in (3.0, 60.0, 180.0))


async def test_a_check_of_24_sentences_ends_with_no_failure(local_models: InProcessModels) -> None:
    collector = Collector()
    request = pipeline.CheckRequest(text=TEXT, topic="the mill at Sorrel", detectors=("self_contradiction.v1",))
    slot = SingleSlot(nothing_to_read, CALL_S)
    with ModelServer(slot).running() as server:
        async with ModelClient(Endpoint(server.base_url, "", TIMEOUT_S, DEADLINE_S)) as client:
            ports = Ports(
                local_models, Contradictions(client, generator="m", analyzer="m"), is_screened=False, client=client
            )
            await pipeline.run(request, ports, collector.report, cancelled=never)
    units = [unit for found in collector.results.values() for unit in found.values()]
    assert len(units) == len(FACTS) == 24
    assert all(isinstance(unit, UnitDone) for unit in units)
    assert len(server.asked) >= 24
    assert slot.longest_line * CALL_S < 0.75 * TIMEOUT_S
    assert len({str(asked.body) for asked in server.asked}) == len(server.asked)  # none was sent twice
