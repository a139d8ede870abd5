"""Rename the verdict `reckoned` to `computed`, and reword two help texts. The database stores the position of
a word in its list, so no row and no constraint changes."""

from django.db import migrations, models

from archive.fields import WordField

DEAL = ("verified", "illegal", "incomplete", "computed")
CONTRIBUTION = ("verified", "disputed", "illegal", "incomplete", "computed")
DIFFERS = models.CharField(
    max_length=200,
    blank=True,
    default="",
    help_text="Details in which an earlier record of the sender differs.",
)
LINE = models.PositiveIntegerField(null=True, blank=True, help_text="Line on which the first record begins.")


def renamed(model: str, words: tuple[str, ...]) -> list[migrations.operations.base.Operation]:
    """Return the operations for a model with a constraint on its verdict."""
    known = models.CheckConstraint(condition=models.Q(verdict__in=words), name=f"{model}_verdict_known")
    return [
        migrations.RemoveConstraint(model, known.name),
        migrations.AlterField(model, "verdict", WordField(words=words)),
        migrations.AddConstraint(model, known),
    ]


class Migration(migrations.Migration):
    dependencies = [("archive", "0001_squashed_0025_times_of_public_deals")]
    while_old_code_serves = "Only Django's state changes: the stored numbers mean the same to both releases."

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                *renamed("contribution", CONTRIBUTION),
                *renamed("deal", DEAL),
                migrations.AlterField("formerverdict", "verdict", WordField(words=DEAL)),
                migrations.AlterField("tally", "verdict", WordField(null=True, words=CONTRIBUTION)),
                migrations.AlterField("uploaditem", "differs", DIFFERS),
                migrations.AlterField("uploaditem", "line", LINE),
            ]
        )
    ]
