"""Whole matches between clients without engines: everything is played once, and stops when it should."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from client.engines import fake
from match.scripted import Scripted, at_random, crash, first_move

from turkengine import waiting
from turkengine.client.contract import Client, Thought
from turkengine.engine.limits import Limits
from turkengine.games import INTERNATIONAL, TURKISH
from turkengine.match.clocks import TimeControl
from turkengine.match.conduct import Conduct
from turkengine.match.openings import Balanced, Openings, from_start
from turkengine.match.referee import Beginning
from turkengine.match.runner import Contest, End, Runner
from turkengine.match.schedule import Gauntlet, Key, Results, RoundRobin, Schedule
from turkengine.match.seat import Entrant
from turkengine.match.sprt import Sprt
from turkengine.match.store import MatchStore
from turkengine.notation import fen
from turkengine.record.record import EndingKind, Record
from turkengine.rules.position import Position

DEPTH = TimeControl(depth=3)


class Heard:
    """A listener that keeps what it hears, and may do something on a game."""

    def __init__(self, on_game: Callable[[int], object] = lambda count: None) -> None:
        self.keys: list[Key] = []
        self.ticks = 0
        self.waits: list[str] = []
        self._on_game = on_game

    def on_game(self, key: Key, record: Record, results: Results) -> None:
        assert key in results
        self.keys.append(key)
        self._on_game(len(self.keys))

    def on_wait(self, line: str) -> None:
        self.waits.append(line)

    def on_tick(self) -> None:
        self.ticks += 1


def contest(
    schedule: Schedule,
    names: str = "AB",
    make: Callable[[str], Client] = lambda name: Scripted(name=name),
    openings: Openings | None = None,
    **more: object,
) -> Contest:
    entrants = [Entrant(name, lambda name=name: make(name), DEPTH) for name in names]
    more.setdefault("conduct", Conduct(longest=6))
    return Contest(entrants, schedule, openings or from_start(INTERNATIONAL), **more)  # type: ignore[arg-type]


def keys(store: MatchStore) -> list[str]:
    return [str(key) for key, _ in store.games()]


ALL_OF_FOUR_PAIRS = [f"1.1.{game}" for game in range(1, 9)]


@pytest.mark.parametrize("concurrency", [1, 3, 20])
def test_everything_is_played_once_whatever_the_number_of_games_at_a_time(concurrency: int) -> None:
    heard = Heard()
    with MatchStore() as store:
        assert Runner(contest(RoundRobin("AB", 4), concurrency=concurrency), store, heard).run() is End.PLAYED
        assert keys(store) == ALL_OF_FOUR_PAIRS
        assert Counter(heard.keys) == Counter(key for key, _ in store.games())
        colours = [(record.white, record.black) for _, record in store.games()]
        assert colours == [("A", "B"), ("B", "A"), ("B", "A"), ("A", "B")] * 2


def test_the_two_games_of_a_pair_begin_with_the_same_opening() -> None:
    class Numbered:
        description = "numbered"

        def opening(self, number: int) -> Beginning:
            return Beginning(fen.read(TURKISH, f"W:W{'abcdefgh'[number]}3:Ba7,h7"), (), str(number))

    with MatchStore() as store:
        Runner(contest(RoundRobin("AB", 3), openings=Numbered()), store, Heard()).run()
        assert [record.opening for _, record in store.games()] == ["0", "0", "1", "1", "2", "2"]
        assert {record.variant for _, record in store.games()} == {"turkish"}


def test_a_match_goes_on_where_it_stopped() -> None:
    def stop(count: int) -> None:
        if count == 3:
            raise KeyboardInterrupt

    with MatchStore() as store:
        assert Runner(contest(RoundRobin("AB", 4)), store, Heard(stop)).run() is End.INTERRUPTED
        before = keys(store)
        assert 3 <= len(before) < 8
        heard = Heard()
        assert Runner(contest(RoundRobin("AB", 4)), store, heard).run() is End.PLAYED
        assert keys(store) == ALL_OF_FOUR_PAIRS
        assert not {str(key) for key in heard.keys} & set(before)


def test_a_match_that_is_over_stays_so_and_can_be_made_longer() -> None:
    with MatchStore() as store:
        Runner(contest(RoundRobin("AB", 1)), store, Heard()).run()
        heard = Heard()
        assert Runner(contest(RoundRobin("AB", 1)), store, heard).run() is End.PLAYED
        assert heard.keys == []
        Runner(contest(RoundRobin("AB", 2)), store, heard).run()
        assert [str(key) for key in heard.keys] == ["1.1.3", "1.1.4"]


def test_an_engine_that_crashes_in_every_game_loses_them_and_the_match_goes_on() -> None:
    made: list[Scripted] = []

    def make(name: str) -> Scripted:
        made.append(Scripted([crash()] * 100 if name == "B" else (), name))
        return made[-1]

    with MatchStore() as store:
        assert Runner(contest(RoundRobin("AB", 3), make=make), store, Heard()).run() is End.PLAYED
        assert [record.ending.kind for _, record in store.games()] == [EndingKind.CRASH] * 6
        assert all(result.of("A") == 2 for result in store.results())
    assert len(made) == 2
    assert not any(client.alive() for client in made)


def test_engines_are_started_once_and_reused() -> None:
    made: Counter[str] = Counter()

    def make(name: str) -> Scripted:
        made[name] += 1
        return Scripted(name=name)

    with MatchStore() as store:
        Runner(contest(RoundRobin("AB", 6), make=make, concurrency=2), store, Heard()).run()
    assert 1 <= made["A"] == made["B"] <= 2  # for each thread that has come to play


def test_engines_that_are_not_needed_any_more_are_closed() -> None:
    alive: list[set[str]] = []
    made: list[Scripted] = []

    def make(name: str) -> Scripted:
        made.append(Scripted(name=name))
        return made[-1]

    def note(count: int) -> None:
        alive.append({client.name for client in made if client.alive()})

    with MatchStore() as store:
        Runner(contest(Gauntlet("ABCD", 1), "ABCD", make), store, Heard(note)).run()
    assert all(len(names) <= 2 for names in alive)


def winner(name: str) -> Scripted:
    """A wins every game: B gives up at once."""
    return Scripted([None] * 1000 if name == "B" else (), name, choose=first_move)


def different() -> Openings:
    """As many openings as a test may ask for, since games that repeat each other do not count."""
    return Balanced(INTERNATIONAL, 8, 0, 1, lambda position: 0)


def test_a_decided_test_ends_the_match_and_a_later_run_plays_nothing() -> None:
    test = Sprt(0, 100)
    with MatchStore() as store:
        played = contest(RoundRobin("AB", 5000), make=winner, sprt=test, concurrency=2, openings=different())
        assert Runner(played, store, Heard()).run() is End.DECIDED
        count = len(store.results())
        assert 2 < count < 1000
        heard = Heard()
        assert Runner(played, store, heard).run() is End.DECIDED
        assert heard.keys == []


class Slow(Scripted):
    """Thinks until it is closed."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name)
        self.closed = threading.Event()

    def think(self, position: Position, limits: Limits, deadline: float | None = None) -> Thought:
        if not self.closed.wait(30):
            raise AssertionError("nobody has closed this engine")
        raise crash("it has been closed")

    def close(self) -> None:
        self.closed.set()


