"""Evenings as entered by taps, twelve deals of each game, calculated by hand.

A line is a statement of the sheet: its field, its words, a typed number at the end. The dealer moves on by
one seat from deal to deal, Alena dealing first, so Bořek is forehand in the first deal.
"""

from typing import NamedTuple


class Deal(NamedTuple):
    """One deal: the entered lines, and each player's score."""

    lines: tuple[str, ...]
    score: dict[str, int]


class Evening(NamedTuple):
    """An evening: the game, its name on the page, who sits at the table in their order, and the deals."""

    game: str
    players: tuple[str, ...]
    deals: tuple[Deal, ...]

    @property
    def totals(self) -> dict[str, int]:
        """The sums over all deals."""
        return {name: sum(deal.score.get(name, 0) for deal in self.deals) for name in self.players}


NAMES = ("Alena", "Bořek", "Cyril", "Dana")


def _evening(game: str, players: int, *deals: tuple[str, tuple[int, ...]]) -> Evening:
    """An evening of deals, each with lines between slashes, and the scores in the order of the players."""
    names = NAMES[:players]
    scored = ((lines.split(" / "), dict(zip(names, score, strict=True))) for lines, score in deals)
    return Evening(game, names, tuple(Deal(tuple(lines), score) for lines, score in scored))


# First Duty is forehand's, and is filled in automatically.
TAROKY = _evening(
    "taroky", 4,
    ("partner C / points bidder 60", (-25, 25, 25, -25)),  # 60 - 35 = 25
    ("partner D / points bidder 30", (5, 5, -5, -5)),  # 70 - 30 = 40 for the opponents: 40 - 35 = 5
    ("partner A / points bidder 35", (-1, 1, 1, -1)),  # 35 : 35, and the side without the bidder wins 1
    ("partner alone / points bidder 45", (30, -10, -10, -10)),  # 45 - 35 = 10 from each of three
    # Second Duty: 50 - 35 = 15, and the pagat that it announces 20.
    ("contract second / bidder D / partner A / points bidder 50 / pagat announced D made",
     (35, -35, -35, 35)),
    # Troika, level 2: (40 - 35) × 2 = 10 from each of three.
    ("contract troika / level 2 / bidder B / points bidder 40", (-10, 30, -10, -10)),
    # Solo: (45 - 35) × 6 = 60 from each of three.
    ("contract solo / bidder C / points bidder 45", (-60, -60, 180, -60)),
    # Varšava: the most are 20, so 10 to each of the others.
    ("contract varsava / points A 20 / points B 10 / points C 15 / points D 5", (-30, 10, 10, 10)),
    ("partner C / points bidder 60 / double game flek", (-50, 50, 50, -50)),  # (60 - 35) × 2 = 50
    ("surrendered", (10, 10, -30, 10)),  # 10 to each of the other three
    # 40 - 35 = 5, the pagat nobody announced 10, and 5 for Cyril’s tarocky to the opponents: 10.
    ("partner B / points bidder 40 / pagat silent B made / hand C tarocky", (-10, 10, -10, 10)),
    ("partner C / points bidder 70 / valat A made", (175, -175, 175, -175)),  # 70 - 35 = 35, and 140
)  # fmt: skip

STROHMANN = _evening(
    "strohmann", 2,
    ("contract take / declarer A / points A 45", (4, 0)),  # 45 or more: 4
    ("contract take / declarer B / points B 40", (0, 3)),  # 36 to 44: 3
    ("contract take / declarer A / points A 30", (0, 4)),  # 27 to 35: 4 for the other
    ("contract take / declarer A / points A 20", (0, 5)),  # 26 or fewer: 5
    ("contract undeclared / points A 36", (2, 0)),
    ("contract undeclared / points A 35", (0, 0)),  # 35 : 35
    ("contract undeclared / points B 50", (0, 2)),
    ("contract take / declarer B / points B 70 / tricks B", (0, 12)),  # in place of 4
    ("contract take / declarer A / points A 44 / pagat A", (4, 0)),  # 3 + 1
    ("contract take / declarer B / points B 26 / uhu B", (5, 1)),
    ("contract take / declarer A / points A 50 / kakadu B", (4, 1)),
    ("contract take / declarer B / points B 35 / rostopschin A", (5, 0)),  # 4 + 1
)  # fmt: skip

