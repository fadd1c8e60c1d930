"""Read the files that were fitted to an NLI model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from ...errors import ModelUnavailable

Fitted = TypeVar("Fitted")


def read_fitted(path: Path, parse: Callable[[Any], Fitted], missing: str) -> Fitted:
    """Parse the JSON file with ``parse``. ``missing`` is the error message if there is no file.

    Raises:
        ModelUnavailable: the file is missing or invalid.
    """
    try:
        return parse(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError as error:
        raise ModelUnavailable(f"{path} is missing: {missing}") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelUnavailable(f"{path} cannot be read ({error}). Put the file of the model there.") from error
