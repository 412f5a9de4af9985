"""A run of analysis as one HTML page that needs nothing beside it: games with board, course, moves, critical moments.

The games are folded; a small script unfolds each with a board to click through. Without scripts everything but that
board is there.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import pairwise

from turkengine import __version__
from turkengine.analysis.games import PlayedGame
from turkengine.analysis.graph import course_svg
from turkengine.analysis.judge import Mark, Summary
from turkengine.analysis.record import GameRecord, JudgedMove
from turkengine.api.position import Position
from turkengine.drawing.svg import BAD, GOOD, STYLE, Arrow, board_svg, centres, definitions
from turkengine.rules.move import Move
from turkengine.rules.variant import Side, Variant

MOST_GAMES = 500  # on a page; the other reports hold them all
MOST_MOMENTS = 6  # of a game
SHOWN_MOVES = 8  # of a line

Analysed = tuple[PlayedGame, GameRecord]


def html_page(title: str, settings: Sequence[tuple[str, str]], games: Iterable[Analysed]) -> Iterator[str]:
    """The page, in parts.

    Args:
        settings: what is told about the run: names and values.
    """
    kept: list[Analysed] = []
    total = 0
    for analysed in games:
        total += 1
        if len(kept) < MOST_GAMES:
            kept.append(analysed)
    yield from _head(title)
    yield f"<header><h1>{escape(title)}</h1><dl>"
    for name, value in (("Games", str(total)), *settings):
        yield f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>"
    yield "</dl></header>\n<main>\n"
    if total > len(kept):
        yield f"<p>These are the first {len(kept)} games; the reports as PDN and JSON hold them all.</p>"
    if len(kept) > 1:
        yield from _players(kept)
        yield from _overview(kept)
    for number, (game, record) in enumerate(kept, start=1):
        yield from _game(number, game, record, is_open=len(kept) == 1)
    yield from _boards({game.variant for game, _ in kept})
    yield f"</main>\n<footer>turkengine {escape(__version__)}</footer>\n"
    yield f"<script>\n{_resource('page.js')}</script>\n</body>\n</html>\n"


def _head(title: str) -> Iterator[str]:
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<title>{escape(title)}</title>\n<style>\n{STYLE}\n{_resource('page.css')}</style>\n</head>\n<body>\n"


def _resource(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _players(games: Sequence[Analysed]) -> Iterator[str]:
    """Everybody who has played more than once."""
    found: dict[str, list[Summary]] = defaultdict(list)
    for game, record in games:
        for side in Side:
            name = game.entry.game.tag(side.name.capitalize()).strip()
            if name and name != "?":
                found[name].append(record.summary(side))
    rows = sorted(((name, summaries) for name, summaries in found.items() if len(summaries) > 1), key=_by_accuracy)
    if not rows:
        return
    yield '<h2>Players</h2><div class="wide"><table><tr><th class="name">player</th><th>games</th><th>accuracy</th>'
    yield "<th>??</th><th>?</th><th>?!</th><th>missed wins</th><th>missed shots</th></tr>"
    for name, summaries in rows:
        yield f'<tr><td class="name">{escape(name)}</td><td>{len(summaries)}</td><td>{_accuracy(_mean(summaries))}</td>'
        for mark in (Mark.BLUNDER, Mark.MISTAKE, Mark.DUBIOUS):
            yield f"<td>{sum(summary.count(mark) for summary in summaries)}</td>"
        yield f"<td>{sum(summary.missed_wins for summary in summaries)}</td>"
        yield f"<td>{sum(summary.missed_shots for summary in summaries)}</td></tr>"
    yield "</table></div>\n"


def _by_accuracy(row: tuple[str, list[Summary]]) -> tuple[float, str]:
    return -(_mean(row[1]) or 0.0), row[0]


def _mean(summaries: Sequence[Summary]) -> float | None:
    """The accuracy over all games, each move that was a choice counting once."""
    told = [(summary.accuracy, summary.moves - summary.forced) for summary in summaries]
    counted = [(accuracy, moves) for accuracy, moves in told if accuracy is not None]
    return (
        sum(accuracy * moves for accuracy, moves in counted) / sum(moves for _, moves in counted) if counted else None
    )


def _overview(games: Sequence[Analysed]) -> Iterator[str]:
    yield '<h2>Games</h2><div class="wide"><table><tr><th></th><th class="name">White</th><th class="name">Black</th>'
    yield "<th>result</th><th>plies</th><th>accuracy</th><th>??</th><th>?</th></tr>"
    for number, (game, record) in enumerate(games, start=1):
        white, black = record.summary(Side.WHITE), record.summary(Side.BLACK)
        told = game.entry.game
        yield f'<tr><td><a href="#g{number}">{number}</a></td>'
        yield f'<td class="name">{escape(told.tag("White", "?"))}</td>'
        yield f'<td class="name">{escape(told.tag("Black", "?"))}</td><td>{escape(told.result)}</td>'
        yield f"<td>{len(record.moves)}</td><td>{_accuracy(white.accuracy)} : {_accuracy(black.accuracy)}</td>"
        for mark in (Mark.BLUNDER, Mark.MISTAKE):
            yield f"<td>{white.count(mark)} : {black.count(mark)}</td>"
        yield "</tr>"
    yield "</table></div>\n"


def _accuracy(value: float | None) -> str:
    return f"{value:.1f}" if value is not None else "-"


def _game(number: int, game: PlayedGame, record: GameRecord, is_open: bool) -> Iterator[str]:
    told = game.entry.game
    white, black = record.summary(Side.WHITE), record.summary(Side.BLACK)
    named = " · ".join(filter(None, (told.tag("Event"), told.tag("Date"), game.variant.title)))
    yield f'<details class="game" id="g{number}" data-variant="{game.variant.name}"{" open" if is_open else ""}>'
    yield f"<summary><b>{number}. {escape(game.title)}</b> <span>{escape(told.result)}</span> "
    yield f"<small>accuracy {_accuracy(white.accuracy)} : {_accuracy(black.accuracy)}</small></summary>\n"
    yield f'<p class="about">{escape(named)}</p><div class="table"><div class="viewer"></div>'
    yield f'<div class="beside">{course_svg(record)}<ol class="moves">'
    yield from _move_list(game, record)
    yield "</ol></div></div>"
    moments = sorted(sorted(_critical(record), key=lambda move: -move.cost)[:MOST_MOMENTS], key=lambda move: move.ply)
    if moments:
        yield '<h3>Critical moments</h3><div class="moments">'
        for move in moments:
            yield _moment(game, move)
        yield "</div>"
    data = json.dumps(_data(game, record), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    yield f'<script type="application/json">{data}</script></details>\n'


def _critical(record: GameRecord) -> list[JudgedMove]:
    return [move for move in record.moves if move.is_critical]


def _number(game: PlayedGame, ply: int) -> str:
    """The number of a move as it is written: `12.` or `12...`."""
    half = ply - 1 + (game.positions[0].side is Side.BLACK)
    return f"{half // 2 + 1}{'...' if half % 2 else '.'}"


def _move_list(game: PlayedGame, record: GameRecord) -> Iterator[str]:
    for move in record.moves:
        number = _number(game, move.ply)
        shown = f"<i>{number}</i>" if move.ply == 1 or not number.endswith("...") else ""
        yield f'<li data-ply="{move.ply}" class="m{_kind(move)}">{shown}<b>{move.move}{move.mark.value}</b>'
        yield f"<small>{move.evaluation}</small></li>"


def _kind(move: JudgedMove) -> str:
    if move.forced:
        return " forced"
    return f" {move.mark.name.lower()}" if move.mark is not Mark.NONE else ""


def _moment(game: PlayedGame, move: JudgedMove) -> str:
    """A card: the position before the move, what was played in red, the best move in green."""
    position, played = game.positions[move.ply - 1], game.moves[move.ply - 1]
    best = position.parse(move.best) if move.best else played
    arrows = [Arrow(best.origin, best.target, GOOD)]
    if best != played:
        arrows.insert(0, Arrow(played.origin, played.target, BAD))
    last = _ends(position.move)
    drawing = board_svg(position.variant.board, position.cells, last=last, arrows=arrows, names=False, alone=False)
    title = f"{_number(game, move.ply)} {move.move}{move.mark.value}"
    said = [f"<h4>{escape(title)}</h4>", f"<p>{escape(_told(move, best == played))}</p>"]
    if move.lines:
        line = move.lines[0]
        said.append(
            f'<p class="line"><b>{escape(line.evaluation)}</b> {escape(" ".join(line.moves[:SHOWN_MOVES]))}</p>'
        )
    return f'<figure data-ply="{move.ply}">{drawing}<figcaption>{"".join(said)}</figcaption></figure>'


def _told(move: JudgedMove, is_best: bool) -> str:
    parts = [move.remark[:1].upper() + move.remark[1:]] if move.remark else []
    if not is_best:
        before = move.lines[0].evaluation if move.lines else "?"
        parts.append(f"From {before} to {move.evaluation}; better was {move.best}")
    return ". ".join(parts) + "." if parts else "The only good move."


def _ends(move: Move | None) -> tuple[int, ...]:
    return (move.origin, move.target) if move is not None else ()


def _data(game: PlayedGame, record: GameRecord) -> dict[str, object]:
    """What the script needs: the squares at the start, and what each move changes."""
    moves = [
        {
            "n": f"{_number(game, told.ply)} {told.move}{told.mark.value}",
            "f": played.origin,
            "t": played.target,
            "c": _changes(before, after),
            "e": told.evaluation,
            "b": " ".join(told.lines[0].moves[:SHOWN_MOVES]) if told.lines else "",
            "d": told.depth,
            "r": told.remark,
            "w": [round(100 * share) for share in (told.chances.win, told.chances.draw, told.chances.loss)],
        }
        for told, played, (before, after) in zip(record.moves, game.moves, pairwise(game.positions), strict=True)
    ]
    return {"cells": game.positions[0].cells, "start": record.start, "moves": moves}


def _changes(before: Position, after: Position) -> list[int | str]:
    """Squares and what stands on them afterwards, one after the other."""
    found: list[int | str] = []
    for square, (old, new) in enumerate(zip(before.cells, after.cells, strict=True)):
        if old != new:
            found += [square, new]
    return found


def _boards(variants: set[Variant]) -> Iterator[str]:
    """What all boards share, and for the script an empty board of each game with the middles of its squares."""
    in_order = sorted(variants, key=lambda variant: variant.name)
    yield definitions(dict.fromkeys(variant.board for variant in in_order)) + "\n"
    for variant in in_order:
        for flipped in (False, True):
            empty = board_svg(variant.board, "e" * variant.board.size, alone=False, flipped=flipped)
            places = json.dumps(centres(variant.board, flipped), separators=(",", ":"))
            kind = "flipped" if flipped else "usual"
            yield f'<template data-board="{variant.name} {kind}" data-places="{places}">{empty}</template>\n'
