"""Grosstarock: three active players, or two; 78 cards, declarations, bolé and null."""
