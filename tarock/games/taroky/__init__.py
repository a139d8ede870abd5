"""Czech Taroky: four players, 54 cards, a secret partner, announcements and doubles, and Varšava."""