def test_ctrl_c_does_not_wait_for_long_thoughts_and_leaves_no_game_that_has_not_ended() -> None:
    class Impatient(Heard):
        def on_tick(self) -> None:
            raise KeyboardInterrupt

    with MatchStore() as store:
        end = Runner(contest(RoundRobin("AB", 4), make=Slow, concurrency=2), store, Impatient()).run()
        assert end is End.INTERRUPTED
        assert keys(store) == []


def test_a_fault_of_the_program_is_raised_and_finished_games_are_kept() -> None:
    class Broken:
        description = "broken"

        def opening(self, number: int) -> Beginning:
            if number:
                raise ZeroDivisionError("of this test")
            return from_start(INTERNATIONAL).opening(0)

    with MatchStore() as store:
        with pytest.raises(ZeroDivisionError, match="of this test"):
            Runner(contest(RoundRobin("AB", 4), openings=Broken()), store, Heard()).run()
        assert keys(store) == ["1.1.1", "1.1.2"]


def test_results_do_not_depend_on_the_number_of_games_at_a_time() -> None:
    def play(concurrency: int) -> list[list[str]]:
        class Thinker(Scripted):
            def new_game(self) -> None:
                super().new_game()
                self.choose = at_random(7)

        with MatchStore() as store:
            made = contest(RoundRobin("AB", 3), make=lambda name: Thinker(name=name), concurrency=concurrency)
            Runner(made, store, Heard()).run()
            return [[move.text for move in record.moves] for _, record in store.games()]

    assert play(1) == play(3)


def test_every_line_of_a_game_is_logged_in_a_file_of_its_own(tmp_path: Path) -> None:
    class Talking(Scripted):
        def think(self, position: Position, limits: Limits, deadline: float | None = None) -> Thought:
            if self.log is not None:
                self.log(">", "go")
            return super().think(position, limits, deadline)

    with MatchStore() as store:
        made = contest(RoundRobin("AB", 1), make=lambda name: Talking(name=name), logs=tmp_path)
        Runner(made, store, Heard()).run()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.1.1.log", "1.1.2.log"]
    lines = (tmp_path / "1.1.1.log").read_text().splitlines()
    assert [line.split()[1:] for line in lines] == [["A", ">", "go"], ["B", ">", "go"]] * 3


def test_threads_that_play_stay_on_the_processors_given() -> None:
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("processors cannot be chosen here")
    processor = max(os.sched_getaffinity(0))
    seen: list[set[int]] = []

    class Looking(Scripted):
        def new_game(self) -> None:
            super().new_game()
            seen.append(os.sched_getaffinity(0))

    before = os.sched_getaffinity(0)
    with MatchStore() as store:
        made = contest(RoundRobin("AB", 1), make=lambda name: Looking(name=name), processors=(processor,))
        Runner(made, store, Heard()).run()
    assert seen == [{processor}] * 4
    assert os.sched_getaffinity(0) == before


def test_an_engine_that_does_not_answer_is_said_to_the_listener(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "FIRST", 0.1)
    heard = Heard()
    with MatchStore() as store:
        made = contest(RoundRobin("AB", 1), make=lambda name: fake("slow", name=name) if name == "A" else Scripted())
        Runner(made, store, heard).run()
    assert heard.waits
    assert all(line.startswith("waiting for A to ") for line in heard.waits)
