"""Store the learned abilities of endpoints in the data folder, for later runs and restarts."""

from __future__ import annotations

import json
import logging
import os
import tempfile
import threading
from pathlib import Path
from typing import Any

from .abilities import Abilities, abilities_from_json, abilities_to_json

logger = logging.getLogger(__name__)

_MAX_ENTRIES = 500


class FileAbilities:
    """Keeps abilities in memory and in a file. An unusable file costs a few calls, but fails no check."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._known: dict[str, Any] = _read(path)

    def find(self, address: str, model: str) -> Abilities:
        return abilities_from_json(self._known.get(f"{address} {model}")) or Abilities()

    def keep(self, address: str, model: str, abilities: Abilities) -> None:
        with self._lock:
            # Another process may have written other abilities meanwhile.
            self._known = {**_read(self._path), **self._known, f"{address} {model}": abilities_to_json(abilities)}
            while len(self._known) > _MAX_ENTRIES:
                self._known.pop(next(iter(self._known)))
            _write(self._path, self._known)


def _read(path: Path) -> dict[str, Any]:
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stored if isinstance(stored, dict) else {}


def _write(path: Path, known: dict[str, Any]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(known, file, indent=1)
        Path(name).replace(path)
    except OSError as error:
        logger.warning("what was learned of a language model cannot be stored: %s", error)
