"""The checks that take too long for `scripts/test`, each by name: what `scripts/campaign` runs.

A campaign is a module of `scripts/campaigns` with a docstring, the usual `SIZE`, and `run(size, folder)`, which returns
what has been seen or raises `AssertionError` with what is wrong. It may leave in its folder what a later run goes on
with. The last line is the verdict: `NAME: passed, ...` (status 0), `NAME: failed, ...` (1) or, where the machine lacks
something, `NAME: not run, ...` (2).
"""

from __future__ import annotations

import sys
import time
import traceback
from importlib import import_module
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[1]
CAMPAIGNS = Path(__file__).with_name("campaigns")
FOLDER = ROOT / ".campaign"  # not in `build`, which is emptied when the kernel has changed
PASSED, FAILED, NOT_RUN = range(3)


class Missing(Exception):
    """The machine lacks what a campaign needs; the message names it and says where it comes from."""


def names() -> list[str]:
    """Every campaign; a name with an underscore in front is a part of others."""
    return sorted(path.stem for path in CAMPAIGNS.glob("[a-z]*.py"))


def listed() -> None:
    """Print what there is."""
    for name in names():
        module = import_module(name)
        first = (module.__doc__ or "").partition("\n")[0]
        click.echo(f"{name:14}{first} [{module.SIZE}]")


def carried_out(name: str, size: int | None, folder: Path) -> int:
    """Run one campaign and print its verdict; the exit status."""
    module = import_module(name)
    folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    try:
        verdict, status = f"passed, {module.run(size or module.SIZE, folder)}", PASSED
    except AssertionError as error:
        traceback.print_exc()
        verdict, status = f"failed, {' '.join(str(error).split()) or 'see above'}", FAILED
    except Missing as error:
        verdict, status = f"not run, {error}", NOT_RUN
    except Exception as error:
        traceback.print_exc()
        verdict, status = f"failed, {type(error).__name__}: {' '.join(str(error).split())}", FAILED
    sys.stderr.flush()
    click.echo(f"{name}: {verdict} ({time.monotonic() - began:.0f} s)")
    return status


@click.command()
@click.argument("name", type=click.Choice(["list", *names()]))
@click.option("--size", type=click.IntRange(min=1), help="Instead of the default, which `list` shows.")
@click.option("--folder", type=click.Path(path_type=Path), help="Instead of .campaign/NAME.")
def main(name: str, size: int | None, folder: Path | None) -> None:
    """Run a campaign to its end, or list them."""
    if name == "list":
        listed()
        return
    sys.exit(carried_out(name, size, (folder or FOLDER / name).resolve()))


if __name__ == "__main__":
    sys.modules["campaign"] = sys.modules["__main__"]  # campaigns import `Missing` from here
    main()
