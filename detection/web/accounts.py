"""Actions at a login and at the deletion of an account."""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.db.models.signals import pre_delete
from django.dispatch import receiver
from django.http import HttpRequest

from chatprotect_web.addresses import address_of

from .. import services
from .owners import SESSION_KEY, is_account, owner_of, owner_of_account

logger = logging.getLogger(__name__)


@receiver(user_logged_in, dispatch_uid="accounts")
def adopt_session_data(request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> None:
    """Move the data of the browser session to the account."""
    before, account = owner_of(request.session), owner_of_account(user)
    if before and not is_account(before):
        services.owner_move(owner=before, to=account)
    request.session[SESSION_KEY] = account
    request.session.set_expiry(settings.LOGIN_AGE)


@receiver(user_logged_in, dispatch_uid="log of logins")
def log_login(request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> None:
    logger.info("login of account %s from %s", user.pk, address_of(request))


@receiver(user_login_failed, dispatch_uid="log of failed logins")
def log_failed_login(request: HttpRequest | None = None, **kwargs: Any) -> None:
    """Log without the user name: people type passwords into the wrong field."""
    logger.warning("failed login from %s", address_of(request) if request else "a command")


@receiver(pre_delete, sender=get_user_model(), dispatch_uid="accounts")
def delete_along(instance: AbstractBaseUser, **kwargs: Any) -> None:
    """Delete the data of a deleted account."""
    services.owner_delete(owner=owner_of_account(instance))