TROGGU = _evening(
    "troggu", 4,
    ("contract take / tappist A / points tappist 60", (3, -1, -1, -1)),  # 114 - 60 = 54, more than 30: 1 each
    ("contract take / tappist B / points tappist 90", (-2, 6, -2, -2)),  # 114 - 90 = 24, 30 or fewer: 2
    ("contract take / tappist C / points tappist 57", (0, 0, 0, 0)),  # 57 : 57
    ("contract take / tappist D / points tappist 50", (1, 1, 1, -3)),  # 50 is lost: 1 to each of three
    ("contract take / tappist A / points tappist 30", (-6, 2, 2, 2)),  # 30 is lost twice
    ("contract solo / tappist B / points tappist 60", (-2, 6, -2, -2)),  # solo doubles it: 2 from each
    ("contract solo / tappist C / points tappist 90", (-4, -4, 12, -4)),  # 90 in a solo: 4
    # Misère: Alena has the most, and pays 1 to each; 40 + 20 + 10 + 15 = 85, the Tapp is nobody’s.
    ("contract misere / points A 40 / points B 20 / points C 10 / points D 15", (-3, 1, 1, 1)),
    # Alena and Bořek have the most: each pays 1 to Cyril and to Dana. 30 + 30 + 10 + 15 = 85.
    ("contract misere / points A 30 / points B 30 / points C 10 / points D 15", (-2, -2, 2, 2)),
    # 114 and no trick for the others: 3.
    ("contract take / tappist D / points tappist 114 / trickless opponents", (-3, -3, -3, 9)),
    ("contract solo / tappist A / points tappist 56", (-6, 2, 2, 2)),
    ("contract take / tappist B / points opponents 40", (-1, 3, -1, -1)),
)  # fmt: skip

_KINGS = "card SK A won / card HK B won / card DK C won / card CK A won"
_BY_KINGS = (10, -5, -5)
"""A King that is won brings 5 from each of the others: 10 - 5 - 5 + 10, -5 + 10 - 5 - 5, -5 - 5 + 10 - 5."""
_LAST = {"A": (10, -5, -5), "B": (-5, 10, -5), "C": (-5, -5, 10)}
"""The last trick brings 5 from each of the others."""


def _counted(
    alenas: int, boreks: int, last: str, more: str = "", paid: tuple[int, int, int] = (0, 0, 0)
) -> tuple[str, tuple[int, ...]]:
    """A deal with the Kings as above: each player’s card points less 26, of 78 Cyril’s the rest."""
    points = (alenas - 26, boreks - 26, 78 - alenas - boreks - 26)
    lines = f"{_KINGS} / last {last} / points A {alenas} / points B {boreks}{more and ' / '}{more}"
    return lines, tuple(map(sum, zip(points, _BY_KINGS, _LAST[last], paid, strict=True)))


GROSSTAROCK = _evening(
    "grosstarock", 3,
    _counted(30, 26, "B"),  # by points 4, 0, -4; with Kings 14, -5, -9; with the last trick 9, 5, -14
    _counted(20, 40, "A"),
    _counted(26, 26, "C"),
    _counted(40, 30, "A"),
    _counted(30, 20, "B", "declare A tarocks:10", (20, -10, -10)),  # ten tarocks: 10 from each of the others
    _counted(25, 27, "C"),
    _counted(33, 11, "A"),
    _counted(22, 31, "B", "card T1 C won", (-5, -5, 10)),  # the Pagat is won: 5 from each of the others
    _counted(28, 28, "C", "card T1 B lost", (5, -10, 5)),  # the Pagat is lost: 5 to each of the others
    _counted(24, 36, "A"),
    _counted(35, 35, "B"),
    _counted(18, 22, "C"),
)  # fmt: skip

EVENINGS = (TAROKY, STROHMANN, TROGGU, GROSSTAROCK)
