"""Strohmanntarock: two players, 54 cards, three face-down piles of four each."""
