"""Access rules: who may see and change which data. Other modules must not make these decisions. A *viewer* is
a signed-in user, an anonymous browser, or the operator. Each request looks up the viewer's roles once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from django.core import signing
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, Value

from archive.models import (
    CHOSEN,
    ROLES,
    Contribution,
    ContributionQuerySet,
    Evening,
    Member,
    Session,
    Space,
    Upload,
)

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

_SIGNER = signing.Signer(salt="unlisted")
_RECOVERY = signing.Signer(salt="recovery")


@dataclass(frozen=True, slots=True)
class Viewer:
    """The person who makes a request. `user`: their user id, None if nobody is signed in; `operator`: whether
    they belong to the site's staff, who may read everything by its URL; `roles`: their role by space id;
    `links`: entries such as `deal-12` and `session-3` for the unlisted deals and sessions whose links they
    opened; `players`: the ids of the players linked to their memberships; `joined`: the name that they chose
    as a friend at an evening, by the key of the link with which they joined (`Evening.join_key`)."""

    user: int | None = None
    operator: bool = False
    roles: Mapping[int, str] = field(default_factory=dict)
    links: frozenset[str] = frozenset()
    players: frozenset[int] = frozenset()
    joined: Mapping[str, str] = field(default_factory=dict)

    def is_at_least(self, role: str, space: Space | int) -> bool:
        """Return whether the viewer has this role or a higher role in the space."""
        own = self.roles.get(space if isinstance(space, int) else space.pk)
        return own is not None and ROLES.index(own) >= ROLES.index(role)

    def spaces(self, role: str = "member") -> list[int]:
        """Return the ids of the spaces in which the viewer has this role or a higher role."""
        return [space for space, own in self.roles.items() if ROLES.index(own) >= ROLES.index(role)]

    def may_change(self, contribution: Contribution) -> bool:
        """Return whether the viewer may correct, hide or withdraw a contribution. The operator, secretaries
        and owners of its space may, and so may its sender while they are a member of the space. May query the
        database for the upload."""
        if self.operator or self.is_at_least("secretary", contribution.space_id):
            return True
        return self.sent(contribution) and self.is_at_least("member", contribution.space_id)

    def may_move(self, contribution: Contribution) -> bool:
        """Return whether the viewer may move a contribution to one of their clubs. The contribution must be
        in the viewer's own space, and must not be withdrawn, replaced or covered. May fetch the space."""
        own = contribution.space.kind == "own" and self.is_at_least("owner", contribution.space_id)
        return own and contribution.visibility in CHOSEN

    def sent(self, contribution: Contribution) -> bool:
        """Return whether the viewer is the sender of a contribution. May fetch the upload."""
        return contribution.sender is not None and contribution.sender.pk == self.user

    def friend_at(self, evening: Evening) -> str:
        """Return the name of a viewer who joined an evening as a friend. Return “” if the viewer has a role
        in its space, or did not join. A friend may enter, change and delete the deals of this evening until
        it ends or its link is revoked, and may see them until the link is revoked."""
        has_role = evening.session.space_id in self.roles
        return "" if has_role or not evening.join_key else self.joined.get(evening.join_key, "")

    def at_table(self, evening: Evening) -> Viewer:
        """Return the viewer as one who may see all deals of an evening that they joined. Use only for queries
        that are limited to the evening."""
        if not self.friend_at(evening):
            return self
        return replace(self, roles={**self.roles, evening.session.space_id: "member"})

    def may_see_original(self, contribution: Contribution) -> bool:
        """Return whether the viewer may see a contribution's record as sent, with names hidden from
        others."""
        return self.operator or self.is_at_least("member", contribution.space_id)

    def may_see_upload(self, upload: Upload) -> bool:
        """Return whether the viewer may see an upload as it was sent."""
        own = self.user is not None and upload.user_id == self.user
        return own or self.operator or self.is_at_least("secretary", upload.space_id)


EVERYBODY = Viewer()
"""An anonymous viewer, who can see only public contributions."""


def viewer(
    user: AbstractBaseUser | AnonymousUser,
    *,
    guest: int | None = None,
    links: Iterable[str] = (),
    joined: Mapping[str, str] | None = None,
) -> Viewer:
    """Return the viewer for a request, with their role in each of their spaces. Makes one query for a
    signed-in user, otherwise none. `guest`: id of the browser's guest space, if any; `links`, `joined`: see
    `Viewer`."""
    opened, joined = frozenset(links), joined or {}
    if not user.is_authenticated:
        return Viewer(roles={guest: "owner"} if guest else {}, links=opened, joined=joined)
    rows = list(Member.objects.filter(user=user.pk).order_by().values_list("space_id", "role", "player_id"))
    roles = {space: role for space, role, _player in rows}
    players = frozenset(player for *_rest, player in rows if player is not None)
    return Viewer(user.pk, bool(getattr(user, "is_staff", False)), roles, opened, players, joined)


def _readable_ones(condition: Q) -> ContributionQuerySet:
    """Return the contributions that meet a condition, with `is_readable` set as `ShownDeal` requires."""
    return Contribution.objects.filter(condition).annotate(is_readable=Value(True))


def listed(viewer: Viewer = EVERYBODY) -> ContributionQuerySet:
    """Return the contributions that appear in lists, counts and standings for a viewer: public ones, and
    those of the viewer's spaces that are not withdrawn, replaced or covered."""
    return _readable_ones(is_listed(viewer))


