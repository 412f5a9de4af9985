"""The checks of how an engine talks: greeting, options, stop, ponder, what it does not understand, the end."""

from __future__ import annotations

import time

from turkengine.client.checks_play import MOVE_TIME, PATIENCE
from turkengine.client.contract import ClientError
from turkengine.client.fitness import Check, Failed, Passed, Probe, Skipped
from turkengine.client.process import Ended
from turkengine.client.specimens import middle_game, without_a_move
from turkengine.engine.limits import GameClock, Limits
from turkengine.errors import OptionError, shown
from turkengine.wire.client_session import Stage

STOP = 0.5  # s from `stop` to the answer, beside the margin
A_WHILE = 0.3  # s
LEAVING = 2.0  # s from the end of the input, or `quit`, to the end of the process
PONDERING = Limits(clock=GameClock(2.0), ponder=True)
ENDLESS = Limits(infinite=True)
LONG_LINE = 200_000  # letters

HOSTILE = {  # by dialect, beside what every dialect gets
    "hub": (
        "pos pos=Wxyz",
        'pos moves="99-98"',
        'pos moves="oops',
        "level depth=many",
        "level move-time=-1e999",
        "set-param name=no-such-option value=1",
        "set-param name=",
        "ponder-hit",
    ),
    "hub1": ("pos wxyz", "move 99-98", "move oops", "depth many", "time", "set no-such-option 1", "ponder-hit"),
    "uci": (
        "position fen oops",
        "position startpos moves 99-98",
        "position",
        "setoption name No Such Option value 1",
        "setoption",
        "ponderhit",
    ),
}
ANYTHING = ("", "   ", "\t", "no-such-command", "stop", "=", '"', "\0", "\x1b[31m", "\N{SNOWMAN}", "x" * LONG_LINE)


def greeting(probe: Probe) -> Passed:
    """It says who it is and gets ready."""
    seconds = probe.afresh()
    if not probe.name:
        raise Failed("it does not say its name")
    return Passed(f"{probe.name}, ready after {seconds:.2f} s")


def declarations(probe: Probe) -> Passed:
    """Every option is declared with a value that it takes, and takes it back."""
    if not probe.session.declares:
        raise Skipped("the dialect has no way to declare options")
    faults = []
    for parameter in probe.session.parameters.values():
        if parameter.kind not in ("bool", "int", "real", "enum", "string", "button"):
            faults.append(f"{parameter.name} has the unknown type {shown(str(parameter.kind))}")
        if parameter.kind == "enum" and not parameter.values:
            faults.append(f"{parameter.name} has no values to choose from")
        try:
            parameter.check(parameter.value)
        except OptionError as error:
            faults.append(f"the default does not fit: {error}")
    if faults:
        raise Failed("; ".join(faults))
    session = probe.session
    session.take_complaint()
    for parameter in session.parameters.values():
        if parameter.kind != "button" and parameter.name != session.variant_parameter:
            probe.process.send(session.setting_line(parameter.name, parameter.value))
            if not probe.in_step():
                raise Failed(f"no answer after {parameter.name} was set to its own value")
            complaint = session.take_complaint()
            if complaint and session.complaints_count:
                raise Failed(f"{parameter.name} set to its own value: {complaint}")
    return Passed(f"{len(probe.session.parameters)} options")


def in_step(probe: Probe) -> Passed:
    """It answers that it listens, also in a search."""
    if not probe.in_step():
        raise Failed("it does not answer when nothing is searched")
    probe.process.send(*probe.session.ask(middle_game(probe.variant), ENDLESS))
    time.sleep(A_WHILE)
    heard = probe.in_step()
    probe.process.send(*probe.session.stop())
    if probe.session.stage is Stage.SEARCHING and probe.answer(PATIENCE) is None:
        raise Failed("no answer when the search is stopped")
    if not heard:
        raise Failed("it does not answer in a search")
    return Passed("answers, in a search too")


def stop(probe: Probe) -> Passed:
    """A search without limits ends when it is asked to, with one answer; a stop without a search means nothing."""
    slowest = 0.0
    for wait in (0.0, 0.01, A_WHILE):
        probe.process.send(*probe.session.ask(middle_game(probe.variant), ENDLESS))
        time.sleep(wait)
        stopped = time.perf_counter()
        probe.process.send(*probe.session.stop(), *probe.session.stop())
        answered = probe.answer(PATIENCE)
        if answered is None:
            raise Failed(f"no answer to a stop after {wait:g} s")
        slowest = max(slowest, answered[1] - stopped)
        _alone(probe)
    probe.process.send(*probe.session.stop())
    _alone(probe)
    if slowest > STOP + probe.margin:
        raise Failed(f"a stop was answered after {slowest:.3f} s")
    return Passed(f"answered within {slowest * 1000:.0f} ms, once each")


