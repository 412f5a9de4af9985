"""Games that are kept: put down, and gone on with just as they were."""

from __future__ import annotations

from pathlib import Path

import pytest
from play.sitting import Sitting

from turkengine.errors import TurkengineError
from turkengine.match.clocks import TimeControl
from turkengine.match.conduct import Policy
from turkengine.play.kept import Kept, KeptError, Place, Shelf
from turkengine.play.live import LiveGame
from turkengine.rules.variant import Side

CLOCK = TimeControl(time=100, increment=2)


def kept_of(sitting: Sitting, folder: Path) -> Kept:
    place = Shelf(folder).new(sitting.live)
    place.keep({"variant": "international"}, sitting.live, sitting.session.pdn)
    place.leave()
    kept = Shelf(folder).newest()
    assert kept is not None
    return kept


def gone_on(sitting: Sitting, kept: Kept) -> Sitting:
    """The same game at another table."""
    again = Sitting(None, clock=CLOCK)
    live = LiveGame(sitting.live.clocked.start, again.live.seats, now=lambda: again.moment)
    live.restore(kept.record, kept.spent)
    again.session.live = live
    again.session.begin()
    return again


def test_a_game_goes_on_with_its_moves_clocks_and_irregularities(tmp_path: Path) -> None:
    sitting = Sitting(None, clock=CLOCK)
    sitting.moment = 10
    sitting.say("32-28")
    sitting.moment = 15
    sitting.say("20-40")  # against the rules
    sitting.moment = 18
    kept = kept_of(sitting, tmp_path)
    again = gone_on(sitting, kept)
    live = again.live
    assert live.game.moves == sitting.live.game.moves
    assert live.clocked.incidents == sitting.live.clocked.incidents
    assert [live.remaining(side) for side in Side] == [92, 92]
    assert live.clocked.date.replace(microsecond=0) == sitting.live.clocked.date.replace(microsecond=0)
    again.moment = 4
    again.say("19-23")
    assert live.game.moves[-1].seconds == 12
    assert live.remaining(Side.BLACK) == 90
    again.say("undo", "yes")
    assert [live.remaining(side) for side in Side] == [92, 92]  # time lost to an irregularity stays lost
    again.say("undo", "yes")
    assert again.texts == []


def test_a_move_that_was_let_stand_stands(tmp_path: Path) -> None:
    sitting = Sitting(None, clock=CLOCK, irregularity=Policy.STAND)
    sitting.say("32-28", "19-23", "31-26")
    again = gone_on(sitting, kept_of(sitting, tmp_path))
    assert again.texts == sitting.texts
    assert again.live.game.position.cells == sitting.live.game.position.cells


def test_a_game_that_is_over_is_put_away_and_offered_to_nobody(tmp_path: Path) -> None:
    sitting = Sitting(None)
    sitting.say("32-28", "resign")
    place = Shelf(tmp_path).new(sitting.live)
    place.keep({}, sitting.live, sitting.session.pdn)  # and the program ended here
    place.leave()
    assert Shelf(tmp_path).newest() is None
    assert [path.name for path in tmp_path.iterdir()] == ["games.pdn"]
    assert "32-28" in (tmp_path / "games.pdn").read_text()


def test_the_newest_of_several_is_offered_and_none_is_lost(tmp_path: Path) -> None:
    first, second = Sitting(None), Sitting(None)
    first.say("32-28")
    second.say("31-26")
    kept_of(first, tmp_path)
    assert [move.text for move in kept_of(second, tmp_path).record.moves] == ["31-26"]
    assert len(list(tmp_path.glob("*.game"))) == 2


def test_a_taken_game_is_free_again_when_it_is_left(tmp_path: Path) -> None:
    sitting = Sitting(None)
    sitting.say("32-28")
    kept = kept_of(sitting, tmp_path)
    place = Place(kept.path)
    assert place.take()
    assert not Place(kept.path).take()
    assert Shelf(tmp_path).newest() is None
    place.leave()
    assert Shelf(tmp_path).newest() == kept


@pytest.mark.parametrize("text", ["", "[]", "{", '{"format": "turkengine game 2"}', '{"format": "turkengine game 1"}'])
def test_a_file_that_holds_no_game_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.game").write_text(text)
    with pytest.raises(KeptError, match=r"x\.game holds .*; take the file away"):
        Shelf(tmp_path).newest()


def test_a_damaged_file_is_named_without_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "x.game").write_bytes(b'{"format": "turkengine game 1' + b"\xff" * 1000)
    with pytest.raises(KeptError, match=r"x\.game holds no game that can be read \(it is not UTF-8\)"):
        Shelf(tmp_path).newest()


def test_moves_that_cannot_be_played_are_refused(tmp_path: Path) -> None:
    sitting = Sitting(None)
    sitting.say("32-28")
    kept = kept_of(sitting, tmp_path)
    with pytest.raises(TurkengineError, match="is not a legal move"):
        Sitting(None, position="W:W50:B1").live.restore(kept.record, 0)


def test_no_time_passes_while_the_clocks_are_stopped() -> None:
    sitting = Sitting(None, clock=CLOCK)
    sitting.moment = 10
    sitting.live.stop_clocks()
    sitting.moment = 1000
    assert sitting.live.remaining(Side.WHITE) == 90
    sitting.live.start_clocks()
    sitting.moment = 1001
    assert sitting.live.remaining(Side.WHITE) == 89
