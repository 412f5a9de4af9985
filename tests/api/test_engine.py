"""Engines as programs use them: in this process and as another one, from threads and from asyncio."""

from __future__ import annotations

import asyncio
import shlex
import sys
import threading

import pytest

import turkengine
from turkengine import Analysis, Bound, ClientError, Engine, ExternalEngine, IllegalMoveError, Limit, OptionError, Side
from turkengine import Position as P

START = P()
WON = P("W:W28,32:B23")  # 28x19 takes the last piece


@pytest.fixture(scope="module")
def own():
    with Engine(hash=4) as engine:
        yield engine


@pytest.fixture(scope="module", params=["hub", "uci"])
def other(request: pytest.FixtureRequest):
    python = shlex.quote(sys.executable)
    with ExternalEngine(f"{request.param}:{python} -m turkengine {request.param}", {"hash": 4}) as engine:
        yield engine


@pytest.fixture(params=["own", "hub", "uci"])
def engine(request: pytest.FixtureRequest, own: Engine):
    if request.param == "own":
        yield own
        return
    python = shlex.quote(sys.executable)
    with ExternalEngine(f"{request.param}:{python} -m turkengine {request.param}", {"hash": 4}) as found:
        yield found


# The same for every engine


def test_a_position_is_analysed(engine) -> None:
    analysis = engine.analyse(START, Limit(depth=6))
    assert analysis.done
    assert analysis.depth == 6
    assert analysis.move in START.legal_moves()
    assert analysis.line[0] == analysis.move
    assert START.play_line(analysis.line).moves == analysis.line
    assert abs(analysis.score.white.hundredths) < 100
    assert analysis.nodes > 6


def test_a_won_game_is_told_in_moves(engine) -> None:
    analysis = engine.analyse(WON, Limit(depth=5))
    assert str(analysis.score) == "#1"
    assert analysis.score.moves_to_end(Side.BLACK) == -1
    assert analysis.score.black.hundredths == -9999
    assert analysis.best.chances.win == 1.0
    assert analysis.best.texts == ["28x19"]


def test_several_lines_are_found(engine) -> None:
    analysis = engine.analyse(START, Limit(depth=6), multipv=3)
    assert [info.rank for info in analysis.lines] == [1, 2, 3]
    assert len({info.move for info in analysis.lines}) == 3
    scores = [info.score.relative for info in analysis.lines]
    assert scores == sorted(scores, reverse=True)
    assert [info.rank for info in engine.analyse(START, Limit(depth=6)).lines] == [1]


def test_a_search_is_followed_and_stopped(engine) -> None:
    depths = []
    with engine.analysis(START) as analysis:
        for info in analysis:
            depths.append(info.depth)
            if len(depths) == 5:
                break
    assert analysis.done
    assert depths == sorted(depths)
    assert analysis.move in START.legal_moves()


def test_an_ended_search_can_be_read_again(engine) -> None:
    analysis = engine.analyse(START, Limit(depth=5))
    assert [info.depth for info in analysis] == [info.depth for info in analysis] == [1, 2, 3, 4, 5]
    assert all(info.bound is Bound.EXACT for info in analysis)


def test_a_search_ends_however_early_it_is_stopped(engine) -> None:
    analysis = engine.analysis(START)
    analysis.stop()
    assert analysis.wait(20)
    assert analysis.move in START.legal_moves()


def test_a_move_is_played(engine) -> None:
    played = engine.play(WON, Limit(time=0.1))
    assert WON.text(played.move) == "28x19"
    assert played.ponder is None


def test_a_game_that_is_over_has_no_move(engine) -> None:
    over = P("W:W:B20")
    assert engine.play(over, Limit(depth=3)).move is None
    analysis = engine.analyse(over, Limit(depth=3))
    assert (analysis.move, analysis.line, analysis.lines) == (None, (), ())


def test_only_the_moves_asked_for_are_searched(own: Engine) -> None:
    assert START.text(own.analyse(START, Limit(depth=4), root_moves=["35-30"]).move) == "35-30"
    with pytest.raises(IllegalMoveError):
        own.analyse(START, Limit(depth=4), root_moves=["35-24"])


def test_one_engine_plays_every_game(engine) -> None:
    for variant in turkengine.VARIANTS:
        position = P(variant=variant)
        assert engine.analyse(position, Limit(depth=3)).move in position.legal_moves()


def test_all_is_loaded_before_the_clock_of_a_search_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    ready = []
    with Engine(hash=64) as engine:
        facade = engine._ours._engine
        begin = facade.start

        def start(*arguments: object, patient: bool) -> None:
            ready.append((facade._hash_table.fits(START.variant, 64), patient, facade._mounted is not None))
            begin(*arguments, patient=patient)  # type: ignore[arg-type]

        monkeypatch.setattr(facade, "start", start)
        for game in ("one", "another"):
            assert engine.play(START, Limit(time=0.05), game=game).move in START.legal_moves()
    assert ready == [(True, True, True)] * 2


def test_repetitions_of_the_game_are_known(engine) -> None:
    again = P("W:WK1,K2,16,26,36:BK50,K49").play_line(["2-7", "50-45", "7-2", "45-50", "2-7", "50-45", "7-2"])
    drawn = engine.analyse(again, Limit(depth=1), root_moves=["45-50"] if isinstance(engine, Engine) else [])
    assert drawn.score.relative.hundredths == 0


# Orders


