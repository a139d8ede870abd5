"""Give each club without an owner one: the member of the highest role who joined first.

A club without members (restored from dumps, or left by its last member) stays as it is, since its deals would
be lost; `manage.py make_owner` lists and fixes such clubs.
"""

from typing import Any

from django.db import migrations


def give_owners(apps: Any, schema_editor: Any) -> None:
    Space, Member = apps.get_model("archive", "Space"), apps.get_model("archive", "Member")
    for club in Space.objects.filter(kind="club").exclude(members__role="owner"):
        first = Member.objects.filter(space=club).order_by("-role", "joined_at", "pk").first()
        if first is not None:
            Member.objects.filter(pk=first.pk).update(role="owner")
        else:
            print(f"\n  The club {club.pk} “{club.name}” has no members: see `manage.py make_owner`.", end="")


class Migration(migrations.Migration):

    while_old_code_serves = "It changes roles alone, of clubs that nobody could run."

    dependencies = [
        ('archive', '0022_evening_visibility'),
    ]

    operations = [
        migrations.RunPython(give_owners, migrations.RunPython.noop),
    ]
