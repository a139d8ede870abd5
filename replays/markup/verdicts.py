"""Verdicts: the label, and every one that was given."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.safestring import SafeString

from archive.selectors import Answer
from replays import presenters, words
from replays.markup.text import esc, joined
from replays.presenters import Verdict
from replays.spoken import spoken


def badge(verdict: Verdict) -> SafeString:
    """A verdict as a small label: a sign and a word, never a colour alone."""
    sign = f'<span aria-hidden="true">{esc(verdict.sign)}</span>'
    return joined((f'<span class="badge badge-{esc(verdict.key)}">{sign} {esc(verdict.word)}</span>',))


def history(answers: Sequence[Answer]) -> SafeString:
    """Every answer that the engine gave on a deal, in a panel; nothing where there is none."""
    _ = spoken()
    if not answers:
        return joined(())
    rows = []
    for answer in answers:
        engine = _("engine %(version)s") % {"version": esc(answer.engine_version)}
        day, exactly = esc(words.moment(answer.verified_at)), answer.verified_at.isoformat()
        before = marked = ""
        if answer.before not in (None, answer.verdict):
            old = badge(presenters.verdict(answer.before))
            before = f' <strong class="changed">{_("changed from")} {old}</strong>'
            marked = ' class="has-changed"'
        rows.append(
            f"<li{marked}>{badge(presenters.verdict(answer.verdict))} <span>{engine}</span> "
            f'<time class="muted small" datetime="{exactly}">{day}</time>{before}</li>'
        )
    return joined(
        (
            '<section class="panel" aria-labelledby="history">',
            f'<h2 id="history">{_("Verification history")}</h2>\n<ol class="history">',
            *rows,
            "</ol></section>\n",
        )
    )
