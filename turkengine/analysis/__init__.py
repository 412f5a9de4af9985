"""Games as an engine judges them: scores, losses, marks, missed wins, shots, accuracy, and reports of it.

Every position of a game is searched once; what a move is worth follows from the positions on both sides of it. A run is
kept game by game and goes on where it was ended.
"""
