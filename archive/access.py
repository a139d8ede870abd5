"""Who may see what, and who may change it: asked here and nowhere else.

A *viewer* is whoever asks: a user, a browser in which nobody signed in, the operator. What he is in which
space is looked up once for a request.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.core import signing
from django.db.models import Exists, OuterRef, Q

from archive.models import CHOSEN, ROLES, Contribution, ContributionQuerySet, Member, Session, Space, Upload

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

_SIGNER = signing.Signer(salt="unlisted")


@dataclass(frozen=True, slots=True)
class Viewer:
    """Whoever asks.

    ``user``: his number, None if nobody is signed in; ``roles``: what he is in which space; ``links``: the
    unlisted things whose links he opened; ``operator``: the site's staff, who sees all by its address;
    ``players``: the players that he is himself.
    """

    user: int | None = None
    operator: bool = False
    roles: Mapping[int, str] = field(default_factory=dict)
    links: frozenset[str] = frozenset()
    players: frozenset[int] = frozenset()

    def is_at_least(self, role: str, space: Space | int) -> bool:
        """Whether he has this role in the space, or one that may do more."""
        own = self.roles.get(space if isinstance(space, int) else space.pk)
        return own is not None and ROLES.index(own) >= ROLES.index(role)

    def spaces(self, role: str = "member") -> list[int]:
        """The spaces in which he has this role, or one that may do more."""
        return [space for space, own in self.roles.items() if ROLES.index(own) >= ROLES.index(role)]

    def may_change(self, contribution: Contribution) -> bool:
        """Whether he may correct a contribution, hide or withdraw it: who sent it, while he is a member of
        its space, its secretaries and owners, the operator. Asks for the upload."""
        if self.operator or self.is_at_least("secretary", contribution.space_id):
            return True
        return self.sent(contribution) and self.is_at_least("member", contribution.space_id)

    def may_move(self, contribution: Contribution) -> bool:
        """Whether he may move a contribution to a club of his: one that counts, in his own space. Asks for
        the space."""
        own = contribution.space.kind == "own" and self.is_at_least("owner", contribution.space_id)
        return own and contribution.visibility in CHOSEN

    def sent(self, contribution: Contribution) -> bool:
        """Whether it was he who sent a contribution. Asks for the upload."""
        return contribution.sender is not None and contribution.sender.pk == self.user

    def may_see_original(self, contribution: Contribution) -> bool:
        """Whether he may see what a contribution was read from, character by character: with names that may
        be hidden elsewhere. The members of its space and the operator may."""
        return self.operator or self.is_at_least("member", contribution.space_id)

    def may_see_upload(self, upload: Upload) -> bool:
        """Whether he may see what was sent as it was sent: who sent it, secretaries and owners of the space
        that it was sent to, the operator."""
        own = self.user is not None and upload.user_id == self.user
        return own or self.operator or self.is_at_least("secretary", upload.space_id)


EVERYBODY = Viewer()
"""Somebody of whom nothing is known: he sees what is public."""


def viewer(
    user: AbstractBaseUser | AnonymousUser, *, guest: int | None = None, links: Iterable[str] = ()
) -> Viewer:
    """Whoever asks, with what he is in which space. One query for a user, else none.

    ``guest``: the space of his browser, if something was sent from it without signing in.
    """
    opened = frozenset(links)
    if not user.is_authenticated:
        return Viewer(roles={guest: "owner"} if guest else {}, links=opened)
    rows = list(Member.objects.filter(user=user.pk).order_by().values_list("space_id", "role", "player_id"))
    roles = {space: role for space, role, _player in rows}
    players = frozenset(player for *_rest, player in rows if player is not None)
    return Viewer(user.pk, bool(getattr(user, "is_staff", False)), roles, opened, players)


def listed(viewer: Viewer = EVERYBODY) -> ContributionQuerySet:
    """The contributions that stand in lists, counts and standings for a viewer: public ones, and those of his
    spaces that are not withdrawn or replaced."""
    return Contribution.objects.filter(is_listed(viewer))


def is_listed(viewer: Viewer = EVERYBODY, prefix: str = "") -> Q:
    """Whether a contribution is one of those; ``way``: how to come to it from the row that is asked."""
    found = Q(**{f"{prefix}visibility": "public"})
    if viewer.roles:
        own = {f"{prefix}space__in": list(viewer.roles), f"{prefix}visibility__in": CHOSEN}
        found |= Q(**own)
    return found


def readable(viewer: Viewer = EVERYBODY) -> ContributionQuerySet:
    """The contributions that a viewer may see if he has their address: those listed for him; unlisted ones
    whose link he opened; replaced ones where he sees what stands in their place; those that he may change;
    all, if he is the operator."""
    if viewer.operator:
        return Contribution.objects.all()
    found = is_listed(viewer)
    found |= Q(visibility="replaced") & Exists(listed(viewer).filter(pk=OuterRef("replaced_by")))
    for kind, numbers in _opened(viewer.links).items():
        found |= Q(visibility="unlisted", **{f"{kind}__in": numbers})
    return Contribution.objects.filter(found | _may_change(viewer))


def _may_change(viewer: Viewer) -> Q:
    """What `Viewer.may_change` says, as a condition; without what only the operator may."""
    condition = Q(space__in=viewer.spaces("secretary"))
    if viewer.user is not None and viewer.roles:
        condition |= Q(space__in=list(viewer.roles), part__upload__user=viewer.user)
    return condition


def changeable(viewer: Viewer) -> ContributionQuerySet:
    """The contributions that a viewer can change many of at once: those listed for him which he sent to a
    space of his, or whose space he runs. An operator changes what is in other spaces one by one."""
    return listed(viewer).filter(_may_change(viewer))


def in_session(session: int, viewer: Viewer = EVERYBODY) -> ContributionQuerySet:
    """What is said in a session, as far as a viewer sees it there: what is listed for him, what is unlisted
    if he opened the link of the session, and all that counts if he is the operator."""
    if viewer.operator or f"session-{session}" in viewer.links:
        return readable(viewer).filter(session=session, visibility__in=CHOSEN)
    return listed(viewer).filter(session=session)


# --- links to what is unlisted ------------------------------------------------------------------------------


def _opened(links: Iterable[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for link in links:
        kind, _, number = link.partition("-")
        found.setdefault({"deal": "pk", "session": "session"}[kind], []).append(int(number))
    return found


def link_to(thing: Contribution | Session) -> str:
    """The word that opens an unlisted contribution, or all unlisted ones of a session, to who has it."""
    kind = "session" if isinstance(thing, Session) else "deal"
    return _SIGNER.sign(f"{kind}-{thing.pk}")


def opened_by(word: str) -> str | None:
    """What such a word opens, to be kept among the ``links`` of its viewer; None if it is none of ours."""
    try:
        return _SIGNER.unsign(word)
    except signing.BadSignature:
        return None
