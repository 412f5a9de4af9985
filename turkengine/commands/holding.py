"""What the commands that hold a match do with a plan: show it, end it in order, give the end an exit status."""

from __future__ import annotations

import importlib.util
import signal
import sys
from types import FrameType
from typing import TYPE_CHECKING

import click

from turkengine.errors import TurkengineError

if TYPE_CHECKING:
    from turkengine.match.plan import Plan

PLAYED, FAULTS, USAGE, NOT_STARTED, INTERRUPTED = 0, 1, 2, 3, 130  # docs/match.md tells them


def held(plan: Plan, plain: bool) -> int:
    """Hold the match; the exit status.

    Args:
        plain: lines and no table, also on a terminal.
    """
    from turkengine.client.contract import ClientError
    from turkengine.match.organiser import Organiser
    from turkengine.match.runner import End
    from turkengine.match.store import Store

    signal.signal(signal.SIGTERM, interrupt)
    live = not plain and sys.stdout.isatty() and importlib.util.find_spec("rich") is not None
    try:
        organiser = Organiser(plan, click.echo, live)
        with Store(plan.db) as store:
            end, summary = organiser.hold(store)
    except ClientError as error:
        click.echo(f"turkengine: {error}", err=True)
        return NOT_STARTED
    except TurkengineError as error:
        click.echo(f"turkengine: {error}", err=True)
        return USAGE
    except KeyboardInterrupt:  # before the first game
        return INTERRUPTED
    if end is End.INTERRUPTED:
        return INTERRUPTED
    return FAULTS if summary.faults.any else PLAYED


def interrupt(number: int, frame: FrameType | None) -> None:
    """End as on Ctrl-C."""
    raise KeyboardInterrupt
