"""Copies of a deal: rows of `Deal` with the same digest.

The id and the times of a deal must not reveal that other people have a hidden contribution to the same deal.
So a sender who can't see that contribution gets a new row. When a contribution becomes public, the deal gets
a public row whose id and times are not older than that contribution, and the hidden contributions move to
this row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from archive import database
from archive.models import Collected, Contribution, Deal, GuestVariations, UploadItem, Variations
from archive.storing import feed


def publish(
    published: Mapping[int, int], digests: Mapping[int, bytes], new: Collection[int] = ()
) -> dict[int, int]:
    """Move contributions that have just become public to a public row of their deal, together with the deal's
    hidden contributions. `published`: deal id by contribution id; `digests`: digest by deal id, for deals
    that may have copies; `new`: deals just inserted. Return the new deal id of each moved contribution. Call
    with the insert lock held."""
    known = set(published.values()).difference(new)
    shared = Contribution.objects.filter(deal__in=known, was_public=False).order_by()
    hidden = set(shared.values_list("deal_id", flat=True))
    others = Contribution.objects.filter(deal__in=hidden, was_public=True).exclude(pk__in=published)
    hidden.difference_update(others.order_by().values_list("deal_id", flat=True))
    moved: dict[int, int] = {}
    for deal in sorted(hidden):
        pks = [pk for pk, of in published.items() if of == deal]
        moved |= dict.fromkeys(pks, _copy(deal, pks[0]))
    _move(moved)
    return moved | unite(
        {moved.get(pk, deal): digests[deal] for pk, deal in published.items() if deal in digests}
    )


def unite(deals: Mapping[int, bytes]) -> dict[int, int]:
    """Move the contributions from all copies of these deals to the public copy, if there is one. Prefer a
    public copy that is not among these deals. `deals`: digest by deal id. Return the new deal id of each
    moved contribution. Call with the insert lock held."""
    copies: dict[bytes, list[int]] = defaultdict(list)
    rows_of = Deal.objects.filter(digest__in=set(deals.values())).order_by()
    for pk, digest in rows_of.values_list("pk", "digest"):
        copies[bytes(digest)].append(pk)
    groups = [pks for pks in copies.values() if len(pks) > 1]
    if not groups:
        return {}
    contributions = Contribution.objects.filter(deal__in=[pk for pks in groups for pk in pks]).order_by("pk")
    rows = list(contributions.values_list("pk", "deal_id", "space_id", "was_public"))
    public = {deal for _, deal, _, was_public in rows if was_public}
    target: dict[int, int] = {}
    for pks in groups:
        if found := public.intersection(pks):
            target |= dict.fromkeys(pks, min(found, key=lambda pk: (pk in deals, pk)))
    there = {(deal, space) for _, deal, space, _ in rows}
    moved = {
        pk: target[deal]
        for pk, deal, space, _ in rows
        if deal in target and (target[deal], space) not in there
    }
    _move(moved)
    return moved


def colliding(digests: Mapping[int, bytes]) -> set[int]:
    """Return the ids of the deals that can't get their new digest, because a space or the public would then
    have two deals with the same digest. `digests`: new digest by deal id. Call with the insert lock held."""
    there = Deal.objects.filter(digest__in=set(digests.values())).exclude(pk__in=digests)
    wanted = {pk: bytes(digest) for pk, digest in there.values_list("pk", "digest")} | dict(digests)
    rows = Contribution.objects.filter(deal__in=wanted).values_list("deal_id", "space_id", "was_public")
    taken: dict[tuple[bytes, int | None], int] = {}
    found = set()
    for deal, space, was_public in sorted(rows, key=lambda row: (row[0] in digests, row[0])):
        for owner in (space, None) if was_public else (space,):
            if taken.setdefault((wanted[deal], owner), deal) != deal:
                found.add(deal)
    return found


def remove_empty(target: Mapping[int, int]) -> None:
    """Delete the deals in `target` that have no contributions left, and move their variations and places in
    collections to other deals. `target`: for each deal id, the id of the deal that gets these."""
    left = set(Contribution.objects.filter(deal__in=target).values_list("deal_id", flat=True))
    for deal in target.keys() - left:
        # Only people who could see the hidden deal could see these variations, so keep them from the public.
        Variations.objects.filter(deal=deal, visibility="public").update(visibility="link")
        for model, owner in ((Variations, "user"), (GuestVariations, "device"), (Collected, "collection")):
            there = model._default_manager.filter(deal=target[deal]).values_list(owner, flat=True)
            moved = model._default_manager.filter(deal=deal).exclude(**{f"{owner}__in": list(there)})
            moved.update(deal=target[deal])
        Deal.objects.filter(pk=deal).delete()


def _copy(pk: int, contribution: int) -> int:
    """Insert a copy of a deal, with the time of this contribution's upload. Return the copy's id."""
    deal = Deal.objects.get(pk=pk)
    upload = Contribution.objects.select_related("part__upload").get(pk=contribution).part.upload
    deal.stored_at = upload.accepted_at or upload.received_at
    deal.verified_at = max(deal.verified_at, deal.stored_at)
    deal.pk = None
    deal.save(force_insert=True)
    return deal.pk


def _move(targets: Mapping[int, int]) -> None:
    """Move contributions to copies of their deals (`targets`: deal id by contribution id). Members of a
    contribution's space could see it under its old key, so add that key to the feed as withdrawn."""
    if not targets:
        return
    moved = list(Contribution.objects.filter(pk__in=targets).order_by("pk"))
    feed.note_removed([(one.pk, one.deal_id, one.space_id, False) for one in moved])
    numbers = feed.reserve_numbers(len(moved))
    changed = zip(moved, numbers, strict=True)
    rows = [{"id": one.pk, "deal": targets[one.pk], "feed_number": number} for one, number in changed]
    database.update(Contribution, rows)
    for one in moved:
        _note_in_result(one.part_id, one.n, targets[one.pk])
    remove_empty({one.deal_id: targets[one.pk] for one in moved})


def _note_in_result(part: int, n: int, deal: int) -> None:
    """Store a record's new deal id in its `UploadItem`. Split the item if it covers several records."""
    item = UploadItem.objects.filter(part=part, n__lte=n, last__gte=n, deal_id__isnull=False).first()
    if item is None or item.deal_id is None:
        return
    pieces: Iterable[tuple[int, int, int]] = (
        (item.n, n - 1, item.deal_id),
        (n, n, deal),
        (n + 1, item.last, item.deal_id + n + 1 - item.n),
    )
    item.delete()
    for first, last, of in pieces:
        if first <= last:
            item.pk, item.line = None, item.line if first == item.n else None
            item.n, item.last, item.deal_id = first, last, of
            item.save(force_insert=True)
