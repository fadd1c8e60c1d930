"""What operators start: the settings of a server for others, compose.yaml, the image."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from chatprotect_web import database

ROOT = Path(settings.BASE_DIR)


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
    return loaded


@pytest.mark.cluster
def test_the_settings_of_a_server_for_others_leave_nothing_to_be_warned_of(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "chatprotect_web.settings",
        "CHATPROTECT_DATA_DIR": str(tmp_path),
        "CHATPROTECT_HTTPS": "1",
    }
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_only_this_machine_reaches_what_compose_starts(compose: dict[str, Any]) -> None:
    published = [port for service in compose["services"].values() for port in service.get("ports", [])]
    assert published == ["127.0.0.1:8000:8000"]
    assert compose["networks"]["inside"]["internal"] is True
    assert all(compose["services"][name]["networks"] == ["inside"] for name in ("redis", "postgres"))


def test_compose_has_no_secret_and_its_programs_may_write_nowhere_else(compose: dict[str, Any]) -> None:
    named = {name for service in compose["services"].values() for name in service.get("environment", {})}
    # The path of a file that holds a password is none.
    assert not [name for name in named if re.search("(?:PASSWORD|SECRET|KEY|TOKEN)(?!_FILE$)", name)]
    assert "@postgres/" in compose["x-program"]["environment"]["DATABASE_URL"]
    assert ":" not in compose["x-program"]["environment"]["DATABASE_URL"].removeprefix("postgresql://")
    ours = [service for service in compose["services"].values() if service["image"] == "chatprotect"]
    assert len(ours) == 5
    assert all(service["read_only"] and service["cap_drop"] == ["ALL"] for service in ours)


def test_compose_serves_every_queue(compose: dict[str, Any]) -> None:
    workers = [service["command"] for name, service in compose["services"].items() if name.startswith("worker")]
    served = {queue for _worker, queues in workers for queue in queues.split(",")}
    assert served == {queue.name for queue in settings.CELERY_TASK_QUEUES}


@pytest.mark.cluster
def test_a_worker_to_which_nobody_could_send_anything_does_not_run(tmp_path: Path) -> None:
    worker = subprocess.run(
        [sys.executable, "-m", "celery", "--quiet", "--app", "chatprotect_web", "worker"],
        cwd=ROOT,
        env={**os.environ, "CHATPROTECT_DATA_DIR": str(tmp_path), "CHATPROTECT_REDIS_URL": ""},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert worker.returncode == 1
    last = worker.stderr.strip().splitlines()[-1]
    assert last == "A worker of its own needs CHATPROTECT_REDIS_URL. Without it the server is its own worker."


def test_every_image_is_pinned_by_digest(compose: dict[str, Any]) -> None:
    images = {service["image"] for service in compose["services"].values()} - {"chatprotect"}
    images |= set(re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE))
    assert len(images) == 3
    assert all(re.fullmatch(r"[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}", image) for image in images), images


def test_the_image_runs_as_somebody_without_rights_and_is_asked_for_its_health() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert "USER 10001" in lines
    assert any(line.startswith("HEALTHCHECK") and "/healthz" in line for line in lines)
    copies = [line for line in lines if line.startswith("COPY ") and "--from" not in line and "<<" not in line]
    copied = [word for line in copies for word in line.split()[1:-1]]
    assert [name for name in copied if not (ROOT / name).exists()] == []


def test_the_image_starts_by_a_script_that_can_be_read() -> None:
    script = (ROOT / "Dockerfile").read_text().split('COPY <<"EOF" entrypoint.sh\n')[1].split("\nEOF\n")[0]
    run = ["sh", "-c", script, "entrypoint", "sh", "-c", "echo $0 $1", "all that", "was said"]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == "all that was said\n"


@pytest.mark.parametrize("url", ["mysql://user:hunter2@host/name", "postgres", "user:hunter2@host"])
def test_a_database_of_another_kind_is_refused_without_telling_its_password(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL must begin with postgresql://") as refusal:
        database.from_url(url, pool_size=5)
    assert "hunter2" not in str(refusal.value)


def test_postgresql_gets_a_pool_that_notices_a_restart() -> None:
    parsed = database.from_url("postgresql://user@host/name", pool_size=5)
    assert parsed["OPTIONS"]["pool"]["max_size"] == 5
    assert parsed["CONN_HEALTH_CHECKS"] is True


def test_every_test_that_the_threat_model_names_is_there() -> None:
    text = (ROOT / "docs" / "security.md").read_text()
    there = {path.name for path in (ROOT / "tests").rglob("test_*.py")}
    assert set(re.findall(r"\btest_\w+\.py", text)) - there == set()
