"""``manage.py second_factor``: create the secret for the one-time codes of the administration."""

from __future__ import annotations

from argparse import ArgumentParser
from base64 import b32encode
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand
from django.db import transaction
from django_otp.plugins.otp_totp.models import TOTPDevice

from detection.management.output import bad_input

_HELP = "Add this to an app for one-time codes; it is not shown again. The codes are asked for at /admin/."


class Command(BaseCommand):
    help = "Give an account a new secret for one-time codes, in the place of the one it had."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the name of the account")
        parser.add_argument("--remove", action="store_true", help="take the secret away: it is not let in any more")

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        account = get_user_model().objects.filter(username=options["name"]).first()
        if account is None:
            raise bad_input(f"There is no account {options['name']}.")
        TOTPDevice.objects.filter(user=account).delete()
        if options["remove"]:
            self.stdout.write("Removed: this account is not let into the administration any more.")
            return
        device = TOTPDevice.objects.create(user=account, name="second factor")
        self.stdout.write(_HELP)
        self.stdout.write(f"secret: {b32encode(device.bin_key).decode()}")
        self.stdout.write(f"address: {device.config_url}")
