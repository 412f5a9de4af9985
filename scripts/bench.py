"""The figures that the project promises, measured on the installed engine: what `scripts/bench` runs.

Rates count CPU seconds, which a busy machine disturbs less than wall time; what a user waits for counts wall time.
Every figure depends on the machine: run it twice, and compare programs only within one run (`search --against`).
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

import turkengine
from turkengine import kernel
from turkengine.analysis.positions import answer, as_line
from turkengine.engine import bench as standing
from turkengine.engine.kernel_types import KernelPosition
from turkengine.games import VARIANTS, variant_named
from turkengine.notation import moves
from turkengine.notation import pdn as notation
from turkengine.notation.fen import Setup
from turkengine.notation.pdn.kinds import tags_of
from turkengine.rules.variant import Variant

ENGINE = [str(Path(sys.executable).with_name("turkengine"))]
PERFT_DEPTHS = {"international": 10, "turkish": 8, "croda": 6}

# Eleven positions of International draughts from the opening to the ending, as Hub writes them.
POSITIONS = json.loads(Path(standing.__file__).with_suffix(".json").read_text())["international"]["positions"]


class Hub:
    """An engine process that speaks Hub, one request at a time."""

    def __init__(self, command: list[str], **parameters: object) -> None:
        """Start it, and set those parameters that it declares."""
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        declared = [line.split()[1].removeprefix("name=") for line in self.ask("hub", "wait") if line[:5] == "param"]
        for name, value in parameters.items():
            if name.replace("_", "-") in declared:
                self.say(f"set-param name={name.replace('_', '-')} value={value}")
        self.ask("init", "ready")

    def say(self, line: str) -> None:
        """Send a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line: str, last: str) -> list[str]:
        """Send a line; the lines until one that begins with `last`."""
        self.say(line)
        return list(self.lines(last))

    def lines(self, last: str) -> Iterator[str]:
        """The lines that come, up to the one that begins with `last`."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            yield line.rstrip("\n")
            if line.startswith(last):
                return
        raise click.ClickException(f"{self.process.args!r} ended before it wrote {last!r}")

    def cpu(self) -> float:
        """CPU seconds used so far. Linux only: other systems do not give it for a process that is still running."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def rate(self, position: str, nodes: int) -> float:
        """Millions of nodes a CPU second over a search of so many nodes, with what was learnt forgotten."""
        self.prepare(position, f"nodes={nodes}")
        before = self.cpu()
        self.ask("go think", "done")
        return nodes / (self.cpu() - before) / 1e6

    def seconds(self, position: str, depth: int) -> float:
        """How long a search of so many plies takes, with what was learnt forgotten."""
        self.prepare(position, f"depth={depth}")
        before = time.perf_counter()
        self.ask("go think", "done")
        return time.perf_counter() - before

    def prepare(self, position: str, limit: str) -> None:
        """Forget what was learnt, and set a position and the limit of its search."""
        self.say("new-game")
        self.ask("ping", "pong")
        self.say(f"pos pos={position}")
        self.say(f"level {limit}")

    def close(self) -> None:
        """End it."""
        self.say("quit")
        self.process.wait(5)


@contextmanager
def hub(command: list[str] | None = None, **parameters: object) -> Iterator[Hub]:
    """A running engine, our own without a command."""
    engine = Hub(command or [*ENGINE, "hub"], **parameters)
    try:
        yield engine
    finally:
        engine.close()


def percentile(values: list[float], part: float) -> float:
    """The value below which that part of all lies."""
    return sorted(values)[min(int(part * len(values)), len(values) - 1)]


@click.group(invoke_without_command=True)
@click.pass_context
def bench(context: click.Context) -> None:
    """Measure what the project promises; everything without a word, one after another."""
    if context.invoked_subcommand is None:
        for command in (perft, search, threads, start, stop, move_time, pdn, api):
            context.invoke(command)


@bench.command()
def perft() -> None:
    """Million leaves a CPU second from the start, counted in bulk and with every leaf made, the best of three."""
    for name, depth in PERFT_DEPTHS.items():
        position = kernel.load(variant_named(name)).Position.start()
        rates = []
        for every_leaf in (False, True):
            seconds = []
            for _ in range(3):
                before = time.process_time()
                leaves = position.perft(depth, every_leaf)
                seconds.append(time.process_time() - before)
            rates.append(leaves / min(seconds) / 1e6)
        click.echo(f"perft {name} {depth}: {rates[0]:.0f} in bulk, {rates[1]:.0f} made, Mn leaves a CPU s")


