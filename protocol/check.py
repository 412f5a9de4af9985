"""Runs recorded conversations against an engine and names the first line that differs.

    python protocol/check.py --dialect hub -- COMMAND ...
    python protocol/check.py --dialect uci --only stop -v -- COMMAND ...
    python protocol/check.py --dialect dxp -- turkengine dxp --listen {port}
    python protocol/check.py --dialect dxp --connect HOST:PORT

Every transcript of the dialect is one fresh process, or one connection to an engine that listens already. Hub and the
UCI-like dialect are lines through pipes; DXP is messages through a socket, each ended by a NUL. `transcript.md`, beside
this file, describes the format. Only the standard library is used, so that this file, `engines.py` and the transcripts
can be copied into another project.

The exit status is 0 where every conversation went as written, 1 where one did not, 2 where there was nothing to run.
"""

from __future__ import annotations

import argparse
import queue
import re
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # also where Python does not look there by itself

from engines import Difference, Messages, Pipes, place

PLACEHOLDERS = {
    "any": r".*",
    "word": r"\S+",
    "int": r"-?\d+",
    "number": r"-?\d+(?:\.\d+)?",
    "move": r"(?:\d+|[a-z]\d+)(?:-(?:\d+|[a-z]\d+)|(?:x(?:\d+|[a-z]\d+))+)",
    "text": r"[^\"=]*",
}
PLACEHOLDERS["moves"] = rf"{PLACEHOLDERS['move']}(?: {PLACEHOLDERS['move']})*"
EXPECTATION = re.compile(r"<(?P<count>[*+?&]|\d+)? ?(?P<pattern>.*)")
REPETITION = re.compile(r"<(\d+) times ([^<>]*)>")
ESCAPE = re.compile(rb"\\(n|r|t|\\|x[0-9a-fA-F]{2})")
SIMPLE_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"\\": b"\\"}


@dataclass
class Step:
    """One line of a transcript: what to do, its text, and where it stands."""

    kind: str  # send, raw, expect, or the word of a directive
    text: str
    number: int
    count: str = ""


@dataclass
class Conversation:
    """One engine and how far the talk with it has come."""

    engine: Pipes | Messages
    timeout: float
    scale: float
    verbose: bool
    arrived: queue.Queue[tuple[float, str | None]] = field(default_factory=queue.Queue)
    ahead: tuple[float, str | None] | None = None
    names: dict[str, str] = field(default_factory=dict)
    asked: float = field(default_factory=time.monotonic)
    within: float | None = None
    after: float | None = None
    cut: int = 0
    strict_line_ends: bool = False

    def listen(self) -> None:
        """Takes every line, from now on and in a thread of its own, with the time at which it came."""
        self.arrived, self.ahead = queue.Queue(), None
        threading.Thread(target=self.read_output, args=(self.arrived,), daemon=True).start()

    def read_output(self, arrived: queue.Queue[tuple[float, str | None]]) -> None:
        """What the thread does."""
        for piece in self.engine.pieces():
            arrived.put((time.monotonic(), piece.decode("utf-8", "replace")))
        arrived.put((time.monotonic(), None))

    def peek(self, wait: float) -> tuple[float, str | None] | None:
        """The next line with its time (None as line: the output has ended), or None where none comes in time."""
        if self.ahead is None:
            try:
                self.ahead = self.arrived.get(timeout=wait) if wait > 0 else self.arrived.get_nowait()
            except queue.Empty:
                return None
            if self.verbose and self.ahead[1] is not None:
                print(f"  {self.ahead[0] - self.asked:8.3f} < {self.ahead[1]}", flush=True)
        return self.ahead

    def write(self, data: bytes) -> None:
        """Sends bytes, in small pieces where the transcript asks for it."""
        self.asked = time.monotonic()
        if self.verbose:
            print(f"           > {data[:200]!r}", flush=True)
        size = self.cut or max(len(data), 1)
        try:
            for start in range(0, len(data), size):
                self.engine.write(data[start : start + size])
        except OSError as error:
            raise Difference(f"the engine no longer reads: {error}") from None

    def take(self) -> None:
        """The line that `peek` has shown is the one expected: applies what is to be true of every line."""
        assert self.ahead is not None
        moment, line = self.ahead
        assert line is not None
        if self.strict_line_ends and "\r" in line:
            raise Difference(f"a carriage return in {line!r}")
        self.check_time(moment, f"{line!r}")
        self.ahead = None

    def check_time(self, moment: float, what: str) -> None:
        """Applies the bounds set for the next event, and takes them off."""
        passed = moment - self.asked
        if self.within is not None and passed > self.within * self.scale:
            raise Difference(f"{what} came after {passed:.3f} s, not within {self.within:g} s")
        if self.after is not None and passed < self.after:
            raise Difference(f"{what} came after {passed:.3f} s, before {self.after:g} s had passed")
        self.within = self.after = None


