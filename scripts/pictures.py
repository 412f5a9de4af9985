"""The pictures of the documentation, made from what the program shows: what `scripts/pictures` runs.

Terminals become SVG, which rich exports; pages become WebP, which a browser without a window takes of them, light and
dark. The games are those of a small match with fixed nodes and seeds: it is played, its page is shown, its first game
is analysed, and its puzzles are looked for.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pexpect
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FONTS = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
COLUMNS = 80  # of a terminal
LARGEST = 200_000  # bytes of a picture

MATCH = (
    "match engine=builtin level-17=builtin:skill-level=17,seed=1 --games 100"
    " --nodes 3000 --sprt 0,40 --concurrency 2 --pdn match.pdn --html match.html"
)
ANALYSIS = "analyse first.pdn --nodes 100000 --jobs 2 --html analysis.html"
PUZZLES = "puzzles match.pdn --html puzzles.html"
GAME = "play international --nodes 20000"
BOARD = "board --no-browser --port 0"
NEW_GAME = """async () => (await (await fetch('/api/games', {
  method: 'POST', headers: {'Content-Type': 'application/json'},
  body: JSON.stringify({variant: 'turkish', time: '600+5',
    white: {kind: 'here', name: 'Ayşe'}, black: {kind: 'here', name: 'Murat'}})})).json())"""
OPENING = (("c3", "c4"), ("f6", "f5"), ("b3", "c3"), ("e6", "f6"), ("g3", "g4"), ("d6", "e6"))
TYPED = ("32-28", "37-32", "hint")  # the second one forgets a capture


def run(command: str) -> str:
    """The output of a command of the program, in the folder of the work."""
    process = subprocess.run(
        [sys.executable, "-m", "turkengine", *command.split()], stdout=subprocess.PIPE, text=True, check=True
    )
    return process.stdout


def board() -> None:
    """A game in the terminal: a move, one against the rules, and a hint."""
    environment = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": os.getcwd()}
    command = ["-m", "turkengine", *GAME.split()]
    terminal = pexpect.spawn(sys.executable, command, env=environment, dimensions=(60, COLUMNS), encoding="utf-8")
    shown = []
    for typed in (*TYPED, ""):
        terminal.expect_exact("> ")
        shown.append(f"{terminal.before}> ".replace("\r", ""))
        if typed:
            terminal.sendline(typed)
    terminal.terminate(force=True)
    prompt = shown[0].rpartition("\n")[2]
    save_terminal("board", f"turkengine {GAME}", f"{prompt}{''.join(shown[1:])}")


def board_page() -> None:
    """A game in the browser: one piece is chosen, and somebody who looks on has suggested another move."""
    from playwright.sync_api import sync_playwright

    quiet = subprocess.DEVNULL
    server = subprocess.Popen(
        [sys.executable, "-m", "turkengine", *BOARD.split()], stdout=subprocess.PIPE, stderr=quiet, text=True
    )
    assert server.stdout is not None
    address = server.stdout.readline().split()[-1].rstrip("/")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=found_browser(), args=["--no-sandbox"])
            for ending, scheme in (("", "light"), ("-dark", "dark")):
                setting = {"viewport": {"width": 1100, "height": 700}, "color_scheme": scheme, "locale": "en-GB"}
                player, onlooker = browser.new_context(**setting).new_page(), browser.new_context(**setting).new_page()
                player.goto(address)
                made = player.evaluate(NEW_GAME)["address"]
                player.goto(f"{address}{made}")
                for number, squares in enumerate(OPENING, 1):
                    tap(player, *squares)
                    player.locator(f".moves [data-ply='{number}']").wait_for()
                onlooker.goto(f"{address}{made}")
                tap(onlooker, "d3", "d4")
                player.locator(".arrow-suggestion").wait_for()
                tap(player, "g4")
                player.wait_for_timeout(1000)  # until the last piece has arrived
                session = player.context.new_cdp_session(player)
                shot = session.send("Page.captureScreenshot", {"format": "webp", "quality": 85})
                keep(PICTURES / f"board-page{ending}.webp", b64decode(shot["data"]))
            browser.close()
    finally:
        server.terminate()
        server.wait()


def tap(page: Any, *squares: str) -> None:
    """Click squares of the board by their names."""
    for name in squares:
        page.locator(f'[role=gridcell][aria-label="{name}"], [role=gridcell][aria-label^="{name}, "]').click()


def match() -> None:
    """The table of a match as it stays on the terminal."""
    lines = played_match().splitlines(keepends=True)
    report = [line for line in lines if not re.match(r"game [\d.]+:|after \d+ games", line)]
    save_terminal("match", "turkengine match", f"$ turkengine {MATCH}\n\n{''.join(report)}")


def match_page() -> None:
    """The page of the same match."""
    played_match()
    photograph("match-page", "match.html", 1180, 1000)


def analysis() -> None:
    """The page of its first game, at the first critical moment."""
    played_match()
    first = Path("match.pdn").read_text(encoding="utf-8").partition("\n[Event")[0]
    Path("first.pdn").write_text(first, encoding="utf-8")
    run(ANALYSIS)
    page = Path("analysis.html").read_text(encoding="utf-8")
    critical = re.search(r'<a href="(#g1\.\d+)">', page)
    photograph("analysis", f"analysis.html{critical[1] if critical else ''}", 1180, 1340)


def puzzles() -> None:
    """The page of its puzzles."""
    played_match()
    run(PUZZLES)
    photograph("puzzles", "puzzles.html", 1180, 605)


def played_match() -> str:
    """What the match has written; it is played once."""
    kept = Path("match.txt")
    if not kept.exists():
        kept.write_text(run(MATCH), encoding="utf-8")
    return kept.read_text(encoding="utf-8")


def save_terminal(name: str, title: str, text: str) -> None:
    """Output with its colours as a drawing that fetches no font."""
    lines = Text.from_ansi(text.rstrip("\n"))
    width = min(max(line.cell_len for line in lines.split()), COLUMNS)
    console = Console(record=True, width=width, file=open(os.devnull, "w"), force_terminal=True)  # noqa: SIM115
    console.print(lines, highlight=False)
    without_fonts = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    drawing = console.export_svg(
        title=title, code_format=without_fonts.replace("Fira Code, monospace", FONTS), unique_id=name
    )
    keep(PICTURES / f"{name}.svg", drawing.encode())


def photograph(name: str, page: str, width: int, height: int) -> None:
    """A page as it is shown at the top, light and dark."""
    file, _, place = page.partition("#")
    browser = found_browser()
    for ending, scheme in (("", "1"), ("-dark", "0")):
        with TemporaryDirectory() as profile:
            command = [
                *(browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"),
                *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
                *(f"--user-data-dir={profile}", f"--blink-settings=preferredColorScheme={scheme}"),
                *(f"--window-size={width},{height}", "--screenshot=shot.webp"),
                f"{Path(file).resolve().as_uri()}{'#' if place else ''}{place}",
            ]
            subprocess.run(command, stderr=subprocess.DEVNULL, timeout=120, check=True)
        keep(PICTURES / f"{name}{ending}.webp", Path("shot.webp").read_bytes())


def found_browser() -> str:
    """The browser that takes pictures."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        sys.exit(f"pictures: no browser is on PATH; install one of {', '.join(BROWSERS)}")
    return browser


def keep(path: Path, content: bytes) -> None:
    """Write a picture that is not too large to be looked at on the road."""
    if len(content) > LARGEST:
        sys.exit(f"pictures: {path.name} has {len(content)} bytes, more than {LARGEST}")
    path.write_bytes(content)
    print(f"{path}: {len(content)} bytes")


PARTS: dict[str, Callable[[], None]] = {
    "board": board,
    "board-page": board_page,
    "match": match,
    "match-page": match_page,
    "analysis": analysis,
    "puzzles": puzzles,
}


def main(names: list[str]) -> None:
    """Make the pictures named, all without a name."""
    if unknown := [name for name in names if name not in PARTS]:
        sys.exit(f"pictures: there is no {unknown[0]}; there are {', '.join(PARTS)}")
    PICTURES.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as work:
        os.chdir(work)
        for name in names or PARTS:
            PARTS[name]()
        os.chdir(PICTURES)


if __name__ == "__main__":
    main(sys.argv[1:])
