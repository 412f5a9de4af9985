"""A match as somebody has planned it: everything that a command line or a tournament file says, checked."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from turkengine.errors import OptionError, shown
from turkengine.match.conduct import Conduct
from turkengine.match.entrants import Entry
from turkengine.match.openings import Openings
from turkengine.match.runner import Contest
from turkengine.match.schedule import Schedule
from turkengine.match.seat import Entrant
from turkengine.match.sprt import Sprt
from turkengine.rules.variant import Variant


@dataclass(frozen=True)
class Outputs:
    """Files to be made; None for none.

    Attributes:
        pdn: every game, as soon as it is over.
        json, html: the report, at the end.
    """

    pdn: Path | None = None
    json: Path | None = None
    html: Path | None = None

    @property
    def paths(self) -> list[Path]:
        """Those that are asked for."""
        return [path for path in (self.pdn, self.json, self.html) if path is not None]


@dataclass(frozen=True)
class Plan:
    """One match or tournament.

    Attributes:
        title: of reports and files; made from the names of the players if empty.
        schedule: makes the schedule for the names of the players, in the order of the entries.
        db: the file that keeps the match; None to keep it in memory only.
        concurrency: games at a time; None for one on this machine, and as many as there is room for on a farm.
        logs: a folder for the lines exchanged with engines.
        processors: see `Contest`.
        scoring: half points for a win as points are written: 2 for 2-1-0, 1 for 1-1/2-0, None for the game's own way.
    """

    title: str
    variant: Variant
    entries: Sequence[Entry]
    schedule: Callable[[Sequence[str]], Schedule]
    openings: Openings
    conduct: Conduct = field(default_factory=Conduct)
    sprt: Sprt | None = None
    concurrency: int | None = None
    db: Path | None = None
    outputs: Outputs = field(default_factory=Outputs)
    logs: Path | None = None
    processors: tuple[int, ...] = ()
    scoring: int | None = None

    @property
    def halves_a_win(self) -> int:
        """What is written for a win."""
        return self.scoring if self.scoring is not None else int(self.variant.results[0].partition("-")[0])

    def contest(self, entrants: Sequence[Entrant]) -> Contest:
        """What the runner plays, once the engines have names.

        Raises:
            OptionError: these players cannot play so, or the folder for logs cannot be made.
        """
        if self.logs is not None:
            try:
                self.logs.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise OptionError(f"the folder {self.logs} cannot be made: {error.strerror}") from None
        return Contest(
            entrants,
            self.schedule([entrant.name for entrant in entrants]),
            self.openings,
            self.conduct,
            self.sprt,
            self.concurrency or 1,
            self.logs,
            self.processors,
        )

    def settings(self, names: Sequence[str]) -> dict[str, str]:
        """What a match is that is gone on with: games, threads and files may change, everything here may not."""
        conduct, sprt = self.conduct, self.sprt
        found = {
            "variant": self.variant.name,
            "format": self.schedule(names).description,
            **{
                f"engine {number}": f"{name}: {entry.description}"
                for number, (name, entry) in enumerate(zip(names, self.entries, strict=True), start=1)
            },
            "openings": self.openings.description,
            "margin": f"{conduct.margin:g} s, {conduct.move_margin:g} s for a fixed time",
            "patience": f"{conduct.patience:g} s",
            "irregularity": conduct.irregularity.value,
        }
        if conduct.no_progress is not None:
            found["no progress"] = f"{conduct.no_progress} plies"
        if conduct.longest is not None:
            found["longest game"] = f"{conduct.longest} plies"
        if conduct.draw is not None:
            rule = conduct.draw
            found["draw"] = f"scores up to {rule.score} for {rule.plies} plies after ply {rule.after}"
        if conduct.resign is not None:
            found["resign"] = f"scores of {conduct.resign.score} for {conduct.resign.plies} plies"
        if conduct.tables is not None:
            found["tables"] = f"{len(conduct.tables.endings)} endings of up to {conduct.tables.pieces} pieces"
        if sprt is not None:
            errors = f"alpha {sprt.alpha:g}, beta {sprt.beta:g}"
            found["sprt"] = f"{sprt.elo0:g} against {sprt.elo1:g}, {sprt.scale.value}, {errors}"
        return found


def read_processors(text: str) -> tuple[int, ...]:
    """The numbers of processors from `0,1,4`.

    Raises:
        OptionError: they are not written so, this process may not use one, or there is no choosing here.
    """
    if not hasattr(os, "sched_getaffinity"):
        raise OptionError("processors cannot be chosen on this system; leave them out")
    usable = os.sched_getaffinity(0)
    parts = text.split(",")
    if not all(part.strip().isdecimal() and len(part) < 6 for part in parts):
        raise OptionError(f"{shown(text)} is not a list of processors; write numbers, as in 0,1")
    chosen = tuple(int(part) for part in parts)
    missing = [number for number in chosen if number not in usable]
    if missing:
        raise OptionError(f"there is no processor {missing[0]}; there are {', '.join(map(str, sorted(usable)))}")
    return chosen
