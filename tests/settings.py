"""Settings of the tests: the project's own, with a data folder that goes away."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile

# Without compiled modules, every process that the tests start takes twice as long to load.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
for name in [name for name in os.environ if name.startswith("CHATPROTECT_")]:
    del os.environ[name]  # what is set up on this machine is no part of the tests
os.environ["CHATPROTECT_DATA_DIR"] = tempfile.mkdtemp(prefix="chatprotect-tests-")
atexit.register(shutil.rmtree, os.environ["CHATPROTECT_DATA_DIR"], ignore_errors=True)

from chatprotect_web.settings import *  # noqa: E402, F403

START_EMBEDDED_WORKER = False
CHECK_PLACES = 0  # each test says how many there are
COMPUTE_THREADS = 1  # two tests run at a time
WHITENOISE_AUTOREFRESH = True  # files are looked up when asked for, and not all listed anew for each test client
CHECK_SECONDS = 0  # tests share their processors
THROTTLE = False  # where tests are about it they turn it on
COMPUTE_SECONDS = 1_800  # other work may share the machine; tests about a hang set their own
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # the real ones take their time on purpose
if not DATABASE_URL:  # noqa: F405 - with one, the tests run on that PostgreSQL
    # A file and not memory: several threads and connections use it, as they do in the running project.
    DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "test.sqlite3"}  # noqa: F405
    # Nothing has to outlive a power failure: the database waits for no disk.
    DATABASES["default"]["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"  # noqa: F405
