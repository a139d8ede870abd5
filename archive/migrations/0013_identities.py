"""Upgrade the rows from before sessions had dates, and before seats could be without a player.

Every step finds what is left to do, so a second run changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count, groupby
from typing import Any

from django.db import connection, migrations
from django.db.models import Count, Q
from django.db.models.functions import Coalesce

from archive import database, triggers
from archive.fields import searchable
from archive.models.constants import CHOSEN, SCORED
from tarock.core.dates import EARLIEST_YEAR, date_finding, first_day, latest_day
from tarock.core.persons import folded, is_nobody

_AT_ONCE = 1000
"""Rows in one statement."""


def upgrade(apps: Any, schema_editor: Any) -> None:
    """Join names that differ in Unicode form or blanks, free the seats that are nobody's, split sessions by
    date, find the places of sheets, and uncover the sheets whose cards are of another deal."""
    models = {model.__name__: model for model in apps.get_app_config("archive").get_models()}
    # SQLite loses the triggers of a table that was changed: without them no sum would be calculated again.
    triggers.create(connection)
    if connection.vendor == "postgresql":
        schema_editor.execute(f"SELECT pg_advisory_xact_lock({database.INSERT_LOCK})")
    _join_players(models)
    _free_seats(models)
    _fold_sites(models)
    _split_sessions(models)
    _date(models)
    _place_sheets()
    _uncover(models)


def _batches(values: Iterable[Any]) -> Iterator[list[Any]]:
    rows = list(values)
    yield from (rows[at : at + _AT_ONCE] for at in range(0, len(rows), _AT_ONCE))


def _by_name(model: Any) -> Iterator[tuple[int, str, list[Any]]]:
    """The rows of each space that have one name when it is folded: space, name, rows by id. Only groups in
    which a name changes."""
    rows = sorted(
        (
            (space, folded(name), pk, name)
            for pk, space, name in model.objects.values_list("pk", "space_id", "name")
        ),
    )
    for (space, name), group in groupby(rows, key=lambda row: row[:2]):
        found = list(group)
        if len(found) > 1 or found[0][3] != name:
            by_id = model.objects.in_bulk([pk for *_, pk, _name in found])
            yield space, name, [by_id[pk] for pk in sorted(by_id)]


# --- players ------------------------------------------------------------------------------------------------


def _join_players(models: Any) -> None:
    Player, Seat, Member = models["Player"], models["Seat"], models["Member"]
    for _space, name, players in _by_name(Player):
        # The one that was merged, or is hidden by a pseudonym, keeps what was said about it.
        first = max(
            players, key=lambda one: (one.same_as_id is not None, bool(one.pseudonym), one.name == name)
        )
        for other in players:
            if other is first:
                continue
            head = first.same_as_id or first.pk
            Seat.objects.filter(player=other).update(player=first)
            Player.objects.filter(same_as=other).exclude(pk=head).update(same_as=head)
            Player.objects.filter(under=other).update(under=first)
            Member.objects.filter(player=other).update(player=head)
            other.delete()
        alone = {"same_as": None, "under": None} if first.same_as_id in {one.pk for one in players} else {}
        Player.objects.filter(pk=first.pk).update(
            name=name,
            search_name=searchable(first.pseudonym or name),
            sort_name=None,  # the sweeper fills them in
            sort_name_cs=None,
            **alone,
        )


def _free_seats(models: Any) -> None:
    """Take the players off the seats whose names stand for nobody, and off those that one person has at one
    table."""
    Player, Seat = models["Player"], models["Seat"]
    nobody = [pk for pk, name in Player.objects.values_list("pk", "name") if is_nobody(name)]
    for pks in _batches(nobody):
        for player in Player.objects.filter(pk__in=pks):
            Seat.objects.filter(player=player).update(player=None, name=player.name)
        Player.objects.filter(same_as__in=pks).update(same_as=None, under=None)
        Player.objects.filter(pk__in=pks).delete()
    person = Coalesce("player__same_as", "player")
    twice = Seat.objects.filter(player__isnull=False).order_by().values("contribution", person=person)
    for row in list(twice.annotate(seats=Count("seat")).filter(seats__gt=1)):
        seats = Seat.objects.filter(contribution=row["contribution"], player__isnull=False)
        for seat in seats.filter(Q(player=row["person"]) | Q(player__same_as=row["person"])).select_related(
            "player__same_as"
        ):
            hidden = (seat.player.same_as or seat.player).pseudonym
            own = Seat.objects.filter(contribution=seat.contribution_id, seat=seat.seat)
            own.update(player=None, name=hidden or seat.player.name)


def _fold_sites(models: Any) -> None:
    contributions = models["Contribution"].objects.exclude(site="").order_by()
    for site in list(contributions.values_list("site", flat=True).distinct()):
        if (name := folded(site)) != site:
            contributions.filter(site=site).update(site=name, site_search=searchable(name))


# --- sessions -----------------------------------------------------------------------------------------------


def _order(written: str) -> tuple[bool, str]:
    """The order of dates: those that are no day, or can't be true, last."""
    return first_day(written) is None or date_finding(written) is not None, written


