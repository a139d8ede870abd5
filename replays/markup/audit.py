"""The audit of a deal: score sheet, claim, countings; or what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from archive.models import Deal
from replays.markup.cards import card, cards, picture, sprite_url
from replays.markup.clauses import clause_html, clause_link
from replays.markup.head import crumbs
from replays.markup.share import meta
from replays.markup.table import standing, table
from replays.markup.text import cut, esc, joined
from replays.paths import path
from replays.presenters import (
    Cell,
    Counted,
    CountingView,
    Difference,
    Face,
    Fault,
    Line,
    Position,
    Remark,
    game_name,
)
from replays.sharing import Shared
from replays.spoken import spoken
from replays.words import label


def differences(rows: Sequence[Difference], remarks: Sequence[Remark], scored: bool) -> SafeString:
    """What was written down beside what the rules give, and the slips that would explain it."""
    _ = spoken()
    names = (_("Seat"), _("Player"))
    figures = (_("Written down"), _("By the rules"), _("Difference"))
    pieces = [
        '<section class="panel" aria-labelledby="claim-title">'
        f'<h2 id="claim-title">{_("Written down and reckoned")}</h2>\n'
        '<table class="score claim"><thead><tr>',
        *(f'<th scope="col">{name}</th>' for name in names),
        *(f'<th scope="col" class="number">{name}</th>' for name in figures),
        "</tr></thead>\n<tbody>",
    ]
    for row in rows:
        part = f"<strong>{row.difference_text}</strong>" if row.difference else _("right")
        pieces.append(
            f"<tr{' class=' + DIFFERS if row.difference else ''}><td>{esc(row.seat)}</td>"
            f'<th scope="row">{esc(row.player)}</th><td class="number">{row.claim_text}</td>'
            f'<td class="number">{row.result_text}</td><td class="number">{part}</td></tr>'
        )
    pieces.append("</tbody></table>\n")
    if remarks:
        listed = "".join(
            f"<li>{esc(remark.text)}{' ' + clause_link(remark.slug) if remark.slug else ''}</li>"
            for remark in remarks
        )
        pieces.append(
            f'<h3>{_("What would explain the difference")}</h3><ul class="explanations">{listed}</ul>'
        )
    elif scored:
        pieces.append(f"<p>{_('No single slip explains the difference.')}</p>")
    pieces.append("</section>\n")
    return joined(pieces)


DIFFERS = '"differs"'


def sheet(deal: Deal, played: Sequence[str], lines: Sequence[Line], totals: Sequence[Cell]) -> SafeString:
    """What was played, and the score, line by line, with its clauses; the sums, and what there is in the
    session so far."""
    _ = spoken()
    pieces = [
        f'<section aria-labelledby="lines-title"><h2 id="lines-title">{_("The score, line by line")}</h2>\n'
        f'<p class="played">{esc("; ".join(played))}</p>\n'
        f'<div class="table-scroll" tabindex="0" role="region" aria-label="{_("Score sheet")}">\n'
        '<table class="audit" role="table"><thead role="rowgroup"><tr role="row">'
        f'<th role="columnheader" scope="col">{_("Clause and reckoning")}</th>',
        *(
            f'<th role="columnheader" scope="col" class="number">{esc(seat)}'
            f'<span class="seat-player">{esc(cut(player, 14))}</span></th>'
            for seat, player in deal.players.items()
        ),
        '</tr></thead>\n<tbody role="rowgroup">\n',
        *(_line(line, deal.pk) for line in lines),
    ]
    if not lines:
        nothing = _("No line: nothing was won or lost.")
        pieces.append(f'<tr role="row"><td role="cell" colspan="9">{nothing}</td></tr>\n')
    score = deal.score or {}
    cells = [Cell(seat, score.get(seat)) for seat in deal.players]
    pieces.append(
        f'</tbody>\n<tfoot role="rowgroup"><tr role="row"><th role="rowheader" scope="row">{_("Total")}</th>'
        f"{_cells(cells)}</tr>"
    )
    if totals and deal.lead.session_id is not None:
        link = f'<a href="{path("session", deal.lead.session_id)}">{_("In the session so far")}</a>'
        pieces.append(
            f'<tr role="row" class="session-total"><th role="rowheader" scope="row">{link}</th>'
            f"{_cells(totals)}</tr>"
        )
    said = _("Reckoned by engine %(version)s; these are the stored lines.")
    pieces.append(
        "</tfoot></table></div>\n"
        f'<p class="muted small">{said % {"version": esc(deal.engine_version)}}</p></section>\n'
    )
    return joined(pieces)


def _cells(cells: Iterable[Cell]) -> str:
    return "".join(
        f'<td role="cell" data-seat="{esc(cell.seat)}" class="number points {cell.sense}">{cell.text}</td>'
        for cell in cells
    )


def _line(line: Line, pk: int) -> str:
    _ = spoken()
    clause, told = line.clause, ""
    if clause:
        ruling = ""
        if clause.is_ruling:
            mark = f'<p class="ruling-mark">{_("Ruling of the archive")}</p>'
            ruling = f"{mark}{clause_html(clause.reason)}"
        told = (
            f'<div class="clause-box">{clause_html(clause.text)}{ruling}<p class="small">'
            f'{clause_link(line.slug)} <span class="muted">{esc(clause.source)}</span></p></div>'
        )
    title = esc(clause.title if clause else line.slug)
    steps = ""
    if line.steps:
        steps = f'<span class="line-steps small">{_("see")} {_steps(line.steps, pk, ", ")}</span>'
    cells = "".join(
        f'<td role="cell" data-seat="{esc(cell.seat)}" class="number points {cell.sense}">'
        f"{NO_POINTS if cell.points is None else cell.text}</td>"
        for cell in line.cells
    )
    return (
        '<tr role="row"><th role="rowheader" scope="row"><details class="clause">'
        f"<summary>{title}</summary>{told}</details>"
        f'<span class="reckoning">{esc(line.reckoning)}</span>{steps}</th>{cells}</tr>\n'
    )


NO_POINTS = '<span class="muted">·</span>'


def _steps(steps: Iterable[int], pk: int, between: str) -> str:
    """Links to steps of the replay."""
    _ = spoken()
    address, said = path("replay", pk), _("step %(step)s")
    return between.join(f'<a href="{address}?step={step}">{said % {"step": step}}</a>' for step in steps)


def notes(remarks: Sequence[Remark], pk: int) -> SafeString:
    """What nearly scored, and what was announced and failed; nothing where there is none."""
    _ = spoken()
    if not remarks:
        return joined(())
    rows = []
    for remark in remarks:
        steps = f" {_steps(remark.steps, pk, ' ')}" if remark.steps else ""
        rows.append(f"<li>{esc(remark.text)} {clause_link(remark.slug, remark.clause)}{steps}</li>")
    return joined(
        (
            '<section class="panel" aria-labelledby="notes-title">'
            f'<h2 id="notes-title">{_("Why not?")}</h2>\n'
            f'<p class="muted">{_("What nearly scored, and what was announced and failed.")}</p>\n'
            '<ul class="why-not">',
            *rows,
            "</ul></section>\n",
        )
    )


def countings(counted: Sequence[CountingView]) -> SafeString:
    """How each side's cards were counted, card by card; nothing where none were."""
    _ = spoken()
    if not counted:
        return joined(())
    how = (
        _(
            "In threes, a blank counting 1: of each full set of three 2 are taken off, and 1 of one or two "
            "cards left over."
        )
        if counted[0].by_threes
        else _("Each card for itself, a blank counting 1.")
    )
    pieces = [
        '<section aria-labelledby="counting-title">'
        f'<h2 id="counting-title">{_("How the cards were counted")}</h2>\n'
        f'<p class="muted">{how}</p>\n<div class="countings">'
    ]
    for one in counted:
        pieces += _counting(one)
    pieces.append("</div></section>\n")
    return joined(pieces)


