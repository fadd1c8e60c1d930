from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('detection', '0008_check_detectors'),
    ]

    operations = [
        migrations.AlterField(
            model_name='modelcall',
            name='purpose',
            field=models.CharField(choices=[('trigger', 'trigger'), ('explain', 'explain'), ('conclude', 'conclude'), ('revise', 'revise'), ('merge', 'merge'), ('triples', 'triples'), ('subclaims', 'subclaims'), ('ground_sentence', 'ground sentence'), ('ground_entity', 'ground entity'), ('repair', 'repair'), ('generate', 'generate'), ('concepts', 'concepts'), ('validate', 'validate'), ('premise', 'premise'), ('read', 'read'), ('test', 'test')], max_length=16),
        ),
    ]
