"""Acknowledge messages even after Redis was unavailable for a while."""

from __future__ import annotations

import logging

from celery.worker.request import Request

from .lifecycle import stopping

logger = logging.getLogger(__name__)

_AGAIN_S = 1.0


class RetryingRequest(Request):  # type: ignore[misc]  # celery is untyped
    """Repeats an acknowledgement until it succeeds.

    Celery tries once and logs the failure. Unless the connection breaks too, the message then counts as in progress
    forever, and the worker loses a place.
    """

    acknowledged: bool

    def acknowledge(self) -> None:
        while not self.acknowledged:
            try:
                self.on_ack(logger, ())  # raises instead of logging errors
                self.acknowledged = True
            except self._connection_errors:
                logger.warning("a message could not be acknowledged; Redis is asked again")
                if stopping.wait(_AGAIN_S):
                    return
