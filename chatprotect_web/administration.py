"""Django's administration application, with a site that requires a second factor."""

from __future__ import annotations

from django.contrib.admin.apps import AdminConfig


class AdministrationConfig(AdminConfig):
    default_site = "chatprotect_web.operators.OperatorsSite"
