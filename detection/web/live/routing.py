"""Addresses of the websockets."""

from channels.generic.websocket import AsyncWebsocketConsumer
from django.urls import path, re_path

from .consumers import CheckConsumer


class Nowhere(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels is untyped
    """Closes connections to unknown addresses, for which the router would raise an error."""

    async def connect(self) -> None:
        await self.close()


websocket_urlpatterns = [
    path("ws/checks/<uuid:check_id>/", CheckConsumer.as_asgi()),
    re_path(r"", Nowhere.as_asgi()),
]
