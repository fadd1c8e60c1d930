"""A version that is yet to come: what its migrations change, so that this one can be seen to serve meanwhile."""

from __future__ import annotations

import os
import sys

import django
from django.db import connection, migrations, models
from django.db.migrations.executor import MigrationExecutor


def _migration(number: int, *operations: migrations.operations.base.Operation) -> migrations.Migration:
    migration = migrations.Migration(f"{9000 + number}_later", "detection")
    migration.operations = list(operations)
    return migration


#: Each changes one table that there is.
MIGRATIONS = [
    _migration(1, migrations.AddField("check", "department", models.CharField(max_length=80, db_default="none"))),
    _migration(2, migrations.AddField("unit", "is_urgent", models.BooleanField(db_default=False))),
    _migration(3, migrations.AddField("checkevent", "origin", models.TextField(null=True))),
    _migration(4, migrations.AddIndex("modelcall", models.Index(fields=["model"], name="later_model"))),
    _migration(
        5,
        migrations.CreateModel(
            "Note",
            [
                ("id", models.BigAutoField(primary_key=True)),
                ("check", models.ForeignKey("detection.Check", models.CASCADE)),
            ],
        ),
    ),
]


def apply() -> None:
    """As ``migrate`` of that version would."""
    state = MigrationExecutor(connection).loader.project_state()
    for migration in MIGRATIONS:
        with connection.schema_editor(atomic=True) as editor:
            state = migration.apply(state, editor)


def take_back() -> None:
    state = MigrationExecutor(connection).loader.project_state()
    before = []
    for migration in MIGRATIONS:
        before.append(state.clone())
        migration.mutate_state(state, preserve=False)
    for migration, earlier in zip(reversed(MIGRATIONS), reversed(before), strict=True):
        with connection.schema_editor(atomic=True) as editor:
            migration.unapply(earlier, editor)


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "chatprotect_web.settings"
    django.setup()
    apply()
    sys.stdout.write("applied\n")
    sys.stdout.flush()
    sys.stdin.read()
    take_back()
