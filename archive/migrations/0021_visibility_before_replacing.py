from typing import Any

from django.db import migrations

from archive.models.constants import CHOSEN


def fill(apps: Any, schema_editor: Any) -> None:
    """Write the visibility that replaced contributions had before: the history has it. Where it does not, they
    are for the members of their space."""
    Contribution, Change = (apps.get_model("archive", name) for name in ("Contribution", "Change"))
    replaced = Contribution.objects.filter(visibility="replaced")
    latest = {
        contribution: what["visibility"][0]
        for contribution, what in Change.objects.filter(contribution__in=replaced)
        .order_by("pk")
        .values_list("contribution_id", "what")
        if what.get("visibility", ["", ""])[1] == "replaced"
    }
    known = {word: [pk for pk, before in latest.items() if before == word] for word in CHOSEN}
    for word, pks in known.items():
        for at in range(0, len(pks), 1000):
            replaced.filter(pk__in=pks[at : at + 1000]).update(covered_visibility=word)
    replaced.filter(covered_visibility=None).update(covered_visibility="members")


class Migration(migrations.Migration):

    while_old_code_serves = "The code before neither reads nor writes this column of replaced contributions."

    dependencies = [
        ('archive', '0020_webhook_reasons'),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
