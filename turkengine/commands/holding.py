"""What the commands that hold a match do with a plan: show it, end it in order, give the end an exit status."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from turkengine.errors import OptionError, TurkengineError
from turkengine.interruption import INTERRUPTED

if TYPE_CHECKING:
    from turkengine.match.plan import Plan

PLAYED, FAULTS, USAGE, NOT_STARTED = 0, 1, 2, 3  # and INTERRUPTED; docs/match.md lists them


def held(plan: Plan, plain: bool, farm: str | None = None) -> int:
    """Hold the match; the exit status.

    Args:
        plain: lines and no table, also on a terminal.
        farm: the scheduler of a cluster that plays; this machine if None.
    """
    from turkengine.client.contract import ClientError
    from turkengine.match.organiser import Organiser
    from turkengine.match.runner import End
    from turkengine.match.store import MatchStore

    live = not plain and sys.stdout.isatty()
    try:
        with ExitStack() as stack:
            players = None
            if farm is not None:
                if plan.processors:
                    raise OptionError("processors are chosen for games on this machine; start the workers on theirs")
                from turkengine.match.farm import Farm  # late: it takes a while

                players = stack.enter_context(Farm(farm, plan.concurrency, plan.logs, click.echo))
            organiser = Organiser(plan, click.echo, live, players)
            with MatchStore(plan.db, click.echo) as store:
                end, summary = organiser.hold(store)
    except ClientError as error:
        click.echo(f"turkengine: {error}", err=True)
        return NOT_STARTED
    except TurkengineError as error:
        click.echo(f"turkengine: {error}", err=True)
        return USAGE
    except KeyboardInterrupt:  # before the first game
        return INTERRUPTED
    for line in organiser.unwritten.values():
        click.echo(f"turkengine: {line}", err=True)
    if end is End.INTERRUPTED:
        return INTERRUPTED
    if organiser.unwritten:
        return USAGE
    return FAULTS if summary.faults.any else PLAYED
