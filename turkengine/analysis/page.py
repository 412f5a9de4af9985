"""A run of analysis as one HTML page that needs nothing beside it: games with board, course, moves, critical moments.

The games are folded; a small script unfolds each with a board to click through. Without scripts everything but that
board is there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from turkengine.analysis.games import PlayedGame
from turkengine.analysis.judge import Mark, PlayerSummary
from turkengine.analysis.judged import JudgedGame, JudgedMove
from turkengine.drawing.plots import course_plot
from turkengine.drawing.svg import BAD, GOOD, Arrow, board_svg
from turkengine.notation import pdn
from turkengine.pages.boards import changes, in_words, number_of
from turkengine.pages.rendering import rendered
from turkengine.rules.variant import Side

MOST_GAMES = 500  # on a page; the other reports hold them all
MOST_MOMENTS = 6  # of a game
SHOWN_MOVES = 8  # of a line

_COMMAND = re.compile(r"\[%[^\]]*\]")  # in a comment, for programs

Analysed = tuple[PlayedGame, JudgedGame]


class Row(NamedTuple):
    """A game in the list of games."""

    white: str
    black: str
    result: str
    plies: int
    accuracy: str
    blunders: str
    mistakes: str


class PlayerRow(NamedTuple):
    """Somebody who has played more than once; `counts` are those of the columns after the accuracy."""

    name: str
    games: int
    accuracy: str
    counts: tuple[int, ...]


def html_page(title: str, settings: Sequence[tuple[str, str]], games: Iterable[Analysed]) -> Iterator[str]:
    """The page, in parts.

    Args:
        settings: what is said about the run: names and values.
    """
    kept: list[Analysed] = []
    total = 0
    for analysed in games:
        total += 1
        if len(kept) < MOST_GAMES:
            kept.append(analysed)
    return rendered(
        "analysis.html",
        title,
        {game.variant for game, _ in kept},
        settings=(("Games", str(total)), *settings),
        total=total,
        players=_players(kept) if len(kept) > 1 else (),
        rows=[_row(game, record) for game, record in kept],
        games=(_game(number, game, record) for number, (game, record) in enumerate(kept, start=1)),
    )


def _players(games: Sequence[Analysed]) -> list[PlayerRow]:
    found: dict[str, list[PlayerSummary]] = defaultdict(list)
    for game, record in games:
        for side in Side:
            name = game.entry.game.tag(side.name.capitalize()).strip()
            if name and name != "?":
                found[name].append(record.summary(side))
    several = [(-(_mean(summaries) or 0.0), name) for name, summaries in found.items() if len(summaries) > 1]
    return [_player(name, found[name]) for _, name in sorted(several)]


def _player(name: str, summaries: Sequence[PlayerSummary]) -> PlayerRow:
    marks = (sum(summary.count(mark) for summary in summaries) for mark in (Mark.BLUNDER, Mark.MISTAKE, Mark.DUBIOUS))
    missed = sum(summary.missed_wins for summary in summaries), sum(summary.missed_shots for summary in summaries)
    return PlayerRow(name, len(summaries), _accuracy(_mean(summaries)), (*marks, *missed))


def _mean(summaries: Sequence[PlayerSummary]) -> float | None:
    """The accuracy over all games, each move that was a choice counting once."""
    found = [(summary.accuracy, summary.moves - summary.forced) for summary in summaries]
    counted = [(accuracy, moves) for accuracy, moves in found if accuracy is not None]
    return (
        sum(accuracy * moves for accuracy, moves in counted) / sum(moves for _, moves in counted) if counted else None
    )


def _row(game: PlayedGame, record: JudgedGame) -> Row:
    white, black = record.summary(Side.WHITE), record.summary(Side.BLACK)
    tags = game.entry.game
    return Row(
        tags.tag("White").strip() or "?",
        tags.tag("Black").strip() or "?",
        tags.result,
        len(record.moves),
        f"{_accuracy(white.accuracy)} : {_accuracy(black.accuracy)}",
        f"{white.count(Mark.BLUNDER)} : {black.count(Mark.BLUNDER)}",
        f"{white.count(Mark.MISTAKE)} : {black.count(Mark.MISTAKE)}",
    )


def _accuracy(value: float | None) -> str:
    return f"{value:.1f}" if value is not None else "-"


def _game(number: int, game: PlayedGame, record: JudgedGame) -> dict[str, Any]:
    tags = game.entry.game
    critical = sorted((move for move in record.moves if move.is_critical), key=lambda move: -move.cost)[:MOST_MOMENTS]
    dots = [
        (move.ply, move.mark.name.lower(), f"{move.move}{move.mark.value}")
        for move in record.moves
        if move.mark is not Mark.NONE
    ]
    return {
        "number": number,
        "variant": game.variant.name,
        "row": _row(game, record),
        "about": list(filter(None, (tags.tag("Event"), tags.tag("Date"), game.variant.title))),
        "course": course_plot([move.chances.expectation for move in record.moves], dots),
        "moves": [_listed(game, move) for move in record.moves],
        "moments": [_moment(game, move) for move in sorted(critical, key=lambda move: move.ply)],
        "data": _data(game, record),
    }


def _number(game: PlayedGame, ply: int) -> str:
    return number_of(game.variant, game.positions[0].side, ply)


def _listed(game: PlayedGame, move: JudgedMove) -> dict[str, str]:
    number = _number(game, move.ply)
    kind = "forced" if move.forced else move.mark.name.lower() if move.mark is not Mark.NONE else ""
    return {
        "number": number if move.ply == 1 or not number.endswith("...") else "",
        "kind": f" {kind}" if kind else "",
        "text": f"{move.move}{move.mark.value}",
        "evaluation": move.evaluation,
    }


def _moment(game: PlayedGame, move: JudgedMove) -> dict[str, object]:
    """A card: the position before the move, what was played in red, the best move in green."""
    position, played = game.positions[move.ply - 1], game.moves[move.ply - 1]
    best = position.parse(move.best) if move.best else played
    arrows = [Arrow(best.origin, best.target, GOOD)]
    if best != played:
        arrows.insert(0, Arrow(played.origin, played.target, BAD))
    before = position.move
    drawing = board_svg(
        position.variant.board,
        position.cells,
        last=(before.origin, before.target) if before is not None else (),
        arrows=arrows,
        names=False,
        alone=False,
        title=in_words(position.variant, position.cells, position.side),
    )
    line = move.lines[0] if move.lines else None
    return {
        "ply": move.ply,
        "drawing": drawing,
        "title": f"{_number(game, move.ply)} {move.move}{move.mark.value}",
        "said": _said(move, best == played),
        "evaluation": line.evaluation if line else "",
        "line": " ".join(line.moves[:SHOWN_MOVES]) if line else "",
    }


def _said(move: JudgedMove, is_best: bool) -> str:
    parts = [move.remark[:1].upper() + move.remark[1:]] if move.remark else []
    if not is_best:
        before = move.lines[0].evaluation if move.lines else "?"
        parts.append(f"From {before} to {move.evaluation}; better was {move.best}")
    return ". ".join(parts) + "." if parts else "The only good move."


def _data(game: PlayedGame, record: JudgedGame) -> dict[str, object]:
    """What the script needs: the squares at the start, and what each move changes."""
    plies = game.entry.game.line.plies
    moves = [
        {
            "n": f"{_number(game, judged.ply)} {judged.move}{judged.mark.value}",
            "f": played.origin,
            "t": played.target,
            "c": changes(before.cells, after.cells),
            "e": judged.evaluation,
            "b": " ".join(judged.lines[0].moves[:SHOWN_MOVES]) if judged.lines else "",
            "d": judged.depth,
            "r": judged.remark,
            "w": [round(100 * share) for share in (judged.chances.win, judged.chances.draw, judged.chances.loss)],
            "k": _comment(plies[judged.ply - 1], judged),
        }
        for judged, played, (before, after) in zip(record.moves, game.moves, pairwise(game.positions), strict=True)
    ]
    return {"cells": game.positions[0].cells, "start": record.start, "moves": moves}


def _comment(ply: pdn.Ply, judged: JudgedMove) -> str:
    """What the file says about a move."""
    said = (" ".join(_COMMAND.sub("", remark).split()) for remark in ply.remarks if isinstance(remark, str))
    return " ".join(remark for remark in said if remark != judged.remark)
