"""Keep a worker alive while Redis is unavailable, and reconnect soon.

When kombu 5.7.0 closes a channel, it returns unacknowledged messages to Redis. After the channel has lost its
connection it does so again, and also when a run finishes its message. This raises an AttributeError, which Celery
treats as a fault of the worker and ends it. Losing these messages is harmless: upkeep finds rows without a message.

kombu doubles the interval between attempts to reconnect up to half a minute. Here it is five seconds, so that checks
continue within fifteen seconds after an outage of any length.
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


class LenientQoS(redis.QoS):
    """Drops messages whose connection is lost."""

    def restore_unacked_once(self, stderr: Any = None) -> None:
        try:
            super().restore_unacked_once(stderr)  # type: ignore[no-untyped-call]
        except Exception as error:  # any error: a worker must survive it
            logger.warning("messages in hand could not be given back: %s", type(error).__name__)
            self._delivered.clear()

    def ack(self, delivery_tag: str) -> None:
        if self.channel.connection is not None:
            super().ack(delivery_tag)  # type: ignore[no-untyped-call]

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        if self.channel.connection is not None:
            super().reject(delivery_tag, requeue)  # type: ignore[no-untyped-call]


class ReconnectingConnection(Connection):
    """Reconnects to a lost broker at short intervals."""

    def ensure_connection(self, *arguments: Any, **options: Any) -> Any:
        options.setdefault("interval_max", LONGEST_PAUSE_S)
        return super().ensure_connection(*arguments, **options)  # type: ignore[no-untyped-call]


class ReconnectingAMQP(AMQP):  # type: ignore[misc]  # celery is untyped
    """Creates such connections, because Celery has no setting for the interval."""

    Connection = ReconnectingConnection


def install() -> None:
    """Replace kombu's classes, because it has no setting for this."""
    redis.Channel.QoS = LenientQoS
