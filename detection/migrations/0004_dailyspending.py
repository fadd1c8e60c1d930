from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('detection', '0003_source_payer'),
    ]

    operations = [
        migrations.CreateModel(
            name='DailySpending',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('payer', models.CharField(max_length=64)),
                ('calls', models.PositiveIntegerField(default=0)),
                ('tokens', models.PositiveBigIntegerField(default=0)),
                ('unpriced_tokens', models.PositiveBigIntegerField(default=0, help_text='Of calls whose price is not known.')),
                ('usd', models.DecimalField(decimal_places=8, default=0, max_digits=14)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('day', 'payer'), name='spending_once_a_day')],
            },
        ),
    ]
