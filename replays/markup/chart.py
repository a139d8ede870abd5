"""The running account: a chart, the bonuses, and the same as a table."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.safestring import SafeString

from replays.markup.clauses import clause_link
from replays.markup.text import cut, esc, joined
from replays.running import Bonus, Chart, Column
from replays.spoken import spoken


def chart(drawn: Chart, prefix: str) -> SafeString:
    """The figure. ``prefix``: the query of any step, its number to be written behind it."""
    start = esc(prefix)
    pieces = [*_figure(drawn, start)]
    if drawn.bonuses:
        earned = "".join(_bonus(bonus, start) for bonus in drawn.bonuses)
        pieces.append(f'<ul class="earned">{earned}</ul>\n')
    pieces += _table(drawn, start)
    return joined(pieces)


def _figure(drawn: Chart, start: str) -> Iterator[str]:
    _ = spoken()
    needed = drawn.needed
    yield '<figure class="chart" aria-labelledby="chart-title">\n<figcaption id="chart-title">'
    yield _("Card points from trick to trick")
    if needed:
        yield f": {esc(needed.words)} {clause_link(needed.slug, needed.clause)}"
    yield f'</figcaption>\n<svg viewBox="0 0 {drawn.width} {drawn.height}" aria-hidden="true" '
    yield 'focusable="false">\n<g class="grid">'
    for tick in drawn.up:
        yield f'<path d="M{drawn.left} {tick.at}H{drawn.right}"/>'
        yield f'<text x="{drawn.left - 5}" y="{tick.at}" dy="4" text-anchor="end">{tick.text}</text>'
    for tick in drawn.across:
        yield f'<text x="{tick.at}" y="{drawn.bottom + 16}" text-anchor="middle">{tick.text}</text>'
    yield "</g>\n"
    if needed:
        yield f'<g class="needed"><path d="M{drawn.left} {needed.y}H{drawn.right}"/>'
        yield f'<text x="{drawn.left + 4}" y="{needed.y}" dy="-4">{needed.points}</text></g>\n'
    for curve in drawn.curves:
        yield f'<g class="curve curve-{curve.number}"><polyline points="{curve.path}"/><text '
        yield f'x="{drawn.name_x}" y="{curve.label_y}">{esc(cut(curve.name, 14))} {curve.last}</text></g>\n'
    titled = _("Trick %(number)s")
    box = f'y="{drawn.top}" height="{drawn.bottom - 20}"'
    for column in drawn.columns:
        yield _column(column, titled, start, box, drawn.top - 5)
    yield "\n</svg>\n"


def _column(column: Column, titled: str, start: str, box: str, above: int) -> str:
    """A trick in the chart: its strip, which is a link to its last step."""
    told = "".join(f"; {esc(bonus.title)}" for bonus in column.bonuses)
    mark = f'<text class="bonus" x="{column.x}" y="{above}" text-anchor="middle">◆</text>' if told else ""
    current = ' class="current"' if column.current else ""
    return (
        f'<a href="{start}{column.step}" data-go="{column.step}" tabindex="-1"{current}>'
        f"<title>{titled % {'number': column.trick}}: {esc(column.words)}{told}</title>"
        f'<rect x="{column.left}" width="{column.width}" {box}/>{mark}</a>'
    )


def _bonus(bonus: Bonus, start: str) -> str:
    _ = spoken()
    trick = ""
    if bonus.trick:
        trick = f' <span class="muted">{_("trick %(number)s") % {"number": bonus.trick}}</span>'
    return (
        f'<li><span aria-hidden="true">◆</span> <a href="{start}{bonus.step}" data-go="{bonus.step}">'
        f"{esc(bonus.title)}</a>{trick}</li>"
    )


def _table(drawn: Chart, start: str) -> Iterator[str]:
    _ = spoken()
    yield f'<details id="details-account"><summary>{_("As a table")}</summary>'
    yield '<div class="table-scroll" tabindex="0" role="region" aria-label="'
    yield f'{_("Card points after each trick")}"><table class="list narrow account-table"><thead><tr>'
    yield f'<th scope="col">{_("Trick")}</th><th scope="col">{_("Taken by")}</th>'
    for curve in drawn.curves:
        yield f'<th scope="col" class="number">{esc(curve.name)}</th>'
    yield "</tr></thead>\n<tbody>"
    for column in drawn.columns:
        points = "".join(f'<td class="number">{number}</td>' for number in column.points)
        row, here = (' class="current"', ' aria-current="true"') if column.current else ("", "")
        yield (
            f'<tr{row}><th scope="row"><a href="{start}{column.step}" data-go="{column.step}"{here}>'
            f"{column.trick}</a></th><td>{esc(column.winner)}</td>{points}</tr>"
        )
    yield "</tbody></table></div></details>\n</figure>\n"
