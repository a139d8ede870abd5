"""The lines of a score sheet in words."""

from __future__ import annotations

from tarock.words.clauses import LANGUAGES
from tarock.words.sentences import Names
from tarock.words.sheets import sheet_line, sheet_row

#: Game and line of a sheet; below, the line in English, German, Czech and Japanese.
LINES = """
taroky points bidder 60
    Card points, bidder’s side: 60
    Kartenpunkte, Ersteherpartei: 60
    Body v kartách, strana vydražitele: 60
    カードの点数、ビッダーの側：60
taroky partner D
    Partner: D
    Partner: D
    Partner: D
    パートナー：D
taroky partner alone
    Partner: alone
    Partner: allein
    Partner: bez partnera
    パートナー：1人
taroky surrendered
    Surrendered
    Aufgegeben
    Vzdáno
    降伏
taroky double pagat re A
    Double, pagat, re (×4): A
    Kontra, Pagat, Re (×4): A
    Flek, pagát, re (×4): A
    ダブル、パガット、リダブル(×4)：A
taroky double pagat re
    Double: pagat, re (×4)
    Kontra: Pagat, Re (×4)
    Flek: pagát, re (×4)
    ダブル：パガット、リダブル(×4)
grosstarock card SK A won 5
    Pagat and Kings, SK: A, won, trick 5
    Pagat und Könige, SK: A, gewonnen, 5. Stich
    Pagát a králové, SK: A, štych bere, štych 5
    パガットとキング、SK：A、勝ち、5トリック目
grosstarock announce A bole 13
    Announced, A, bole: before trick 13
    Angesagt, A, bole: vor dem 13. Stich
    Ohlášeno, A, bole: před štychem 13
    ボレ・ヌルの宣言、A、bole：13トリック目の前
"""


def test_a_line_in_words() -> None:
    rows = LINES.strip().splitlines()
    for row, *texts in zip(rows[::5], rows[1::5], rows[2::5], rows[3::5], rows[4::5], strict=True):
        game, *words = row.split()
        line = tuple(int(word) if word.isdigit() else word for word in words)
        assert LANGUAGES == ("en", "de", "cs", "ja")
        for code, text in zip(LANGUAGES, texts, strict=True):
            assert sheet_line(game, line, Names(game, code)) == text.strip()


def test_a_line_that_breaks_off_is_given_as_far_as_it_goes() -> None:
    assert sheet_row("taroky", ("pagat", "announced"), Names("taroky")) == ("Pagat", "announced")
    assert sheet_row("taroky", ("pagat",), Names("taroky")) == ("Pagat", "")
    assert sheet_row("grosstarock", ("card", "T1"), Names("grosstarock")) == ("Pagat and Kings", "T1")
    assert sheet_row("grosstarock", ("card", "T1", "B"), Names("grosstarock")) == ("Pagat and Kings, T1", "B")
