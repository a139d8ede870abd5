"""Every phase and branch of the rules occurs within some thousands of simulated deals.

The lists are written out on purpose: a happening that the players no longer bring about fails here by name.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tarock.analysis.simulate import simulate
from tests.simulate.happenings import happenings

pytestmark = pytest.mark.slow

STROHMANN = """
forehand takes | forehand passes | dealer takes | both pass | claim | no claim
strohmann.game | strohmann.game-undeclared | strohmann.valat | strohmann.rostopschin
strohmann.pagat-ultimo | strohmann.uhu | strohmann.kakadu
declarer 45 or more | declarer 36 to 44 | declarer 27 to 35 | declarer 26 or fewer
35 to 35 with a declarer | undeclared won | undeclared 35 to 35
valat declared | valat undeclared
ros | ros in vain | topschin | topschin in vain | topschin without ros
T1 won with in its trick | T1 captured in its trick
T2 won with in its trick | T2 captured in its trick
T3 won with in its trick | T3 captured in its trick
result won | result lost | result drawn
"""

TAROKY = """
bid first | bid second | bid troika | bid solo | pass | overbid | bidder is not forehand
contract first | contract second | contract troika | contract solo
calls T19 | calls T18 | calls T17 | calls T16 | calls a card of his own | plays alone in a duty
partner by the talon | alone by the talon | called card discarded by bidder | called card discarded by partner
varsava | varsava pays 10 | varsava pays 20 | varsava pays 40 | varsava without a trick
varsava with 1 payers | varsava with 2 payers | taroky.varsava-pay | taroky.varsava-tie
discard | refuse | first refuses | second refuses | surrender | taroky.surrender
tarock discard of the bidder | tarock discard of one who drew a card
level 1 | level 2 | level 3
announce taroky | announce tarocky | announce barvy | announce barvicky
announce trul | announce honery | announce kralovske-honery
taroky.hand-taroky | taroky.hand-tarocky | taroky.hand-barvy | taroky.hand-barvicky
taroky.hand-trul | taroky.hand-honery | taroky.hand-kralovske-honery
withholds taroky | withholds tarocky | withholds barvy | withholds barvicky
withholds trul | withholds honery | withholds kralovske-honery | withholds pagat | withholds valat
nothing announced | raise turn announce | raise turn pass
pagat announced by the bidder | pagat announced by the partner | pagat announced by an opponent
pagat by the bid of second | pagat announced and made | pagat announced and failed
pagat ultimo made | pagat ultimo lost | taroky.pagat-ultimo | taroky.pagat-announced
valat announced by the bidder | valat announced by the partner | valat announced by an opponent
valat announced and made | valat announced and failed | taroky.valat-announced
taroky.valat | valat of the bidder | valat of the opponents
announce flek:game | announce re:game | announce sub:game
announce flek:pagat | announce re:pagat | announce sub:pagat
announce flek:valat | announce re:valat | announce sub:valat
flek:game by the bidder | flek:game by the opponents
game doubled 2 | game doubled 4 | game doubled 8
pagat doubled 2 | pagat doubled 4 | pagat doubled 8
valat doubled 2 | valat doubled 4 | valat doubled 8
a side is shown | taroky.game | taroky.game-tie | claim | no claim
result won | result lost | result drawn | result varsava | result surrendered
"""

UNCONTESTED = (
    "settled uncontested | taroky.settle-uncontested | result settled | taroky.game | announce flek:game"
)

#: With any number of players.
TROGGU = """
contract take | contract solo | solo over take
troggu.game | troggu.solo | result won | result lost | result drawn | claim | no claim
four Kings discarded | four Kings kept | tarocks discarded
Bättler wins as the highest tarock | living Bättler in the last trick
dead Bättler | dead Bättler led last | card handed over for the dead Bättler
dead Bättler on the winner's side | dead Bättler lost
take won at level 1 | take won at level 2 | take won at level 3
take lost at level 1 | take lost at level 2 | take lost at level 3
solo won at level 1 | solo won at level 2 | solo won at level 3 | solo lost at level 1
"""
#: With three to six.
TROGGU_SMALL = """
all pass with 3 players | all pass with 4 players | all pass with 5 players | all pass with 6 players
troggu.misere | contract misere | result misere | misère with 1 payers | misère with 2 payers
dead Bättler in misère
"""
#: With seven and eight.
TROGGU_LARGE = """
all pass with 7 players | all pass with 8 players
forced Tappist | forced by T0 | forced by T1 | forced to misère
partner called | partner called in solo | troggu.partner-split
alone | calls a card of his own | calls what he discarded | calls a card of the Tapp
"""

GROSSTAROCK = """
grosstarock.declare-tarocks | grosstarock.declare-matadors | grosstarock.declare-skus-matadors
grosstarock.declare-kings | grosstarock.declare-cavallery | grosstarock.declare-half-cavallery
grosstarock.declare-four | grosstarock.declare-ladons
declares queens | declares cavaliers | declares jacks
withholds tarocks | withholds matadors | withholds skus-matadors | withholds kings | withholds cavallery
withholds half-cavallery | withholds queens | withholds cavaliers | withholds jacks | withholds ladons
T0 discarded | tarocks discarded with T0 | tarocks discarded without T0
2 tarocks discarded | 3 tarocks discarded
Sküs played, not led | Sküs leads with a valid name | Sküs leads with a valid T
Sküs leads with a void name | Sküs leads with a void T | Sküs led to the last trick
card owed | owed card paid | owed card paid late
Sküs lost in the last three tricks | Sküs lost without a trick
grosstarock.pagat won | grosstarock.pagat lost | grosstarock.pagat-ultimo won | grosstarock.pagat-ultimo lost
grosstarock.king won | grosstarock.king lost | grosstarock.king-ultimo won | grosstarock.king-ultimo lost
grosstarock.last-trick | grosstarock.card-points
bole unannounced made | bole early made | bole late made | bole latest made
bole early failed | bole late failed | bole latest failed
null unannounced made | null early made | null late made | null early failed | null late failed
grosstarock.null-refund | bolé or null out of turn | two announce bolé or null
result counted | result bole | result null | claim | no claim
"""


def census(game: str, players: tuple[int, ...], deals: int, options: tuple[str, ...] = ()) -> Counter[str]:
    found: Counter[str] = Counter()
    for number in players:
        for record in simulate(game, players=number, deals=deals, seed=20261120, options=options):
            found.update(happenings(record))
    return found


def listed(text: str) -> set[str]:
    return {word.strip() for line in text.splitlines() for word in line.split("|") if word.strip()}


@pytest.mark.parametrize(
    ("game", "players", "deals", "options", "wanted"),
    [
        pytest.param("strohmann", (2,), 3000, (), STROHMANN, id="strohmann"),
        pytest.param("taroky", (4,), 6000, (), TAROKY, id="taroky"),
        pytest.param("taroky", (4,), 500, ("settle-uncontested",), UNCONTESTED, id="taroky-uncontested"),
        pytest.param("troggu", (3, 4, 5, 6), 1000, (), TROGGU + TROGGU_SMALL, id="troggu-small"),
        pytest.param("troggu", (7, 8), 2000, (), TROGGU_LARGE, id="troggu-large"),
        pytest.param("grosstarock", (3, 4), 2000, (), GROSSTAROCK, id="grosstarock"),
    ],
)
def test_every_branch_occurs(
    game: str, players: tuple[int, ...], deals: int, options: tuple[str, ...], wanted: str
) -> None:
    found = census(game, players, deals, options)
    missing = sorted(listed(wanted) - set(found))
    assert not missing, f"never happened in {deals} deals: {missing}"


def test_without_the_option_a_first_is_always_played() -> None:
    assert "settled uncontested" not in census("taroky", (4,), 500)


def test_every_troggu_table_sees_its_contracts() -> None:
    for number in range(3, 9):
        found = census("troggu", (number,), 500)
        wanted = {
            "contract take",
            "contract solo",
            f"all pass with {number} players",
            "dead Bättler",
            "result lost",
        }
        assert wanted <= set(found), number
