from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('detection', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='check',
            name='payer',
            field=models.CharField(blank=True, db_default='', db_index=True, default='', help_text='Whom limits beyond one owner count for: an account, or a network (hashed).', max_length=64),
        ),
    ]
