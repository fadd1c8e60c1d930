"""Acknowledge messages, also to a Redis that does not answer for a while."""

from __future__ import annotations

import logging

from celery.worker.request import Request

from .lifecycle import stopping

logger = logging.getLogger(__name__)

_AGAIN_S = 1.0


class PatientRequest(Request):  # type: ignore[misc]  # celery is untyped
    """Says it until it is heard.

    Celery says it once and logs that it could not. Unless the connection breaks as well, the message then counts as one
    that the worker is at, for good: its place is lost.
    """

    acknowledged: bool

    def acknowledge(self) -> None:
        while not self.acknowledged:
            try:
                self.on_ack(logger, ())  # no errors that are only logged
                self.acknowledged = True
            except self._connection_errors:
                logger.warning("a message could not be acknowledged; Redis is asked again")
                if stopping.wait(_AGAIN_S):
                    return
