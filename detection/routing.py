"""Addresses of the websockets."""

from django.urls import path

from .consumers import CheckConsumer

websocket_urlpatterns = [path("ws/checks/<uuid:check_id>/", CheckConsumer.as_asgi())]
