"""The report of a match as one HTML page that needs nothing beside it: tables, plots, and every game in a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape

from turkengine import __version__
from turkengine.match.plots import Curve, bar_plot, curve_plot, interval_plot
from turkengine.match.report import PAIR_NAMES, duel_lines, ending_lines, signed
from turkengine.match.schedule import Key
from turkengine.match.statistics import Pairs
from turkengine.match.summary import Duel, Summary
from turkengine.record.record import Record

MOST_POINTS = 400  # of a curve; more cannot be told apart
LENGTH_STEP = 20  # plies of a bar
MOST_GAMES = 5000  # listed

STYLE = """
:root { color-scheme: light dark; --ink: #1c2733; --paper: #fdfdfb; --faint: #d9dde1; --blue: #1f6fb2; --red: #b2451f; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e7ea; --paper: #14191f; --faint: #38414b; --blue: #6db3ee; --red: #f0926b; }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--faint); text-align: right; white-space: nowrap; }
th.name, td.name { text-align: left; } td.self { color: var(--faint); }
.wide { overflow-x: auto; }
svg { width: 100%; height: auto; } svg text { font: 13px system-ui, sans-serif; fill: var(--ink); }
svg .small { font-size: 11px; } svg .grid { stroke: var(--faint); }
svg .mark { stroke: var(--red); stroke-dasharray: 5 4; }
svg .curve { fill: none; stroke: var(--blue); stroke-width: 2; } svg .band { fill: var(--blue); opacity: .15; }
svg .dot, svg .bar { fill: var(--blue); } svg .error { stroke: var(--blue); stroke-width: 2; }
footer { margin-top: 3rem; font-size: .85rem; opacity: .7; }
"""


def html_report(summary: Summary, order: Sequence[Key], games: Sequence[tuple[Key, Record]]) -> str:
    """The page.

    Args:
        order: the games in the order in which they have ended.
    """
    parts = [f"<h1>{escape(summary.title)}</h1>"]
    if not summary.finished:
        parts.append("<p><strong>Not all games are played.</strong></p>")
    parts += [_table(["what", "value"], summary.settings.items(), names=2), "<h2>Table</h2>", _standings(summary)]
    if len(summary.names) == 2:
        parts += _duel(summary, summary.duels[0], order)
    else:
        parts += ["<h2>Cross table</h2>", _cross_table(summary)]
    rows = [(s.name, s.rating.value, s.rating.low, s.rating.high) for s in summary.standings]
    if len(rows) > 2:
        parts += ["<h2>Ratings</h2>", interval_plot(rows, "Elo, 95 % intervals")]
    lengths = Counter(len(record.moves) // LENGTH_STEP for _, record in games)
    if lengths:
        bars = [(str(LENGTH_STEP * bar), lengths[bar]) for bar in range(max(lengths) + 1)]
        parts += ["<h2>Length of games</h2>", bar_plot(bars, "plies, from", "games")]
    parts += ["<h2>Ends of games</h2>", *(f"<p>{escape(line)}</p>" for line in ending_lines(summary))]
    parts += ["<h2>Games</h2>", *_games(games, summary)]
    parts.append(f"<footer>turkengine {escape(__version__)}</footer>")
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(summary.title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _standings(summary: Summary) -> str:
    tiebreaks = [name for name, _ in summary.standings[0].tiebreaks] if summary.standings else []
    rows = [
        (
            *(str(place), standing.name, summary.points(standing.halves), str(standing.games.total)),
            *map(str, (standing.games.won, standing.games.drawn, standing.games.lost)),
            signed(standing.rating),
            *(f"{value:g}" for _, value in standing.tiebreaks),
        )
        for place, standing in enumerate(summary.standings, start=1)
    ]
    return _table(["", "player", "points", "games", "+", "=", "-", "rating", *tiebreaks], rows, names=2)


def _cross_table(summary: Summary) -> str:
    names = [standing.name for standing in summary.standings]
    rows = []
    for number, name in enumerate(names, start=1):
        cells = []
        for other in names:
            games = summary.results.games(name, other)
            cells.append(
                f"{summary.points(games.halves)}/{games.total}" if games.total else ("" if other != name else "x")
            )
        rows.append((str(number), name, *cells))
    return _table(["", "", *map(str, range(1, len(names) + 1))], rows, names=2)


def _duel(summary: Summary, duel: Duel, order: Sequence[Key]) -> list[str]:
    """What two players have made of each other, and how that came about."""
    parts = [f"<p>{escape(line)}</p>" for line in duel_lines(duel, summary.sprt)]
    parts.append(_table(["pairs that scored", *PAIR_NAMES], [(duel.first, *map(str, duel.pairs.counts))], names=1))
    trail = _trail(summary, duel, order)
    if len(trail) < 2:
        return parts
    elos = [(number, pairs.elo) for number, pairs in trail if pairs.variance]
    if len(elos) > 1:
        settled = elos[len(elos) // 10 :]  # the first few reach to infinity and would flatten the rest
        curve = Curve(
            [(number, elo.value) for number, elo in settled],
            [elo.low for _, elo in settled],
            [elo.high for _, elo in settled],
        )
        parts += ["<h2>Elo with its 95 % interval</h2>", curve_plot(curve, "pairs", "Elo", [(0.0, "equal")])]
    if summary.sprt is not None:
        sprt = summary.sprt
        llr = Curve([(number, sprt.llr(pairs)) for number, pairs in trail])
        bounds = [(sprt.lower, f"{sprt.elo0:g} accepted"), (sprt.upper, f"{sprt.elo1:g} accepted")]
        parts += ["<h2>Sequential test</h2>", curve_plot(llr, "pairs", "LLR", bounds)]
    return parts


def _trail(summary: Summary, duel: Duel, order: Iterable[Key]) -> list[tuple[int, Pairs]]:
    """The pairs as they stood after each of them, or after some of them where they are many."""
    halves = {result.key: result.of(duel.first) for result in summary.results}
    half: dict[tuple[int, int, int], int] = {}
    scores: list[int] = []
    for key in order:
        if key.pair in half:
            scores.append(half.pop(key.pair) + halves[key])
        else:
            half[key.pair] = halves[key]
    every = max(len(scores) // MOST_POINTS, 1)
    numbers = sorted({*range(every, len(scores) + 1, every), len(scores)} - {0})
    counts, trail, done = [0] * 5, [], 0
    for number in numbers:
        for score in scores[done:number]:
            counts[score] += 1
        done = number
        trail.append((number, Pairs((counts[0], counts[1], counts[2], counts[3], counts[4]))))
    return trail


def _games(games: Sequence[tuple[Key, Record]], summary: Summary) -> list[str]:
    rows = [
        (
            *(str(key), record.white, record.black),
            f"{summary.points(record.ending.halves)}-{summary.points(2 - record.ending.halves)}",
            *(str(len(record.moves)), f"{record.seconds:.1f}"),
            f"{record.ending.kind.value}: {record.ending.reason}",
        )
        for key, record in games[:MOST_GAMES]
    ]
    head = ["game", "White", "Black", "result", "plies", "seconds", "end"]
    parts = [f"<details><summary>{len(games)} games</summary>{_table(head, rows, names=3, last=True)}</details>"]
    if len(games) > MOST_GAMES:
        parts.append(f"<p>The first {MOST_GAMES} are listed.</p>")
    return parts


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], names: int, last: bool = False) -> str:
    """A table; the first `names` columns, and the last where asked for, hold words."""

    def cells(row: Sequence[str], kind: str) -> str:
        words = {*range(names), *([len(row) - 1] if last else [])}
        return "".join(
            f"<{kind}{' class=name' if column in words else ''}>{escape(cell)}</{kind}>"
            for column, cell in enumerate(row)
        )

    body = "\n".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    return f'<div class="wide"><table>\n<tr>{cells(head, "th")}</tr>\n{body}\n</table></div>'
