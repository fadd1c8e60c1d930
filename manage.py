#!/usr/bin/env python
"""Django's command line."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatprotect_web.settings")
    from django.core.management import execute_from_command_line

    from chatprotect_web.refusals import errors_in_one_line

    with errors_in_one_line():
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
