"""The report of a match as one HTML page that needs nothing beside it: tables, plots, and every game in a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from turkengine.drawing.plots import Curve, bar_plot, curve_plot, interval_plot, share_plot
from turkengine.match.report import PAIR_NAMES, duel_lines, ending_lines, repetition, signed
from turkengine.match.schedule import Key
from turkengine.match.statistics import Pairs
from turkengine.match.summary import Duel, Summary
from turkengine.pages.rendering import rendered
from turkengine.record.record import Record

MOST_POINTS = 400  # of a curve; more cannot be told apart
LENGTH_STEP = 20  # plies of a bar
MOST_GAMES = 5000  # listed


def html_report(summary: Summary, order: Sequence[Key], games: Sequence[tuple[Key, Record]]) -> str:
    """The page.

    Args:
        order: the games in the order in which they have ended.
    """
    duel = summary.duels[0] if len(summary.names) == 2 else None
    tiebreaks = [name for name, _ in summary.standings[0].tiebreaks] if summary.standings else []
    plots = [*_rating_plots(summary), *_length_plots(games)]
    if duel is not None:
        plots = [*_duel_plots(summary, duel, order), *plots]
    has_figures = duel is not None and duel.games.total > 0
    return "".join(
        rendered(
            "match.html",
            summary.title,
            summary=summary,
            figures=_figures(summary, duel) if duel is not None and has_figures else (),
            shares=_shares(duel) if duel is not None and has_figures else "",
            standings_head=["", "player", "points", "games", "+", "=", "-", "rating", *tiebreaks],
            standings=_standings(summary),
            duel=(duel.first, *duel.pairs.counts) if duel is not None else (),
            duel_lines=duel_lines(duel, summary.sprt) if duel is not None else (),
            pair_names=list(PAIR_NAMES),
            cross_head=["", "", *range(1, len(summary.names) + 1)],
            cross_table=_cross_table(summary),
            plots=plots,
            endings=ending_lines(summary),
            games=_games(games, summary),
            total=len(games),
        )
    )


def _figures(summary: Summary, duel: Duel) -> list[tuple[str, str, str]]:
    """What somebody looks for first: name, value, and what belongs to it."""
    games, pairs = duel.games, duel.pairs
    elo, error = signed(pairs.elo).split(" ", 1)
    figures = [
        ("Score", f"{100 * games.points / games.total:.1f} %", f"{games.points:g} of {games.total}"),
        ("Elo", elo, error),
        ("Likely better", f"{100 * pairs.los:.1f} %", duel.first),
        ("Drawn", f"{100 * games.draw_ratio:.1f} %", f"{games.drawn} of {games.total}"),
    ]
    if summary.sprt is not None:
        verdict = summary.sprt.verdict(pairs)
        figures.append(("Test", f"LLR {summary.sprt.llr(pairs):.2f}", verdict.value if verdict else "not decided"))
    return figures


def _shares(duel: Duel) -> str:
    games = duel.games
    return share_plot(
        [
            ("won", f"{duel.first} won", games.won),
            ("drawn", "drawn", games.drawn),
            ("lost", f"{duel.second} won", games.lost),
        ]
    )


def _standings(summary: Summary) -> list[tuple[object, ...]]:
    return [
        (
            *(place, standing.name, summary.points(standing.halves), standing.games.total),
            *(standing.games.won, standing.games.drawn, standing.games.lost),
            signed(standing.rating),
            *(f"{value:g}" for _, value in standing.tiebreaks),
        )
        for place, standing in enumerate(summary.standings, start=1)
    ]


def _cross_table(summary: Summary) -> list[tuple[object, ...]]:
    names = [standing.name for standing in summary.standings]
    rows: list[tuple[object, ...]] = []
    for number, name in enumerate(names, start=1):
        cells = []
        for other in names:
            games = summary.results.games(name, other)
            cells.append(
                f"{summary.points(games.halves)}/{games.total}" if games.total else ("" if other != name else "x")
            )
        rows.append((number, name, *cells))
    return rows


def _duel_plots(summary: Summary, duel: Duel, order: Sequence[Key]) -> list[tuple[str, str]]:
    """How what two players have made of each other came about."""
    trail = _trail(summary, duel, order)
    if len(trail) < 2:
        return []
    plots = []
    elos = [(number, pairs.elo) for number, pairs in trail if pairs.variance]
    if len(elos) > 1:
        settled = elos[len(elos) // 10 :]  # the first few reach to infinity and would flatten the rest
        curve = Curve(
            [(number, elo.value) for number, elo in settled],
            [elo.low for _, elo in settled],
            [elo.high for _, elo in settled],
        )
        plots.append(("Elo with its 95 % interval", curve_plot(curve, "pairs", "Elo", [(0.0, "equal")])))
    if summary.sprt is not None:
        sprt = summary.sprt
        llr = Curve([(number, sprt.llr(pairs)) for number, pairs in trail])
        bounds = [(sprt.lower, f"{sprt.elo0:g} accepted"), (sprt.upper, f"{sprt.elo1:g} accepted")]
        plots.append(("Sequential test", curve_plot(llr, "pairs", "LLR", bounds)))
    return plots


def _rating_plots(summary: Summary) -> list[tuple[str, str]]:
    rows = [(s.name, s.rating.value, s.rating.low, s.rating.high) for s in summary.standings]
    return [("Ratings", interval_plot(rows, "Elo, 95 % intervals"))] if len(rows) > 2 else []


def _length_plots(games: Sequence[tuple[Key, Record]]) -> list[tuple[str, str]]:
    lengths = Counter(len(record.moves) // LENGTH_STEP for _, record in games)
    if not lengths:
        return []
    bars = [(str(LENGTH_STEP * bar), lengths[bar]) for bar in range(max(lengths) + 1)]
    return [("Length of games", bar_plot(bars, "plies, from", "games"))]


def _trail(summary: Summary, duel: Duel, order: Iterable[Key]) -> list[tuple[int, Pairs]]:
    """The pairs as they stood after each of them, or after some of them where they are many."""
    results = summary.results
    halves = {result.key: result.of(duel.first) for result in results if results.repeated(result.key) is None}
    half: dict[tuple[int, int, int], int] = {}
    scores: list[int] = []
    for key in order:
        if key not in halves:
            continue
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


def _games(games: Sequence[tuple[Key, Record]], summary: Summary) -> list[tuple[object, ...]]:
    return [
        (
            *(key, record.white, record.black),
            f"{summary.points(record.ending.halves)}-{summary.points(2 - record.ending.halves)}",
            *(str(len(record.moves)), f"{record.seconds:.1f}"),
            f"{record.ending.kind.value}: {record.ending.reason}{repetition(summary.results, key)}",
        )
        for key, record in games[:MOST_GAMES]
    ]
