"""Shared code of the tests of dumps: commands, files, and the public view."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow
from django.contrib.auth import get_user_model
from django.core.management import call_command
from pyarrow import parquet

from archive.access import EVERYBODY
from archive.models import (
    Change,
    Contribution,
    Deal,
    FormerVerdict,
    Invitation,
    Member,
    Part,
    Player,
    RemovedMember,
    Seat,
    Session,
    Space,
    Upload,
)
from archive.publishing import dumps, export
from archive.reading import scores, sessions, statistics
from archive.reading.clubs import all_clubs
from archive.reading.deals import contributions_to, find_ids, get_deal, iter_deals
from archive.reading.filters import Filters
from archive.reading.players import deal_counts, find_players
from tarock.notation import dump_json, read
from tests.support import samples, settling

GAMES = {"strohmann": 2, "taroky": 4, "troggu": 5, "grosstarock": 3}
NOW = datetime(2026, 11, 22, tzinfo=UTC)


def unwritable() -> bytes:
    """A record that text cannot write: the second speaker speaks out of turn, in the middle of a play."""
    record = json.loads(dump_json(read(samples.TAROKY)[0].record))
    at = next(n for n, event in enumerate(record["events"]) if event[1] == "play")
    record["events"][at][0] = "C" if record["events"][at][0] != "C" else "D"
    return json.dumps(record).encode()


def call(*arguments: object) -> str:
    """Return the output of a command."""
    said = io.StringIO()
    call_command(*arguments, stdout=said)
    return said.getvalue()


def restored(*arguments: object) -> str:
    """What `restore` says, with an owner for the clubs."""
    get_user_model().objects.get_or_create(username="keeper")
    return call("restore", *arguments, "--owner", "keeper")


def public_deals() -> list[Any]:
    """Return what the engine says of each public deal, without numbers."""
    return [
        (deal.hex_digest, deal.stored_at, deal.verdict, deal.score, deal.contract, deal.stored_finding)
        for deal in iter_deals(Filters(), EVERYBODY)
    ]


def public_view() -> dict[str, Any]:
    """Return the public view of the archive, without numbers."""
    settling.settle()
    deals = list(iter_deals(Filters(), EVERYBODY))
    found = list(find_players())
    counts = deal_counts(found)
    own = ("id", "deal", "url", "club", "session_id", "verified_at")
    columns = [name for name in export.TABLE if name not in (*own, "players")]
    lines = [json.loads(line) for line in export.ndjson(deals, [*export.LISTED, "record"])]
    for line in lines:
        for numbered in (line, *line["players"]):
            for name in (*own, "player_id"):
                numbered.pop(name, None)
    return {
        "table": list(export.table(deals, columns)),
        "ndjson": lines,
        "tgn": [text for text in export.tgn(deals) if b"is left out" not in text],
        "deals": public_deals(),
        "said": [
            (
                *(said.space.kind, said.space.name, said.space.place, said.visibility, said.verdict),
                *(said.session and said.session.name, said.number, said.date, said.played_on),
                *(said.event, said.site, said.claim, json.loads(said.tags or "{}"), said.comments),
                [(seat.seat, seat.player.display_name, seat.points) for seat in said.seats.all()],
            )
            for deal in deals
            for said in contributions_to(deal.pk)
        ],
        "sessions": [
            (one.name, one.space.name, one.deal_count, one.first_day, one.last_day)
            for one in sessions.find_sessions()
        ],
        "players": sorted((one.display_name, one.space.name, counts[one.pk]) for one in found),
        "scores": sorted((row.name, row.deals, row.total) for row in scores.player_scores()),
        "clubs": [
            (club.name, club.place, [(row.name, row.total) for row in scores.standings(club)])
            for club in all_clubs()
        ],
        "counts": statistics.count_archive(),
        "days": [get_deal(pk).hex_digest for pk in find_ids(Filters(), EVERYBODY, "played", 99)],
    }


def empty() -> None:
    """Take everything out of the archive."""
    Contribution.objects.update(replaced_by=None)
    models = (
        Change,
        Seat,
        Contribution,
        FormerVerdict,
        Deal,
        Upload,
        Part,
        Session,
        Invitation,
        RemovedMember,
        Member,
    )
    for model in (*models, Player, Space):
        model.objects.all().delete()


def dumped(folder: Path) -> list[dumps.Month]:
    """All months."""
    return dumps.write(folder, current=True, now=NOW)


def unpacked(path: Path) -> str:
    """Return the content of a file."""
    with pyarrow.input_stream(str(path), compression="zstd") as stream:
        return stream.read().decode()


def everything(folder: Path) -> str:
    """All that is in the dumps, as text."""
    texts = [unpacked(path) for path in sorted(folder.glob("*.zst"))]
    tables = [str(parquet.read_table(path).to_pylist()) for path in sorted(folder.glob("*.parquet"))]
    return "".join(texts + tables)
