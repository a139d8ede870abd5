from typing import Any

from django.db import migrations
from django.db.models import Exists, F, OuterRef, Subquery
from django.db.models.functions import Greatest

from archive import triggers


def date(apps: Any, schema_editor: Any) -> None:
    """Date deals that were hidden first from their first public contribution by somebody else."""
    # With the number of the deal among what they look at; SQLite has lost those of the changed table.
    triggers.create(schema_editor.connection)
    Contribution, Deal = (apps.get_model("archive", name) for name in ("Contribution", "Deal"))
    of_deal = Contribution.objects.filter(deal=OuterRef("pk")).order_by("pk")
    public = of_deal.filter(was_public=True)
    came = Subquery(public.values("part__upload__accepted_at")[:1])
    hidden = Deal.objects.filter(Exists(of_deal.filter(was_public=False))).annotate(came=came)
    hidden = hidden.filter(came__gt=F("stored_at"))
    for pk, came_at in list(hidden.values_list("pk", "came")):
        Deal.objects.filter(pk=pk).update(stored_at=came_at, verified_at=Greatest("verified_at", came_at))


class Migration(migrations.Migration):

    while_old_code_serves = "Times change, and the triggers are the database's."

    dependencies = [
        ('archive', '0024_copies'),
    ]

    operations = [
        migrations.RunPython(date, migrations.RunPython.noop),
    ]
