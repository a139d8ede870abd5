"""Grosstarock: two or three active players, 78 cards, declarations, bolé and null."""
