"""Endgame tables: solved backwards from the ends of the game, verified, and kept in files that the search can ask.

Reading them is part of the kernel (`turkengine/kernel/endgames.py`), so that the engine can do it too.
"""
