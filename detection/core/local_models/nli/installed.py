"""The folder of the installed NLI models, and the chosen one.

A server reads the choice at startup, so this module imports only the standard library.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

#: The name of the shipped model.
SHIPPED = "shipped"
#: The file with the name of the chosen model.
CHOICE = "in_use"

#: A part of a hub's model name ("owner/name" or "name"). It never starts with a dot, so that paths stay in the folder.
_PART = r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,94}[A-Za-z0-9_-])?"
_NAME = re.compile(rf"{_PART}(?:/{_PART})?")
_LONGEST_NAME = 200


def is_name(name: str) -> bool:
    """Whether this is a valid name of a model and its folder."""
    return _NAME.fullmatch(name) is not None and ".." not in name and name.split("/")[0] not in (SHIPPED, CHOICE)


class InstalledModels:
    """The models in a folder, each in a subfolder of its name."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def folder(self, name: str) -> Path:
        """The folder of the model with this name, whether it exists or not.

        Raises:
            ValueError: the name is invalid.
        """
        if not is_name(name):
            raise ValueError(f"{name!r} is no name of a model")
        return self.root / name

    def has(self, name: str) -> bool:
        """Whether the model is installed."""
        return is_name(name) and (self.folder(name) / "model.onnx").is_file()

    def names(self) -> list[str]:
        """The names of the installed models, sorted."""
        return sorted(name for name in self._folders() if self.has(name))

    def _folders(self) -> Iterator[str]:
        for pattern in ("*", "*/*"):
            yield from (path.relative_to(self.root).as_posix() for path in self.root.glob(pattern))

    def chosen(self) -> str:
        """The name of the chosen model; :data:`SHIPPED` if the choice is missing or unreadable."""
        try:
            with (self.root / CHOICE).open(encoding="ascii") as file:
                name = file.read(_LONGEST_NAME).strip()
        except (OSError, ValueError):
            return SHIPPED
        return name if is_name(name) else SHIPPED

    def choose(self, name: str) -> None:
        """Use this model from the next start on.

        Raises:
            ValueError: it is not installed.
            OSError: the choice cannot be written.
        """
        if name == SHIPPED:
            (self.root / CHOICE).unlink(missing_ok=True)
            return
        if not self.has(name):
            raise ValueError(f"{name} is not installed")
        draft = self.root / f".{CHOICE}"
        draft.write_text(f"{name}\n", encoding="ascii")
        draft.replace(self.root / CHOICE)

    def chosen_folder(self, shipped: Path) -> Path:
        """The folder of the chosen model. It may be missing; a check at startup reports that."""
        name = self.chosen()
        return shipped if name == SHIPPED else self.folder(name)
