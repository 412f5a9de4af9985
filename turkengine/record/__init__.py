"""The record of a game, whoever has played it: moves, times, scores and one ending, as plain data and as PDN.

Matches, games with people and games over a network are all kept like this, so that their files say the same things in
the same words.
"""
