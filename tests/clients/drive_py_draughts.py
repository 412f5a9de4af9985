"""Plays a game of International draughts through py-draughts, in an interpreter that has it: ENGINE SEED.

The engine has White, or Black where the seed is odd, and 0.05 s a move; the other side moves at random. Prints one JSON
object. Needs nothing of ours but the engine's path.
"""

import json
import random
import sys

from draughts import Color, HubEngine, StandardBoard
from draughts.engines.hub import move_to_hub_notation

LONGEST_GAME = 400  # plies


def play(path, seed):
    dice = random.Random(seed)
    side = Color.BLACK if seed % 2 else Color.WHITE
    board = StandardBoard()
    moves, scores = [], []
    with HubEngine(path, time_limit=0.05) as engine:
        alive = engine.ping()
        engine.new_game()
        while not board.game_over and len(moves) < LONGEST_GAME:
            if board.turn == side:
                move, score = engine.get_best_move(board, with_evaluation=True)
                scores.append(score)
            else:
                move = dice.choice(board.legal_moves)
            moves.append(move_to_hub_notation(move))
            board.push(move)
        engine.time_limit, engine.depth_limit = None, 6
        deep = move_to_hub_notation(engine.get_best_move(StandardBoard()))
        process = engine.process
    return {
        "name": engine.info.name,
        "parameters": {name: parameter.value for name, parameter in engine.params.items()},
        "ping": alive,
        "moves": moves,
        "scores": scores,
        "result": board.result,
        "first_move_at_depth_six": deep,
        "exit": process.returncode,
    }


if __name__ == "__main__":
    print(json.dumps(play(sys.argv[1], int(sys.argv[2]))))
