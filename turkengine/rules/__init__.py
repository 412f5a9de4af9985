"""The law: every game as a declaration, and readable Python that interprets it.

Positions, legal moves, the end of a game, and which article a wrong move breaks. Written to be read beside the rules;
it needs nothing compiled, knows no text notation, and the fast kernel has to agree with it.
"""
