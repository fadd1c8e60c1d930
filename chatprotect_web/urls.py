"""Addresses of the project. The application brings its own."""

from django.urls import include, path

urlpatterns = [path("", include("detection.urls"))]
