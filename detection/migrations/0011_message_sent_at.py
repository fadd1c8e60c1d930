"""Rename the time of the last message to a worker."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("detection", "0010_check_is_edit")]

    operations = [
        migrations.RenameField("check", "rung_at", "message_sent_at"),
        migrations.RenameField("source", "rung_at", "message_sent_at"),
    ]
