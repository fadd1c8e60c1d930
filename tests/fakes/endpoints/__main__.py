"""Print docs/endpoints.md: ``python -m tests.fakes.endpoints > docs/endpoints.md``."""

from __future__ import annotations

import sys

from tests.fakes.endpoints.table import render

sys.stdout.write(render())