def _split_sessions(models: Any) -> None:
    """Give each session the date of its deals; one with deals of several dates becomes several, and keeps its
    id for the earliest."""
    Session, Contribution, Evening = models["Session"], models["Contribution"], models["Evening"]
    dates: dict[int, list[str]] = {}
    dated = Contribution.objects.filter(session__isnull=False).order_by()
    for pk, date in dated.values_list("session_id", "date").distinct():
        dates.setdefault(pk, []).append(date)
    evenings = {one.session_id: one for one in Evening.objects.all()}
    sessions = [(one.space_id, folded(one.name), one.pk, one) for one in Session.objects.order_by("pk")]
    for (_space, name), group in groupby(sorted(sessions, key=lambda row: row[:3]), key=lambda row: row[:2]):
        rows = [session for *_, session in group]
        if all(one.date or dates.get(one.pk) == [""] for one in rows) and rows[0].name == name:
            continue  # done before, or without a date
        taken: dict[str, Any] = {}
        for number, session in enumerate(rows[1:]):
            # So that none is in the way of those before it.
            Session.objects.filter(pk=session.pk).update(date=f"~{number}")
        for session in rows:
            _split(
                session,
                name,
                sorted(dates.get(session.pk, []), key=_order),
                taken,
                evenings.get(session.pk),
                models,
            )


def _split(
    session: Any, name: str, dates: list[str], taken: dict[str, Any], evening: Any, models: Any
) -> None:
    """Split a session. ``taken``: the sessions of this name, by date."""
    Session, Contribution = models["Session"], models["Contribution"]
    day = evening.date.isoformat() if evening else ""
    if evening and day not in dates:
        dates = sorted([*dates, day], key=_order)
    if evening and hasattr(taken.get(day), "has_evening"):
        # Two evenings are never one.
        taken = {}
        free = (f"{name[:190]} ({n})" for n in count(2))
        name = next(
            one for one in free if not Session.objects.filter(space=session.space_id, name=one).exists()
        )
    kept = next((date for date in dates if date not in taken), None)
    if not dates and "" not in taken:
        kept = ""
    if kept is not None:
        session.name, session.search_name, session.date = name, searchable(name), kept
        session.save()
        taken[kept] = session
    for date in dates:
        if date not in taken:
            taken[date] = Session.objects.create(
                space_id=session.space_id, name=name, search_name=searchable(name), date=date
            )
        if taken[date].pk != session.pk:
            Contribution.objects.filter(session=session.pk, date=date).update(session=taken[date])
    if evening:
        taken[day].has_evening = True
        models["Evening"].objects.filter(pk=evening.pk).update(session=taken[day])
    if kept is None:
        session.delete()


def _date(models: Any) -> None:
    """Deals of a day that can't be are sorted as undated."""
    wrong = Q(played_on__gt=latest_day()) | Q(played_on__year__lt=EARLIEST_YEAR)
    models["Contribution"].objects.filter(wrong).update(played_on=None)


# --- sheets -------------------------------------------------------------------------------------------------


def _place_sheets() -> None:
    """Write the places of sheets, as `archive.storing.sheets.Place.key` has them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE archive_deal SET place ="
            " (SELECT c.session_id * 8589934592 + archive_deal.game * 1073741824 + c.number"
            " FROM archive_contribution c WHERE c.deal_id = archive_deal.id"
            " AND c.session_id IS NOT NULL AND c.number IS NOT NULL ORDER BY c.id LIMIT 1)"
            " WHERE kind = 1"
        )


def _uncover(models: Any) -> None:
    """Uncover sheets whose cards have another session, game or players now, unless others fit."""
    Contribution, Change, Removed = models["Contribution"], models["Change"], models["Removed"]
    sheets = Contribution.objects.filter(visibility="covered").select_related("deal", "space", "replaced_by")
    for sheet in list(sheets.order_by("pk")):
        cards = Contribution.objects.filter(
            session=sheet.session_id,
            number=sheet.number,
            deal__game=sheet.deal.game,
            deal__kind="played",
            visibility__in=CHOSEN,
            verdict__in=SCORED,
        )
        persons = _persons(models, sheet.pk)
        fitting = [one for one in cards.order_by("pk") if persons and _persons(models, one.pk) == persons]
        if fitting:
            Contribution.objects.filter(pk=sheet.pk).update(replaced_by=fitting[0])
            continue
        words = (
            sheet.covered_visibility,
            sheet.space.visibility,
            sheet.replaced_by and sheet.replaced_by.visibility,
        )
        visibility = max((word for word in words if word in CHOSEN), key=CHOSEN.index)
        (number,) = database.reserve_ids(Removed, 1)
        shown = {"was_public": True} if visibility == "public" else {}
        Contribution.objects.filter(pk=sheet.pk).update(
            visibility=visibility, replaced_by=None, feed_number=number, feed_kind="shown", **shown
        )
        Change.objects.create(contribution=sheet, what={"visibility": ("covered", visibility)})


def _persons(models: Any, contribution: int) -> set[int | str]:
    """Who played, without unknown players; names where a seat is nobody's."""
    seats = models["Seat"].objects.filter(contribution=contribution).order_by()
    rows = seats.values_list(Coalesce("player__same_as", "player"), "name")
    return {person or folded(name) for person, name in rows if person or not is_nobody(name)}


class Migration(migrations.Migration):

    while_old_code_serves = "It holds the lock of all inserts: the code before waits, and reads what it finds. It shows no deal with a seat without a player; these are few."

    dependencies = [
        ('archive', '0012_deal_place'),
    ]

    operations = [
        migrations.RunPython(upgrade, migrations.RunPython.noop),
    ]
