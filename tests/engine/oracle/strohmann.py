"""The plain reading of Strohmann."""

from __future__ import annotations

from tests.engine.oracle.play import Line, Play, threes


class Strohmann(Play):
    def before_play(self) -> None:
        self.piles = {f"{s}/{p}": list(self.form["deal"][f"{s}/{p}"]) for s in "AB" for p in (1, 2, 3)}
        self.declarer = next((e[0] for e in self.events if e[1] == "take"), None)
        for name in self.piles:
            self.turn_up(name)

    def turn_up(self, name: str) -> None:
        pile = self.piles[name]
        while pile:
            card = pile.pop(0)
            self.hands[name[0]].append(card)
            if card[0] != "T" and card[1:] != "K":
                self.up[card] = name
                return

    def played(self, seat: str, card: str, token: str) -> None:
        if card in self.up:
            self.turn_up(self.up.pop(card))

    def lines(self) -> list[Line]:
        count = {s: threes(self.told.taken[s]) for s in "AB"}
        other = {"A": "B", "B": "A"}
        found: list[Line] = []
        swept = [s for s in "AB" if self.told.won[s] == 27]
        if swept:
            found.append(("strohmann.valat", {swept[0]: 12}))
        elif self.declarer:
            d = self.declarer
            if count[d] >= 45:
                found.append(("strohmann.game", {d: 4}))
            elif count[d] >= 36:
                found.append(("strohmann.game", {d: 3}))
            elif count[d] >= 27:
                found.append(("strohmann.game", {other[d]: 4}))
            else:
                found.append(("strohmann.game", {other[d]: 5}))
        else:
            for s in "AB":
                if count[s] >= 36:
                    found.append(("strohmann.game-undeclared", {s: 2}))
        for back, card, slug in ((1, "T1", "pagat-ultimo"), (2, "T2", "uhu"), (3, "T3", "kakadu")):
            plays, winner = self.told.tricks[-back]
            if card in [c for _, c in plays]:
                found.append((f"strohmann.{slug}", {winner: 1}))
        tokens = [e for e in self.events if e[1] == "play"]
        for i in range(26):
            first, second = tokens[2 * i : 2 * i + 2], tokens[2 * i + 2 : 2 * i + 4]
            one = [e[0] for e in first if e[2] == "T17(ros)" and e[0] == self.told.tricks[i][1]]
            two = [e[0] for e in second if e[2] == "T18(topschin)" and e[0] == self.told.tricks[i + 1][1]]
            if one and one == two:
                found.append(("strohmann.rostopschin", {one[0]: 1}))
        return found
