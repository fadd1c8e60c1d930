from __future__ import annotations

from pathlib import Path

import pytest

from detection.core.local_models.nli.installed import CHOICE, SHIPPED, InstalledModels, is_name

SHIPPED_FOLDER = Path("shipped folder")


@pytest.fixture
def models(tmp_path: Path) -> InstalledModels:
    for name in ("owner/one", "two"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "model.onnx").touch()
    (tmp_path / "owner" / "half").mkdir()
    return InstalledModels(tmp_path)


@pytest.mark.parametrize("name", ["two", "owner/one", "Owner-1/a.b_c-d", "x/y" + "z" * 90])
def test_names_of_hubs_are_names(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "..", "../x", "x/..", "/x", "x/", "a/b/c", "a//b", "a\\b", ".x", "x/.y", "a..b/c", "C:x", "~x/y"),
        *("x\n", "x y", "x\0", "ä/b", "shipped", "shipped/x", "in_use", "in_use/x", "-x", "x.", "x" * 200),
    ],
)
def test_what_leads_elsewhere_is_no_name(models: InstalledModels, name: str) -> None:
    assert not is_name(name)
    assert not models.has(name)
    with pytest.raises(ValueError, match="no name of a model"):
        models.folder(name)
    if name != SHIPPED:
        with pytest.raises(ValueError, match="not installed"):
            models.choose(name)


def test_whole_models_are_listed(models: InstalledModels) -> None:
    assert models.names() == ["owner/one", "two"]
    assert InstalledModels(models.root / "nowhere").names() == []


def test_a_choice_stays_until_another_one(models: InstalledModels) -> None:
    assert models.chosen_folder(SHIPPED_FOLDER) == SHIPPED_FOLDER
    models.choose("owner/one")
    assert InstalledModels(models.root).chosen_folder(SHIPPED_FOLDER) == models.root / "owner" / "one"
    models.choose(SHIPPED)
    assert models.chosen_folder(SHIPPED_FOLDER) == SHIPPED_FOLDER
    models.choose(SHIPPED)
    assert [path.name for path in models.root.iterdir() if path.is_file()] == []


@pytest.mark.parametrize("content", [b"", b"../../x", b"\xff\xfe", b"two" * 1_000])
def test_a_choice_that_cannot_be_read_is_none(models: InstalledModels, content: bytes) -> None:
    (models.root / CHOICE).write_bytes(content)
    assert models.chosen() == SHIPPED
