"""A stranger sends cards that a club has hidden, and sees what they would see without that."""

import re
from datetime import datetime
from pathlib import Path

import pyarrow
import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management.color import no_style
from django.db import connection, transaction
from django.utils import timezone

from archive.models import Contribution, Deal
from archive.publishing import dumps
from archive.storing import corrections, spaces, sums
from tests.support import samples
from tests.support.storing import stored

from .conftest import JSON, ApiClient

pytestmark = pytest.mark.django_db

SAME, OTHER = samples.TAROKY, samples.ILLEGAL_BID
"""The club's deals: the same cards as the stranger sends, or others of the same session."""

_VARYING = re.compile(
    r'\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*(?:Z|\+00:00)?|\d\d:\d\d|(?:csrfmiddlewaretoken|nonce)\S*="[^"]*"'
    r'|"last":\d+|after=\d+|value="\w{64}"'
)
"""Times, secrets, and the last number of the feed."""


class _Undo(Exception):
    pass


def reset_sequences() -> None:
    """Let the ids begin again: PostgreSQL does not roll them back."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(apps.get_models())):
            cursor.execute(statement)


def views(client: ApiClient, key: str) -> dict[str, str]:
    """All that somebody sees of the archive, without what differs each time."""
    deal, _, _contribution = key.partition("-")
    digest = Deal.objects.get(pk=deal).hex_digest
    asked = {
        **{
            f"deals {form}": client.ask("deals", {"format": form})
            for form in ("json", "csv", "ndjson", "tgn")
        },
        "oldest": client.ask("deals", {"order": "oldest", "format": "ndjson"}),
        "digest": client.ask("deals", {"digest": digest}),
        "changes": client.ask("changes"),
        "uploads": client.ask("uploads"),
    }
    for path in (f"deals/{deal}", f"deals/{key}", f"deals/{deal}/score"):
        asked[path] = client.ask(path)
    for number in range(max(1, int(deal) - 3), int(deal) + 3):
        asked[f"number {number}"] = client.ask(f"deals/{number}")
    for page in ("/", "/deals/", f"/deals/{key}/", f"/deals/{deal}/audit/", "/sessions/", "/leaderboard/"):
        asked[page] = client.get(page)
    seen = {
        name: (b"".join(answer.streaming_content) if answer.streaming else answer.content).decode()
        for name, answer in asked.items()
    }
    return {name: _VARYING.sub("…", text) for name, text in seen.items()}


def scene(
    hidden: str, visibility: str, sent: str, client: ApiClient, owner: User, folder: Path
) -> dict[str, dict[str, str]]:
    """Hide a deal in a club, send one as a stranger, and return the views of the sender and a visitor, the
    response, and the dump."""
    views_of: dict[str, dict[str, str]] = {}
    try:
        with transaction.atomic():
            reset_sequences()
            club = spaces.found_club("Tarok Hlučín", by=owner, visibility="members")
            said = Contribution.objects.get(part__upload=stored(hidden, user=owner, space=club))
            if visibility != "members":
                corrections.set_visibility(said, visibility, by=owner)
            long_ago = "2026-01-01T00:00Z"
            Deal.objects.update(stored_at=long_ago, verified_at=long_ago)
            now = timezone.now()
            answer = client.send(SAME, path=f"deals?visibility={sent}")
            (result,) = answer.json()["results"]
            sums.settle()
            body = _VARYING.sub("…", answer.content.decode())
            times = client.ask(f"deals/{result['id']}").json()
            assert all(datetime.fromisoformat(times[name]) >= now for name in ("stored_at", "verified_at"))
            if sent == "members":
                client.send('{"visibility": "public"}', JSON, f"deals/{result['id']}/visibility")
                sums.settle()
            (month,) = dumps.write(folder, current=True)
            with pyarrow.input_stream(
                str(folder / dumps.metadata_name(month.month)), compression="zstd"
            ) as file:
                dumped = _VARYING.sub("…", file.read().decode())
            views_of = {
                "dump": {"records": f"{month.deals} {month.records} {dumped}"},
                "sender": views(client, result["deal"]) | {"sent": body},
                "visitor": views(ApiClient(), result["deal"]),
            }
            raise _Undo
    except _Undo:
        return views_of


@pytest.mark.parametrize(
    ("visibility", "sent"), [("members", "public"), ("unlisted", "members"), ("withdrawn", "public")]
)
def test_a_hidden_deal_changes_nothing_for_others(
    visibility, sent, stranger, alena, tmp_path, settings
) -> None:
    settings.DUMP_DIR = str(tmp_path)
    seen = []
    for name, hidden in (("same", SAME), ("other", OTHER)):
        (tmp_path / name).mkdir()
        seen.append(scene(hidden, visibility, sent, stranger, alena, tmp_path / name))
    for who, texts in seen[0].items():
        for name, text in texts.items():
            assert text == seen[1][who][name], f"{who}: {name}"
