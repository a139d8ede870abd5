"""Store results: deals of a third kind, without seats and dealer, with a verdict of their own. The database
stores the position of a word in its list, so no stored row changes."""

from django.db import migrations, models

from archive import triggers
from archive.fields import WordField

SEATS = tuple("ABCDEFGH")
PLACES = (*SEATS, *map(str, range(1, 61)))
KINDS = ("played", "sheet", "result")
DEAL = ("verified", "illegal", "incomplete", "computed", "stated")
CONTRIBUTION = ("verified", "disputed", "illegal", "incomplete", "computed", "stated")


def constraint(model: str, column: str, words: tuple[str, ...]) -> list[migrations.operations.base.Operation]:
    """Return the operations that let a column have these words."""
    known = models.CheckConstraint(condition=models.Q((f"{column}__in", words)), name=f"{model}_{column}_known")
    return [
        migrations.RemoveConstraint(model, known.name),
        migrations.AddConstraint(model, known),
    ]


class Migration(migrations.Migration):
    dependencies = [("archive", "0029_encoding_of_uploads")]
    while_old_code_serves = "The constraints only become wider, and every stored row meets them."

    operations = [
        migrations.RunPython(triggers.drop_on_sqlite, migrations.RunPython.noop),
        migrations.AlterField("contribution", "verdict", WordField(words=CONTRIBUTION)),
        migrations.AlterField("deal", "dealer", WordField(blank=True, null=True, words=SEATS)),
        migrations.AlterField("deal", "kind", WordField(default="played", words=KINDS)),
        migrations.AlterField("deal", "verdict", WordField(words=DEAL)),
        migrations.AlterField("formerverdict", "verdict", WordField(words=DEAL)),
        migrations.AlterField("seat", "seat", WordField(words=PLACES)),
        migrations.AlterField("tally", "verdict", WordField(null=True, words=CONTRIBUTION)),
        *constraint("contribution", "verdict", CONTRIBUTION),
        *constraint("deal", "verdict", DEAL),
        *constraint("deal", "kind", KINDS),
    ]
