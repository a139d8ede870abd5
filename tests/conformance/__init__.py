"""Deals with answers that were found without the engine."""

from pathlib import Path

FOLDER = Path(__file__).resolve().parent
FILES = ("strohmann", "taroky", "troggu", "grosstarock", "grosstarock_two")
