"""The ASGI application: pages, websockets and, in the embedded mode, the worker."""

from __future__ import annotations

import os

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.sessions import SessionMiddlewareStack
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatprotect_web.settings")

# Before anything that touches models: this is what loads the applications.
pages = get_asgi_application()

from django.conf import settings  # noqa: E402

from detection.web.live.routing import websocket_urlpatterns  # noqa: E402

from . import embedded  # noqa: E402
from .origin import SameOriginValidator  # noqa: E402
from .turns import TakeTurns  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": TakeTurns(pages),
        "websocket": SameOriginValidator(SessionMiddlewareStack(URLRouter(websocket_urlpatterns))),
    }
)

if settings.START_EMBEDDED_WORKER:
    # Here and not in AppConfig.ready(), which also runs in migrate, in tests and in the reloader's parent; and
    # not in an ASGI lifespan, which daphne does not speak.
    embedded.start()
