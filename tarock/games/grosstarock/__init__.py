"""Grosstarock: three active players, all 78 cards, declarations, bolé and null."""
