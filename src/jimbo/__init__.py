"""Jimbo: an exact, fast rules engine for the card game Balatro, with Python tools around it."""

from importlib.metadata import version

__version__ = version("jimbo")

__all__ = ["__version__"]
