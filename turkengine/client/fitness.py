"""Is an engine fit for a tournament? It is held to its protocol in one check after another.

A check that fails makes an engine unfit: a referee would have to stop its games. So does an illegal move or a crash in
any check that asks for moves. What merely makes trouble for people and other programs is a warning. Every check begins
with an engine that is ready, a new process where the last one has not survived.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from turkengine.client.contract import ClientError
from turkengine.client.dialects import GREETING
from turkengine.client.lines import LineClient
from turkengine.client.process import Ended, Process
from turkengine.errors import OptionError, TurkengineError
from turkengine.rules.variant import Variant
from turkengine.wire.client_session import Answered, ClientSession, InStep

IN_STEP = 2.0  # s from `ping` or `isready` to its answer
MARGIN = 0.1  # s that an answer may come late; what a busy machine needs


class Verdict(Enum):
    """What came of a check."""

    PASSED = "ok"
    WARNED = "warning"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Finding:
    """One line of the table.

    Attributes:
        detail: what was seen, in words.
        seconds: how long the check took.
    """

    check: str
    verdict: Verdict
    detail: str
    seconds: float


@dataclass(frozen=True)
class Passed:
    """A check has found nothing wrong."""

    detail: str


class Failed(TurkengineError):
    """A check has found something wrong."""


class Skipped(TurkengineError):
    """A check does not apply to this engine."""


@dataclass(frozen=True)
class Check:
    """Something to be checked.

    Attributes:
        name: what the table calls it.
        run: does it; raises Failed, Skipped, or what a client raises.
        serious: whether an engine that fails it is unfit.
    """

    name: str
    run: Callable[[Probe], Passed]
    serious: bool = True


class Probe:
    """An engine in the hands of the checks."""

    def __init__(
        self,
        command: str,
        talk: type[ClientSession],
        variant: Variant,
        options: Mapping[str, str] | None = None,
        directory: Path | None = None,
        margin: float = MARGIN,
    ) -> None:
        """Nothing is started yet.

        Args:
            command: the program and its arguments.
            talk: its dialect.
            variant: what is played.
            options: set by name.
            directory: where it runs.
            margin: seconds that an answer may come late.
        """
        self.variant, self.margin, self.talk = variant, margin, talk
        self.client = LineClient(command, talk, "", options, directory, GREETING)
        self.client.name = "it"
        self.name = ""
        self.errors: list[str] = []  # lines on standard error
        self.client.log = lambda sign, line: self.errors.append(line) if sign == "!" else None

    @property
    def process(self) -> Process:
        """The process that runs."""
        return self.client.process

    @property
    def session(self) -> ClientSession:
        """The conversation with it."""
        return self.client.session

    def ready(self) -> None:
        """Have an engine that is ready for a new game, whatever has become of the last one."""
        if not self.client.alive():
            self.client.start(self.variant)
        self.name, self.client.name = self.session.name or self.name, "it"

    def afresh(self) -> float:
        """Start it anew; the seconds until it is ready."""
        self.client.close()
        began = time.perf_counter()
        self.ready()
        return time.perf_counter() - began

    def in_step(self, seconds: float = IN_STEP) -> bool:
        """Whether it answers that it has come so far, within that time."""
        self.process.send(self.session.step_line)
        return self.client.wait_for(InStep, time.perf_counter() + seconds) is not None

    def answer(self, seconds: float) -> tuple[Answered, float] | None:
        """The answer to the order that was given, and its moment; None where it has not come within that time."""
        return self.client.wait_for(Answered, time.perf_counter() + seconds)


def examine(probe: Probe, checks: Sequence[Check]) -> Iterator[Finding]:
    """Do one check after another, each reported when it is done.

    Raises:
        ClientError: with `Fault.START`, where the engine does not start even once.
    """
    try:
        probe.ready()
        for check in checks:
            began = time.perf_counter()
            verdict, detail = _done(probe, check)
            yield Finding(check.name, verdict, detail, time.perf_counter() - began)
    finally:
        probe.client.close()


def fit(findings: Sequence[Finding], strict: bool = False) -> bool:
    """Whether nothing stands against letting it play; to be `strict` is to count warnings too."""
    against = {Verdict.FAILED, Verdict.WARNED} if strict else {Verdict.FAILED}
    return not any(finding.verdict in against for finding in findings)


def _done(probe: Probe, check: Check) -> tuple[Verdict, str]:
    serious = check.serious
    try:
        probe.ready()
        return Verdict.PASSED, check.run(probe).detail
    except Skipped as skipped:
        return Verdict.SKIPPED, str(skipped)
    except ClientError as error:  # it was asked for a move, as a match would ask
        serious, told = True, str(error).removeprefix(f"{probe.client.name}: ")
    except (Failed, OptionError, Ended) as trouble:
        told = str(trouble)
    probe.client.close()  # whatever it is in the middle of
    return Verdict.FAILED if serious else Verdict.WARNED, told
