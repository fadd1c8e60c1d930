"""A flag for the whole process: it was asked to stop."""

from __future__ import annotations

import threading

#: Set before the server or the worker stops. A running check polls it, releases its lease and ends; the next start
#: continues the check.
stopping = threading.Event()
