"""The measurement of ``test_load.py`` with several processes; apart, because it uses the cluster."""

from __future__ import annotations

from detection.lab.benchmarks import load
from detection.lab.benchmarks.open_pages import open_pages
from detection.lab.benchmarks.scaled import Cluster
from detection.lab.benchmarks.sites import ScaledSite

PAGES = 2


def test_pages_of_several_processes_are_measured(cluster: Cluster) -> None:
    site = ScaledSite(cluster)
    with open_pages(site.url) as pages:
        level = load.measure_level(site, load.Reader(site), pages, PAGES, load.Load(rest_s=0.2))
    # Redis may have been restarted by the tests before: a connection that breaks for it comes back.
    assert (level.done, level.behind) == (PAGES, 0)
    assert level.event_ms["times"] >= PAGES
    assert {"web", "worker_long", "models_long", "postgresql", "redis"} <= level.processor_seconds.keys()
    assert all(level.processor_seconds[part] > 0 for part in ("web", "worker_long", "postgresql"))
    assert all(level.rest.memory_mib[part] > 0 for part in ("web", "worker_long", "models_long", "postgresql", "redis"))
