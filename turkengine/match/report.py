"""The report of a match as text: the table, who has met whom, and what the statistics say, in lines of their own."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from turkengine.match.schedule import Key, Results
from turkengine.match.sprt import Sprt
from turkengine.match.statistics import Estimate, Pairs
from turkengine.match.summary import Duel, Standing, Summary
from turkengine.record.record import EndingKind

PAIR_NAMES = ("0", "1/2", "1", "3/2", "2")
MOST_IN_A_CROSS_TABLE = 12  # players; more do not fit on a terminal


def text_report(summary: Summary) -> str:
    """All of it, ending with a line feed."""
    lines = [summary.title, *(f"  {name}: {value}" for name, value in summary.settings.items()), ""]
    lines += table(summary)
    if 2 < len(summary.names) <= MOST_IN_A_CROSS_TABLE:
        lines += ["", *cross_table(summary)]
    for duel in summary.duels if len(summary.names) == 2 else ():
        lines += ["", *duel_lines(duel, summary.sprt)]
    lines += ["", *ending_lines(summary)]
    return "\n".join(lines) + "\n"


def table(summary: Summary) -> list[str]:
    """The standings."""
    head = ["", "player", "points", "games", "+", "=", "-", "score", "rating"]
    tiebreaks = [name for name, _ in summary.standings[0].tiebreaks] if summary.standings else []
    rows = [[*head, *tiebreaks]]
    for place, standing in enumerate(summary.standings, start=1):
        rows.append([*_standing(place, standing, summary), *(f"{value:g}" for _, value in standing.tiebreaks)])
    return aligned(rows, left=(1,))


def _standing(place: int, standing: Standing, summary: Summary) -> list[str]:
    games = standing.games
    score = f"{100 * games.points / games.total:.1f} %" if games.total else "-"
    counts = [str(count) for count in (games.total, games.won, games.drawn, games.lost)]
    return [str(place), standing.name, summary.points(standing.halves), *counts, score, signed(standing.rating)]


def cross_table(summary: Summary) -> list[str]:
    """The points of each player against each other one, in the order of the table."""
    names = [standing.name for standing in summary.standings]
    rows = [["", "", *(str(number) for number in range(1, len(names) + 1))]]
    for number, name in enumerate(names, start=1):
        cells = []
        for other in names:
            games = summary.results.games(name, other)
            cells.append(
                f"{summary.points(games.halves)}/{games.total}" if games.total else ("." if other != name else "x")
            )
        rows.append([str(number), name, *cells])
    return aligned(rows, left=(1,))


def duel_lines(duel: Duel, sprt: Sprt | None = None) -> list[str]:
    """What the games of two players say."""
    games, pairs = duel.games, duel.pairs
    lines = [
        f"{duel.first} against {duel.second}: +{games.won} ={games.drawn} -{games.lost},"
        f" {games.points:g} of {games.total}, {100 * games.draw_ratio:.1f} % drawn",
        "pairs "
        + ", ".join(f"{name}: {count}" for name, count in zip(PAIR_NAMES, pairs.counts, strict=True))
        + f" ({100 * pairs.shared:.1f} % shared)",
        f"Elo {signed(pairs.elo)}, nElo {signed(pairs.nelo)}, LOS {100 * pairs.los:.1f} %",
    ]
    return [*lines, sprt_line(sprt, pairs)] if sprt is not None else lines


def sprt_line(sprt: Sprt, pairs: Pairs) -> str:
    """The state of the sequential test."""
    verdict = sprt.verdict(pairs)
    state = verdict.value if verdict is not None else "not decided"
    unit = "nElo" if sprt.scale.value == "normalised" else "Elo"
    return (
        f"LLR {sprt.llr(pairs):.2f} ({sprt.lower:.2f}, {sprt.upper:.2f})"
        f" for {sprt.elo0:g} and {sprt.elo1:g} {unit}: {state}"
    )


def ending_lines(summary: Summary) -> Iterator[str]:
    """How the games have ended, and what engines have done wrong."""
    faults = summary.faults
    total = sum(faults.endings.values())
    ended = ", ".join(f"{kind.value} {faults.endings[kind]}" for kind in EndingKind if faults.endings[kind])
    length = f", {faults.plies / total:.0f} plies and {faults.seconds / total:.1f} s each" if total else ""
    yield f"{total} games{length}" + (f"; ended by {ended}" if ended else "")
    repeated = len(summary.results.repeats())
    if repeated:
        yield (
            f"{repeated} of them {'repeats' if repeated == 1 else 'repeat'} an earlier game and"
            f" {'does' if repeated == 1 else 'do'} not count; more openings would help"
        )
    for standing in summary.standings:
        wrong = [f"{word} {count}" for word, count in standing.faults]
        if wrong:
            yield f"{standing.name} has lost by {', '.join(wrong)}"
        if standing.irregularities:
            yield f"{standing.name} has made {standing.irregularities} irregular moves"
        if standing.overruns:
            yield f"{standing.name} has been late with {standing.overruns} moves, by {standing.latest:.3f} s at most"


def repetition(results: Results, key: Key) -> str:
    """What stands after a game that repeats another one; nothing where it counts."""
    first = results.repeated(key)
    return f"; repeats game {first} and does not count" if first is not None else ""


def signed(estimate: Estimate) -> str:
    """A value with its error: `+3.1 ± 2.3`; `?` where nothing is known about it."""
    value = (
        "+inf" if estimate.value == math.inf else "-inf" if estimate.value == -math.inf else f"{estimate.value:+.1f}"
    )
    return f"{value} ± {estimate.error:.1f}" if math.isfinite(estimate.error) else f"{value} ± ?"


def aligned(rows: Sequence[Sequence[str]], left: Sequence[int] = ()) -> list[str]:
    """Cells in columns, numbers to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines
