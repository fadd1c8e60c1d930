"""The Django project: settings, transport and the two ways to run (embedded, or with Redis)."""

from .celery import app as celery_app

# Without this import ``shared_task`` binds to Celery's default app, and the web process publishes to a broker
# that does not exist.
__all__ = ["celery_app"]