@bench.command()
@click.option("--nodes", default=8_000_000, show_default=True, help="Nodes of each search.")
@click.option("--against", metavar="COMMAND", help="Another Hub engine, searched in turn at each position.")
def search(nodes: int = 8_000_000, against: str | None = None) -> None:
    """Million nodes a CPU second over eleven positions, one thread, 256 MiB."""
    settings = {"hash": 256, "threads": 1, "variant": "normal"}
    settings |= {"book": "false", "tt_size": 24, "bb_size": 0, "endgame_pieces": 0}  # nothing but the search
    rivals = [None, against.split()] if against else [None]
    rates: list[list[float]] = [[] for _ in rivals]
    for number, position in enumerate(POSITIONS):
        for rival, found in zip(rivals, rates, strict=True):
            with hub(rival, **settings) as engine:
                found.append(engine.rate(position, nodes))
        click.echo(f"search {number:>2}: " + "  ".join(f"{found[-1]:6.2f}" for found in rates))
    means = [statistics.mean(found) for found in rates]
    ratios = [ours / theirs for ours, theirs in zip(rates[0], rates[-1], strict=True)]
    click.echo("search mean: " + "  ".join(f"{mean:6.2f}" for mean in means) + " Mn nodes a CPU s")
    if against:
        click.echo(
            f"search ratio: {means[0] / means[1]:.3f} of the means, {statistics.mean(ratios):.3f} mean of ratios"
        )


@bench.command()
@click.option("--nodes", default=10_000_000, show_default=True, help="Nodes of each search.")
@click.option("--depth", default=19, show_default=True, help="Plies of each search whose time is taken.")
@click.option("--rounds", default=3, show_default=True, help="How often; two threads never search alike.")
def threads(nodes: int = 10_000_000, depth: int = 19, rounds: int = 3) -> None:
    """What two threads keep of their nodes a CPU second, and how much sooner they are done, on two idle processors."""
    ratios = []
    for position in POSITIONS[:6]:
        rates = []
        for count in (1, 2):
            with hub(hash=256, threads=count) as engine:
                rates.append(engine.rate(position, nodes))
        ratios.append(rates[1] / rates[0])
    click.echo(f"threads: each of two makes {statistics.mean(ratios):.3f} of the nodes a CPU s of one alone")
    gains, sums = [], [0.0, 0.0]
    for position in POSITIONS:
        taken = []
        for count in (1, 2):
            with hub(hash=256, threads=count, book="false") as engine:
                taken.append(statistics.mean(engine.seconds(position, depth) for _ in range(rounds)))
        gains.append(taken[0] / taken[1])
        sums = [before + now for before, now in zip(sums, taken, strict=True)]
    click.echo(
        f"threads: {depth} plies in {sums[0]:.1f} s by one thread, {sums[1]:.1f} s by two: {sums[0] / sums[1]:.2f}"
        f" times sooner, {statistics.geometric_mean(gains):.2f} in the mean of {len(gains)} positions"
    )


