from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('detection', '0011_message_sent_at'),
    ]

    operations = [
        migrations.AddField(
            model_name='suggestion',
            name='companions',
            field=models.JSONField(blank=True, help_text='Other sentences that it changes at the same time: pairs of a key and the new wording.', null=True),
        ),
    ]
