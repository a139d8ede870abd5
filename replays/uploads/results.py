"""The page of an upload: its progress, and the results of its records."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from archive.access import Viewer
from archive.models import Upload
from archive.reading import uploads
from archive.reading.deals import state_in, to_explain
from archive.reading.uploads import Progress, Result
from archive.shown import ShownDeal
from replays.language import words
from replays.language.names import Names, finding_text
from replays.language.verdicts import verdict
from tarock.analysis.verify import GOOD
from tarock.core.findings import Finding
from tarock.notation import foreign
from tarock.notation.excerpts import ExcerptLine, excerpt
from tarock.view.finding import FindingView


def upload_text(raw: bytes) -> str:
    """Return the bytes of an upload as text whose lines and columns match those of the findings. Each byte
    that is not UTF-8 becomes a replacement character."""
    text = bytes(raw).decode("utf-8", "surrogateescape").removeprefix("\ufeff").replace("\r\n", "\n")
    return "".join("\ufffd" if "\udc80" <= c <= "\udcff" else c for c in text)


def upload_items(upload: Upload, results: Sequence[Result], viewer: Viewer) -> list[dict[str, Any]]:
    """Return the results of an upload's records, as values for the template.

    `message`: what is wrong with a stored deal; `findings`: each with the lines around it, unless an earlier
    one already shows these lines; `editable`: the key of the deal, if the viewer may change it; `is_record`:
    false if it is a file of another kind, which can't be edited; `is_table`: whether it is a table;
    `encodings`: name and label of each encoding in which an unclear text makes sense, and a line of it;
    `corrected`: id of the corrected deal that replaced this deal or this record; `sent_again`: id of the
    upload that contains the corrected record.
    """
    stored = [result.deal for result in results if result.deal]
    editable, corrected = state_in(upload.space_id, stored, viewer)
    lost = [result.n for result in results if not result.deal]
    mended = uploads.mended(upload, lost) if lost else {}
    places = {place for result in results for wrong in result.findings if (place := _place(wrong))}
    lines: dict[Any, list[ExcerptLine]] = _excerpts(upload, places) if places else {}
    names = Names("", {})
    items: list[dict[str, Any]] = []
    wrong_deals = [r.deal for r in results if r.deal and r.verdict not in (None, *GOOD)]
    deals = to_explain(wrong_deals, upload.space_id) if wrong_deals else {}
    for result in results:
        explained = deals.get(result.deal or 0)
        is_sheet = result.verdict == "computed" or bool(explained and explained.is_sheet)
        linked: set[Any] = {None}
        findings = []
        for wrong in result.findings:
            place = _place(wrong)
            # All findings in a JSON record have the same location, so show its lines only once.
            about = [] if place in linked else lines.get(place, [])
            linked.add(place)
            findings.append(FindingView(wrong, names, excerpt=about))
        items.append(
            {
                "number": result.n + 1,
                "outcome": result.outcome,
                "deal": result.deal,
                "verdict": verdict(result.verdict, is_sheet) if result.verdict else None,
                "is_sheet": is_sheet,
                "conflict": result.conflict,
                "differs": words.listed(str(words.DETAILS[word]) for word in result.differs),
                "findings": findings,
                "message": _reason(explained),
                "editable": editable.get(result.deal or 0),
                "is_record": not any(wrong.reason in foreign.REASONS for wrong in result.findings),
                "is_table": any(wrong.reason == "table" for wrong in result.findings),
                "encodings": [
                    (name, foreign.ENCODING_NAMES[name], line)
                    for wrong in result.findings
                    for name, line in wrong.values.get("encodings", {}).items()
                ],
                "corrected": corrected.get(result.deal or 0) or mended.get(result.n, (0, None))[1],
                "sent_again": mended.get(result.n, (None, 0))[0],
            }
        )
    return items


def _reason(deal: ShownDeal | None) -> str:
    """Return the finding on a deal as text; for a disputed deal, both scores."""
    if deal is None:
        return ""
    if deal.stored_finding is not None:
        return finding_text(deal.stored_finding, deal.game, deal.players)
    claimed, score = deal.contribution.claimed or {}, deal.score or {}
    return " · ".join(
        words.colon(
            name, words.listed(f"{deal.players[s]} {words.points(n, deal.unit)}" for s, n in points.items())
        )
        for name, points in ((_("Written down"), claimed), (_("By the rules"), score))
    )


def _place(wrong: Finding) -> tuple[int, int] | None:
    return (wrong.line, wrong.column or 1) if wrong.line else None


def _excerpts(upload: Upload, places: set[tuple[int, int]]) -> dict[tuple[int, int], list[ExcerptLine]]:
    """Return the lines around these positions in an upload. Read only the parts that contain the positions,
    one at a time."""
    excerpts = {}
    parts = sorted(uploads.parts_at(upload, places).items(), key=lambda row: row[1].number)
    for part, rows in itertools.groupby(parts, key=lambda row: row[1]):
        text = upload_text(part.bytes)
        for place, _part in rows:
            excerpts[place] = excerpt(text, *place, (part.line, part.column)) if text else []
    return excerpts


def progress(upload: Upload, counts: Progress, now: datetime) -> tuple[int, str]:
    """Return the progress of an upload at the time `now`: the percentage of its parts that have been
    processed, and the estimated time left, which is empty while unknown."""
    percent = 100 * counts.parts_done // counts.parts if counts.parts else 100
    left = ""
    if percent and not counts.finished and upload.accepted_at:
        seconds = (now - upload.accepted_at).total_seconds() * (100 - percent) / percent
        minutes = round(seconds / 60)
        left = _("less than a minute")
        if minutes:
            left = ngettext("about %(n)d minute", "about %(n)d minutes", minutes) % {"n": minutes}
    return percent, left
