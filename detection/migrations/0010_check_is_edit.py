from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('detection', '0009_reading_calls'),
    ]

    operations = [
        migrations.AddField(
            model_name='check',
            name='is_edit',
            field=models.BooleanField(db_default=False, default=False, help_text='The text of ``previous`` was edited in its page, which shows this one.'),
        ),
    ]
