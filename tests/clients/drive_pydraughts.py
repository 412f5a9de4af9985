"""Plays games through pydraughts, in an interpreter that has it: ENGINE GAME, where GAME is one of those below.

Prints one JSON object. Needs nothing of ours but the engine's command.
"""

import json
import random
import sys

import draughts
from draughts.engine import HubEngine, Limit

LONGEST_GAME = 400  # plies


def farewell(engine):
    """The exit status of the engine once it has been told to quit."""
    engine.quit()
    engine.p.communicate(timeout=5)
    return engine.p.returncode


def against_chance(command, seed):
    """International: the engine plays White, or Black where the seed is odd, with 0.05 s a move."""
    dice = random.Random(seed)
    engine = HubEngine([command, "hub"])
    engine.setoption("hash", 4)
    engine.init()
    engine.ping()
    board = draughts.Board(variant="standard")
    side = draughts.BLACK if seed % 2 else draughts.WHITE
    infos, ponders = [], 0
    while not board.is_over() and len(board.move_stack) < LONGEST_GAME:
        if board.turn == side:
            played = engine.play(board, Limit(movetime=0.05), ponder=False)
            infos.append({key: value for key, value in played.info.items() if key in ("depth", "score", "nodes")})
            ponders += played.ponder is not None
            board.push(played.move)
        else:
            board.push(dice.choice(board.legal_moves()))
    return {
        "moves": [move.hub_move for move in board.move_stack],
        "winner": {draughts.WHITE: "W", draughts.BLACK: "B"}.get(board.winner(), board.winner()),
        "infos": infos,
        "ponders": ponders,
        "exit": farewell(engine),
    }


def every_limit(command):
    """International: what the client knows of the engine, and one move with each limit that it can give."""
    engine = HubEngine([command, "hub"])
    engine.init()
    board = draughts.Board(variant="standard")
    limits = [Limit(movetime=0.05), Limit(time=5, inc=0.1), Limit(time=0.1, inc=2), Limit(depth=6), Limit(nodes=5000)]
    for limit in limits:
        board.push(engine.play(board, limit, ponder=False).move)
    return {
        "id": engine.id,
        "options": sorted(engine.options),
        "variants": sorted(engine.variants),
        "moves": [move.hub_move for move in board.move_stack],
        "exit": farewell(engine),
    }


def turkish(command):
    """Turkish: the engine plays both sides; the client only carries moves, since its own ones are not always right.

    So it does not see the end of a drawn game either, and goes on.
    """
    engine = HubEngine([command, "hub"])
    engine.init()
    start = draughts.Board(variant="turkish")._game.initial_hub_fen
    moves = []
    while len(moves) < LONGEST_GAME:
        try:
            move, _ = engine.go(start, moves=" ".join(moves), nodes=2000)
        except IndexError:  # `done` without a move: the side to move has none
            break
        moves.append(move)
    return {"start": start, "moves": moves, "exit": farewell(engine)}


def turkish_opening(command):
    """Turkish: the first moves of a game as the client itself understands them."""
    engine = HubEngine([command, "hub"])
    engine.init()
    board = draughts.Board(variant="turkish")
    for _ in range(12):
        board.push(engine.play(board, Limit(nodes=3000), ponder=False).move)
    return {"moves": [move.hub_move for move in board.move_stack], "exit": farewell(engine)}


if __name__ == "__main__":
    _, program, game, *rest = sys.argv
    games = {"chance": against_chance, "limits": every_limit, "turkish": turkish, "opening": turkish_opening}
    print(json.dumps(games[game](program, *map(int, rest))))