def parse(path: Path) -> list[Step]:
    """The steps of a transcript file.

    Raises:
        Difference: a line that is none.
    """
    steps = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(">|"):
            steps.append(Step("raw", line[2:].removeprefix(" "), number))
        elif line.startswith(">"):
            steps.append(Step("send", line[1:].removeprefix(" "), number))
        elif line.startswith("<"):
            found = EXPECTATION.fullmatch(line)
            assert found is not None, "the pattern fits every line that starts so"
            steps.append(Step("expect", found["pattern"], number, found["count"] or "1"))
        elif line.startswith("@"):
            word, _, rest = line[1:].strip().partition(" ")
            steps.append(Step(word, rest.strip(), number))
        else:
            raise Difference(f"line {number} of {path.name} starts with none of > < @ #: {line}")
    return steps


def expand(text: str) -> str:
    """Writes out `<300 times text>`, joined by blanks."""
    return REPETITION.sub(lambda found: " ".join([found[2]] * int(found[1])), text)


def unescape(text: str) -> bytes:
    r"""The bytes meant by \n, \r, \t, \\ and \xNN in a raw line."""

    def replace(found: re.Match[bytes]) -> bytes:
        return SIMPLE_ESCAPES.get(found[1]) or bytes([int(found[1][1:], 16)])

    return ESCAPE.sub(replace, text.encode())


def matches(pattern: str, line: str, names: dict[str, str]) -> dict[str, str] | None:
    """What the named placeholders stand for in `line`, or None where it is another one. CR LF may end it like LF."""
    expression, captured = "", []
    for part in re.split(r"(<[^<> ]+>)", pattern):
        placeholder = part[1:-1] if part.startswith("<") and part.endswith(">") else ""
        name, _, kind = placeholder.rpartition(":")
        if kind in PLACEHOLDERS:
            captured.append(name)
            expression += f"({PLACEHOLDERS[kind]})"
        elif "|" in placeholder:
            captured.append("")
            expression += f"({'|'.join(re.escape(choice) for choice in placeholder.split('|'))})"
        elif placeholder in names:
            expression += re.escape(names[placeholder])
        else:
            expression += re.escape(part)
    found = re.fullmatch(expression, line.removesuffix("\r"))
    if found is None:
        return None
    return {name: text for name, text in zip(captured, found.groups(), strict=True) if name}


def expect(talk: Conversation, step: Step, following: Step) -> None:
    """Takes the lines that one expectation covers.

    A line that the following expectation wants is left to it. Where something is sent next, nothing more is waited for
    than what has to come.
    """
    exact = step.count.isdigit()
    needed = int(step.count) if exact else 1 if step.count == "+" else 0
    sending_follows = following.kind not in ("expect", "exit")
    single = step.count == "?" or (step.count == "+" and sending_follows)  # whatever else has come by then is left
    most = needed if exact else 1 if single else sys.maxsize
    taken = 0
    while taken < most:
        awaited = taken < needed or not sending_follows
        arrival = talk.peek(talk.timeout * talk.scale if awaited else 0)
        if arrival is None and not awaited:
            return
        line = None if arrival is None else arrival[1]
        names = None if line is None else matches(step.text, line, talk.names)
        left = following.text if taken >= needed and following.kind == "expect" else None
        if left is not None and line is not None and matches(left, line, talk.names) is not None:
            return
        if line is None or names is None:
            if taken >= needed:
                return
            if arrival is None:
                raise Difference(f"nothing came within {talk.timeout * talk.scale:g} s")
            raise Difference("the output ended" if line is None else f"the engine wrote: {line}")
        talk.take()
        talk.names.update(names)
        taken += 1


def expect_all(talk: Conversation, steps: list[Step]) -> None:
    """Takes one line for each of the steps, in any order."""
    missing = list(steps)
    while missing:
        arrival = talk.peek(talk.timeout * talk.scale)
        line = None if arrival is None else arrival[1]
        found = ((step, matches(step.text, line, talk.names)) for step in missing if line is not None)
        step, names = next(((step, names) for step, names in found if names is not None), (None, {}))
        if step is None:
            raise Difference(f"the engine wrote: {line}" if line is not None else "nothing more came")
        talk.take()
        talk.names.update(names)
        missing.remove(step)


def expect_exit(talk: Conversation, status: str) -> None:
    """The output ends and so does the process, with this status."""
    arrival = talk.peek(talk.timeout * talk.scale)
    if arrival is None:
        raise Difference(f"the engine still runs after {talk.timeout * talk.scale:g} s")
    if arrival[1] is not None:
        raise Difference(f"the engine wrote: {arrival[1]}")
    found = talk.engine.status(talk.timeout * talk.scale)
    talk.check_time(time.monotonic(), "the end")
    if status and found != int(status):
        raise Difference(f"the exit status is {found}, not {status}")


