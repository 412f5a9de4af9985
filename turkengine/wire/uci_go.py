"""The words of a UCI-like `go`, read so that every `go` can be answered.

What can be used is used, and the rest is named: a client waits for its `bestmove` whatever it has written. A `go` of
which nothing can be used is searched for a moment, since it would otherwise last until a `stop` that nobody sends.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from turkengine.engine.limits import GameClock, Limits
from turkengine.errors import MoveError, shown
from turkengine.notation import moves
from turkengine.rules.move import Move
from turkengine.rules.position import Situation
from turkengine.rules.variant import Side
from turkengine.wire.words import A_MOMENT, CommandError, decimal, joined, suggestion, whole

MILLISECONDS = 1000
MOST_BAD_MOVES = 50  # that are looked at; to explain each of a million would take minutes

FLAGS = frozenset({"ponder", "infinite"})
TIMES = frozenset({"wtime", "btime", "winc", "binc", "movetime"})
COUNTS = frozenset({"movestogo", "depth", "nodes", "mate"})
KNOWN = FLAGS | TIMES | COUNTS | {"searchmoves"}


@dataclass
class GoCommand:
    """What has been read so far; `faults` says what could not be used."""

    flags: set[str] = field(default_factory=set)
    times: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    root_moves: dict[Move, None] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)  # words that are not known

    def take(self, word: str, text: str) -> None:
        """A number with its name."""
        try:
            if word in TIMES:
                self.times[word] = decimal(word, text) / MILLISECONDS
            else:
                self.counts[word] = whole(word, text, least=1 if word == "mate" else 0)
        except CommandError as error:
            self.faults.append(str(error))

    def take_moves(self, position: Situation, texts: list[str]) -> None:
        """The moves that follow `searchmoves`."""
        bad = 0
        for text in dict.fromkeys(texts):
            try:
                self.root_moves[moves.read(position, text)] = None
            except MoveError as error:
                self.faults.append(f"searchmoves: {error}")
                bad += 1
                if bad == MOST_BAD_MOVES:
                    return
        if not texts:
            self.faults.append("searchmoves: no move follows")


def read_go(text: str, position: Situation) -> tuple[Limits, str]:
    """The limits of a `go`, and what is wrong with it as one line, empty where nothing is."""
    order = _order(text.split(), position)
    faults = order.faults + [f"the word {shown(word)} is not known{suggestion(word, KNOWN)}" for word in order.strange]
    limits = _limits(order, position.side)
    if faults and limits.infinite and "infinite" not in order.flags and not order.root_moves:
        limits = Limits(move_time=A_MOMENT, ponder=limits.ponder)
        faults = [*joined(faults), f"nothing else limits the search, so it lasts {A_MOMENT:g} s"]
        return limits, "; ".join(faults)
    return limits, "; ".join(joined(faults))


def _order(words: list[str], position: Situation) -> GoCommand:
    order, index = GoCommand(), 0
    while index < len(words):
        word, index = words[index], index + 1
        if word in FLAGS:
            order.flags.add(word)
        elif word in TIMES or word in COUNTS:
            has_value = index < len(words) and words[index] not in KNOWN
            order.take(word, words[index] if has_value else "")
            index += has_value
        else:
            begin = index
            while index < len(words) and words[index] not in KNOWN:
                index += 1
            if word == "searchmoves":
                order.take_moves(position, words[begin:index])
            elif not order.strange or len(order.strange) < MOST_BAD_MOVES:
                order.strange.append(word)  # and what follows it is its value
    return order


def _limits(order: GoCommand, side: Side) -> Limits:
    """Without any limit the search lasts until `stop`."""
    times, counts = order.times, order.counts
    own, other = ("w", "b") if side is Side.WHITE else ("b", "w")
    remaining = times.get(f"{own}time", times.get(f"{other}time"))  # who sends one clock means it for this move
    clock = None
    if remaining is not None or f"{own}inc" in times:
        clock = GameClock(remaining or 0.0, times.get(f"{own}inc", 0.0), counts.get("movestogo") or None)
    bounded = clock is not None or "movetime" in times or bool(counts.keys() & {"depth", "nodes", "mate"})
    return Limits(
        depth=counts.get("depth"),
        nodes=counts.get("nodes"),
        mate=counts.get("mate"),
        move_time=times.get("movetime"),
        clock=clock,
        infinite="infinite" in order.flags or not bounded,
        ponder="ponder" in order.flags,
        root_moves=tuple(order.root_moves),
    )
