"""The site of the administration, which requires a password and a one-time code."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django_otp import devices_for_user
from django_otp.admin import OTPAdminAuthenticationForm, OTPAdminSite


class OperatorForm(OTPAdminAuthenticationForm):  # type: ignore[misc]  # django-otp is untyped
    """Selects the device: an account has only one."""

    def clean_otp(self, user: Any) -> None:
        device = next(devices_for_user(user), None) if user else None
        if device is not None:
            self.cleaned_data["otp_device"] = device.persistent_id
        super().clean_otp(user)


class OperatorsSite(OTPAdminSite):  # type: ignore[misc]  # django-otp is untyped
    """Requires a code of ``manage.py second_factor`` at the login, unless the settings turn that off."""

    login_form: type[OperatorForm] | None = OperatorForm

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)
        if not settings.ADMIN_SECOND_FACTOR:
            self.login_form = self.login_template = None

    def has_permission(self, request: HttpRequest) -> bool:
        has_permission = super().has_permission if settings.ADMIN_SECOND_FACTOR else self._has_permission_by_password
        return bool(has_permission(request))

    def _has_permission_by_password(self, request: HttpRequest) -> bool:
        return AdminSite.has_permission(self, request)
