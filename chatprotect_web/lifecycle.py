"""One flag for the whole process: it has been asked to stop."""

from __future__ import annotations

import threading

#: Set before the server or the worker goes down. A running check looks at it, gives its lease back and ends; the
#: next start takes it up where it stopped.
stopping = threading.Event()
