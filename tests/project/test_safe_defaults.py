"""What a server is like that nobody has configured."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from chatprotect_web import secret_key

PRINT_SETTINGS = """
import json
from django.conf import settings
names = ["DEBUG", "ALLOWED_HOSTS", "SECRET_KEY", "EMBEDDED", "START_EMBEDDED_WORKER", "CELERY_BROKER_URL"]
print(json.dumps({name: getattr(settings, name) for name in names}))
"""


def _settings(**environment: str) -> dict[str, object]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("CHATPROTECT_")}
    clean["DJANGO_SETTINGS_MODULE"] = "chatprotect_web.settings"
    completed = subprocess.run(
        [sys.executable, "-c", PRINT_SETTINGS],
        env={**clean, **environment},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    if completed.returncode:
        raise ImproperlyConfigured(completed.stderr.strip().splitlines()[-1])
    loaded: dict[str, object] = json.loads(completed.stdout)
    return loaded


def test_without_configuration_nothing_is_open(tmp_path: Path) -> None:
    loaded = _settings(CHATPROTECT_DATA_DIR=str(tmp_path))
    assert loaded["DEBUG"] is False
    assert loaded["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]
    assert loaded["EMBEDDED"] is loaded["START_EMBEDDED_WORKER"] is True
    assert loaded["CELERY_BROKER_URL"] == "memory://localhost"


def test_the_secret_key_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    first, second = (_settings(CHATPROTECT_DATA_DIR=str(folder))["SECRET_KEY"] for _ in range(2))
    assert first == second
    assert len(str(first)) >= 50
    assert stat.S_IMODE((folder / "secret_key").stat().st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == ["secret_key"]


def test_processes_that_start_together_agree_on_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: secret_key.load_or_create(tmp_path / "key"), range(40)))
    assert len(keys) == 1


def test_a_data_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match="CHATPROTECT_DATA_DIR"):
        secret_key.load_or_create(tmp_path / "file" / "key")


def test_a_redis_address_of_the_wrong_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match="CHATPROTECT_REDIS_URL must begin with redis://"):
        _settings(CHATPROTECT_DATA_DIR=str(tmp_path), CHATPROTECT_REDIS_URL="localhost:6379")


@pytest.mark.django_db
def test_sqlite_really_runs_with_the_options_that_keep_it_from_locking() -> None:
    with connection.cursor() as cursor:
        values = [cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "busy_timeout")]
    assert values == ["wal", 5000]
    assert connection.transaction_mode == "IMMEDIATE"


def test_the_web_process_publishes_to_the_broker_of_the_settings() -> None:
    # Without the import in chatprotect_web/__init__.py this is Celery's default, amqp://localhost.
    from detection.tasks import run_check_task

    assert run_check_task.app.conf.broker_url == settings.CELERY_BROKER_URL
