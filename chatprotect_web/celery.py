"""The Celery application. The settings choose its broker."""

from __future__ import annotations

import os

from celery import Celery

from . import (
    broker,
    worker,  # noqa: F401  (connects its signals)
)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatprotect_web.settings")

broker.install()
app = Celery("chatprotect_web", amqp="chatprotect_web.broker:ReconnectingAMQP")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.Task.Request = "chatprotect_web.messages:RetryingRequest"
app.autodiscover_tasks()