def _counting(one: CountingView) -> Iterator[str]:
    _ = spoken()
    title = esc(one.title)
    yield f'<section class="panel counting" aria-label="{title}"><h3>{title}'
    if one.seats and one.seats != one.title:
        yield f' <span class="muted">{esc(one.seats)}</span>'
    yield f'<strong class="count-result">{one.points}</strong></h3>\n<p class="reckoning-line">'
    yield ngettext("%(cards)s card worth %(value)s", "%(cards)s cards worth %(value)s", one.cards) % {
        "cards": one.cards,
        "value": one.value,
    }
    if one.by_threes:
        sets = ngettext("%(threes)s set of three", "%(threes)s sets of three", one.threes)
        yield f", {sets % {'threes': one.threes}}"
        if one.rest:
            yield f", {ngettext('%(rest)s left over', '%(rest)s left over', one.rest) % {'rest': one.rest}}"
        yield f": <strong>{one.reckoning}</strong>"
    parts = "; ".join(esc(part.title) for part in one.parts)
    yield f'</p>\n<p class="muted small">{parts}</p>\n'
    sprite = sprite_url()
    if one.by_threes:
        so_far = f'<span class="visually-hidden">{_("so far")}</span> <span aria-hidden="true">Σ</span>'
        yield '<ol class="threes">'
        for group in one.groups:
            yield f'<li><ul class="cards mini spread">{_three(group.cards, sprite)}</ul>'
            yield f'<span class="three-sum">{group.reckoning}</span>'
            yield f'<span class="running">{so_far} {group.running}</span></li>'
        yield "</ol>\n"
    else:
        for part in one.parts:
            if part.cards:
                yield f'<h4>{esc(part.title)}</h4><ul class="cards mini spread singly">'
                for counted in part.cards:
                    worth = f'<span class="card-value">{counted.value}</span>'
                    yield f"<li>{picture(sprite, counted.card)}{worth}</li>"
                yield "</ul>"
    yield "</section>"


