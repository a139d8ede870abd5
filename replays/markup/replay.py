"""The changing part of a replay page: table, what happened, buttons, running account."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from replays.markup.cards import card, picture, sprite_url
from replays.markup.chart import chart
from replays.markup.clauses import clause_link
from replays.markup.head import crumbs
from replays.markup.moves import happenings, moves
from replays.markup.share import meta, share
from replays.markup.table import standing, table
from replays.markup.text import cut, esc, joined
from replays.paths import path
from replays.presenters import Position, Taken, game_name
from replays.scene import Guess, Scene

_ICONS = {
    "first": "M6 5h2.5v14H6zM20 5v14L9.5 12z",
    "previous-trick": "M12 5v14L2.5 12zM22 5v14l-9.5-7z",
    "previous": "M17 4.5v15L6 12z",
    "next": "M7 4.5v15L18 12z",
    "next-trick": "M12 5v14l9.5-7zM2 5v14l9.5-7z",
    "last": "M15.5 5H18v14h-2.5zM4 5v14l10.5-7z",
}


def fragment(scene: Scene) -> SafeString:
    """What each step changes, in the element that the script replaces."""
    position = scene.position
    # What leads to the whole deal tells how it ends.
    whole = scene.address.spoilers or scene.steps.next is None
    pieces = [
        *_opening(scene),
        *_views(scene),
        table(position),
        # One block that stays in sight: what happened, what is asked, the buttons.
        '<div class="dock">\n',
        *_status(scene),
        *(_guess(scene.guess, scene) if scene.guess else ()),
        *_controls(scene),
        "</div>\n",
        *_comments(position),
        f'<div class="account panel">\n<h2 class="visually-hidden">{_("How it stands")}</h2>\n',
        *_happenings(position),
        standing(position),
        chart(scene.chart, scene.address.prefix) if scene.chart else "",
        *_legal(position),
        *(piece for taken in position.taken if taken.tricks for piece in _taken(taken, scene)),
        *_said(scene),
        share(scene.shared, scene.story.deal.pk, scene.story.has_text, whole),
    ]
    if scene.steps.next is None:
        audit = path("audit", scene.story.deal.pk)
        pieces.append(f'<p class="after"><a href="{audit}">{_("The score, line by line")}</a></p>\n')
    pieces.append("</div>\n</div>\n")
    return joined(pieces)


def _opening(scene: Scene) -> Iterator[str]:
    steps, spoilers = scene.steps, scene.address.spoilers
    title = scene.position.fraction if spoilers else _("Step %(step)s") % {"step": steps.current}
    yield f'<div id="fragment" data-step="{steps.current}" data-steps="{steps.last}" '
    yield f'data-previous-trick="{_number(steps.previous_trick)}" '
    yield f'data-next-trick="{_number(steps.next_trick)}" data-title="{title}">\n'


def _number(step: int | None) -> str:
    return "" if step is None else str(step)


def _views(scene: Scene) -> Iterator[str]:
    """Whose eyes one may look through."""
    modes, address = scene.modes, scene.address
    here = ' aria-current="true"'
    all_open = here if not address.view and not address.closed else ""
    yield f'<nav class="views" aria-label="{_("Whose eyes")}">\n'
    yield f'<a href="{esc(modes.all_hands)}"{all_open}>{_("All hands")}</a> '
    titled = _("Only what %(name)s knows")
    for letter, name, href in modes.seats:
        current = here if address.view == letter else ""
        yield f'<a href="{esc(href)}"{current} title="{titled % {"name": esc(name)}}">'
        yield f'<span aria-hidden="true">{esc(letter)}</span> '
        yield f'<span class="view-name">{esc(cut(name, 16))}</span></a>'
    closed = here if address.closed else ""
    yield f'\n<a id="hide-hands" rel="nofollow" href="{esc(modes.hide)}"{closed} title="'
    yield f'{_("Only what everybody at the table knows (h)")}">{_("Hands hidden")}</a> '
    yield f'<a class="flip" id="flip" rel="nofollow" href="{esc(modes.flip)}" title="'
    yield f'{_("Turn the table to the next seat (f)")}">{_("Turn the table")}</a>\n</nav>\n'


def _status(scene: Scene) -> Iterator[str]:
    """What happened last, why it could, what is wrong."""
    position, remark, error = scene.position, scene.remark, scene.position.error
    yield '<div class="status">\n<p class="happened" id="happened">'
    yield f"<strong>{esc(position.happened)}</strong> <span>{esc(position.turn_words)}</span></p>\n"
    if remark:
        link = clause_link(remark.slug, remark.clause)
        yield f'<p class="remark" id="remark">{esc(remark.text)} {link}</p>\n'
    if error:
        said = esc(error["message"]) or _("The record ends here.")
        link = f" {clause_link(error['clause'])}" if error["clause"] else ""
        yield f'<p class="note error">{said}{link}</p>\n'
    yield "</div>\n"


def _happenings(position: Position) -> Iterator[str]:
    # Below the buttons, which must not jump from step to step.
    if position.happenings:
        yield f'<div id="happenings">{"".join(happenings(position.happenings))}</div>\n'


def _comments(position: Position) -> Iterator[str]:
    if position.comments:
        said = "".join(f'<p class="comment">{esc(comment)}</p>' for comment in position.comments)
        yield f'<div class="comments" id="comments">{said}</div>\n'


def _guess(guess: Guess, scene: Scene) -> Iterator[str]:
    player = {"player": esc(guess.player)}
    yield '<section class="guess panel" aria-labelledby="guess-title">'
    yield f'<h2 id="guess-title">{_("Guess the play")}</h2>\n'
    if guess.waits:
        on = _("On to the next play of %(player)s") % player
        yield f"<p>{_('%(player)s is not to play now.') % player} "
        yield f'<a class="button small" rel="nofollow" href="{esc(guess.waits)}">{on}</a></p>\n'
    elif guess.picked:
        values = player | {"card": esc(guess.played), "picked": esc(guess.picked)}
        if guess.right:
            kind, sign, said = "right", "✓", _("%(player)s played the same: %(card)s.") % values
        else:
            kind, sign = "other", "≠"
            said = _("You chose %(picked)s; %(player)s played %(card)s.") % values
        following = scene.steps.next
        yield f'<p role="status" class="guess-result is-{kind}"><span aria-hidden="true">{sign}</span> {said}'
        yield '</p>\n<p><a class="button primary small" rel="next nofollow" '
        yield f'href="{esc(scene.address.prefix)}{following}" data-go="{following}">{_("Go on")}</a></p>\n'
    else:
        yield f"<p>{_('Which card would you play as %(player)s?') % player}</p>\n"
        yield '<ul class="cards spread picks">'
        for choice in guess.choices:
            word = f'<span class="pick-word">{esc(choice.name)}</span>'
            yield f'<li><a rel="nofollow" href="{esc(choice.href)}" title="{esc(choice.name)}">'
            yield f"{card(choice.face)}{word if choice.token != choice.face.code else ''}</a></li>"
        yield "</ul>\n"
    yield "</section>\n"


def _controls(scene: Scene) -> Iterator[str]:
    steps, start = scene.steps, esc(scene.address.prefix)
    end = steps.last if scene.address.spoilers and steps.next is not None else None

    def button(name: str, go: int | None, title: str, label: str, step: int | None, kind: str = "") -> str:
        leads = ' aria-disabled="true"' if step is None else f' href="{start}{step}"'
        return (
            f'<a class="button{kind}" id="go-{name}"{_RELATIONS.get(name, "")} data-go="{_number(go)}" '
            f'title="{title}"{leads}><svg class="icon" viewBox="0 0 24 24" aria-hidden="true">'
            f'<path d="{_ICONS[name]}"/></svg><span class="visually-hidden">{label}</span></a>\n'
        )

    yield f'<nav class="controls" aria-label="{_("Steps")}">\n'
    first = None if steps.previous is None else 0
    yield button("first", 0, _("Beginning (Home)"), _("Beginning"), first)
    back, on = steps.previous_trick, steps.next_trick
    yield button("previous-trick", back, _("Previous trick (Page up)"), _("Previous trick"), back)
    yield button(
        "previous", steps.previous, _("One step back (←)"), _("Previous step"), steps.previous, " wide"
    )
    yield f'<span class="fraction" aria-live="off">{steps.current}'
    if scene.address.spoilers:
        yield f'<span aria-hidden="true">/</span><span class="visually-hidden"> {_("of")} </span>{steps.last}'
    yield "</span>\n"
    yield button("next", steps.next, _("One step on (→)"), _("Next step"), steps.next, " wide primary")
    yield button("next-trick", on, _("Next trick (Page down)"), _("Next trick"), on)
    yield button("last", steps.last, _("End (End)"), _("End"), end)
    yield "</nav>\n"


_RELATIONS = {"previous": ' rel="prev nofollow"', "next": ' rel="next nofollow"'}


def _legal(position: Position) -> Iterator[str]:
    if position.legal:
        number = len(position.legal)
        said = ngettext("%(number)s legal choice", "%(number)s legal choices", number) % {"number": number}
        listed = esc("; ".join(position.legal))
        yield f'<details class="legal" id="details-legal"><summary>{said}</summary><p>{listed}</p>'
        yield "</details>\n"


def _taken(taken: Taken, scene: Scene) -> Iterator[str]:
    """The tricks of one seat, to be opened."""
    number, start = len(taken.tricks), esc(scene.address.prefix)
    said = ngettext(
        "%(player)s: %(number)s trick, %(points)s card points",
        "%(player)s: %(number)s tricks, %(points)s card points",
        number,
    ) % {"player": esc(taken.player), "number": number, "points": taken.points}
    yield f'<details class="taken" id="details-taken-{esc(taken.seat)}"><summary>{said}</summary>\n'
    yield '<ol class="taken-tricks">'
    word = f'<span class="visually-hidden">{_("Trick")} </span>'
    wins = ' class="winning"'
    sprite = sprite_url()
    for trick in taken.tricks:
        plays = "".join(
            f"<li{wins if play.wins else ''}>{picture(sprite, play.card)}</li>" for play in trick.plays
        )
        yield f'<li><a href="{start}{trick.step}" data-go="{trick.step}">{word}{trick.number}</a>'
        yield f'<ul class="cards mini spread">{plays}</ul></li>'
    yield "</ol></details>\n"


def _said(scene: Scene) -> Iterator[str]:
    if scene.position.said:
        start = esc(scene.address.prefix)
        listed = "".join(
            f'<li><a href="{start}{said.step}" data-go="{said.step}">{esc(said.player)}</a> '
            f"{esc(said.words)}</li>"
            for said in scene.position.said
        )
        yield f'<details class="said" id="details-said"><summary>{_("What was said")}</summary>'
        yield f"<ol>{listed}</ol></details>\n"


# --- the page round it --------------------------------------------------------------------------------------


def slots(scene: Scene) -> dict[str, SafeString]:
    """What fills the frame of a replay page, `templates/replays/replay.html`, by the names of its slots."""
    deal, steps, address = scene.story.deal, scene.steps, scene.address
    game, prefix = esc(game_name(deal.game)), address.prefix
    told = ("", deal.lead.event), (" ", deal.lead.date)
    when = "".join(f"{before}{esc(text)}" for before, text in told if text)
    own = path("deal", deal.pk)
    noindex = '<meta name="robots" content="noindex">' if steps.current or scene.seat else ""
    canonical = path("replay", deal.pk)
    filled = {
        "title": _("Replay: %(game)s, deal %(number)s") % {"game": game, "number": deal.pk},
        "robots": f'{noindex}<link rel="canonical" href="{canonical}">',
        "share_meta": meta(scene.shared, scene.shared.replay),
        "crumbs": crumbs(deal.pk, _("Replay"), own if address.spoilers else ""),
        "heading": f'{game}<span class="sub">{when}</span>',
        "prefix": esc(prefix),
        "fragment": fragment(scene),
        "hidden_fields": "".join(
            f'<input type="hidden" name="{name}" value="{esc(value)}">'
            for name, value in address.parts.items()
        ),
        "last": str(steps.last),
        "current": str(steps.current),
        "spoilers_href": esc(scene.modes.spoilers),
        "guess_href": esc(scene.modes.guess),
        "moves": moves(scene.groups, prefix, steps.current),
        "deal_href": own,
        "audit_href": path("audit", deal.pk),
        "rules_href": path("rules-game", deal.game),
    }
    return {name: joined((html,)) for name, html in filled.items()}