@bench.command()
def start() -> None:
    """Seconds from the start of the engine to `ready`, by scripts/engine too, and the memory then beside the table."""
    for command in ([str(Path(__file__).with_name("engine"))], ENGINE):
        seconds = []
        for _ in range(20):
            began = time.perf_counter()
            with hub([*command, "hub"]) as engine:
                seconds.append(time.perf_counter() - began)
                status = Path(f"/proc/{engine.process.pid}/status")
                used = [line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmRSS")]
        name, least, median = Path(command[0]).name, min(seconds), statistics.median(seconds)
        click.echo(f"start: {name} is ready after {median:.3f} s (median of 20; the quickest {least:.3f})")
    click.echo(f"memory: {int(used[0]) / 1024 - 64:.1f} MiB beside the table of 64")


@bench.command()
def stop() -> None:
    """Milliseconds from `stop` to the answer, over 200 searches."""
    waits = []
    with hub() as engine:
        for number in range(200):
            engine.say(f"pos pos={POSITIONS[number % len(POSITIONS)]}")
            engine.say("go analyze")
            time.sleep(0.02 + 0.0005 * number)
            began = time.perf_counter()
            engine.ask("stop", "done")
            waits.append(1000 * (time.perf_counter() - began))
    click.echo(f"stop: {statistics.median(waits):.1f} ms median, {percentile(waits, 0.99):.1f} ms at p99 of 200")


@bench.command("move-time")
@click.option("--seconds", default=0.1, show_default=True, help="The time asked for.")
def move_time(seconds: float = 0.1) -> None:
    """How early or late the answer to a move time comes, in milliseconds, over 200 searches of every variant."""
    late = []
    for variant in VARIANTS:
        with hub(variant=variant.name) as engine:
            for _ in range(200 // len(VARIANTS)):
                engine.say(f"level move-time={seconds}")
                began = time.perf_counter()
                engine.ask("go think", "done")
                late.append(1000 * (time.perf_counter() - began - seconds))
    click.echo(
        f"move-time {seconds}: {percentile(late, 0.01):+.1f} to {percentile(late, 0.99):+.1f} ms from p1 to p99, "
        f"median {statistics.median(late):+.1f}, of {len(late)}"
    )


@bench.command("pdn")
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--megabytes", default=50, show_default=True, help="How much is read.")
def pdn(files: tuple[Path, ...] = (), megabytes: int = 50) -> None:
    """MB a CPU second read as games, and plies a CPU second played over; random games where no FILE is given."""
    text = b"\n\n".join(file.read_bytes() for file in files) if files else random_games().encode()
    with TemporaryDirectory() as folder:
        path = Path(folder, "large.pdn")
        with path.open("wb") as stream:
            for _ in range(megabytes * 1_000_000 // len(text) + 1):
                stream.write(text + b"\n\n")
        before = time.process_time()
        games = sum(1 for _ in notation.read(path))
        seconds = time.process_time() - before
        click.echo(f"pdn: {path.stat().st_size / seconds / 1e6:.1f} MB a CPU s read, {games} games")
        for kind, maker in (("compiled", compiled), ("readable", notation.by_the_rules)):
            plies, before = 0, time.process_time()
            for entry in notation.read(path):
                plies += len(notation.replay(entry.game, maker=maker).moves)
                if time.process_time() - before > 10:
                    break
            seconds = time.process_time() - before
            click.echo(f"pdn: {plies / seconds:.0f} plies a CPU s read and played over with {kind} positions")


@bench.command()
@click.option("--positions", default=3000, show_default=True, help="How many of each game.")
def api(positions: int = 3000) -> None:
    """What programs pay: positions from FEN, lists of moves, and searches of 10 ms and of 100 nodes.

    The bars are 20 microseconds for a position, 10 for its moves, and 95 % of the time in the search at 10 ms.
    """
    for variant in VARIANTS:
        fens = fens_of(variant, positions)
        before = time.process_time()
        made = [turkengine.Position(fen, variant) for fen in fens]
        built = time.process_time()
        for position in made:
            position.legal_moves()
        listed = time.process_time()
        build, moves_of = (1e6 * seconds / len(fens) for seconds in (built - before, listed - built))
        click.echo(f"api: {variant.name}: {build:.1f} us a position from FEN, {moves_of:.1f} us its moves")
    fens = fens_of(VARIANTS[0], positions)
    with turkengine.Engine(hash=32) as engine:
        for limit, count in ((turkengine.Limit(nodes=1), 1000), (turkengine.Limit(time=0.01), 300)):
            before = time.process_time()
            for fen in fens[:count]:
                as_line(answer(engine, fen, VARIANTS[0], limit, 1))
            each = (time.process_time() - before) / min(count, len(fens))
            if limit.nodes is not None:
                around = each
        click.echo(f"api: {1e6 * around:.0f} us around each search, {100 * (1 - around / each):.1f} % in it at 10 ms")
        before = time.perf_counter()
        for fen in fens:
            as_line(answer(engine, fen, VARIANTS[0], turkengine.Limit(nodes=100), 1))
        click.echo(f"api: {len(fens) / (time.perf_counter() - before):.0f} positions of 100 nodes a second")


def fens_of(variant: Variant, count: int) -> list[str]:
    """Positions of games of random moves."""
    dice, found = random.Random(1), []
    while len(found) < count:
        position = turkengine.Position(variant=variant)
        while not position.is_over() and len(found) < count:
            found.append(position.fen())
            position = position.play(dice.choice(position.legal_moves()))
    return found


def compiled(variant: Variant, setup: Setup | None) -> KernelPosition:
    """The kernel's position, to play games over quickly."""
    maker = kernel.load(variant).Position
    return maker.start() if setup is None else maker.from_cells(setup.cells, setup.side)


def random_games(count: int = 200, plies: int = 100) -> str:
    """Games of random moves with a few tags, a seventh of a megabyte."""
    dice, texts = random.Random(1), []
    for number in range(count):
        variant = VARIANTS[number % len(VARIANTS)]
        position, played = compiled(variant, None), []
        while len(played) < plies and (legal := position.legal_moves()):
            move = dice.choice(legal)
            played.append(notation.Ply(moves.landing(position, move)))
            position = position.play(move)
        tags = {"Event": "Bench", "Round": str(number), "White": "A", "Black": "B"}
        game = notation.PdnGame(tuple(tags.items()), notation.Line(tuple(played)))
        texts.append(notation.write(game.with_tags(**tags_of(variant))))
    return "".join(texts)


if __name__ == "__main__":
    bench()
