"""Verdicts: the label, and every one that was given."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.safestring import SafeString

from replays import presenters
from replays.audited import Run
from replays.markup.text import esc, joined
from replays.presenters import Verdict
from replays.spoken import spoken


def badge(verdict: Verdict) -> SafeString:
    """A verdict as a small label: a sign and a word, never a colour alone."""
    sign = f'<span aria-hidden="true">{esc(verdict.sign)}</span>'
    return joined((f'<span class="badge badge-{esc(verdict.key)}">{sign} {esc(verdict.word)}</span>',))


def history(runs: Sequence[Run]) -> SafeString:
    """Every answer that the engine gave on a deal, in a panel; nothing where there is none."""
    _ = spoken()
    if not runs:
        return joined(())
    rows = []
    for run in runs:
        changed = run.previous_verdict is not None and run.previous_verdict != run.verdict
        engine = _("engine %(version)s") % {"version": esc(run.engine_version)}
        when = ""
        if run.finished_at:
            # In UTC, as everywhere on these pages.
            day = f"{run.finished_at:%Y-%m-%d %H:%M}"
            when = f'<time class="muted small" datetime="{run.finished_at.isoformat()}">{day}</time>'
        before = ""
        if changed:
            old = badge(presenters.verdict(run.previous_verdict))
            before = f' <strong class="changed">{_("changed from")} {old}</strong>'
        marked = ' class="has-changed"' if changed else ""
        rows.append(
            f"<li{marked}>{badge(presenters.verdict(run.verdict))} <span>{engine}</span> {when}{before}</li>"
        )
    return joined(
        (
            '<section class="panel" aria-labelledby="history">',
            f'<h2 id="history">{_("Verification history")}</h2>\n<ol class="history">',
            *rows,
            "</ol></section>\n",
        )
    )
