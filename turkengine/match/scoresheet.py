"""A game as PDN, with what the engines have said about their moves: evaluations, depths, nodes, times and clocks."""

from __future__ import annotations

from turkengine.engine.score import Score
from turkengine.games import variant_named
from turkengine.match.record import Kind, Played, Record
from turkengine.match.schedule import Key
from turkengine.notation import pdn
from turkengine.notation.pdn.kinds import tags_of
from turkengine.rules.variant import Side

UNFINISHED = "*"


def pdn_of(key: Key | None, record: Record, event: str) -> str:
    """The text of the game, an empty line at its end; a game that is no part of a match has no `key`."""
    variant = variant_named(record.variant)
    unfinished = record.ending.kind is Kind.UNFINISHED
    white_wins, draw, black_wins = variant.results
    tags: dict[str, str | None] = {
        "Event": event,
        "Date": record.began[:10].replace("-", "."),
        "Round": str(key) if key is not None else "-",
        "White": record.white,
        "Black": record.black,
        "Result": UNFINISHED if unfinished else (black_wins, draw, white_wins)[record.ending.halves],
        **tags_of(variant),
        **({"SetUp": "1", "FEN": record.fen} if record.fen else {}),
        "Opening": record.opening or None,
        **_controls(record),
        "Termination": _one_line(f"{record.ending.kind.value}: {record.ending.reason}"),
    }
    plies = tuple(_ply(move) for move in record.moves)
    remarks = tuple(
        f"{incident.side.name.capitalize()}, ply {incident.ply}: {_plain(incident.text)}"
        for incident in record.incidents
    )
    given = tuple((name, _one_line(value)) for name, value in tags.items() if value is not None)
    return pdn.write(pdn.Game(given, pdn.Line(plies, remarks)))


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
        found.append(f"[%eval {_evaluation(Score(move.score), move.side)}]")
    if move.depth is not None:
        found.append(f"[%depth {move.depth}]")
    if move.nodes is not None:
        found.append(f"[%nodes {move.nodes}]")
    if move.seconds is not None:
        found.append(f"[%emt {_time(move.seconds)}]")
    if move.clock is not None:
        found.append(f"[%clk {_time(move.clock)}]")
    return found


def _evaluation(score: Score, side: Side) -> str:
    """From White's view: men, or the moves in which White wins."""
    sign = 1 if side is Side.WHITE else -1
    moves = score.moves_to_end
    return f"#{sign * moves}" if moves else f"{sign * score.men + 0.0:.2f}"


def _time(seconds: float) -> str:
    """h:mm:ss with as many thousandths as there are; a clock that is overrun shows 0."""
    thousandths = max(round(1000 * seconds), 0)
    whole, rest = divmod(thousandths, 1000)
    shown = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{shown}.{rest:03}".rstrip("0") if rest else shown


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _plain(text: str) -> str:
    """Text that can stand in a comment."""
    return _one_line(text).replace("{", "(").replace("}", ")")