def is_listed(viewer: Viewer = EVERYBODY, prefix: str = "") -> Q:
    """Return the condition used by `listed`. `prefix`: path to the contribution, such as `contribution__`."""
    condition = Q(**{f"{prefix}visibility": "public"})
    if viewer.roles:
        own = {f"{prefix}space__in": list(viewer.roles), f"{prefix}visibility__in": CHOSEN}
        condition |= Q(**own)
    return condition


def readable(viewer: Viewer = EVERYBODY) -> ContributionQuerySet:
    """Return the contributions that a viewer may read by URL: listed ones, unlisted ones whose link the
    viewer opened, and those that the viewer may change. The operator may read everything. A replaced or
    covered contribution stays readable for any viewer who could see it before and can see its replacement."""
    if viewer.operator:
        return _readable_ones(Q())
    condition = is_listed(viewer)
    gone = Q(visibility__in=("replaced", "covered"))
    # An unknown former visibility (null) matches neither condition: the contribution may have been hidden.
    before = Q(covered_visibility="public") | Q(covered_visibility__in=CHOSEN, space__in=list(viewer.roles))
    condition |= gone & before & Exists(listed(viewer).filter(pk=OuterRef("replaced_by")))
    gone &= Q(covered_visibility="unlisted", replaced_by__visibility__in=("public", "unlisted"))
    for kind, numbers in _opened(viewer.links).items():
        condition |= (Q(visibility="unlisted") | gone) & Q(**{f"{kind}__in": numbers})
    return _readable_ones(condition | _may_change(viewer))


def sent_to(space: int) -> ContributionQuerySet:
    """Return all contributions of a space, including withdrawn and replaced ones. Use only for viewers who
    may see an upload to the space (`Viewer.may_see_upload`)."""
    return _readable_ones(Q(space=space))


def with_readable(contributions: ContributionQuerySet, viewer: Viewer) -> ContributionQuerySet:
    """Annotate contributions with `is_readable`: whether each contribution is listed for the viewer."""
    return contributions.annotate(is_readable=ExpressionWrapper(is_listed(viewer), BooleanField()))


def _may_change(viewer: Viewer) -> Q:
    """Return `Viewer.may_change` as a query condition, ignoring the operator's rights."""
    condition = Q(space__in=viewer.spaces("secretary"))
    if viewer.user is not None and viewer.roles:
        condition |= Q(space__in=list(viewer.roles), part__upload__user=viewer.user)
    return condition


def changeable(viewer: Viewer) -> ContributionQuerySet:
    """Return the listed contributions that a viewer can change in bulk (`Viewer.may_change`). The operator
    can change other spaces' contributions only one by one."""
    return listed(viewer).filter(_may_change(viewer))


def in_session(session: int, viewer: Viewer = EVERYBODY) -> ContributionQuerySet:
    """Return the contributions of a session that a viewer can see: listed ones and, if the viewer opened the
    session's link, unlisted ones. The operator can see all except withdrawn, replaced and covered ones."""
    if viewer.operator or f"session-{session}" in viewer.links:
        return readable(viewer).filter(session=session, visibility__in=CHOSEN)
    return listed(viewer).filter(session=session)


def covered_totals(session: int, viewer: Viewer = EVERYBODY) -> ContributionQuerySet:
    """Return the totals of a session's evening that a viewer can see, and that the deals have replaced."""
    totals = readable(viewer).filter(ContributionQuerySet.is_evening_total(), session=session)
    return totals.filter(visibility="covered")


def is_at_table(viewer: Viewer) -> Q:
    """Return the condition for evenings whose deals the viewer may see to enter more: those in spaces where
    they have a role, and those that they joined as a friend."""
    return Q(session__space__in=list(viewer.roles)) | Q(join_key__in=list(viewer.joined))


# --- links to unlisted contributions ------------------------------------------------------------------------


def _opened(links: Iterable[str]) -> dict[str, list[int]]:
    ids: dict[str, list[int]] = {}
    for link in links:
        kind, _, number = link.partition("-")
        ids.setdefault({"deal": "pk", "session": "session"}[kind], []).append(int(number))
    return ids


def link_to(thing: Contribution | Session) -> str:
    """Return the signed token for a link to an unlisted contribution or to a session's unlisted ones."""
    kind = "session" if isinstance(thing, Session) else "deal"
    return _SIGNER.sign(f"{kind}-{thing.pk}")


def opened_by(word: str) -> str | None:
    """Verify a link's token. Return its entry for `Viewer.links`, or None if the signature is wrong."""
    try:
        return _SIGNER.unsign(word)
    except signing.BadSignature:
        return None


# --- recovery links -----------------------------------------------------------------------------------------


def recovery_link(evening: Evening) -> str:
    """Return the signed token of the link that gives a guest's evening back to the person who opens it."""
    return _RECOVERY.sign(str(evening.key))


def recovered_by(word: str) -> Evening | None:
    """Return the guest's evening of a recovery link's token. Return None if the signature is wrong, or if the
    evening no longer belongs to a guest."""
    try:
        key = _RECOVERY.unsign(word)
    except signing.BadSignature:
        return None
    evenings = Evening.objects.select_related("session__space")
    return evenings.filter(key=key, session__space__kind="guest").first()
