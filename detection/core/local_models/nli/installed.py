"""The folder of the NLI models that were installed, and the one among them that was chosen.

A server reads the choice when it starts, so nothing here is loaded but the standard library.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

#: The name of the model that comes with the program.
SHIPPED = "shipped"
#: The file of the folder that holds the name of the chosen model.
CHOICE = "in_use"

#: As hubs name models: an owner, a slash and a name, or a name alone. No part begins with a dot or leads elsewhere.
_PART = r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,94}[A-Za-z0-9_-])?"
_NAME = re.compile(rf"{_PART}(?:/{_PART})?")
_LONGEST_NAME = 200


def is_name(name: str) -> bool:
    """Whether a model may have this name, and its folder too."""
    return _NAME.fullmatch(name) is not None and ".." not in name and name.split("/")[0] not in (SHIPPED, CHOICE)


class InstalledModels:
    """The models in a folder, each in a folder that has its name."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def folder(self, name: str) -> Path:
        """Where the model of that name lies, or would lie.

        Raises:
            ValueError: no model can have this name.
        """
        if not is_name(name):
            raise ValueError(f"{name!r} is no name of a model")
        return self.root / name

    def has(self, name: str) -> bool:
        """Whether the model is installed."""
        return is_name(name) and (self.folder(name) / "model.onnx").is_file()

    def names(self) -> list[str]:
        """The installed models, by name."""
        return sorted(name for name in self._folders() if self.has(name))

    def _folders(self) -> Iterator[str]:
        for pattern in ("*", "*/*"):
            yield from (path.relative_to(self.root).as_posix() for path in self.root.glob(pattern))

    def chosen(self) -> str:
        """The name of the chosen model: of the one that ships where nobody chose, or the choice cannot be read."""
        try:
            with (self.root / CHOICE).open(encoding="ascii") as file:
                name = file.read(_LONGEST_NAME).strip()
        except (OSError, ValueError):
            return SHIPPED
        return name if is_name(name) else SHIPPED

    def choose(self, name: str) -> None:
        """Take this model from the next start on; :data:`SHIPPED` is the one that ships.

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
        """The folder of the chosen model. It may be gone: a check at the start says so."""
        name = self.chosen()
        return shipped if name == SHIPPED else self.folder(name)
