"""Troggu: three to eight players, 62 cards, and a Fool that may be withheld."""
