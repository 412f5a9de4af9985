"""turkengine: a draughts engine for International draughts, Turkish draughts and Croda."""

__version__ = "0.1.0"
