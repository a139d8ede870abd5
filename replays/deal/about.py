"""The values on a deal's pages that aren't about the play: tags, comments, corrections, past verdicts, and
the changes that the viewer may make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Any

from django.utils import timezone

from archive import access, conf
from archive.access import Viewer
from archive.models import Contribution, evening_visibilities
from archive.publishing import certificates
from archive.reading.clubs import own_clubs
from archive.reading.deals import Answer, past_verdicts, sheet_and_cards
from archive.rules import Rules
from archive.shown import ShownDeal
from archive.storing import corrections
from archive.storing.corrections import Changed
from replays.deal import score_sheet
from replays.deal.score_sheet import Compared
from replays.deal.settling import RuleSet, other_rules
from replays.language import words
from replays.language.names import Names
from replays.language.verdicts import Verdict, verdict
from replays.site.forms import CHOICES
from replays.site.paths import path
from tarock.analysis.verify import warnings
from tarock.notation import agreed
from tarock.words import names as naming
from tarock.words import sentences


def may_edit(viewer: Viewer, deal: ShownDeal) -> bool:
    """Return whether the viewer may replace the record of a deal."""
    return deal.contribution.visibility != "replaced" and viewer.may_change(deal.contribution)


@dataclass(frozen=True)
class AboutDeal:
    """Values for the templates of a deal's pages, each computed when a template uses it. `root`: scheme and
    host of the site."""

    deal: ShownDeal
    names: Names
    viewer: Viewer
    root: str

    @property
    def contribution(self) -> Contribution:
        """The contribution that the viewer sees."""
        return self.deal.contribution

    @property
    def verdict(self) -> Verdict:
        """The verdict on the contribution, with its sign and texts."""
        return verdict(self.contribution.verdict, self.deal.is_sheet)

    @property
    def agreed(self) -> Mapping[str, int] | None:
        """The points that the players agreed on, by seat."""
        return agreed(self.deal.record)

    @property
    def other_rules(self) -> list[tuple[str, str]]:
        """The names of other rule sets for this deal; empty without a score."""
        return other_rules(self.deal.record) if self.deal.has_score else []

    @cached_property
    def rules(self) -> RuleSet | None:
        """The rule set of the deal, if it is not that of the game's source."""
        return RuleSet(self.deal.record, self.names) if self.deal.record.options else None

    @property
    def tags(self) -> list[tuple[str, str]]:
        """The tags that don't appear elsewhere on the page."""
        known = {"Rules", "Date", "Event", "Site", "Session", "Deal", "Agreed"}
        return [(name, value) for name, value in self.deal.record.tags.items() if name not in known]

    @property
    def warnings(self) -> list[str]:
        """The engine's warnings about the record."""
        return [self.names.sentence(sentences.finding, finding) for finding in warnings(self.deal.record)]

    @property
    def past_verdicts(self) -> list[Answer]:
        """All verdicts on the contribution, latest first."""
        return past_verdicts(self.deal)

    @cached_property
    def compared(self) -> Compared | None:
        """The deal's sheet and cards, if both were recorded and the viewer may see them."""
        both = sheet_and_cards(self.contribution, self.viewer)
        return Compared(*both) if both else None

    @property
    def has_certificate(self) -> bool:
        """Whether the archive issues a signed certificate that this deal is verified."""
        return certificates.are_given() and self.contribution.verdict == "verified"

    @property
    def has_original(self) -> bool:
        """Whether the record's original bytes are still stored and the viewer may see them."""
        days = conf.retention_days()
        is_kept = not days or self.deal.stored_at > timezone.now() - timedelta(days=days)
        return is_kept and self.viewer.may_see_original(self.contribution)

    # --- corrections ----------------------------------------------------------------------------------------

    @property
    def may_edit(self) -> bool:
        """Whether the viewer may replace the record."""
        return may_edit(self.viewer, self.deal)

    @cached_property
    def may_change(self) -> bool:
        """Whether the viewer may correct, hide or withdraw the contribution."""
        return self.viewer.may_change(self.contribution)

    @cached_property
    def is_member(self) -> bool:
        """Whether the viewer belongs to the contribution's space."""
        return self.viewer.is_at_least("member", self.contribution.space_id)

    @cached_property
    def of_evening(self) -> str | None:
        """The visibility that the deal's evening requires, or None if the deal belongs to no evening."""
        session = self.contribution.session_id
        return evening_visibilities([session]).get(session) if session else None

    @property
    def visibilities(self) -> list[tuple[str, Any]]:
        """The visibilities to choose from, as values and labels. An evening's deal has only the evening's."""
        return [row for row in CHOICES if not self.of_evening or row[0] == self.of_evening]

    @cached_property
    def clubs(self) -> list[tuple[int, str]]:
        """The ids and labels of the clubs to which the viewer may move the deal. A label contains the club's
        name and the visibility that the deal would get there."""
        clubs = own_clubs(self.viewer) if self.viewer.may_move(self.contribution) else []
        return [(club.pk, f"{club.name} ({words.VISIBILITIES[club.visibility]})") for club in clubs]

    @property
    def link(self) -> str:
        """The URL that opens an unlisted deal, or an empty string if the deal is not unlisted."""
        if self.contribution.visibility != "unlisted":
            return ""
        return self.root + path("shared", access.link_to(self.contribution))

    @cached_property
    def changes(self) -> list[dict[str, Any]]:
        """The corrections to the contribution in words, latest first."""
        return [self._in_words(change) for change in corrections.history(self.contribution)]

    def _in_words(self, change: Changed) -> dict[str, Any]:
        if change.word == "sheet" and not self.deal.is_result:
            before, after = score_sheet.rewritten(change.before, change.after, self.names)
        else:
            before, after = self._value(change.word, change.before), self._value(change.word, change.after)
        label = naming.label(str(words.DETAILS[change.word]))
        return {"label": label, "user": change.user, "at": change.at, "before": before, "after": after}

    def _value(self, word: str, value: Any) -> str:
        """Return the old or new value of a changed field in words. It is empty for tags and comments, and for
        the players' names unless the viewer is a member."""
        if word == "players":
            return words.listed(value) if self.is_member else ""
        if word in ("tags", "comments"):
            return ""
        if word == "sheet":
            game, *rest = value.split()
            options = [one for one in rest if one[0].isalpha()]
            unit = Rules(game, tuple(options)).unit
            points = words.listed(words.points(int(one), unit) for one in rest if one not in options)
            return words.colon(words.game_name(game), points)
        return str(words.VISIBILITIES[value] if word == "visibility" else value or "")

    @cached_property
    def former(self) -> Contribution | None:
        """The contribution that this one replaced, or None if there is none that the viewer may see."""
        replaced = access.readable(self.viewer).filter(replaced_by=self.contribution)
        return replaced.exclude(visibility="covered").order_by("-id").first()

    @cached_property
    def latter(self) -> Contribution | None:
        """The contribution that replaced this one, or None if there is none that the viewer may see."""
        return access.readable(self.viewer).filter(pk=self.contribution.replaced_by_id).first()
