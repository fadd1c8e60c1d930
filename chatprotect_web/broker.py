"""What kombu does with messages in hand when Redis goes away.

kombu 5.7.0 gives back to Redis what was not acknowledged when it closes a channel. It does so again, and when a run is
done with its message, after the channel has lost its connection: an AttributeError, which Celery takes for a fault of
the worker, and ends it. Nothing hangs on these messages: what has none is found by the upkeep.

A worker that lost Redis asks for it ever more seldom, at last every half minute. Here it asks every five seconds:
checks go on within fifteen after an outage, however long that was.
"""

from __future__ import annotations

import logging
from typing import Any

from celery.app.amqp import AMQP
from kombu.connection import Connection
from kombu.transport import redis

logger = logging.getLogger(__name__)


#: Between two attempts to reach Redis again.
LONGEST_PAUSE_S = 5.0


class PatientQoS(redis.QoS):
    """Lets go of messages whose connection is gone."""

    def restore_unacked_once(self, stderr: Any = None) -> None:
        try:
            super().restore_unacked_once(stderr)  # type: ignore[no-untyped-call]
        except Exception as error:  # whatever it was: a worker must outlive it
            logger.warning("messages in hand could not be given back: %s", type(error).__name__)
            self._delivered.clear()

    def ack(self, delivery_tag: str) -> None:
        if self.channel.connection is not None:
            super().ack(delivery_tag)  # type: ignore[no-untyped-call]

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        if self.channel.connection is not None:
            super().reject(delivery_tag, requeue)  # type: ignore[no-untyped-call]


class AskingConnection(Connection):
    """Asks for a lost broker at short intervals."""

    def ensure_connection(self, *arguments: Any, **options: Any) -> Any:
        options.setdefault("interval_max", LONGEST_PAUSE_S)
        return super().ensure_connection(*arguments, **options)  # type: ignore[no-untyped-call]


class PatientAMQP(AMQP):  # type: ignore[misc]  # celery is untyped
    """Celery has no setting for the interval."""

    Connection = AskingConnection


def install() -> None:
    """kombu has no setting for it."""
    redis.Channel.QoS = PatientQoS
