"""Cards with which a seat makes an illegal declaration, and the finding on it."""

from __future__ import annotations

from collections.abc import Iterator

from tests.engine.builder import Deal
from tests.engine.clauses.grosstarock import declare
from tests.engine.clauses.taroky import declared

#: The cards with which A declares what; the clause and the reason why not; and below, the sentence.
DECLARATIONS = """
T19-T11 | tarocks:10 | grosstarock.declare-tarocks too-few
    A declares tarocks:10, but holds 9, and at least 10 are needed
T19-T9 | tarocks:10 | grosstarock.declare-tarocks other-number
    A declares tarocks:10, but holds 11: the full number must be declared
T21 T20 T1 | matadors:3 | grosstarock.declare-matadors lacking
    A declares matadors:3, but matadors require Sküs, Mond and Pagat, and A lacks T0
T0 T21 T1 | matadors:4 | grosstarock.declare-matadors other-number
    A declares matadors:4, but holds 3: the full number must be declared
T0 T19 T1 | skus-matadors:5 | grosstarock.declare-skus-matadors lacking
    A declares skus-matadors:5, but matadors require Sküs, Mond and Pagat, and A lacks T21
T0 T21 T20 T1 | skus-matadors:4 | grosstarock.declare-skus-matadors no-step
    A declares skus-matadors:4, but neither run skips a missing tarock: these are plain matadors, or none
T0 T21 T19 T1 | skus-matadors:4 | grosstarock.declare-skus-matadors other-number
    A declares skus-matadors:4, but holds 5: the full number must be declared
T0 T21 T19 T1 | matadors:3 skus-matadors:5 | grosstarock.declare-skus-matadors not-both
    A declares matadors and Sküs-matadors; only one of them may be declared
SK HK | kings:3 | grosstarock.declare-kings too-few
    A declares kings:3, but holds 2, and at least 3 are needed
nothing | kings:3 | grosstarock.declare-kings too-few
    A declares kings:3, but holds 0, and at least 3 are needed
SK HK DK CK | kings:3 | grosstarock.declare-kings other-number
    A declares kings:3, but holds 4: the full number must be declared
HK HQ HC T0 | cavallery:H | grosstarock.declare-cavallery lacking
    A declares cavallery:H, which requires King, Queen, Cavalier and Jack, but lacks HJ
HQ HC T0 | half-cavallery:H | grosstarock.declare-half-cavallery lacking
    A declares half-cavallery:H, which requires the King, two more court cards and the Sküs, but lacks HK
HK HQ T0 | half-cavallery:H | grosstarock.declare-half-cavallery too-few
    A declares half-cavallery:H, which requires the King, two more court cards and the Sküs, but has \
only 1 court card apart from the King
HK HQ HC HJ T0 | half-cavallery:H | grosstarock.declare-half-cavallery whole
    A declares half-cavallery:H, but holds all four court cards of hearts: that is a full cavalry
SQ HQ | queens | grosstarock.declare-four lacking
    A declares queens, but lacks DQ and CQ
T19-T10 | ladons:15 | grosstarock.declare-ladons too-few
    A declares ladons:15, but holds only 15 including the Sküs, and at least 16 are needed
T0 T19-T12 | ladons:18 | grosstarock.declare-ladons other-number
    A declares ladons:18, but holds 17, counting the Sküs: only the Sküs may be left out
T0 T19-T12 | ladons:16 ladons:17 | grosstarock.declare-ladons not-both
    A declares two numbers of ladons; only one may be declared
T20-T12 | taroky | taroky.hand-taroky not-held
    A declares Taroky, which requires ten tarocks or more, but holds 9 tarocks
T5 | tarocky | taroky.hand-tarocky not-held
    A declares Tarocky, which requires eight or nine tarocks, but holds 1 tarock
T5 T1 | barvy | taroky.hand-barvy not-held
    A declares Barvy, which requires no tarock, or the Pagat alone, but holds 2 tarocks (T5 and T1)
T1 | barvicky | taroky.hand-barvicky not-held
    A declares Barvičky, which requires two tarocks, or one that is not the Pagat, but holds 1 tarock
T0 T1 | trul | taroky.hand-trul not-held
    A declares Trul, which requires Škýz, Mond and Pagat, but holds 2 of them
T0 T1 SK | honery | taroky.hand-honery not-held
    A declares Honéry, which requires four of the seven cards worth five points (the Kings, Škýz, Mond \
and Pagat), but holds 3
SK HK DK | kralovske-honery | taroky.hand-kralovske-honery not-held
    A declares Královské honéry, which requires all four Kings, but holds 3
SK HK DK CK | honery kralovske-honery | taroky.hand-kralovske-honery not-both
    A declares Honéry and Královské honéry; only one of them may be declared
"""


def declarations() -> Iterator[tuple[str, Deal, str]]:
    lines = DECLARATIONS.strip().splitlines()
    for row, said in zip(lines[::2], lines[1::2], strict=True):
        hand, item, wrong = row.split(" | ")
        hand = hand.replace("nothing", "")
        yield wrong, declared(item, hand) if wrong.startswith("taroky") else declare(hand, item), said.strip()
