"""The secret key of an installation without one: created on first start, kept in the data folder."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key


def private_folder(path: Path) -> None:
    """Create a folder that only its owner can enter; restrict an existing one."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    state = path.stat()
    if state.st_uid == os.geteuid() and state.st_mode & 0o077:
        path.chmod(0o700)


def load_or_create(path: Path) -> str:
    """Read the key at ``path``; if there is none, make one that only the owner of the file can read.

    Two processes that start at the same moment get one key: a complete file is linked into place, and the second
    process reads the key of the first.
    """
    try:
        private_folder(path.parent)
        if not path.exists():
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
            draft = Path(name)
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(get_random_secret_key())
            try:
                path.hardlink_to(draft)
            except FileExistsError:
                pass
            finally:
                draft.unlink()
        key = path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"The secret key cannot be kept in {path.parent} ({error.strerror}). "
            "Set CHATPROTECT_DATA_DIR to a folder that can be written to, or set CHATPROTECT_SECRET_KEY."
        ) from error
    if not key:
        raise ImproperlyConfigured(f"{path} is empty. Delete it, and a new key is made at the next start.")
    return key
