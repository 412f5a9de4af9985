"""`turkengine board`: games, analysis and matches on a page in the browser."""

from __future__ import annotations

import importlib.util
import io
import os
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from turkengine.commands.onlookers import onlookers
from turkengine.errors import TurkengineError
from turkengine.interruption import INTERRUPTED

PORT = 8377
USAGE = 2
NEEDED = ("starlette", "uvicorn", "websockets", "segno")
COLOURS, PLAIN = "\033[97;40m", "\033[0m"  # white on black, whatever the terminal's own are: a camera has to see it
LEAST_URGENT = 19
LAST_LOOK = 2.0  # s for the last game to reach those who look on


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0 takes any free one.")
@click.option("--lan", is_flag=True, help="Let others in the same network in, and show the addresses for them.")
@click.option("--db", "path", type=click.Path(dir_okay=False, path_type=Path), help="Keep games and analyses there.")
@click.option("--watch", type=click.Path(dir_okay=False, path_type=Path), help="Show the match of this file (--db).")
@click.option(
    "--hash", "hash_size", type=click.IntRange(1), metavar="MIB", help="The table of each analysis. [default: 64]"
)
@click.option("--no-browser", is_flag=True, help="Open no browser.")
@click.option("--attached", is_flag=True, hidden=True, help="End with standard input, so with whoever has started it.")
@click.pass_context
@onlookers()
def board(
    ctx: click.Context,
    port: int,
    lan: bool,
    path: Path | None,
    watch: Path | None,
    hash_size: int | None,
    no_browser: bool,
    attached: bool,
) -> None:
    """Play, watch and analyse in a browser.

    The exit status is 130 after Ctrl-C, SIGTERM or SIGHUP, which end it in order; with --db everything is there again
    at the next start.

    \b
    Examples:
      turkengine board                       opens the page on this machine
      turkengine board --db games.db         games outlive the server
      turkengine board --lan                 others in the same network may come
      turkengine board --watch match.db      a match as it is played
    """
    missing = missing_packages()
    if missing:
        click.echo(f"turkengine: {missing}", err=True)
        ctx.exit(USAGE)
    try:
        interrupted = _serve(_Wanted(port, lan, path, watch, hash_size, not no_browser, attached))
    except TurkengineError as error:
        click.echo(f"turkengine: {error}", err=True)
        ctx.exit(USAGE)
    except OSError as error:
        click.echo(f"turkengine: port {port} cannot be used: {error.strerror or error}; give another --port", err=True)
        ctx.exit(USAGE)
    ctx.exit(INTERRUPTED if interrupted else 0)


def missing_packages() -> str:
    """What the board needs and is not installed, with the cure; empty where all is there."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    return f"the board needs {', '.join(missing)}; pip install 'turkengine[board]'" if missing else ""


@dataclass(frozen=True)
class _Wanted:
    port: int
    lan: bool
    path: Path | None
    watch: Path | None
    hash_size: int | None
    browser: bool
    attached: bool


def _serve(wanted: _Wanted) -> bool:
    """Serve until it is ended; whether by a signal."""
    from turkengine.board.app import Setting
    from turkengine.board.guard import LOOPBACK
    from turkengine.board.serving import addresses, names, serve, sockets_at
    from turkengine.board.studying import HASH

    if wanted.watch is not None and hasattr(os, "nice"):
        os.nice(LEAST_URGENT)  # the match goes first where both want the processor
    try:
        sockets = sockets_at(wanted.port, wanted.lan)
    except OSError:
        if not wanted.attached:
            raise
        sockets = sockets_at(0, wanted.lan)  # whoever has started it reads the address
    port = sockets[0].getsockname()[1]
    others = addresses() if wanted.lan else ()
    shown = tuple(f"http://{host}:{port}" for host in others)
    page = "w" if wanted.watch is not None else ""
    here = f"http://127.0.0.1:{port}/{page}"

    def started(end: Callable[[], None]) -> None:
        click.echo(f"the board is at {here}")
        for address in shown:
            click.echo(f"in the same network: {address}/{page}")
        if wanted.lan and not shown:
            click.echo("this machine has no address in a network, so nobody else can come")
        if shown and sys.stdout.isatty() and sys.stdout.encoding.lower().startswith("utf"):
            click.echo(_square_code(f"{shown[0]}/{page}"))
        if wanted.browser:
            threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()
        if wanted.attached:
            threading.Thread(target=_end_with_input, args=(end,), daemon=True).start()

    hosts = (*LOOPBACK, *others, *(names() if wanted.lan else ()))
    setting = Setting(port, hosts, shown, wanted.path, wanted.watch, hash_size=wanted.hash_size or HASH)
    return serve(setting, sockets, started)


def _square_code(address: str) -> str:
    """An address as a QR code in letters, for the camera of a phone."""
    import segno

    drawn = io.StringIO()
    segno.make(address, error="m", micro=False).terminal(drawn, border=2, compact=True)
    return "\n".join(f"{COLOURS}{line}{PLAIN}" for line in drawn.getvalue().splitlines())


def _end_with_input(end: Callable[[], None]) -> None:
    sys.stdin.buffer.read()
    time.sleep(LAST_LOOK)
    end()
