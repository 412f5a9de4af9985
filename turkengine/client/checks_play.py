"""The checks of how an engine plays: legal moves, limits, the clock, repetition."""

from __future__ import annotations

import statistics

from turkengine.client.contract import Thought
from turkengine.client.fitness import Check, Failed, Passed, Probe, Skipped
from turkengine.client.specimens import before_a_third_time, long_game, middle_game, specimens, won_positions
from turkengine.engine.limits import GameClock, Limits
from turkengine.engine.score import MAN
from turkengine.notation import moves
from turkengine.rules.outcome import outcome
from turkengine.rules.position import Position
from turkengine.rules.variant import Side
from turkengine.wire.hub1_client import Hub1ClientSession

PATIENCE = 10.0  # s for an answer whose time is not what is looked at
QUICK = Limits(move_time=0.02)
DEPTH = 6
NODES = 20_000
NODES_BEYOND = 1.5  # of the nodes asked for; engines look at the limit now and then
MOVE_TIME = 0.2  # s
MOVES = 12  # timed in a row
GAME_TIME = 1.5  # s of each side's clock in the game that is played
INCREMENT = 0.02  # s
LONGEST_GAME = 240  # plies of it
WON = 20  # positions tried for repetition
MOST_REPETITIONS = 5  # of them that are held against the engine


def positions(probe: Probe) -> Passed:
    """Legal moves in all kinds of positions, set up and reached by moves."""
    asked = 0
    for kind, samples in specimens(probe.variant).items():
        for sample in samples:
            bare = Position(sample.variant, sample.cells, sample.side)
            for position in (sample, bare):
                _move(probe, position, QUICK, kind)
                asked += 1
    return Passed(f"{asked} legal answers")


def depth(probe: Probe) -> Passed:
    """A limit of depth."""
    thought = _move(probe, middle_game(probe.variant), Limits(depth=DEPTH), f"depth {DEPTH}")
    if thought.depth is not None and thought.depth > DEPTH:
        raise Failed(f"it was to search {DEPTH} plies and reports depth {thought.depth}")
    told = "depth not reported" if thought.depth is None else f"depth {thought.depth}"
    return Passed(f"{told} of {DEPTH}, after {thought.seconds:.3f} s")


def nodes(probe: Probe) -> Passed:
    """A limit of nodes."""
    if probe.talk is Hub1ClientSession:
        raise Skipped("the dialect has no word for nodes")
    thought = _move(probe, middle_game(probe.variant), Limits(nodes=NODES), f"{NODES} nodes")
    if thought.nodes is not None and thought.nodes > NODES * NODES_BEYOND:
        raise Failed(f"it was to search {NODES} nodes and reports {thought.nodes}")
    return Passed(f"{NODES} nodes asked for, {'none' if thought.nodes is None else thought.nodes} reported in the end")


def move_time(probe: Probe) -> Passed:
    """Move after move in the time given, which only moves that come late break."""
    position, late = middle_game(probe.variant), []
    for _ in range(MOVES):
        thought = _move(probe, position, Limits(move_time=MOVE_TIME), f"{MOVE_TIME} s a move")
        late.append(thought.seconds - MOVE_TIME)
        assert thought.move is not None
        position = position.play(thought.move)
        if outcome(position) is not None:
            position = middle_game(probe.variant)
    told = f"the latest of {MOVES} answers {_late(max(late))}, the median {_late(statistics.median(late))}"
    if max(late) > probe.margin:
        raise Failed(f"{told}; {probe.margin:g} s are allowed")
    return Passed(told)


def clock(probe: Probe) -> Passed:
    """A whole game against itself with a clock that is kept here."""
    left = dict.fromkeys(Side, GAME_TIME)
    position, plies = Position.start(probe.variant), 0
    while outcome(position) is None and plies < LONGEST_GAME:
        side = position.side
        left[side] += INCREMENT
        thought = _move(probe, position, Limits(clock=GameClock(left[side], INCREMENT)), "a clock")
        left[side] -= thought.seconds
        if left[side] < -probe.margin:
            raise Failed(f"its clock was overrun by {-left[side]:.3f} s at ply {plies + 1}")
        assert thought.move is not None
        position, plies = position.play(thought.move), plies + 1
    shortest = min(left.values())
    return Passed(f"{plies} plies with {GAME_TIME:g} s + {INCREMENT:g} s, {shortest:.3f} s left in the end")


def no_time(probe: Probe) -> Passed:
    """A move at once where the clock has run out, as it shows between programs that count differently."""
    start = middle_game(probe.variant)
    slowest = 0.0
    for remaining in (0.01, 0.0):
        thought = _move(probe, start, Limits(clock=GameClock(remaining)), f"{remaining:g} s left")
        slowest = max(slowest, thought.seconds)
    if slowest > probe.margin:
        raise Failed(f"without time it takes {slowest:.3f} s; {probe.margin:g} s are allowed")
    return Passed(f"{slowest:.3f} s")


def history(probe: Probe) -> Passed:
    """A game with as many moves without progress as one can have."""
    plies = probe.variant.no_progress.plies
    thought = _move(probe, long_game(probe.variant, plies), QUICK, f"{plies} plies without progress")
    return Passed(f"a legal answer after {plies} plies without progress, in {thought.seconds:.3f} s")


def repetition(probe: Probe) -> Passed:
    """Whether it gives a won game away by repeating a position for the third time."""
    tried, repeated = 0, []
    for position in won_positions(probe.variant, WON):
        probe.client.new_game()
        first = _move(probe, position, Limits(move_time=0.05), "a won position")
        if first.move is None or (first.score is not None and first.score.hundredths < MAN):
            continue
        again = before_a_third_time(position, first.move)
        if again is None or outcome(again) is not None:
            continue
        tried += 1
        second = _move(probe, again, Limits(move_time=0.05), "a won position with its history")
        if second.move == first.move:
            repeated.append(moves.short(position, first.move))
        if tried == MOST_REPETITIONS:
            break
    if not tried:
        raise Skipped("it found no move to repeat")
    if repeated:
        raise Failed(f"a won game is drawn by repetition with {', '.join(repeated)}, in {len(repeated)} of {tried}")
    return Passed(f"avoided in {tried} won positions")


def _move(probe: Probe, position: Position, limits: Limits, what: str) -> Thought:
    """The answer, which has to be a move."""
    probe.ready()
    thought = probe.client.think(position, limits, PATIENCE)
    if thought.move is None:
        raise Failed(f"it says that it has no move ({what})")
    return thought


def _late(seconds: float) -> str:
    return f"{abs(seconds) * 1000:.0f} ms {'late' if seconds > 0 else 'early'}"


PLAY = (
    Check("positions", positions),
    Check("depth", depth),
    Check("nodes", nodes),
    Check("move time", move_time),
    Check("clock", clock),
    Check("no time left", no_time, serious=False),
    Check("long history", history),
    Check("repetition", repetition, serious=False),
)
