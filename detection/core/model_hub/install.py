"""Install a model atomically: its folder becomes visible only after all checks."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ..errors import ModelNotInstalled
from ..local_models.nli.description import save_description
from ..local_models.nli.installed import InstalledModels
from .client import HubClient
from .plan import InstallPlan
from .trial import try_model
from .types import HubFile, HubLimits

#: Files that were fitted to the scores of one model, and are defaults for another.
FITTED = ("decision_*.json", "histograms.json", "calibration.json")
_DRAFT = ".installing-"
_STALE_SECONDS = 24 * 3600
_CHUNK = 1 << 20

#: Called for each piece of a file with the file and the number of bytes so far.
FileProgress = Callable[[HubFile, int], None]


def install(
    client: HubClient,
    plan: InstallPlan,
    models: InstalledModels,
    *,
    shipped: Path,
    progress: FileProgress,
    limits: HubLimits | None = None,
) -> Path:
    """Download the model, check and try it, and return its folder. ``shipped`` is the model whose fitted files are the
    defaults.

    Raises:
        ModelNotInstalled: it is already installed or invalid. No files are left behind.
    """
    limits = limits or HubLimits()
    folder = models.folder(plan.model.name)
    if folder.exists():
        raise ModelNotInstalled(f"{plan.model.name} is installed already. Delete {folder} to install it anew.")
    try:
        with _draft(models.root) as draft:
            _refuse_full_disk(plan, draft)
            sha256 = {name: _fetch(client, plan, name, draft, progress) for name in plan.files}
            description = replace(plan.description, sha256=sha256)
            save_description(description, draft)
            description = replace(description, inputs=try_model(draft, seconds=limits.trial_seconds))
            save_description(description, draft)
            for path in _fitted_to(shipped):
                shutil.copyfile(path, draft / path.name)
            folder.parent.mkdir(exist_ok=True)
            draft.rename(folder)
    except OSError as error:
        raise ModelNotInstalled(f"The model cannot be kept in {models.root}: {error.strerror or error}.") from error
    return folder


def _fitted_to(model: Path) -> Iterator[Path]:
    for pattern in FITTED:
        yield from model.glob(pattern)


@contextmanager
def _draft(root: Path) -> Iterator[Path]:
    """A temporary folder that is deleted at the end, unless it was renamed."""
    root.mkdir(parents=True, exist_ok=True)
    for left in root.glob(f"{_DRAFT}*"):  # left by a killed installation
        if time.time() - left.stat().st_mtime > _STALE_SECONDS:
            shutil.rmtree(left, ignore_errors=True)
    draft = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=root))
    try:
        draft.chmod(0o755)  # the server may run as another user than the installation
        yield draft
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _refuse_full_disk(plan: InstallPlan, draft: Path) -> None:
    free = shutil.disk_usage(draft).free
    if (plan.size or 0) > free:
        raise ModelNotInstalled(f"The disk has {free / 1e6:,.0f} MB left for {(plan.size or 0) / 1e6:,.0f} MB.")


def _fetch(client: HubClient, plan: InstallPlan, name: str, draft: Path, progress: FileProgress) -> str:
    """Download one file and return its SHA-256, after comparing the hub's SHA-256 or Git checksum."""
    wanted = plan.files[name]
    got = client.download(plan.model, wanted, draft / name, lambda received: progress(wanted, received))
    sha256, git_sha1 = _checksums(draft / name)
    if got.sha256 is None and got.git_sha1 is None:
        raise ModelNotInstalled(f"The hub names no checksum of {wanted.path}, so that it cannot be checked.")
    if got.sha256 not in (None, sha256) or got.git_sha1 not in (None, git_sha1):
        raise ModelNotInstalled(f"{wanted.path} does not have the checksum that the hub names. Try again.")
    return sha256


def _checksums(path: Path) -> tuple[str, str]:
    """The SHA-256 and the Git object name of a file."""
    sha256, git = hashlib.sha256(), hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            sha256.update(chunk)
            git.update(chunk)
    return sha256.hexdigest(), git.hexdigest()
