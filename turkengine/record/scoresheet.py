"""A game as PDN, with what the players have said about their moves: evaluations, depths, nodes, times and clocks.

There is no other writer of games that were played here: every command names the same things by the same tags.
"""

from __future__ import annotations

from turkengine.engine.score import Score
from turkengine.games import variant_named
from turkengine.notation import pdn
from turkengine.notation.pdn.annotations import EvalCommand, command, written_evaluation, written_time
from turkengine.notation.pdn.kinds import tags_of
from turkengine.record.record import Played, Record
from turkengine.rules.variant import Side

NO_ROUND = "-"  # of a game that is no part of a match


def pdn_of(record: Record, event: str, place: str = NO_ROUND) -> str:
    """The text of the game, an empty line at its end; `place` is its place in a match, the tag Round."""
    variant = variant_named(record.variant)
    tags: dict[str, str | None] = {
        "Event": event,
        "Date": record.began[:10].replace("-", ".") or "????.??.??",
        "Round": place,
        "White": record.white,
        "Black": record.black,
        "Result": record.ending.result(variant),
        **tags_of(variant),
        **({"SetUp": "1", "FEN": record.fen} if record.fen else {}),
        "Opening": record.opening or None,
        **_controls(record),
        "Termination": f"{record.ending.kind.value}: {record.ending.reason}",
    }
    plies = tuple(_ply(move) for move in record.moves)
    remarks = tuple(
        f"{incident.side.name.capitalize()}, ply {incident.ply}: {_plain(incident.text)}"
        for incident in record.incidents
    )
    given = tuple((name, _one_line(value)) for name, value in tags.items() if value is not None)
    return pdn.write(pdn.PdnGame(given, pdn.Line(plies, remarks)))


def _controls(record: Record) -> dict[str, str]:
    white, black = record.controls
    return {"TimeControl": white} if white == black else {"WhiteTimeControl": white, "BlackTimeControl": black}


def _ply(move: Played) -> pdn.Ply:
    comment = " ".join(_commands(move))
    remarks: tuple[str | pdn.SetUp, ...] = (comment,) if comment else ()
    return pdn.Ply("".join(move.text.split()), (), (*remarks, pdn.SetUp(move.fen)) if move.fen else remarks)


def _commands(move: Played) -> list[str]:
    """What `notation.pdn.annotations` reads, and depth and nodes in the same manner."""
    found = []
    if move.score is not None:
        found.append(command("eval", written_evaluation(_evaluation(Score(move.score), move.side))))
    if move.depth is not None:
        found.append(command("depth", str(move.depth)))
    if move.nodes is not None:
        found.append(command("nodes", str(move.nodes)))
    if move.seconds is not None:
        found.append(command("emt", written_time(move.seconds)))
    if move.clock is not None:
        found.append(command("clk", written_time(move.clock)))
    return found


def _evaluation(score: Score, side: Side) -> EvalCommand:
    """From White's view: men, or the moves in which White wins."""
    sign = 1 if side is Side.WHITE else -1
    moves = score.moves_to_end
    return EvalCommand(win_in=sign * moves) if moves else EvalCommand(men=sign * score.men)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _plain(text: str) -> str:
    """Text that can stand in a comment."""
    return _one_line(text).replace("{", "(").replace("}", ")")
