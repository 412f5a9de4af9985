"""The cases of `data/rules/positions.txt` hold for the readable rules."""

from __future__ import annotations

import pickle

import pytest
from rules.cases import Case, positions, told

from turkengine.errors import AmbiguousMoveError, IllegalMoveError, MoveError, UnreadableMoveError
from turkengine.games import variant_named
from turkengine.notation import fen, moves
from turkengine.rules.outcome import outcome
from turkengine.rules.position import Position

CASES = positions()


def cases_with(claim: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [case for case in CASES if getattr(case, claim) not in (None, {})], ids=str)


def reached(case: Case) -> Position:
    position = fen.read(variant_named(case.variant), case.position)
    for text in case.line:
        position = position.play(moves.read(position, text))
    return position


@cases_with("moves")
def test_these_are_all_the_legal_moves(case: Case) -> None:
    position = reached(case)
    assert case.moves is not None
    assert sorted(moves.hub(position, move) for move in position.legal_moves()) == sorted(case.moves)


@cases_with("count")
def test_there_are_so_many_legal_moves(case: Case) -> None:
    assert len(reached(case).legal_moves()) == case.count


@cases_with("outcome")
def test_the_game_has_ended_so(case: Case) -> None:
    assert told(outcome(reached(case))) == case.outcome


@cases_with("reads")
def test_a_text_stands_for_this_move(case: Case) -> None:
    position = reached(case)
    read = {text: moves.hub(position, moves.read(position, text)) for text in case.reads}
    assert read == case.reads


@cases_with("after")
def test_a_move_leads_to_this_position(case: Case) -> None:
    position = reached(case)
    after = {text: fen.write(position.play(moves.read(position, text))) for text in case.after}
    assert after == case.after


@cases_with("refuses")
def test_a_text_is_refused_for_this_reason(case: Case) -> None:
    position = reached(case)
    assert {text: _refusal(position, text) for text in case.refuses} == case.refuses


def _refusal(position: Position, text: str) -> str | None:
    with pytest.raises(MoveError) as caught:
        moves.read(position, text)
    match caught.value:
        case AmbiguousMoveError():
            return "ambiguous"
        case UnreadableMoveError():
            return "unreadable"
        case IllegalMoveError() as illegal:
            return illegal.article
    return None


def test_a_position_knows_the_move_that_has_led_to_it_in_another_process_too() -> None:
    start = Position.start(variant_named("international"))
    assert start.move is None
    first = moves.read(start, "32-28")
    second = start.play(first).play(moves.read(start.play(first), "19-23"))
    for position in (second, pickle.loads(pickle.dumps(second))):
        assert position.move == moves.read(start.play(first), "19-23")
        assert position.previous is not None
        assert position.previous.move == first
        assert position == start.play(first).play(position.move)
