"""``migrate`` of the next version runs while this one serves: it may only add what this one can leave alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.operations.fields import FieldOperation
from django.db.migrations.state import ProjectState
from django.db.models import NOT_PROVIDED, Field

from tests.fakes import later_version

#: Migrations that the rule refuses and somebody has looked at, with the reason why the version before can live with
#: them: a column is dropped that it has given up already, rows are filled in that it does not read.
REVIEWED: dict[str, str] = {}

_HARMLESS = (
    migrations.CreateModel,
    migrations.AddIndex,
    migrations.RemoveIndex,
    migrations.RenameIndex,
    migrations.AlterModelOptions,
    migrations.AlterModelManagers,
)
_DEFAULTS = ("default",)


def refusals(migration: migrations.Migration, before: ProjectState) -> Iterator[str]:
    """Why the version before could not go on while or after the migration runs."""
    state = before.clone()
    for operation in migration.operations:
        parts = operation.database_operations if _is_separate(operation) else [operation]
        for part in parts:
            if not _leaves_rest_alone(part, state):
                yield f"{part.describe()}: processes of the version before would fail on it"
        if _is_separate(operation):
            yield from _given_up_by_half(operation, state)
        operation.state_forwards(migration.app_label, state)
    locked = {name for operation in migration.operations for name in _locks(operation)} - _made(migration)
    if len(locked) > 1:
        yield f"it locks {' and '.join(sorted(locked))}, one after the other: one migration for each"


def _is_separate(operation: Operation) -> bool:
    return isinstance(operation, migrations.SeparateDatabaseAndState)


def _leaves_rest_alone(operation: Operation, state: ProjectState) -> bool:
    if isinstance(operation, migrations.AddField):
        return _may_be_left_out(operation.field) and not operation.field.unique
    if isinstance(operation, migrations.AlterField):
        old = state.models["detection", operation.model_name_lower].get_field(operation.name)
        return _in_database(old) == _in_database(operation.field)
    return isinstance(operation, _HARMLESS)


def _may_be_left_out(field: Field[object, object]) -> bool:
    """Whether a row can be stored by somebody who does not know the column: ``default`` is known to programs only."""
    return field.many_to_many or field.null or field.db_default is not NOT_PROVIDED


def _in_database(field: Field[object, object]) -> object:
    _name, path, arguments, options = field.deconstruct()
    elsewhere = (*field.non_db_attrs, *_DEFAULTS)
    return path, arguments, {name: value for name, value in options.items() if name not in elsewhere}


def _given_up_by_half(operation: migrations.SeparateDatabaseAndState, state: ProjectState) -> Iterator[str]:
    """Columns that this version does not fill in any more, while the table still wants them."""
    for part in operation.state_operations:
        if isinstance(part, migrations.RemoveField):
            field = state.models["detection", part.model_name_lower].get_field(part.name)
            if not _may_be_left_out(field):
                yield f"{part.describe()}: rows without it cannot be stored as long as the column is there"


def _locks(operation: Operation) -> Iterator[str]:
    """The tables that nobody can write to meanwhile: that of the operation, and those it comes to refer to."""
    if isinstance(operation, migrations.CreateModel):
        yield from (_target(field) for _name, field in operation.fields if field.remote_field)
    elif isinstance(operation, FieldOperation):
        yield operation.model_name_lower
        if operation.field is not None and operation.field.remote_field:
            yield _target(operation.field)
    elif isinstance(operation, migrations.AddIndex):
        yield operation.model_name_lower


def _target(field: Field[object, object]) -> str:
    model = field.remote_field.model
    return (model if isinstance(model, str) else model._meta.label).rpartition(".")[2].lower()


def _made(migration: migrations.Migration) -> set[str]:
    return {part.name_lower for part in migration.operations if isinstance(part, migrations.CreateModel)}


@pytest.fixture(scope="module")
def loader() -> MigrationLoader:
    return MigrationLoader(None)


def test_the_version_before_can_serve_while_migrations_run(loader: MigrationLoader) -> None:
    later = sorted(key for key in loader.disk_migrations if key[0] == "detection" and not key[1].startswith("0001_"))
    told = {
        name: list(refusals(loader.get_migration(app, name), loader.project_state((app, name), at_end=False)))
        for app, name in later
        if name not in REVIEWED
    }
    assert not {name: reasons for name, reasons in told.items() if reasons}


def test_what_a_server_was_seen_to_live_with_is_allowed(loader: MigrationLoader) -> None:
    state = loader.project_state()
    for migration in later_version.MIGRATIONS:
        assert not list(refusals(migration, state))
        state = migration.mutate_state(state)


@pytest.mark.parametrize(
    "operations",
    [
        [migrations.RemoveField("check", "title")],
        [migrations.RenameField("check", "title", "heading")],
        [migrations.DeleteModel("ModelCall")],
        [migrations.RenameModel("ModelCall", "Call")],
        [migrations.AddField("check", "department", models.CharField(max_length=80, default="none"))],
        [migrations.AddField("check", "number", models.IntegerField(null=True, unique=True))],
        [migrations.AlterField("check", "title", models.CharField(max_length=60))],
        [migrations.AlterField("check", "title", models.TextField())],
        [migrations.AddConstraint("check", models.UniqueConstraint(fields=["title"], name="title_once"))],
        [migrations.RunSQL("DROP TABLE detection_modelcall")],
        [migrations.RunPython(migrations.RunPython.noop)],
        [migrations.SeparateDatabaseAndState(database_operations=[migrations.RemoveField("check", "title")])],
        [migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("check", "title")])],
        [
            migrations.AddField("check", "origin", models.TextField(null=True)),
            migrations.AddField("unit", "origin", models.TextField(null=True)),
        ],
    ],
    ids=lambda operations: operations[0].describe(),
)
def test_what_the_version_before_could_not_live_with_is_refused(
    loader: MigrationLoader, operations: list[Operation]
) -> None:
    migration = migrations.Migration("9000_later", "detection")
    migration.operations = operations
    assert list(refusals(migration, loader.project_state()))


def test_words_and_defaults_may_change(loader: MigrationLoader) -> None:
    migration = migrations.Migration("9000_later", "detection")
    heading = models.CharField(max_length=120, help_text="Another one.", default="Untitled")
    migration.operations = [migrations.AlterField("check", "title", heading)]
    assert not list(refusals(migration, loader.project_state()))
