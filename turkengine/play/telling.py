"""What people may ask about a game without changing it: the board, the legal moves, the time left, a hint."""

from __future__ import annotations

from turkengine.client.contract import Client, ClientError
from turkengine.engine.limits import Limits
from turkengine.notation import moves
from turkengine.notation.times import left_text
from turkengine.play.live import LiveGame
from turkengine.play.text_board import Look, draw
from turkengine.play.words import line_text, side_name, thought_text, wrapped
from turkengine.rules.variant import Side

OVER = "the game is over; undo goes back, quit leaves"


def board(live: LiveGame, look: Look, bottom: Side) -> list[str]:
    """The board, and the last move marked on it and in words."""
    played = live.played
    drawn = draw(live.game.position, look, bottom, (played.origin, played.target) if played is not None else ())
    if not live.game.moves:
        return drawn
    last = live.game.moves[-1]
    return [*drawn, f"Last move: {side_name(last.side)} {last.text}"]


def legal_moves(live: LiveGame) -> list[str]:
    """All of them, from the far end of the board to the near one."""
    position = live.game.position
    if live.game.ending is not None:
        return [OVER]
    places = position.variant.board.reading_places
    legal = sorted(position.legal_moves(), key=lambda move: (places[move.origin], places[move.target]))
    return wrapped(moves.written(position, move) for move in legal)


def clock(live: LiveGame) -> list[str]:
    """The time that each side has left."""
    left = {side: live.remaining(side) for side in Side}
    told = [f"{side_name(side)} {left_text(seconds)}" for side, seconds in left.items() if seconds is not None]
    return [", ".join(told)] if told else ["there is no clock; --tc gives one"]


def hint(live: LiveGame, adviser: Client, advice: Limits) -> list[str]:
    """What an engine would play, which is started here where it has not been."""
    game = live.game
    if game.ending is not None:
        return [OVER]
    try:
        if not adviser.alive():
            adviser.start(game.variant)
        thought = adviser.think(game.position, advice)
    except ClientError as error:
        return [f"no hint: {error}"]
    assert thought.move is not None, "a game that goes on has a legal move"
    line = line_text(game.position, thought.line or (thought.move,))
    return [f"hint: {moves.written(game.position, thought.move)}{thought_text(thought, seconds=False)}, line {line}"]
