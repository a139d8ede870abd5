"""Evenings as entered by taps, twelve deals of each game, calculated by hand.

A line is a statement of the sheet: its field, its words, a typed number at the end. The dealer moves on by
one seat from deal to deal, Alena dealing first, so Bořek is forehand in the first deal.
"""

from typing import NamedTuple


class Deal(NamedTuple):
    """One deal: the entered lines, and each player's score, with the arithmetic."""

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


def _deal(*lines: str, **score: int) -> Deal:
    names = {"alena": "Alena", "borek": "Bořek", "cyril": "Cyril", "dana": "Dana"}
    return Deal(lines, {names[name]: points for name, points in score.items()})


TAROKY = Evening(
    "taroky",
    ("Alena", "Bořek", "Cyril", "Dana"),
    (
        # First Duty is forehand's, and is filled in automatically. 60 - 35 = 25.
        _deal("partner C", "points bidder 60", alena=-25, borek=25, cyril=25, dana=-25),
        # 70 - 30 = 40 for the opponents: 40 - 35 = 5.
        _deal("partner D", "points bidder 30", alena=5, borek=5, cyril=-5, dana=-5),
        # 35 : 35, and the side without the bidder wins 1.
        _deal("partner A", "points bidder 35", alena=-1, borek=1, cyril=1, dana=-1),
        # Alone: 45 - 35 = 10 from each of three.
        _deal("partner alone", "points bidder 45", alena=30, borek=-10, cyril=-10, dana=-10),
        # Second Duty: 50 - 35 = 15, and the pagat that it announces 20.
        _deal(
            "contract second", "bidder D", "partner A", "points bidder 50", "pagat announced D made",
            alena=35, borek=-35, cyril=-35, dana=35,
        ),
        # Troika, level 2: (40 - 35) × 2 = 10 from each of three.
        _deal(
            "contract troika", "level 2", "bidder B", "points bidder 40",
            alena=-10, borek=30, cyril=-10, dana=-10,
        ),
        # Solo: (45 - 35) × 6 = 60 from each of three.
        _deal(
            "contract solo", "bidder C", "points bidder 45", alena=-60, borek=-60, cyril=180, dana=-60
        ),
        # Varšava: the most are 20, so 10 to each of the others.
        _deal(
            "contract varsava", "points A 20", "points B 10", "points C 15", "points D 5",
            alena=-30, borek=10, cyril=10, dana=10,
        ),
        # (60 - 35) × 2 = 50.
        _deal(
            "partner C", "points bidder 60", "double game flek", alena=-50, borek=50, cyril=50, dana=-50
        ),
        # Surrendered: 10 to each of the other three.
        _deal("surrendered", alena=10, borek=10, cyril=-30, dana=10),
        # 40 - 35 = 5, the pagat nobody announced 10, and 5 for Cyril’s tarocky to the opponents: 10.
        _deal(
            "partner B", "points bidder 40", "pagat silent B made", "hand C tarocky",
            alena=-10, borek=10, cyril=-10, dana=10,
        ),
        # 70 - 35 = 35, and 140 for the valat.
        _deal(
            "partner C", "points bidder 70", "valat A made", alena=175, borek=-175, cyril=175, dana=-175
        ),
    ),
)  # fmt: skip

STROHMANN = Evening(
    "strohmann",
    ("Alena", "Bořek"),
    (
        _deal("contract take", "declarer A", "points A 45", alena=4, borek=0),  # 45 or more: 4
        _deal("contract take", "declarer B", "points B 40", alena=0, borek=3),  # 36 to 44: 3
        _deal("contract take", "declarer A", "points A 30", alena=0, borek=4),  # 27 to 35: 4 for the other
        _deal("contract take", "declarer A", "points A 20", alena=0, borek=5),  # 26 or fewer: 5
        _deal("contract undeclared", "points A 36", alena=2, borek=0),
        _deal("contract undeclared", "points A 35", alena=0, borek=0),  # 35 : 35
        _deal("contract undeclared", "points B 50", alena=0, borek=2),
        _deal("contract take", "declarer B", "points B 70", "tricks B", alena=0, borek=12),  # in place of 4
        _deal("contract take", "declarer A", "points A 44", "pagat A", alena=4, borek=0),  # 3 + 1
        _deal("contract take", "declarer B", "points B 26", "uhu B", alena=5, borek=1),
        _deal("contract take", "declarer A", "points A 50", "kakadu B", alena=4, borek=1),
        _deal("contract take", "declarer B", "points B 35", "rostopschin A", alena=5, borek=0),  # 4 + 1
    ),
)

