"""Values of the API on their way to another process and back, and their copies."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from turkengine import (
    AmbiguousMoveError,
    ClientError,
    Engine,
    Game,
    IllegalMoveError,
    Limit,
    Node,
    Position,
    TurkengineError,
)
from turkengine.client.contract import ClientFault

LONG = 10_000  # plies
TO_AND_FRO = ("46-41", "3-8", "41-46", "8-3")


def pickled(value):
    return pickle.loads(pickle.dumps(value))


BOTH_WAYS = pytest.mark.parametrize("again", [pickled, copy.deepcopy], ids=["pickle", "deepcopy"])


@BOTH_WAYS
def test_a_game_of_thousands_of_moves_arrives(again: Callable[[Game], Game]) -> None:
    game = Game("W:WK46:BK3")
    node: Node = game
    for ply in range(LONG):
        node = node.add(TO_AND_FRO[ply % 4])
    other = again(game)
    assert (len(other.moves), other.end.position, other.end.ply) == (LONG, game.end.position, LONG)
    assert other.end.position.occurrences == game.end.position.occurrences == LONG // 4 + 1
    assert again(game.end).position.moves == game.end.position.moves


@BOTH_WAYS
def test_thousands_of_variations_within_each_other_arrive(again: Callable[[Game], Game]) -> None:
    game = Game("W:WK46:BK3")
    node: Node = game
    for ply in range(LONG):
        main = TO_AND_FRO[ply % 4]
        node.add(next(move for move in node.position.legal_moves() if move != node.position.parse(main)))
        node = node.add(main)
    other = again(game)
    assert sum(1 for _ in other.walk()) == 2 * LONG + 1
    last = list(other.walk())[-1]
    assert (last.ply, repr(last)) == (LONG, repr(list(game.walk())[-1]))


@BOTH_WAYS
def test_everything_that_a_game_holds_arrives(again: Callable[[Game], Game]) -> None:
    text = (
        '[White "Anna"]\n[GameType "20"]\n\n{first} 1. 32-28! {good} (1. 31-27 {else} 19-23) 1... 19-23 '
        '(1... 99-98) /FEN "W:W28,32:B23"/ 2. 28x19 {now} 3. 1-2 *\n'
    )
    game = Game.read(text)
    other = again(game)
    assert str(other) == str(game)
    assert (other.tags, other.faults, other.result) == (game.tags, game.faults, game.result)
    assert [node.position for node in other.walk()] == [node.position for node in game.walk()]
    assert type(other) is Game
    assert all(child.parent is node for node in other.walk() for child in node.children)
    other.add("33-29")
    assert len(game.children) == 2


@BOTH_WAYS
def test_a_place_takes_its_game_along(again: Callable[[Node], Node]) -> None:
    game = Game()
    game.add_line(["32-28", "19-23"])
    aside = game.add("31-27", comment="aside").add("18-23")
    other = again(aside)
    assert (other.text, other.ply) == ("18-23", 2)
    assert other.parent is not None
    assert other.parent.comment == "aside"
    assert other.parent.parent is not None
    assert [node.text for node in other.parent.parent.children] == ["32-28", "31-27"]
    one, same = again((aside, aside.parent))  # type: ignore[call-overload, arg-type]
    assert one.parent is same


@BOTH_WAYS
def test_a_readable_position_takes_its_game_along(again: Callable[[object], object]) -> None:
    position = Position("W:WK46:BK3")
    for ply in range(LONG):
        position = position.play(TO_AND_FRO[ply % 4])
    readable = position.readable()
    other = again(readable)
    assert other == readable
    assert other.occurrences == LONG // 4 + 1  # type: ignore[attr-defined]


class Marked(Game):
    """A game of a program, with an attribute of its own."""

    mark = ""


@BOTH_WAYS
def test_a_class_made_of_these_keeps_its_attributes(again: Callable[[Marked], Marked]) -> None:
    game = Marked()
    game.mark = "own"
    assert again(game).mark == "own"


def test_a_shallow_copy_shares_what_it_refers_to() -> None:
    game = Game(tags={"White": "Anna"})
    game.add("32-28")
    twin = copy.copy(game)
    assert twin is not game
    assert twin.children is game.children
    assert twin.tags is game.tags


ERRORS = [
    IllegalMoveError("it breaks a rule", "4.1"),
    AmbiguousMoveError("it fits two", ("28x19", "28x17")),
    ClientError(ClientFault.ILLEGAL_MOVE, "it cheats", "4.1", "32-27"),
]


@BOTH_WAYS
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_arrives_with_all_it_knows(again: Callable[[Exception], Exception], error: TurkengineError) -> None:
    other = again(error)
    assert type(other) is type(error)
    assert (str(other), vars(other)) == (str(error), vars(error))


def test_an_analysis_arrives_when_it_has_ended() -> None:
    with Engine(hash=4) as engine:
        with engine.analysis(Position()) as running, pytest.raises(TypeError, match="under way"):
            pickle.dumps(running)
        analysis = engine.analyse(Position(), Limit(depth=4), multipv=2)
        other = pickled(analysis)
        assert other.done
        assert (other.lines, other.move, other.score) == (analysis.lines, analysis.move, analysis.score)
        assert list(other) == list(analysis)
        with pytest.raises(TypeError, match="make one in each process"):
            pickle.dumps(engine)


def test_games_go_to_other_processes_and_analyses_come_back() -> None:
    game = Game()
    game.add_line(["32-28", "19-23", "28x19"])
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        with Engine(hash=1) as engine:
            analysis = engine.analyse(game.end.position, Limit(depth=2))
        sent, told = pool.submit(copy.copy, (game, analysis)).result(60)
        assert sent.pdn() == game.pdn()
        assert told.move == analysis.move in sent.end.position.legal_moves()
        failed = pool.submit(Position().parse, "31-22").exception(60)
    assert isinstance(failed, IllegalMoveError)
    assert failed.article is not None
