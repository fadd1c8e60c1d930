"""The log: one line for one record, whatever words are in it, and no word that is not for its readers."""

from __future__ import annotations

import io
import json
import logging
import logging.config
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from chatprotect_web import log_lines
from chatprotect_web.server import AccessLog

FORGED = "x\n2026-01-01 00:00:00,000 INFO root all is well\r\x1b[2J\u2028\x85 end"


@contextmanager
def logger_to(stream: io.StringIO, log_format: str) -> Iterator[logging.Logger]:
    """A logger that writes as the program does."""
    made = logging.config.dictConfigClass(log_lines.configuration(log_format))  # type: ignore[attr-defined]
    handler = logging.StreamHandler(stream)
    handler.setFormatter(made.configure_formatter(made.config["formatters"][log_format]))
    handler.addFilter(log_lines.ContextFilter())
    logger = logging.getLogger("tests.log_lines")
    logger.propagate = False
    logger.addHandler(handler)
    yield logger
    logger.removeHandler(handler)


@pytest.mark.parametrize("log_format", ["line", "json"])
def test_no_word_makes_a_record_of_its_own(log_format: str) -> None:
    stream = io.StringIO()
    with logger_to(stream, log_format) as logger:
        logger.warning("source %s", FORGED)
        try:
            raise ValueError(FORGED)
        except ValueError:
            logger.exception("reading failed")
    lines = stream.getvalue().splitlines()
    begun = [line for line in lines if not line.startswith("    ")]
    assert len(begun) == 2
    assert not any(sign in line for line in lines for sign in "\r\x1b\u2028\x85")
    if log_format == "json":
        assert json.loads(lines[0])["message"] == f"source {FORGED}"


def test_the_log_of_requests_has_neither_searched_words_nor_links_that_open() -> None:
    stream = io.StringIO()
    log = AccessLog(stream)
    details = {"client": "127.0.0.1:1", "status": 200, "size": 5, "method": "GET", "time_taken": 0.1}
    for path in ("/checks/?words=secret", "/shared/secret/", "/shared/secret/?x=secret", "/shared/secret"):
        log("http", "complete", {**details, "path": path})
    log("websocket", "connected", {"client": "127.0.0.1:1", "path": "/ws/checks/1/?since=secret"})
    assert "secret" not in stream.getvalue()
    assert '"GET /checks/" 200' in stream.getvalue()
    assert "/shared/[token]/" in stream.getvalue()
