from django.db import migrations, models

import archive.models

BATCH = 500


def fill_in(apps, schema_editor):
    """The search names of the players that are there."""
    Player = apps.get_model("archive", "Player")
    players = Player.objects.using(schema_editor.connection.alias)
    last = 0
    while rows := list(players.filter(pk__gt=last).order_by("pk")[:BATCH]):
        for player in rows:
            player.search_name = archive.models.caseless(player.name)
        players.bulk_update(rows, ["search_name"])
        last = rows[-1].pk


class Migration(migrations.Migration):
    dependencies = [
        ("archive", "0002_upload_waits"),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="player",
            name="player_name_any_case",
        ),
        migrations.AddField(
            model_name="player",
            name="search_name",
            field=archive.models.SearchNameField(default="", editable=False, max_length=600),
        ),
        migrations.RunPython(fill_in, migrations.RunPython.noop, elidable=True),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(fields=["search_name"], name="player_search_name"),
        ),
    ]
