"""The engine above the kernel: options, limits, clock, reports, and the one object that searches in the background.

Limits and reports are in seconds, plies and hundredths of a man; the units of the protocols belong to `wire`.
"""