def _three(counted: Iterable[Counted], sprite: str) -> str:
    return "".join(f"<li>{picture(sprite, one.card)}</li>" for one in counted)


def fault(deal: Deal, found: Fault, hand: Sequence[Face], position: Position) -> SafeString:
    """What is wrong at an event, what would have been legal, the clause, and the position."""
    _ = spoken()
    illegal = deal.verdict == "illegal"
    pieces = ['<section class="panel fault" aria-labelledby="fault-title">\n', *_happened(found, illegal)]
    if hand:
        pieces.append(
            f'<div class="fault-hand"><h3>{_("The hand")}</h3>'
            f'<ul class="cards spread">{cards(hand)}</ul></div>\n'
        )
    legal = _("What would have been legal") if illegal else _("What could come next")
    pieces.append(f'<div class="fault-legal"><h3>{legal}</h3>\n')
    if found.legal_cards:
        pieces.append(f'<ul class="cards spread">{cards(found.legal_cards)}</ul>\n')
    if found.legal_words:
        said = "".join(f"<li>{esc(words)}</li>" for words in found.legal_words)
        pieces.append(f'<ul class="choices">{said}</ul>\n')
    if not found.legal_cards and not found.legal_words:
        pieces.append(f"<p>{_('Nothing: no event may come here.')}</p>")
    pieces.append("</div>\n</div>\n")
    if found.clause:
        link = f'<a href="{path("clause", found.slug)}">{esc(found.clause.title)}</a>'
        pieces.append(
            f'<div class="clause-box"><h3>{_("The clause")}: {link} <code>{esc(found.slug)}</code></h3>'
            f"{clause_html(found.clause.text)}</div>\n"
        )
    address = f"{path('replay', deal.pk)}?step={position.step}"
    pieces += (
        '</section>\n<section aria-labelledby="position-title"><div class="heading-row">'
        f'<h2 id="position-title">{_("The position")}</h2>'
        f'<a href="{address}">{_("Open in the replay")}</a></div>\n',
        table(position),
        f'<div class="panel">{standing(position)}</div></section>\n',
    )
    return joined(pieces)


def _happened(found: Fault, illegal: bool) -> Iterator[str]:
    _ = spoken()
    title = label(found.place)
    if not illegal:
        ends = _("The record ends here: %(place)s") if found.place else _("The record ends here.")
        title = ends % {"place": found.place}
    yield f'<h2 id="fault-title">{esc(title)}</h2>\n<div class="fault-body">\n<div class="fault-what">'
    message = f'<p class="message">{esc(found.message)}</p>'
    if illegal:
        yield f"<h3>{_('What happened')}</h3>"
        if found.card:
            yield f'<div class="one-card">{card(found.card, "is-bad")}</div>'
        yield f"<p><strong>{esc(found.player)}</strong> {esc(found.what)}</p>{message}"
    else:
        yield f"<h3>{_('What is missing')}</h3>{message}"
        yield f"<p><strong>{esc(found.player)}</strong> {_('is to go on.')}</p>"
    yield "</div>\n"


# --- the page round it --------------------------------------------------------------------------------------


def slots(deal: Deal, shared: Shared, address: str) -> dict[str, SafeString]:
    """What fills the frame of an audit page, `templates/replays/audit.html`, but for its body: by the names
    of its slots."""
    _ = spoken()
    game, own = esc(game_name(deal.game)), path("deal", deal.pk)
    filled = {
        "title": _("Audit: %(game)s, deal %(number)s") % {"game": game, "number": deal.pk},
        "share_meta": meta(shared, address),
        "crumbs": crumbs(deal.pk, _("Audit"), own),
        "occasion": f"{game}, {esc(deal.lead.date)}" if deal.lead.date else game,
        "replay_href": path("replay", deal.pk),
        "deal_href": own,
    }
    return {name: joined((html,)) for name, html in filled.items()}
