"""A worker of which no thread moves any more: nothing in it can say so, and it ends all the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

#: ``PyDLL`` calls a function without giving up the interpreter lock.
FROZEN = """
import ctypes, time
from chatprotect_web import watchdog

watchdog.FROZEN_LEASES = 0.5
watchdog.start()
time.sleep(2.5)
print("moves", flush=True)
ctypes.PyDLL(None).sleep(60)
"""


@pytest.mark.cluster
def test_a_process_that_keeps_the_interpreter_lock_is_ended_and_says_where_it_stood(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "chatprotect_web.settings",
        "CHATPROTECT_DATA_DIR": str(tmp_path),
        "CHATPROTECT_LEASE_SECONDS": "2",
    }
    done = subprocess.run(
        [sys.executable, "-c", FROZEN],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert done.stdout == "moves\n", "it was ended while it moved"
    assert done.returncode == 1
    assert 'File "<string>", line 9 in <module>' in done.stderr
