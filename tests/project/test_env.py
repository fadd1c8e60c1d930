from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from chatprotect_web import env


@pytest.mark.parametrize(("value", "expected"), [("1", True), ("Yes", True), ("off", False), ("0", False), ("", True)])
def test_booleans(monkeypatch: pytest.MonkeyPatch, value: str, expected: bool) -> None:
    monkeypatch.setenv("CHATPROTECT_X", value)
    assert env.get_boolean("X", default=True) is expected


@pytest.mark.parametrize("value", ["maybe", "2", "truee"])
def test_a_wrong_boolean_names_the_variable_and_the_valid_values(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("CHATPROTECT_X", value)
    with pytest.raises(ImproperlyConfigured, match=r"CHATPROTECT_X is .* one of 1, true, yes, on, 0, false, no, off"):
        env.get_boolean("X", default=True)


@pytest.mark.parametrize("value", ["0", "11", "ten", "3.5", "1e1"])
def test_a_wrong_number_names_the_variable_and_its_range(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("CHATPROTECT_X", value)
    with pytest.raises(ImproperlyConfigured, match=r"CHATPROTECT_X .* whole number from 1 to 10"):
        env.get_integer("X", 5, minimum=1, maximum=10)


def test_numbers_choices_lists_and_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHATPROTECT_X", "7")
    assert env.get_integer("X", 5, minimum=1, maximum=10) == 7
    monkeypatch.setenv("CHATPROTECT_X", "a, b,,c ")
    assert env.get_list("X", []) == ["a", "b", "c"]
    monkeypatch.setenv("CHATPROTECT_X", "blue")
    with pytest.raises(ImproperlyConfigured, match="one of red, green"):
        env.get_choice("X", "red", choices=["red", "green"])
    monkeypatch.setenv("CHATPROTECT_X", "/tmp/../srv")
    assert env.get_path("X") == Path("/srv")
    monkeypatch.delenv("CHATPROTECT_X")
    assert env.get_path("X") is None
    assert env.get_list("X", ["d"]) == ["d"]
