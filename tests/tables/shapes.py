"""Tables of many shapes, as people keep them: a name, the table, and what it means.

The meaning has the kind, the players, and for each row `DATE DEAL: POINTS`, with `-` where something is
missing. Points of an absent player are `.`.
"""

from __future__ import annotations

TEXT = """
=== german, a row a deal
Datum;Spiel;Anna;Bruno;Cilli;Doris
12.11.2026;1;12;-4;-4;-4
12.11.2026;2;-30;10;10;10
--- means
deal Anna Bruno Cilli Doris
2026-11-12 1: 12 -4 -4 -4
2026-11-12 2: -30 10 10 10
=== german, a row an evening, with totals
Datum;Anna;Bruno;Cilli
12.11.2026;120;-50;-70
19.11.2026;-30;40;-10
Summe;90;-10;-80
--- means
evening Anna Bruno Cilli
2026-11-12 -: 120 -50 -70
2026-11-19 -: -30 40 -10
=== czech, with deals below a date
Večer 12. 11. 2026
Hra č.;Petr;Věra;Jan;Eva
1;4;4;-4;-4
2;-8;-8;8;8
Celkem;-4;-4;4;4
--- means
deal Petr Věra Jan Eva
2026-11-12 1: 4 4 -4 -4
2026-11-12 2: -8 -8 8 8
=== czech months
Datum;Petr;Věra
12. června 2025;5;-5
3. července 2025;-2;2
1. ledna 2026;1;-1
--- means
evening Petr Věra
2025-06-12 -: 5 -5
2025-07-03 -: -2 2
2026-01-01 -: 1 -1
=== danish
Dato;Mette;Søren;Åse
den 5. marts 2025;10;-4;-6
lørdag den 8. marts 2025;-2;1;1
I alt;8;-3;-5
--- means
evening Mette Søren Åse
2025-03-05 -: 10 -4 -6
2025-03-08 -: -2 1 1
=== japanese
日付,太郎,花子,次郎
2025年11月12日（水）,▲１２,８,４
令和7年11月19日,3,△1,-2
合計,-9,7,2
--- means
evening 太郎 花子 次郎
2025-11-12 -: -12 8 4
2025-11-19 -: 3 -1 -2
=== english, months in words
Date\tTom\tAnn
Nov 12, 2025\t5\t-5
Thursday 20 November 2025\t7\t-7
1st December 2025\t-3\t3
--- means
evening Tom Ann
2025-11-12 -: 5 -5
2025-11-20 -: 7 -7
2025-12-01 -: -3 3
=== slashes, where one date tells the order
Date,Tom,Ann
3/4/2025,5,-5
3/28/2025,7,-7
--- means
evening Tom Ann
2025-03-04 -: 5 -5
2025-03-28 -: 7 -7
=== slashes with a german header
Datum;Tom;Ann
3/4/2025;5;-5
5/4/2025;7;-7
--- means
evening Tom Ann
2025-04-03 -: 5 -5
2025-04-05 -: 7 -7
=== dates without a year, over new year
Saison 2025/26
Datum;Anna;Bruno
12.11.;5;-5
3.12.;1;-1
7.1.;2;-2
--- means
evening Anna Bruno
2025-11-12 -: 5 -5
2025-12-03 -: 1 -1
2026-01-07 -: 2 -2
=== iso dates and points with signs
date|Anna|Bruno
2025-11-12|+5|−5
2025-11-19|–3|+3
--- means
evening Anna Bruno
2025-11-12 -: 5 -5
2025-11-19 -: -3 3
=== dates as numbers
Datum;Anna;Bruno
45242;5;-5
45249;1;-1
--- means
evening Anna Bruno
2023-11-12 -: 5 -5
2023-11-19 -: 1 -1
=== a date only in the first row of an evening
Datum;Anna;Bruno;Cilli
12.11.2025;2;-1;-1
;4;-2;-2
;-6;3;3
19.11.2025;8;-4;-4
;2;-1;-1
--- means
deal Anna Bruno Cilli
2025-11-12 1: 2 -1 -1
2025-11-12 2: 4 -2 -2
2025-11-12 3: -6 3 3
2025-11-19 1: 8 -4 -4
2025-11-19 2: 2 -1 -1
=== a date in a row of its own
Spiel;Anna;Bruno
12.11.2025;;
1;2;-2
2;4;-4
19.11.2025;;
1;-6;6
--- means
deal Anna Bruno
2025-11-12 1: 2 -2
2025-11-12 2: 4 -4
2025-11-19 1: -6 6
=== running totals without a word
12.11.2025
;Petr;Věra;Jan;Eva
1;6;-2;-2;-2
2;-2;-10;6;6
3;2;-14;10;2
4;12;-4;0;-8
5;10;2;-2;-10
--- means
deal Petr Věra Jan Eva
2025-11-12 1: 6 -2 -2 -2
2025-11-12 2: -8 -8 8 8
2025-11-12 3: 4 -4 4 -4
2025-11-12 4: 10 10 -10 -10
2025-11-12 5: -2 6 -2 -2
=== running totals, because the last row is the total
Datum;Anna;Bruno
5.1.2025;10;-10
12.1.2025;4;-4
19.1.2025;9;-9
Endstand;9;-9
--- means
evening Anna Bruno
2025-01-05 -: 10 -10
2025-01-12 -: -6 6
2025-01-19 -: 5 -5
=== points and running totals below merged names
;Anna;;Bruno;
Datum;Punkte;Stand;Punkte;Stand
1.2.2025;5;5;-5;-5
8.2.2025;2;7;-2;-7
--- means
evening Anna Bruno
2025-02-01 -: 5 -5
2025-02-08 -: 2 -2
=== a merged header above the names
Datum;Spieler;;
;Anna;Bruno;Cilli
1.2.2025;5;-5;0
8.2.2025;2;-1;-1
--- means
evening Anna Bruno Cilli
2025-02-01 -: 5 -5 0
2025-02-08 -: 2 -1 -1
=== a row for each player, columns for evenings
Name\t12.11.2025\t19.11.2025\tSumme
Anna\t5\t-3\t2
Bruno\t-5\t3\t-2
--- means
evening Anna Bruno
2025-11-12 -: 5 -5
2025-11-19 -: -3 3
=== a row for each player with ranks, columns for evenings
Platz;Name;5.1.2025;12.1.2025;Gesamt
1;Anna;5;3;8
2;Cilli;;-1;-1
3;Bruno;-5;-2;-7
--- means
evening Anna Cilli Bruno
2025-01-05 -: 5 . -5
2025-01-12 -: 3 -1 -2
=== names and points in pairs
Datum;Spieler 1;Punkte 1;Spieler 2;Punkte 2
1.2.2020;Anna;5;Bob;-5
1.2.2020;Cid;2;Anna;-2
1.2.2020;Bob;1;Cid;-1
--- means
deal Anna Bob Cid
2020-02-01 1: 5 -5 .
2020-02-01 2: -2 . 2
2020-02-01 3: . 1 -1
=== names in rows, an evening
Datum,Name,Punkte
1.2.2020,Anna,5
1.2.2020,Bob,-5
8.2.2020,Anna,1
8.2.2020,Bob,-1
--- means
evening Anna Bob
2020-02-01 -: 5 -5
2020-02-08 -: 1 -1
=== names in rows, with the deal
Datum;Spiel Nr.;Spieler;Punkte
1.2.2020;1;Anna;5
1.2.2020;1;Bob;-5
1.2.2020;2;Anna;-3
1.2.2020;2;Bob;3
--- means
deal Anna Bob
2020-02-01 1: 5 -5
2020-02-01 2: -3 3
=== names in rows, sorted by name
Hráč;Datum;Body
Petr;1.2.2020;5
Petr;8.2.2020;1
Věra;1.2.2020;-5
Věra;8.2.2020;-1
--- means
evening Petr Věra
2020-02-01 -: 5 -5
2020-02-08 -: 1 -1
=== the standings of one evening
Turnier Wien, 14. März 2020
Platz;Name;Punkte
1;Anna;55
2;Bob;10
3;Cid;-65
--- means
evening Anna Bob Cid
2020-03-14 -: 55 10 -65
=== the number of deals played
Datum;Anna;Bruno;Anzahl Spiele
1.2.2020;5;-5;24
8.2.2020;1;-1;16
--- means
evening Anna Bruno
2020-02-01 -: 5 -5 (24)
2020-02-08 -: 1 -1 (16)
=== two tables side by side
Datum;Anna;Bob;;Datum;Anna;Bob
1.2.2020;5;-5;;8.2.2020;1;-1
;6;-6;;;2;-2
--- means
deal Anna Bob
2020-02-01 1: 5 -5
2020-02-01 2: 6 -6
2020-02-08 1: 1 -1
2020-02-08 2: 2 -2
=== two evenings side by side, with dates above
1.2.2020;;;;8.2.2020;;
Hra;Petr;Jan;;Hra;Eva;Jan
1;5;-5;;1;1;-1
2;6;-6;;2;2;-2
--- means
deal Petr Jan Eva
2020-02-01 1: 5 -5 .
2020-02-01 2: 6 -6 .
2020-02-08 1: . -1 1
2020-02-08 2: . -2 2
=== a summary next to the deals
Datum;Spiel;Anna;Bob;;Name;Summe
1.2.2020;1;5;-5;;Anna;11
1.2.2020;2;6;-6;;Bob;-11
--- means
deal Anna Bob
2020-02-01 1: 5 -5
2020-02-01 2: 6 -6
=== a gap between the players
Datum;Anna;Bob;;Cid;Dora
1.2.2020;5;-5;;1;-1
8.2.2020;6;-6;;2;-2
--- means
evening Anna Bob Cid Dora
2020-02-01 -: 5 -5 1 -1
2020-02-08 -: 6 -6 2 -2
=== evenings below each other, each with a header
1. Abend, 5.1.2020
Spiel;Anna;Bob
1;5;-5
2;6;-6
Summe;11;-11

2. Abend, 12.1.2020
Spiel;Anna;Bob;Cid
1;5;-5;0
2;-2;1;1
Summe;3;-4;1
--- means
deal Anna Bob Cid
2020-01-05 1: 5 -5 .
2020-01-05 2: 6 -6 .
2020-01-12 1: 5 -5 0
2020-01-12 2: -2 1 1
=== subtotals after each evening, and a grand total
Datum;Spiel;Anna;Bob
5.1.2020;1;5;-5
5.1.2020;2;6;-6
;Zwischensumme;11;-11
12.1.2020;1;2;-2
12.1.2020;2;1;-1
;Zwischensumme;3;-3
;Gesamt;14;-14
--- means
deal Anna Bob
2020-01-05 1: 5 -5
2020-01-05 2: 6 -6
2020-01-12 1: 2 -2
2020-01-12 2: 1 -1
=== a total row without a word
Datum;Anna;Bob
5.1.2020;5;-5
12.1.2020;6;-6
;11;-11
--- means
evening Anna Bob
2020-01-05 -: 5 -5
2020-01-12 -: 6 -6
=== averages, ranks and a check
Datum;Anna;Bob;Kontrolle
5.1.2020;5;-5;0
12.1.2020;6;-6;0
Summe;11;-11;0
Durchschnitt;5,5;-5,5;0
Platz;1;2;
--- means
evening Anna Bob
2020-01-05 -: 5 -5
2020-01-12 -: 6 -6
=== rounds, tables, notes and who dealt
Datum;Runde;Tisch;Spiel;Geber;Anna;Bob;Bemerkung
5.1.2020;1;A;1;Anna;5;-5;Pagat!
5.1.2020;1;A;2;Bob;6;-6;
--- means
deal Anna Bob
2020-01-05 1: 5 -5
2020-01-05 2: 6 -6
=== the value of the deal in an unknown column
Datum;Grundwert;Anna;Bob;Cid
5.1.2020;10;20;-10;-10
5.1.2020;5;-10;5;5
5.1.2020;4;4;4;-8
--- means
deal Anna Bob Cid
2020-01-05 1: 20 -10 -10
2020-01-05 2: -10 5 5
2020-01-05 3: 4 4 -8
=== absent players, with several signs
Datum;Anna;Bob;Cid;Dora
5.1.2020;5;-5;-;
12.1.2020;x;6;–;-6
19.1.2020;-;-;-;-
26.1.2020;1;/;;-1
--- means
evening Anna Bob Dora
2020-01-05 -: 5 -5 .
2020-01-12 -: . 6 -6
2020-01-26 -: 1 . -1
=== amounts with a currency and thousands
Datum;Petr;Jan
5.1.2020;1 200 h;-1 200 h
12.1.2020;50 h;-50 h
--- means
evening Petr Jan
2020-01-05 -: 1200 -1200
2020-01-12 -: 50 -50
=== a name for each evening
Večer;Petr;Jan
U Petra;5;-5
U Jana;6;-6
Vánoce;-1;1
--- means
evening Petr Jan
- -: 5 -5
- -: 6 -6
- -: -1 1
=== a place above the table
Klub:;Taroky Brno
Místo:;Brno
Datum;Petr;Jan
5.1.2020;5;-5
12.1.2020;6;-6
--- means
evening Petr Jan
2020-01-05 -: 5 -5
2020-01-12 -: 6 -6
=== a line for Excel, and quoted decimals that are whole
sep=,
Date,Ann,Tom
2020-01-05,"5,0","-5,0"
2020-01-12,6,-6
--- means
evening Ann Tom
2020-01-05 -: 5 -5
2020-01-12 -: 6 -6
=== a table of Markdown
| Date | Ann | Tom |
| --- | --- | --- |
| 2020-01-05 | 5 | -5 |
| 2020-01-12 | 6 | -6 |
--- means
evening Ann Tom
2020-01-05 -: 5 -5
2020-01-12 -: 6 -6
=== a remark between the rows
Datum;Anna;Bob
5.1.2020;5;-5
Sommerpause;;
6.9.2020;6;-6
--- means
evening Anna Bob
2020-01-05 -: 5 -5
2020-09-06 -: 6 -6
=== weekdays, times and numbers of evenings
Nr.;Wochentag;Datum;Anna;Bob
Abend 1;So;5.1.2020 19:30;5;-5
Abend 2;So;12.1.2020 19:30;6;-6
--- means
deal Anna Bob
2020-01-05 1: 5 -5
2020-01-12 2: 6 -6
=== minus behind the number and in brackets
Dato;Mette;Bo
5-1-2020;5;5-
12-1-2020;(6);6
--- means
evening Mette Bo
2020-01-05 -: 5 -5
2020-01-12 -: -6 6
"""

#: Name → the table and its meaning.
SHAPES: dict[str, tuple[str, str]] = {}
for shape in TEXT.split("\n=== ")[1:]:
    name, _, rows = shape.rstrip("\n").partition("\n")
    table, _, meaning = rows.partition("\n--- means\n")
    SHAPES[name] = (table, meaning)
