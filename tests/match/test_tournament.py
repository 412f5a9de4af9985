"""Tournament files: what they say is understood, and what they say wrong is named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from turkengine.errors import OptionError
from turkengine.kernel.endgames import SHIPPED
from turkengine.match.clocks import TimeControl
from turkengine.match.conduct import Conduct, DrawRule, Policy, ResignRule
from turkengine.match.knockout import Knockout
from turkengine.match.plan import Plan
from turkengine.match.schedule import Gauntlet, RoundRobin
from turkengine.match.sprt import EloModel, Sprt
from turkengine.match.swiss import Swiss
from turkengine.match.tournament import read_plan

TWO = """
[[engine]]
name = "A"
engine = "builtin"

[[engine]]
name = "B"
engine = "builtin:hash=1"
"""


def plan(folder: Path, text: str) -> Plan:
    path = folder / "t.toml"
    path.write_text(text, encoding="utf-8")
    return read_plan(path)


def test_everything_that_can_be_said(tmp_path: Path) -> None:
    shutil.copytree(SHIPPED / "turkish" / "tables", tmp_path / "own" / "turkish")
    (tmp_path / "list.fen").write_text("W:Wa3,b3:Bh6,g6\n")
    read = plan(
        tmp_path,
        """
[tournament]
name = "Everything"
variant = "Turkish"
format = "round-robin"
pairs = 7
scoring = "2-1-0"
tc = "40/60+0.5"
openings = "list.fen"
opening-plies = 4
seed = 3
concurrency = 2
margin = 0.5
move-margin = 1
patience = 9
no-progress = 60
longest = 300
draw = "10,20,80"
resign = "500,8"
irregularity = "rectify"
tables = 3
tables-folder = "own"
sprt = "0,5"
sprt-scale = "logistic"
alpha = 0.1
beta = 0.2
db = "t.db"
pdn = "t.pdn"
json = "t.json"
html = "sub/t.html"
log = "logs"

[[engine]]
name = "A"
engine = "builtin"
options = { hash = 16, ponder = false }

