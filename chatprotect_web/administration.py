"""The administration as an application: Django's, with a site that wants a second factor."""

from __future__ import annotations

from django.contrib.admin.apps import AdminConfig


class AdministrationConfig(AdminConfig):
    default_site = "chatprotect_web.operators.OperatorsSite"
