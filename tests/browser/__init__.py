"""The pages in a real Chromium: with and without scripts, wide and narrow, light and dark."""
