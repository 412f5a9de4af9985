"""`turkengine board`: games, analysis and matches on a page in the browser."""

from __future__ import annotations

import importlib.util
import socket
import sys
import threading
import webbrowser
from pathlib import Path

import click

from turkengine.errors import TurkengineError

PORT = 8377
NEEDED = ("starlette", "uvicorn", "websockets")
LARGEST_FRAME = 64 * 1024  # bytes; what is longer is not even read, what is longer than the page's limit is explained
MOST_CONNECTIONS = 2000
EVERYWHERE = "0.0.0.0"
ELSEWHERE = ("192.0.2.1", 9)  # a documentation address: nothing is sent, only the way there is looked up


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
    import uvicorn

    from turkengine.board.app import Server, Setting
    from turkengine.board.guard import LOOPBACK

    sockets = _sockets(port, lan)
    port = sockets[0].getsockname()[1]
    others = _addresses() if lan else ()
    shown = tuple(f"http://{host}:{port}" for host in others)
    server = Server(Setting(port, (*LOOPBACK, *others), shown, path, watch))

    class Uvicorn(uvicorn.Server):
        """Says where it is when it is there, and sends everybody away before it ends."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            here = f"http://127.0.0.1:{port}/" + ("w" if watch is not None else "")
            click.echo(f"the board is at {here}")
            for address in shown:
                click.echo(f"in the same network: {address}/")
            sys.stdout.flush()
            if browser:
                threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            server.closing()
            await super().shutdown(sockets)

    config = uvicorn.Config(
        server.app(),
        log_level="warning",
        access_log=False,  # an address may hold what others should not see
        server_header=False,
        ws="websockets",
        ws_max_size=LARGEST_FRAME,
        ws_max_queue=32,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=3,
        lifespan="on",
        proxy_headers=False,
    )
    Uvicorn(config).run(sockets)


def _sockets(port: int, lan: bool) -> list[socket.socket]:
    """Where it listens: this machine by both of its addresses, or everywhere."""
    first = _listening(socket.AF_INET, EVERYWHERE if lan else "127.0.0.1", port)
    found = [first]
    if not lan and socket.has_ipv6:
        try:
            found.append(_listening(socket.AF_INET6, "::1", first.getsockname()[1]))
        except OSError:
            return found  # a machine without IPv6, or somebody else has it: the other address is enough
    return found


def _listening(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(1024)
    except OSError:
        made.close()
        raise
    return made


def _addresses() -> tuple[str, ...]:
    """What this machine is called in its network: the address by which it goes out, and those of its name."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
            found.append(probe.getsockname()[0])
        except OSError:
            found = []
    try:
        found += [str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    except OSError:
        return tuple(dict.fromkeys(found))
    return tuple(address for address in dict.fromkeys(found) if not address.startswith("127."))
