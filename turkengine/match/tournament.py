"""Tournaments as TOML: what docs/match.md describes, read into a plan, every mistake named with its place.

Files are looked for beside the tournament's own file, so it can be started from anywhere.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from turkengine.errors import EndgameError, OptionError, TurkengineError, shown
from turkengine.games import VARIANTS, variant_named
from turkengine.kernel.endgames import MOST_PIECES
from turkengine.match import openings
from turkengine.match.clocks import TimeControl
from turkengine.match.conduct import Conduct, DrawRule, Policy, ResignRule, TableRule
from turkengine.match.entrants import Entry, check_names
from turkengine.match.knockout import Knockout
from turkengine.match.plan import Outputs, Plan, read_processors
from turkengine.match.schedule import Gauntlet, RoundRobin, Schedule
from turkengine.match.sprt import EloModel, Sprt, read_bounds
from turkengine.match.swiss import Swiss
from turkengine.rules.variant import Variant

FORMATS = ("round-robin", "gauntlet", "knockout", "swiss")
SCORINGS = {"2-1-0": 2, "1-1/2-0": 1}

T = TypeVar("T")


def read_plan(path: Path) -> Plan:
    """The tournament that a file describes.

    Raises:
        OptionError: naming the file, the table and the key that is wrong, and what would be right.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise OptionError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise OptionError(f"{path} is not TOML: {error}") from None
    try:
        return _plan(data, path.resolve().parent)
    except TurkengineError as error:
        raise OptionError(f"{path}: {error}") from None


class TomlTable:
    """One table of the file. Every key is asked for once; what is left in the end is a mistake."""

    def __init__(self, name: str, values: object) -> None:
        if not isinstance(values, dict):
            raise OptionError(f"{name} is not a table; see docs/match.md")
        self.name, self._values, self._known = name, dict(values), set[str]()

    def take(self, key: str, kind: type[T] | tuple[type[T], ...], otherwise: T | None = None) -> Any:
        """The value of a key, of one of these types; `otherwise` where it is not given."""
        self._known.add(key)
        if key not in self._values:
            return otherwise
        value = self._values[key]
        kinds = kind if isinstance(kind, tuple) else (kind,)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            wanted = {
                str: "a text in quotes",
                int: "a whole number",
                float: "a number",
                dict: "a table",
                list: "a list",
            }
            raise OptionError(f"{self.name}: {key} is {wanted[kinds[-1]]}, not {value!r}")
        return value

    def text(self, key: str, otherwise: str = "") -> str:
        """A text."""
        found: str = self.take(key, str, otherwise)
        return found

    def number(self, key: str, otherwise: float | None = None) -> Any:
        """A number, not below 0."""
        return self._not_negative(key, self.take(key, (int, float), otherwise))

    def whole(self, key: str, otherwise: int | None = None) -> Any:
        """A whole number, not below 0."""
        return self._not_negative(key, self.take(key, int, otherwise))

    def read(self, key: str, reader: Callable[[str], T]) -> T | None:
        """What a reader makes of a text."""
        value = self.text(key)
        try:
            return reader(value) if value else None
        except TurkengineError as error:
            raise OptionError(f"{self.name}: {key}: {error}") from None

    def choice(self, key: str, choices: Sequence[str], otherwise: str) -> str:
        """One of some words."""
        value = self.text(key, otherwise)
        if value not in choices:
            raise OptionError(f"{self.name}: {key} does not take {shown(value)}; it takes {', '.join(choices)}")
        return value

    def path(self, key: str, folder: Path) -> Path | None:
        """A file or folder, beside the tournament's own file."""
        value = self.text(key)
        return folder / Path(value).expanduser() if value else None

    def done(self) -> None:
        """See to it that nothing is left."""
        for key in self._values:
            if key not in self._known:
                close = difflib.get_close_matches(key, self._known, 1)
                cure = f"; {close[0]} is meant, perhaps" if close else f"; there are {', '.join(sorted(self._known))}"
                raise OptionError(f"{self.name}: there is no key {shown(key)}{cure}")

    def _not_negative(self, key: str, value: float | None) -> float | None:
        if value is not None and value < 0:
            raise OptionError(f"{self.name}: {key} is {value}; it cannot be below 0")
        return value


def _plan(data: Mapping[str, object], folder: Path) -> Plan:
    file = TomlTable("the file", data)
    table = TomlTable("[tournament]", file.take("tournament", dict, {}))
    engines = file.take("engine", list, [])
    file.done()
    variant = variant_named(table.text("variant", VARIANTS[0].name))
    usual = _limits(table)
    entries = [
        _entry(TomlTable(f"[[engine]] {number}", values), usual, folder) for number, values in enumerate(engines, 1)
    ]
    check_names(entries)
    schedule = _schedule(table, len(entries))
    scoring = table.text("scoring")
    if scoring and scoring not in SCORINGS:
        raise OptionError(f"[tournament]: scoring does not take {shown(scoring)}; it takes {', '.join(SCORINGS)}")
    concurrency = table.whole("concurrency")
    plan = Plan(
        title=table.text("name"),
        variant=variant,
        entries=entries,
        schedule=schedule,
        openings=_openings(table, variant, folder),
        conduct=_conduct(table, variant, folder),
        sprt=_sprt(table, len(entries)),
        concurrency=max(concurrency, 1) if concurrency is not None else None,
        db=table.path("db", folder),
        outputs=Outputs(table.path("pdn", folder), table.path("json", folder), table.path("html", folder)),
        logs=table.path("log", folder),
        processors=table.read("affinity", read_processors) or (),
        scoring=SCORINGS.get(scoring),
    )
    table.done()
    schedule([f"{number}" for number in range(len(entries))])  # complains where these players cannot play so
    return plan