def ponder(probe: Probe) -> Passed:
    """It thinks in the opponent's time, and answers when that is over."""
    start = middle_game(probe.variant)
    early = 0
    for lines, what in ((probe.session.ponder_hit(), "the move pondered on is played"), (probe.session.stop(), "stop")):
        probe.ready()
        probe.process.send(*probe.session.ask(start, PONDERING))
        time.sleep(A_WHILE)
        answered = probe.answer(0.0)
        if answered is not None:  # Hub allows that, and the answer is kept
            early += 1
            continue
        probe.process.send(*lines)
        if probe.answer(PATIENCE) is None:
            raise Failed(f"no answer when {what}")
        _alone(probe)
    return Passed("answers too early" if early else "answers a hit and a stop")


def lost_position(probe: Probe) -> Passed:
    """A position without a move is answered, or passed over; a referee never asks."""
    position = without_a_move(probe.variant)
    if position is None:
        raise Skipped("no such position at hand")
    probe.process.send(*probe.session.ask(position, Limits(move_time=MOVE_TIME)))
    answered = probe.answer(A_WHILE + MOVE_TIME)
    if answered is None:
        probe.process.send(*probe.session.stop())
        answered = probe.answer(A_WHILE)
    if answered is None:
        raise Failed("no answer where there is no legal move")
    move = answered[0].move
    if move is not None:
        raise Failed(f"it answers {shown(move)} where there is no legal move")
    return Passed("says that there is no move")


def hostile(probe: Probe) -> Passed:
    """What nobody should send does not end it, and it plays on."""
    deadly = []
    lines = (*HOSTILE[probe.talk.dialect], *ANYTHING)
    for line in lines:
        probe.ready()
        try:
            probe.process.send(line)
            survived = probe.in_step()
            if survived:
                probe.client.think(middle_game(probe.variant), Limits(depth=1), PATIENCE)
        except (Ended, ClientError):
            survived = False
        if not survived:
            deadly.append(shown(line))
            probe.client.close()
    if deadly:
        raise Failed(f"{len(deadly)} of {len(lines)} bad lines end or block it: {', '.join(deadly)}")
    return Passed(f"{len(lines)} bad lines, and it plays on")


def line_ends(probe: Probe) -> Passed:
    """Lines as Windows ends them, in pieces, and with blanks around."""
    lines = probe.session.ask(middle_game(probe.variant), Limits(depth=2))
    data = "".join(f"{line}\r\n" for line in lines).encode()
    for place in range(0, len(data), 7):
        probe.process.send_bytes(data[place : place + 7])
    answered = probe.answer(PATIENCE)
    if answered is None:
        raise Failed("no answer where lines end with CR LF and come in pieces")
    return Passed("CR LF and lines in pieces")


def quiet(probe: Probe) -> Passed:
    """Standard error is for nobody: some programs have it in the same stream."""
    if probe.errors:
        raise Failed(f"{len(probe.errors)} lines on standard error, such as {shown(probe.errors[0])}")
    return Passed("nothing on standard error")


def leaving(probe: Probe) -> Passed:
    """It ends when it is asked to, and when nobody is there any more."""
    slowest = 0.0
    for what in ("quit", "the end of the input", "the end of the input in a search"):
        probe.ready()
        process = probe.process
        if "search" in what:
            process.send(*probe.session.ask(middle_game(probe.variant), ENDLESS))
            time.sleep(A_WHILE)
        if what == "quit":
            process.send(*probe.session.quit())
        else:
            process.finish()
        began = time.perf_counter()
        status = process.wait(LEAVING)
        slowest = max(slowest, time.perf_counter() - began)
        probe.client.close()
        if status is None:
            raise Failed(f"it keeps running after {what}")
        if status != 0:
            raise Failed(f"its exit status after {what} is {status}")
    return Passed(f"within {slowest:.2f} s, exit status 0")


def _alone(probe: Probe) -> None:
    """No second answer comes."""
    if not probe.in_step():
        raise Failed("it does not answer after a search")
    if probe.session.unasked is not None:
        raise Failed(f"an answer that nobody asked for: {shown(probe.session.unasked)}")


BEGINNING = (
    Check("greeting", greeting),
    Check("options", declarations, serious=False),
    Check("listening", in_step),
)
SEARCH = (
    Check("stop", stop),
    Check("ponder", ponder, serious=False),
    Check("no legal move", lost_position, serious=False),
    Check("line ends", line_ends, serious=False),
    Check("bad input", hostile, serious=False),
    Check("standard error", quiet, serious=False),
    Check("end", leaving, serious=False),
)
