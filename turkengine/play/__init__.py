"""Games with people: a conversation in lines between whoever sits at the terminal, the referee's rules and an engine.

A session takes lines and gives lines; the terminal stands beside it. Built on `turkengine.match`, whose game, clocks
and score sheet it uses.
"""
