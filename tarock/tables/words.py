"""Words in the headers of tables, in English, German, Czech, Danish and Japanese."""

from __future__ import annotations

import re
import unicodedata

_WORDS = {
    "date": """date, day, datum, tag, den, dne, termín, dato, dag, spieltag, hrací den, 日付, 年月日,
        日, 開催日, 対局日, 月日""",
    "deal": """deal, deal no, no, nr, number, game no, game, hand, spiel, spiel nr, spielnr,
        spielnummer, lfd nr, hra, hra č, č hry, číslo, číslo hry, č, poř č, spil, spil nr, nummer, 局,
        番号, 回, 第何局, ゲーム, 局番""",
    "played": """deals, deals played, games, games played, hands, hands played, spiele, anzahl spiele,
        anzahl, gespielt, anz, her, počet her, počet, odehráno, antal spil, antal, 局数, 対局数, 試合数,
        ゲーム数, 回数""",
    "session": """session, evening, tournament, event, abend, spielabend, turnier, večer, turnaj,
        sezení, aften, spilleaften, turnering, 例会, 大会, 会""",
    "name": """name, player, players, who, spieler, spielerin, mitspieler, wer, hráč, hráči, jméno,
        jméno hráče, kdo, spiller, navn, hvem, 名前, 氏名, 選手, プレイヤー, プレーヤー, 参加者""",
    "points": """points, point, pts, score, result, gain, win, won, punkte, punkt, pkt, ergebnis,
        gewinn, betrag, body, bodů, výsledek, skóre, výhra, částka, kč, haléře, h, €, eur, resultat,
        gevinst, kr, point i alt, 点, 点数, 得点, ポイント, スコア, 成績, 収支""",
    "total": """total, totals, grand total, sum, sums, subtotal, final, summe, gesamt, gesamtsumme,
        endstand, endergebnis, zwischensumme, zusammen, celkem, součet, suma, mezisoučet, konečný stav,
        i alt, ialt, sammenlagt, 合計, 総計, 計, 小計, 総合, σ, ∑""",
    "running": """running, running total, cumulative, balance, kumuliert, laufend, stand, zwischenstand,
        saldo, kumulativ, průběžně, průběžný součet, průběžný stav, stav, kumulativně, kumulovaně,
        løbende, akkumuleret, stilling, 累計, 通算, 累積""",
    "average": """average, avg, mean, schnitt, durchschnitt, mittelwert, průměr, gennemsnit, snit, 平均,
        ø""",
    "carried": """carried over, carry, brought forward, übertrag, převod, přenos, z minula, overført,
        繰越""",
    "rank": """rank, place, position, pos, rang, platz, platzierung, ort, místo, pořadí, umístění,
        plads, placering, rangering, sted, location, venue, 順位, 場所, 会場, 位""",
    "round": """round, rd, table, runde, tisch, kolo, stůl, omgang, bord, ラウンド, 節, 卓, 回戦""",
    "check": """check, control, difference, kontrolle, probe, differenz, kontrola, rozdíl, kontrol,
        検算, 差""",
    "note": """note, notes, comment, comments, remark, contract, dealer, declarer, bidder, winner,
        stake, time, weekday, season, type, kind, bemerkung, anmerkung, notiz, kommentar, ansage, geber,
        alleinspieler, sieger, einsatz, uhrzeit, wochentag, saison, spielart, kontra, flek, poznámka,
        poznámky, závazek, rozdávající, vydražitel, vítěz, sazba, čas, den v týdnu, sezóna, typ,
        druh hry, bemærkning, melding, giver, vinder, indsats, tid, ugedag, sæson, 備考, メモ, 親, 勝者,
        時間, 曜日""",
}
_ENGLISH_DATE = {"date", "day", ""}


def fold(text: str) -> str:
    """Return a text without accents, case and punctuation, with single spaces."""
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    letters = "".join(sign for sign in text if not unicodedata.combining(sign))
    return " ".join(re.sub(r"[^\w€σ∑]+", " ", letters).split())


_ROLES = {fold(word): role for role, words in _WORDS.items() for word in words.split(",")}


def role_of(label: str) -> str:
    """Return the role that a header states, such as `date`; empty if the header is no known word."""
    folded = fold(label)
    return _ROLES.get(folded) or _ROLES.get(re.sub(r"\W*\d+$", "", folded), "")


def role_of_row(label: str) -> str:
    """Return `total`, `running`, `average`, `carried`, `rank`, `check` or nothing, for a row's first text."""
    if label[:1].isdigit() or not label:
        return ""
    folded = fold(label)
    found = _ROLES.get(folded) or _ROLES.get(folded.partition(" ")[0] if len(folded) <= 30 else "", "")
    return found if found in ("total", "running", "average", "carried", "rank", "check") else ""


def is_english(label: str) -> bool:
    """Return whether the header of a date column is English, where dates such as 3/4 have two meanings."""
    return fold(label) in _ENGLISH_DATE