def _limits(table: TomlTable) -> TimeControl | None:
    """What a table says about time, None where it says nothing."""
    clock = table.read("tc", TimeControl.read)
    move_time, nodes, depth = table.number("move-time"), table.whole("nodes"), table.whole("depth")
    if clock is None and (move_time, nodes, depth) == (None,) * 3:
        return None
    time, increment, moves = (clock.time, clock.increment, clock.moves) if clock is not None else (None, 0.0, None)
    return TimeControl(time, increment, moves, move_time, nodes, depth)


def _entry(table: TomlTable, usual: TimeControl | None, folder: Path) -> Entry:
    engine = table.text("engine")
    if not engine:
        raise OptionError(f'{table.name}: the key engine is missing; write engine = "hub:COMMAND"')
    control = _limits(table) or usual
    if control is None:
        raise OptionError(f'{table.name}: no limit is given here or in [tournament]; write tc = "1+0.02"')
    options = {name: _option_text(value) for name, value in table.take("options", dict, {}).items()}
    entry = Entry(engine, control, table.text("name"), options, table.path("directory", folder))
    table.done()
    try:
        entry.client()
    except OptionError as error:
        raise OptionError(f"{table.name}: {error}") from None
    return entry


def _option_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _schedule(table: TomlTable, players: int) -> Callable[[Sequence[str]], Schedule]:
    kind = table.choice("format", FORMATS, FORMATS[0])
    pairs, rounds, challengers = table.whole("pairs", 1), table.whole("rounds"), table.whole("challengers")
    if not pairs:
        raise OptionError("[tournament]: pairs is 0; each two players need an opening at least")
    for key, value, place in (("rounds", rounds, "swiss"), ("challengers", challengers, "gauntlet")):
        if value is not None and kind != place:
            raise OptionError(f"[tournament]: {key} belongs to the format {place}, not to {kind}")
    if kind == "gauntlet":
        return lambda names: Gauntlet(names, pairs, challengers or 1)
    if kind == "knockout":
        return lambda names: Knockout(names, pairs)
    if kind == "swiss":
        needed = rounds if rounds is not None else max(players - 1, 1).bit_length()
        return lambda names: Swiss(names, pairs, needed)
    return lambda names: RoundRobin(names, pairs)


def _openings(table: TomlTable, variant: Any, folder: Path) -> openings.Openings:
    text = table.text("openings", openings.BY_CHANCE)
    source = text if text in (openings.BY_CHANCE, openings.FROM_START) else str(folder / Path(text).expanduser())
    plies, score, seed = table.whole("opening-plies", 8), table.whole("opening-score", 40), table.whole("seed", 1)
    return openings.named(source, variant, plies, score, seed)


def _conduct(table: TomlTable, variant: Variant, folder: Path) -> Conduct:
    usual = Conduct()
    return Conduct(
        margin=table.number("margin", usual.margin),
        move_margin=table.number("move-margin", usual.move_margin),
        patience=table.number("patience", usual.patience),
        no_progress=table.whole("no-progress"),
        longest=table.whole("longest"),
        draw=table.read("draw", DrawRule.read),
        resign=table.read("resign", ResignRule.read),
        irregularity=Policy(table.choice("irregularity", [policy.value for policy in Policy], "forfeit")),
        tables=_tables(table, variant, folder),
    )


def _tables(table: TomlTable, variant: Variant, folder: Path) -> TableRule | None:
    pieces, own = table.whole("tables"), table.path("tables-folder", folder)
    if pieces is None and own is not None:
        raise OptionError("[tournament]: tables-folder is of use with tables only; write tables = 3 too")
    if pieces is not None and not 2 <= pieces <= MOST_PIECES:
        raise OptionError(f"[tournament]: tables is a number of pieces from 2 to {MOST_PIECES}, not {pieces}")
    try:
        return TableRule.found(variant, pieces, own) if pieces is not None else None
    except EndgameError as error:
        raise OptionError(f"[tournament]: tables: {error}") from None


def _sprt(table: TomlTable, players: int) -> Sprt | None:
    bounds = table.read("sprt", read_bounds)
    scale = EloModel(table.choice("sprt-scale", [scale.value for scale in EloModel], EloModel.NORMALISED.value))
    alpha, beta = table.number("alpha", 0.05), table.number("beta", 0.05)
    if bounds is not None and players != 2:
        raise OptionError(f"[tournament]: sprt is a test of two engines; {players} are entered")
    return Sprt(*bounds, alpha, beta, scale) if bounds is not None else None
