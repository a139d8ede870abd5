"""The rules engine of the Tarock Archive: notation, four games, checking, scoring, replay and simulation."""

__version__ = "1.2.0"
