"""`turkengine board`: games, analysis and matches on a page in the browser."""

from __future__ import annotations

import importlib.util
import sys
import threading
import webbrowser
from pathlib import Path

import click

from turkengine.errors import TurkengineError

PORT = 8377
NEEDED = ("starlette", "uvicorn", "websockets")


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0 takes any free one.")
@click.option("--lan", is_flag=True, help="Let others in the same network in, and print the addresses for them.")
@click.option("--db", "path", type=click.Path(dir_okay=False, path_type=Path), help="Keep games and analyses there.")
@click.option("--watch", type=click.Path(dir_okay=False, path_type=Path), help="Show the match of this file (--db).")
@click.option("--no-browser", is_flag=True, help="Open no browser.")
@click.pass_context
def board(ctx: click.Context, port: int, lan: bool, path: Path | None, watch: Path | None, no_browser: bool) -> None:
    """Play, watch and analyse in a browser.

    \b
    Examples:
      turkengine board                       opens the page on this machine
      turkengine board --db games.db         games outlive the server
      turkengine board --lan                 others in the same network may come
      turkengine board --watch match.db      a match as it is played
    """
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        click.echo(f"turkengine: the board needs {', '.join(missing)}; pip install 'turkengine[board]'", err=True)
        ctx.exit(2)
    try:
        _serve(port, lan, path, watch, not no_browser)
    except TurkengineError as error:
        click.echo(f"turkengine: {error}", err=True)
        ctx.exit(2)
    except OSError as error:
        click.echo(f"turkengine: port {port} cannot be used: {error.strerror or error}; give another --port", err=True)
        ctx.exit(2)


def _serve(port: int, lan: bool, path: Path | None, watch: Path | None, browser: bool) -> None:
    from turkengine.board.app import Setting
    from turkengine.board.guard import LOOPBACK
    from turkengine.board.serving import addresses, serve, sockets_at

    sockets = sockets_at(port, lan)
    port = sockets[0].getsockname()[1]
    others = addresses() if lan else ()
    shown = tuple(f"http://{host}:{port}" for host in others)
    here = f"http://127.0.0.1:{port}/" + ("w" if watch is not None else "")

    def started() -> None:
        click.echo(f"the board is at {here}")
        for address in shown:
            click.echo(f"in the same network: {address}/")
        sys.stdout.flush()
        if browser:
            threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()

    serve(Setting(port, (*LOOPBACK, *others), shown, path, watch), sockets, started)
