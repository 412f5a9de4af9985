"""What docs/match.md and docs/json.md say is so."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import click
import pytest
from match.test_report import match, summary

from turkengine.commands.match import match as command
from turkengine.match.conduct import Policy
from turkengine.match.report import duel_lines
from turkengine.match.schedule import Gauntlet, RoundRobin
from turkengine.match.sprt import Sprt
from turkengine.match.statistics import Games, Pairs
from turkengine.match.summary import SCHEMA_VERSION, Duel
from turkengine.match.swiss import Swiss
from turkengine.match.tournament import FORMATS, read_plan
from turkengine.record.record import EndingKind, Incident
from turkengine.rules.variant import Side

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "match.md").read_text(encoding="utf-8")
JSON = (DOCS / "json.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^### ([\w ]+)\n.*?```toml\n(.*?)```", PAGE, re.MULTILINE | re.DOTALL)


def first_cells(page: str, head: str) -> list[str]:
    """The names in the first column of the table with this head."""
    body = page.split(f"| {head} |")[1].split("\n\n")[0]
    cells = [row.split("|")[1] for row in body.splitlines()[2:]]
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def test_there_is_an_example_of_each_format(tmp_path: Path) -> None:
    kinds = []
    for name, text in EXAMPLES:
        path = tmp_path / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        plan = read_plan(path)
        kinds.append(type(plan.schedule([str(number) for number in range(len(plan.entries))])))
    assert kinds[:2] == [RoundRobin, Gauntlet]
    assert kinds[-1] is Swiss
    assert len(kinds) == len(FORMATS)


@pytest.mark.parametrize("name", ["Knockout", "Swiss"])
def test_an_example_can_be_played(tmp_path: Path, name: str) -> None:
    text = re.sub(r"move-time = .*", "nodes = 200", dict(EXAMPLES)[name])
    (tmp_path / "t.toml").write_text(text + "\n", encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "turkengine", "tournament", "t.toml", "--plain"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert run.returncode == 0, run.stderr
    assert re.search(r"^1  [\w ]+ +[\d.]+ ", run.stdout, re.MULTILINE)


def test_the_figures_shown_are_those_of_their_pairs() -> None:
    pairs = Pairs((1, 5, 28, 13, 3))
    lines = duel_lines(Duel("new", "old", Games(31, 54, 15), pairs), Sprt(0, 5))
    assert "\n".join(lines) in PAGE


def test_the_options_named_are_those_of_the_command() -> None:
    named = set(re.findall(r"(?<!-)(--[a-z][a-z-]+)", PAGE))
    options = {name for option in command.params if isinstance(option, click.Option) for name in option.opts}
    others = {"--check", "--nworkers", "--nthreads", "--pieces", "--watch", "--lan"}  # of other commands, and of Dask
    assert named - others == options


def test_the_keys_named_are_those_of_the_file(tmp_path: Path) -> None:
    for head, table in (
        ("key of `[tournament]` | value", "[tournament]"),
        ("key of `[[engine]]` | value", "[[engine]] 1"),
    ):
        path = tmp_path / "t.toml"
        text = "[tournament]\ndepth = 3\n[[engine]]\nengine = 'builtin'\n[[engine]]\nengine = 'builtin'\n"
        wrong = "zzzzzz = 1\n"
        at = text.index("[[engine]]") if table == "[tournament]" else text.rindex("[[engine]]")
        path.write_text(text[:at] + wrong + text[at:])
        with pytest.raises(Exception, match="there is no key 'zzzzzz'; there are ") as caught:
            read_plan(path)
        assert str(caught.value).split("there are ")[1].split(", ") == sorted(first_cells(PAGE, head))


def test_the_words_for_ends_are_all_there() -> None:
    named = {word for word in first_cells(PAGE, "word in files | what has happened") if not word.startswith("--")}
    of_people = {EndingKind.AGREEMENT, EndingKind.UNFINISHED}  # games between engines never end so
    assert named == {kind.value for kind in set(EndingKind) - of_people}
    assert all(f"`{policy.value}`" in PAGE for policy in Policy)


def test_the_fields_of_the_report_are_those_of_the_page() -> None:
    games = match([2, 1])
    games[0] = (games[0][0], replace(games[0][1], incidents=(Incident(1, Side.WHITE, "overrun", "x"),)))
    data = summary("AB", games, Sprt(0, 5)).as_data(games)
    assert f"`version` is {SCHEMA_VERSION}" in JSON
    assert set(data) == set(first_cells(JSON, "field | value"))
    assert set(data["standings"][0]) == set(first_cells(JSON, "field of a standing | value"))
    assert set(data["duels"][0]) == set(first_cells(JSON, "field of a duel | value"))
    assert set(data["games"][0]) == set(first_cells(JSON, "field of a game | value"))
    assert set(data["games"][0]["incidents"][0]) == set(first_cells(JSON, "field of an incident | value"))
    assert all(f"`{name}`" in JSON for name in data["duels"][0]["sprt"])
