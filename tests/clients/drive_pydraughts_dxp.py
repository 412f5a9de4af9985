"""Plays games over DXP through pydraughts, in an interpreter that has it: PORT GAME, where GAME is one of those below.

The engine listens already. Prints one JSON object.
"""

import json
import random
import sys
import time

import draughts
from draughts.engine import DXPEngine
from draughts.engines.dxp_communication import dxp_classes

LONGEST_GAME = 400  # plies

# The client sleeps for seven seconds, between shutting its socket and closing it, in every game. Nothing depends on it.
dxp_classes.time = type("", (), {"sleep": staticmethod(lambda seconds: time.sleep(0.1))})


def connect(port, minutes=1):
    return DXPEngine(options={"engine-opened": True, "ip": "127.0.0.1", "port": port}, initial_time=60 * minutes)


def told(engine, board, **more):
    """What the client knows, once it has said that the game is over."""
    time.sleep(0.2)  # what it answers to an end it sends from another thread
    result = engine.sender.current.result
    engine.quit()
    moves = [move.hub_move for move in board.move_stack]
    return {"name": engine.id["name"], "moves": moves, "winner": board.winner(), "end": result, **more}


def against_chance(port, seed):
    """International: the engine plays White, or Black where the seed is odd."""
    dice = random.Random(seed)
    engine = connect(port)
    board = draughts.Board(variant="standard")
    side = draughts.BLACK if seed % 2 else draughts.WHITE
    while not board.is_over() and len(board.move_stack) < LONGEST_GAME:
        board.push(engine.play(board).move if board.turn == side else dice.choice(board.legal_moves()))
    return told(engine, board, white=side == draughts.WHITE)


def turkish_opening(port):
    """Turkish: the first moves of a game as the client itself understands them; later its own moves may be wrong."""
    engine = connect(port)
    board = draughts.Board(variant="turkish")
    for _ in range(6):
        board.push(engine.play(board).move)
        board.push(board.legal_moves()[0])
    return told(engine, board)


def set_up(port):
    """International: the game begins with another position, Black to move."""
    engine = connect(port)
    board = draughts.Board(variant="standard", fen="B:WK50,45:B20,12")
    for _ in range(2):
        board.push(engine.play(board).move)
        board.push(board.legal_moves()[0])
    return told(engine, board)


def taken_back(port):
    """International: the client takes moves back, to its own turn and to the engine's.

    The engine has White: the client takes that for granted when it decides whether to wait for a move.
    """
    engine = connect(port)
    board = draughts.Board(variant="standard")
    board.push(engine.play(board).move)
    board.push(board.legal_moves()[0])
    board.push(engine.play(board).move)
    first = [move.hub_move for move in board.move_stack]
    accepted, board, _ = engine.takeback(1, draughts.BLACK)
    back = len(board.move_stack)
    board.push(board.legal_moves()[1])
    board.push(engine.play(board).move)
    again, board, played = engine.takeback(2, draughts.WHITE)
    board.push(played.move)
    return told(engine, board, first=first, accepted=[accepted, again], back=back)


if __name__ == "__main__":
    _, engine_port, game, *rest = sys.argv
    games = {"chance": against_chance, "turkish": turkish_opening, "set-up": set_up, "back": taken_back}
    print(json.dumps(games[game](engine_port, *map(int, rest))))
