"""Rename the time of the last message to a worker in the code; the column keeps its name for the version before."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("detection", "0010_check_is_edit")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                operation
                for model in ("check", "source")
                for operation in (
                    migrations.RenameField(model, "rung_at", "message_sent_at"),
                    migrations.AlterField(
                        model,
                        "message_sent_at",
                        models.DateTimeField(
                            db_column="rung_at",
                            default=django.utils.timezone.now,
                            help_text="When a worker was last sent its message.",
                        ),
                    ),
                )
            ]
        )
    ]