def obey(talk: Conversation, steps: list[Step]) -> None:
    """Holds the conversation; a difference says in which line of the transcript."""
    index = 0
    while index < len(steps):
        step = steps[index]
        end = index + 1
        while step.count == "&" and end < len(steps) and steps[end].count == "&":
            end += 1
        try:
            later = (step for step in steps[end:] if step.kind not in ("within", "after"))
            following = next(later, Step("exit", "", 0))
            if step.count == "&":
                expect_all(talk, steps[index:end])
            else:
                obey_step(talk, step, following)
        except Difference as difference:
            sign = "<" if step.kind == "expect" else "" if step.kind in ("send", "raw") else "@ " + step.kind
            place = f"line {step.number}" if step.number else "the end"
            raise Difference(f"{place}: {difference}\n    expected: {sign} {step.text}") from None
        index = end


def obey_step(talk: Conversation, step: Step, following: Step) -> None:
    """Does what one line of the transcript says."""
    match step.kind:
        case "send":
            talk.write(expand(step.text).encode() + talk.engine.end)
        case "raw":
            talk.write(unescape(expand(step.text)))
        case "expect":
            expect(talk, step, following)
        case "within":
            talk.within = float(step.text)
        case "after":
            talk.after = float(step.text)
        case "cut":
            talk.cut = int(step.text)
        case "lf":
            talk.strict_line_ends = True
        case "silence":
            arrival = talk.peek(float(step.text))
            if arrival is not None:
                raise Difference(f"the engine wrote: {arrival[1]}")
        case "eof":
            talk.asked = time.monotonic()
            talk.engine.finish()
        case "call" if isinstance(talk.engine, Messages):
            talk.engine.call_again(talk.timeout * talk.scale)
            talk.listen()
        case "arguments":
            pass  # they were given to the command
        case "exit":
            expect_exit(talk, step.text)
        case _:
            raise Difference("no such directive")


def run(steps: list[Step], engine: Pipes | Messages, timeout: float, scale: float, verbose: bool) -> None:
    """Holds one conversation. What is left out at its end: the input closes, the status is 0.

    Raises:
        Difference: the first line that is not as written.
    """
    if not any(step.kind == "exit" for step in steps):
        steps = [*steps, Step("eof", "", 0), Step("exit", "0", 0)]
    talk = Conversation(engine, timeout, scale, verbose)
    talk.listen()
    try:
        obey(talk, steps)
    finally:
        engine.close()


def main() -> int:
    """Reads the command line, runs the transcripts and reports."""
    parser = argparse.ArgumentParser(description="Run recorded conversations against an engine.")
    parser.add_argument("--dialect", default="hub", help="the folder of transcripts beside this file (default: hub)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only transcripts whose name holds this text")
    parser.add_argument("--file", type=Path, action="append", default=[], help="run this transcript file instead")
    parser.add_argument("--timeout", type=float, default=10.0, help="seconds to wait for one line (default: 10)")
    parser.add_argument("--scale", type=float, default=1.0, help="multiply upper time bounds, for a slow machine")
    parser.add_argument("-v", "--verbose", action="store_true", help="show every line as it passes")
    parser.add_argument("--connect", type=place, metavar="HOST:PORT", help="dxp: call an engine that listens there")
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="the engine and its arguments, after --")
    options = parser.parse_args()
    if bool(options.command) == bool(options.connect):
        parser.error("give the engine's command after --, or, for dxp, --connect HOST:PORT")
    paths = options.file or sorted((Path(__file__).parent / options.dialect).glob("*.transcript"))
    paths = [path for path in paths if options.only in path.name]
    failed = skipped = 0
    for path in paths:
        try:
            steps = parse(path)
            more = [word for step in steps if step.kind == "arguments" for word in step.text.split()]
            if more and options.connect:
                skipped += 1
                print(f"skipped {path.name}: it needs an engine started with {' '.join(more)}", flush=True)
                continue
            command = [*options.command, *more]
            wait = options.timeout * options.scale
            dxp = options.dialect == "dxp"
            engine = Messages(command, options.connect, wait) if dxp else Pipes(command)
            run(steps, engine, options.timeout, options.scale, options.verbose)
        except (Difference, OSError) as difference:
            failed += 1
            print(f"FAILED  {path.name}, {difference}", flush=True)
        else:
            print(f"ok      {path.name}", flush=True)
    held = len(paths) - skipped
    print(f"{held - failed} of {held} conversations went as written")
    return 1 if failed else 0 if held else 2


if __name__ == "__main__":
    sys.exit(main())
