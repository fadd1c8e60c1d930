"""Metrics for Prometheus: counters of this process, and the queues in the database.

Every process has its own counters and is scraped separately: web processes at ``/metrics``, workers on their own port.
No process forks children that count, so the plain registry is enough.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable, Iterator

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotFound
from django.utils import timezone
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_CHECK_SECONDS = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800)

REQUESTS = Counter("chatprotect_requests", "Requests that were answered.", ("view", "method", "status"))
REQUEST_SECONDS = Histogram("chatprotect_request_seconds", "Time to the answer.", ("view",), buckets=_SECONDS)
OPEN_PAGES = Gauge("chatprotect_open_pages", "Pages that follow a check.")
RUNS = Counter("chatprotect_runs", "Runs that brought a check to an end.", ("engine", "end"))
RUN_SECONDS = Histogram("chatprotect_run_seconds", "Time a run took.", buckets=_CHECK_SECONDS)
RUNNING = Gauge("chatprotect_running", "Runs under way in this process.")
UNITS = Counter("chatprotect_units", "Sentences that a detector has settled.", ("detector", "state"))
MODEL_CALLS = Counter("chatprotect_model_calls", "Calls of language models.", ("purpose", "outcome"))
STALLED = Counter(
    "chatprotect_stalled", "Checks and sources found without anybody at them, and queued again.", ("kind",)
)


class WaitingCollector(Collector):
    """The length of the queues, read from the database on request."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        from detection.selectors.checks import waiting_totals  # the applications are loaded after this module

        totals = waiting_totals(timezone.now())
        states = GaugeMetricFamily("chatprotect_unfinished", "Unfinished rows.", labels=("kind", "state"))
        for (kind, state), number in totals.unfinished.items():
            states.add_metric((kind, state), number)
        yield states
        yield GaugeMetricFamily("chatprotect_oldest_waiting_seconds", "Age of what waits longest.", totals.oldest_s)


#: A separate registry: web processes report what all processes share; workers do not repeat it.
_WAITING = CollectorRegistry()
_WAITING.register(WaitingCollector())


class MetricsMiddleware:
    """Counts requests, and answers ``/metrics`` for holders of the token."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path == "/metrics":
            return _metrics(request)
        begun = time.perf_counter()
        response = self.get_response(request)
        match = request.resolver_match
        # The name of the view, not the address: ids would create unbounded labels.
        view = (match.view_name if match else None) or "none"
        method = request.method if request.method in ("GET", "HEAD", "POST") else "other"
        REQUESTS.labels(view, method, response.status_code).inc()
        REQUEST_SECONDS.labels(view).observe(time.perf_counter() - begun)
        return response


def _metrics(request: HttpRequest) -> HttpResponse:
    if not settings.METRICS_TOKEN:
        return HttpResponseNotFound()
    expected = f"Bearer {settings.METRICS_TOKEN}"
    if not hmac.compare_digest(request.headers.get("Authorization", "").encode(), expected.encode()):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    return HttpResponse(generate_latest(REGISTRY) + generate_latest(_WAITING), content_type=CONTENT_TYPE_LATEST)