[[engine]]
engine = "hub:scan hub"
directory = "scan"
nodes = 500
move-time = 0.25
""",
    )
    assert (read.title, read.variant.name, read.halves_a_win, read.concurrency) == ("Everything", "turkish", 2, 2)
    first, second = read.entries
    assert first.control == TimeControl.read("40/60+0.5")
    assert (first.name, first.options) == ("A", {"hash": "16", "ponder": "false"})
    assert second.control == TimeControl(nodes=500, move_time=0.25)
    assert (second.name, second.directory) == ("", tmp_path / "scan")
    draw, resign, tables = DrawRule(10, 20, 80), ResignRule(500, 8), read.conduct.tables
    assert tables is not None
    assert (tables.pieces, tables.folder, len(tables.endings)) == (3, tmp_path / "own", 9)
    assert read.conduct == Conduct(0.5, 1, 9, 60, 300, draw, resign, Policy.RECTIFY, tables)
    assert read.settings(["A", "B"])["tables"] == "9 endings of up to 3 pieces"
    assert read.sprt == Sprt(0, 5, 0.1, 0.2, EloModel.LOGISTIC)
    assert (read.db, read.outputs.pdn, read.outputs.html) == (
        tmp_path / "t.db",
        tmp_path / "t.pdn",
        tmp_path / "sub/t.html",
    )
    assert read.openings.description.startswith("1 from list.fen")
    schedule = read.schedule(["A", "B"])
    assert isinstance(schedule, RoundRobin)
    assert schedule.total == 14


@pytest.mark.parametrize(
    ("keys", "kind"),
    [
        ("", RoundRobin),
        ('format = "gauntlet"\nchallengers = 1', Gauntlet),
        ('format = "knockout"', Knockout),
        ('format = "swiss"\nrounds = 1', Swiss),
        ('format = "swiss"', Swiss),
    ],
)
def test_the_format_is_chosen(tmp_path: Path, keys: str, kind: type) -> None:
    read = plan(tmp_path, f"[tournament]\ndepth = 3\n{keys}\n{TWO}")
    assert isinstance(read.schedule(["A", "B"]), kind)


def test_points_are_written_as_the_game_does_unless_something_else_is_said(tmp_path: Path) -> None:
    head = "[tournament]\ndepth = 3\n"
    assert plan(tmp_path, head + TWO).halves_a_win == 2
    assert plan(tmp_path, head + 'variant = "croda"\n' + TWO).halves_a_win == 1
    assert plan(tmp_path, head + 'scoring = "1-1/2-0"\n' + TWO).halves_a_win == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tournament", "is not TOML"),
        ("x = 1\n" + TWO, "the file: there is no key 'x'; there are engine, tournament"),
        ("[tournament]\ndepth = 3\nconcurency = 2\n" + TWO, "no key 'concurency'; concurrency is meant, perhaps"),
        (
            "[tournament]\ndepth = 3\n[[engine]]\nengine = 'builtin'\nmane = 'x'\n",
            r"\[\[engine\]\] 1: there is no key 'mane'",
        ),
        ("[tournament]\ndepth = '3'\n" + TWO, r"\[tournament\]: depth is a whole number, not '3'"),
        ("[tournament]\ndepth = true\n" + TWO, "depth is a whole number, not True"),
        ("[tournament]\ndepth = 3\nmargin = -1\n" + TWO, "margin is -1; it cannot be below 0"),
        (TWO, r"\[\[engine\]\] 1: no limit is given here or in \[tournament\]"),
        ("[tournament]\ntc = 'fast'\n" + TWO, r"tc: 'fast' is not a time control"),
        ("[tournament]\ndepth = 3\nvariant = 'chess'\n" + TWO, "chess"),
        (
            "[tournament]\ndepth = 3\nformat = 'league'\n" + TWO,
            "format does not take 'league'; it takes round-robin, gauntlet",
        ),
        ("[tournament]\ndepth = 3\nscoring = '3-1-0'\n" + TWO, "scoring does not take '3-1-0'"),
        ("[tournament]\ndepth = 3\nrounds = 3\n" + TWO, "rounds belongs to the format swiss, not to round-robin"),
        (
            "[tournament]\ndepth = 3\nformat = 'swiss'\nrounds = 9\n" + TWO,
            "2 players can play from 1 to 1 rounds, not 9",
        ),
        ("[tournament]\ndepth = 3\npairs = 0\n" + TWO, "pairs is 0"),
        ("[tournament]\ndepth = 3\n[[engine]]\nengine = 'builtin'\n", "needs at least 2 players, not 1"),
        ("[tournament]\ndepth = 3\n[[engine]]\nname = 'A'\n", "the key engine is missing"),
        ("[tournament]\ndepth = 3\n[[engine]]\nengine = 'scan'\n", "1: the engine 'scan' has no kind; write one of"),
        (
            "[tournament]\ndepth = 3\n[[engine]]\nengine = 'builtin'\noptions = {hush = 1}\n",
            "no option is called 'hush'",
        ),
        ("[tournament]\ndepth = 3\nopenings = 'none.fen'\n" + TWO, r"none\.fen cannot be read"),
        (
            "[tournament]\ndepth = 3\nsprt = '0,5'\n" + TWO + "[[engine]]\nengine = 'builtin'\n",
            "sprt is a test of two engines; 3",
        ),
        ("[tournament]\ndepth = 3\n" + TWO.replace("B", "A"), "two engines are called 'A'"),
        ("[tournament]\ndepth = 3\ntables = 9\n" + TWO, "tables is a number of pieces from 2 to 5, not 9"),
        ("[tournament]\ndepth = 3\ntables-folder = 'x'\n" + TWO, "tables-folder is of use with tables only"),
        (
            "[tournament]\ndepth = 3\ntables = 3\ntables-folder = 'x'\n" + TWO,
            r"\]: tables: .*x is not a folder; name one",
        ),
        ("tournament = 3\n", "tournament is a table, not 3"),
        ("engine = [1]\n[tournament]\ndepth = 3\n", r"\[\[engine\]\] 1 is not a table"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(OptionError, match=message) as caught:
        plan(tmp_path, text)
    assert str(caught.value).startswith(str(tmp_path / "t.toml"))
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="cannot be read: No such file"):
        read_plan(tmp_path / "none.toml")