TROGGU = Evening(
    "troggu",
    ("Alena", "Bořek", "Cyril", "Dana"),
    (
        # 114 - 60 = 54, more than 30: 1 from each of three.
        _deal("contract take", "tappist A", "points tappist 60", alena=3, borek=-1, cyril=-1, dana=-1),
        # 114 - 90 = 24, 30 or fewer: 2.
        _deal("contract take", "tappist B", "points tappist 90", alena=-2, borek=6, cyril=-2, dana=-2),
        # 57 : 57.
        _deal("contract take", "tappist C", "points tappist 57", alena=0, borek=0, cyril=0, dana=0),
        # 50 is lost: 1 to each of three.
        _deal("contract take", "tappist D", "points tappist 50", alena=1, borek=1, cyril=1, dana=-3),
        # 30 is lost twice.
        _deal("contract take", "tappist A", "points tappist 30", alena=-6, borek=2, cyril=2, dana=2),
        # Solo doubles it: 2 from each of three.
        _deal("contract solo", "tappist B", "points tappist 60", alena=-2, borek=6, cyril=-2, dana=-2),
        # 90 in a solo: 4.
        _deal("contract solo", "tappist C", "points tappist 90", alena=-4, borek=-4, cyril=12, dana=-4),
        # Misère: Alena has the most, and pays 1 to each; 40 + 20 + 10 + 15 = 85, the Tapp is nobody’s.
        _deal(
            "contract misere", "points A 40", "points B 20", "points C 10", "points D 15",
            alena=-3, borek=1, cyril=1, dana=1,
        ),
        # Alena and Bořek have the most: each pays 1 to Cyril and to Dana. 30 + 30 + 10 + 15 = 85.
        _deal(
            "contract misere", "points A 30", "points B 30", "points C 10", "points D 15",
            alena=-2, borek=-2, cyril=2, dana=2,
        ),
        # 114 and no trick for the others: 3.
        _deal(
            "contract take", "tappist D", "points tappist 114", "trickless opponents",
            alena=-3, borek=-3, cyril=-3, dana=9,
        ),
        _deal("contract solo", "tappist A", "points tappist 56", alena=-6, borek=2, cyril=2, dana=2),
        _deal("contract take", "tappist B", "points opponents 40", alena=-1, borek=3, cyril=-1, dana=-1),
    ),
)  # fmt: skip

_KINGS = ("card SK A won", "card HK B won", "card DK C won", "card CK A won")
#: A King that is won brings 5 from each of the others. Alena 10 - 5 - 5 + 10, Bořek - 5 + 10 - 5 - 5,
#: Cyril - 5 - 5 + 10 - 5.
_BY_KINGS = {"alena": 10, "borek": -5, "cyril": -5}
#: The last trick brings 5 from each of the others.
_LAST = {
    "A": {"alena": 10, "borek": -5, "cyril": -5},
    "B": {"alena": -5, "borek": 10, "cyril": -5},
    "C": {"alena": -5, "borek": -5, "cyril": 10},
}


def _counted(alenas: int, boreks: int, last: str, *lines: str, **more: int) -> Deal:
    """A deal with the Kings as above: each player’s card points less 26, of 78 Cyril’s the rest."""
    points = {"alena": alenas - 26, "borek": boreks - 26, "cyril": 78 - alenas - boreks - 26}
    score = {name: points[name] + _BY_KINGS[name] + _LAST[last][name] + more.get(name, 0) for name in points}
    return _deal(*_KINGS, f"last {last}", f"points A {alenas}", f"points B {boreks}", *lines, **score)


GROSSTAROCK = Evening(
    "grosstarock",
    ("Alena", "Bořek", "Cyril"),
    (
        # By points 4, 0, -4; with Kings 14, -5, -9; with the last trick 9, 5, -14.
        _counted(30, 26, "B"),
        _counted(20, 40, "A"),
        _counted(26, 26, "C"),
        _counted(40, 30, "A"),
        # Ten tarocks bring 10 from each of the others.
        _counted(30, 20, "B", "declare A tarocks:10", alena=20, borek=-10, cyril=-10),
        _counted(25, 27, "C"),
        _counted(33, 11, "A"),
        # The Pagat is won: 5 from each of the others.
        _counted(22, 31, "B", "card T1 C won", alena=-5, borek=-5, cyril=10),
        # The Pagat is lost: 5 to each of the others.
        _counted(28, 28, "C", "card T1 B lost", alena=5, borek=-10, cyril=5),
        _counted(24, 36, "A"),
        _counted(35, 35, "B"),
        _counted(18, 22, "C"),
    ),
)

EVENINGS = (TAROKY, STROHMANN, TROGGU, GROSSTAROCK)