def test_an_order_ends_a_search_without_limit_and_waits_for_one_with(own: Engine) -> None:
    endless = own.analysis(START)
    assert own.analyse(START, Limit(depth=3)).done
    assert endless.done
    first = own.analysis(START, Limit(nodes=50_000))
    own.analyse(START, Limit(depth=3))
    assert first.done
    assert first.nodes > 40_000 or first.depth > 5


def test_many_threads_share_an_engine(own: Engine) -> None:
    positions = [START.play(move) for move in START.legal_moves()]
    found: dict[int, Analysis] = {}

    def analyse(number: int) -> None:
        found[number] = own.analyse(positions[number], Limit(nodes=500))

    threads = [threading.Thread(target=analyse, args=(number,)) for number in range(len(positions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[number].move in position.legal_moves() for number, position in enumerate(positions))


def test_many_engines_search_at_once() -> None:
    engines = [Engine(hash=1) for _ in range(8)]
    analyses = [engine.analysis(START) for engine in engines]
    for analysis in analyses:
        next(iter(analysis))
        analysis.stop()
    assert all(analysis.wait(20) for analysis in analyses)
    for engine in engines:
        engine.close()


def test_the_same_search_in_a_new_game_finds_the_same() -> None:
    with Engine(hash=1) as engine:
        runs = [engine.analyse(START, Limit(nodes=20_000), game=number) for number in range(3)]
    assert len({(run.nodes, run.line, run.score) for run in runs}) == 1


def test_an_analysis_without_an_end_is_refused(own: Engine) -> None:
    with pytest.raises(ValueError, match="never end"):
        own.analyse(START, Limit())
    with pytest.raises(ValueError, match="multipv takes a whole number from 1 to 500, not 0"):
        own.analyse(START, Limit(depth=1), multipv=0)


def test_options_are_those_of_the_engine() -> None:
    with Engine(hash=2, threads=2, no_progress=30) as engine:
        assert engine.analyse(P(variant="turkish"), Limit(depth=4)).done
    with pytest.raises(OptionError, match="no option is called 'colour'"):
        Engine(colour="red")
    with pytest.raises(OptionError, match="leave it out"):
        Engine(multi_pv=3)
    with pytest.raises(OptionError, match="does not take '0'"):
        Engine(hash=0)


def test_a_closed_engine_says_so() -> None:
    engine = Engine(hash=1)
    running = engine.analysis(START)
    engine.close()
    engine.close()
    assert running.wait(20)
    with pytest.raises(RuntimeError, match="closed"):
        engine.analyse(START, Limit(depth=1))


# asyncio


def test_tasks_wait_for_searches() -> None:
    async def both() -> tuple[Analysis, turkengine.PlayResult]:
        with Engine(hash=1) as one, Engine(hash=1) as two:
            return await asyncio.gather(
                one.analyse_async(START, Limit(depth=6), multipv=2), two.play_async(START, Limit(depth=5))
            )

    analysis, played = asyncio.run(both())
    assert len(analysis.lines) == 2
    assert played.move in START.legal_moves()


def test_a_task_follows_a_search() -> None:
    async def follow() -> list[int]:
        depths = []
        with Engine(hash=1) as engine:
            analysis = engine.analysis(START)
            async for info in analysis:
                depths.append(info.depth)
                if info.depth == 6:
                    analysis.stop()
        return depths

    depths = asyncio.run(follow())
    assert depths[:6] == [1, 2, 3, 4, 5, 6]


def test_a_cancelled_task_stops_its_search() -> None:
    async def cancel() -> bool:
        with Engine(hash=1) as engine:
            task = asyncio.create_task(engine.analyse_async(START, Limit(nodes=10**12)))
            while engine._current is None or engine._current.depth is None:
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return await asyncio.to_thread(engine._current.wait, 20)

    assert asyncio.run(cancel())


# Engines that fail


def python(program: str) -> str:
    return f"hub:{shlex.quote(sys.executable)} -c {shlex.quote(program)}"


def test_an_engine_that_cannot_be_started_is_named() -> None:
    with (
        ExternalEngine("hub:no-such-program") as engine,
        pytest.raises(ClientError, match="no-such-program cannot be started"),
    ):
        engine.analyse(START, Limit(depth=1))


def test_an_engine_that_dies_is_named_and_started_again() -> None:
    talk = (
        'import sys\nfor line in sys.stdin:\n    if line.startswith("hub"): print("id name=mortal\\nwait", flush=True)'
    )
    talk += '\n    if line.startswith("init"): print("ready", flush=True)'
    talk += '\n    if line.startswith("ping"): print("pong", flush=True)'
    talk += '\n    if line.startswith("go"): sys.exit("no more")'
    with ExternalEngine(python(talk)) as engine:
        for _ in range(2):
            with pytest.raises(ClientError, match="mortal: it has ended with exit status 1; its last words: no more"):
                engine.analyse(START, Limit(depth=1))


def test_a_word_that_names_no_protocol_is_refused() -> None:
    with pytest.raises(OptionError, match="hub:COMMAND or uci:COMMAND"):
        ExternalEngine("builtin")


def test_options_of_a_process_are_checked_by_what_it_declares(other: ExternalEngine) -> None:
    assert other.analyse(START, Limit(depth=2)).done
    assert other.name.startswith("turkengine")
    with (
        ExternalEngine(f"hub:{shlex.quote(sys.executable)} -m turkengine hub", {"colour": "red"}) as engine,
        pytest.raises(ClientError, match="no option 'colour'"),
    ):
        engine.analyse(START, Limit(depth=1))
