"""Games as pages play them, on a real server: moves, offers, seats, people who look on."""

from __future__ import annotations

import time
from typing import Any

import pytest
from board.serving import Browser, Socket

from turkengine.games import VARIANTS, variant_named

LINK = {"kind": "link", "name": "B"}
ENGINE = {"kind": "engine", "level": 0}


def joined(browser: Browser, made: dict[str, Any]) -> tuple[Socket, dict[str, Any]]:
    socket = browser.connect(made["address"])
    return socket, socket.next("game")


def two_players(browser: Browser, other: Browser, **more: Any) -> tuple[dict[str, Any], Socket, Socket]:
    """A game between two browsers, both of them connected."""
    made = browser.new_game(black=LINK, **more)
    address, _, key = made["links"]["B"].partition("#")
    assert other.ask("POST", f"{address}/claim", {"key": key}) == (200, {"seats": ["B"]})
    return made, joined(browser, made)[0], joined(other, made)[0]


@pytest.mark.parametrize("variant", [variant.name for variant in VARIANTS])
def test_every_game_can_be_played_with_the_engine(browser: Browser, variant: str) -> None:
    second = variant_named(variant).begins.opponent
    made = browser.new_game(variant, **{second.name.lower(): ENGINE})
    socket, game = joined(browser, made)
    assert game["variant"]["name"] == variant
    assert len(game["variant"]["squares"]) == len(game["now"]["cells"])
    now = game["now"]
    for ply in (0, 2):
        socket.say("move", ply=ply, move=now["legal"][0]["move"])
        assert socket.next("played")["move"]["ply"] == ply + 1
        answer = socket.next("played")
        assert (answer["move"]["side"], answer["move"]["ply"]) == (second.value, ply + 2)
        now = answer["now"]


def test_two_people_on_one_device_move_in_turn(browser: Browser) -> None:
    made = browser.new_game()
    assert made["seats"] == ["W", "B"]
    socket, game = joined(browser, made)
    assert socket.next("you")["seats"] == ["W", "B"]
    assert socket.say("move", ply=0, move="a3a4")["type"] == "ok"
    assert socket.say("move", ply=1, move="a6-a5")["type"] == "ok"
    assert socket.say("back", ply=2)["type"] == "ok"
    assert len(socket.next("game")["moves"]) == 1
    assert game["now"]["clocks"] == {"W": None, "B": None}


def test_a_link_gives_its_seat_and_nothing_else(browser: Browser, other: Browser) -> None:
    _, white, black = two_players(browser, other)
    assert white.say("move", ply=0, move="a3-a4")["type"] == "ok"
    assert black.next("played")["move"]["text"] == "a3-a4"
    assert white.say("move", ply=1, move="a6-a5")["code"] == "not-your-turn"
    assert black.say("move", ply=1, move="a6-a5")["type"] == "ok"
    assert black.say("resign", side="W")["code"] == "not-yours"


@pytest.mark.parametrize("key", ["A" * 22, "", "x", 5, None, "A" * 22 + "\n", "é" * 22])
def test_a_wrong_key_gives_no_seat(browser: Browser, other: Browser, key: object) -> None:
    made = browser.new_game(black=LINK)
    status, answer = other.ask("POST", f"{made['address']}/claim", {"key": key})
    assert (status, answer["error"]["code"]) == (403, "bad-key")
    assert joined(other, made)[0].next("you")["seats"] == []


def test_the_key_of_another_game_gives_no_seat(browser: Browser, other: Browser) -> None:
    first, second = browser.new_game(black=LINK), browser.new_game(black=LINK)
    key = first["links"]["B"].partition("#")[2]
    assert other.ask("POST", f"{second['address']}/claim", {"key": key})[0] == 403
    other.cookies[second["address"]] = f"seat={key}"
    assert joined(other, second)[0].next("you")["seats"] == []


def test_who_looks_on_may_not_move_but_suggest_and_talk(browser: Browser, other: Browser) -> None:
    made = browser.new_game()
    white, _ = joined(browser, made)
    watcher, _ = joined(other, made)
    for kind, fields in (("move", {"ply": 0, "move": "a3-a4"}), ("resign", {}), ("draw", {"ply": 0}), ("again", {})):
        assert watcher.say(kind, **fields)["code"] == "not-yours"
    assert watcher.say("suggest", ply=0, move="a3-a4")["type"] == "ok"
    arrows = white.next("suggestions")["arrows"]
    assert [(arrow["move"], arrow["count"]) for arrow in arrows] == [("a3-a4", 1)]
    assert watcher.say("suggest", ply=0, move="a4-a5")["code"] == "illegal"
    assert watcher.say("talk", text="well \u202eplayed")["type"] == "ok"
    assert white.next("talk")["text"] == "well played"
    white.say("move", ply=0, move="a3-a4")
    assert watcher.say("suggest", ply=0, move="b3-b4")["code"] == "old-ply"
    assert joined(other, made)[1]["suggestions"] == {"ply": 1, "arrows": []}


def test_suggestions_are_counted_and_muted(browser: Browser, other: Browser) -> None:
    made = browser.new_game()
    white, _ = joined(browser, made)
    watchers = [joined(other, made)[0] for _ in range(3)]
    for watcher, move in zip(watchers, ("a3-a4", "b3-b4", "b3-b4"), strict=True):
        watcher.say("suggest", ply=0, move=move)
    arrows = [white.next("suggestions") for _ in watchers][-1]["arrows"]
    assert [(arrow["move"], arrow["count"]) for arrow in arrows] == [("b3-b4", 2), ("a3-a4", 1)]
    white.say("mute", muted=True)
    watchers[0].say("suggest", ply=0, move="")
    watchers[0].say("talk", text="hello")
    white.say("ping")
    assert not [message for message in white.later if message["type"] in ("suggestions", "talk")]


def test_the_same_move_twice_is_one_move(browser: Browser) -> None:
    socket, _ = joined(browser, browser.new_game())
    assert [socket.say("move", ply=0, move="a3-a4")["type"] for _ in range(2)] == ["ok", "ok"]
    assert socket.say("move", ply=0, move="b3-b4")["code"] == "old-ply"
    assert socket.say("move", ply=5, move="b3-b4")["code"] == "old-ply"
    assert socket.next("played")["move"]["ply"] == 1
    assert socket.say("move", ply=1, move="a6-a5")["type"] == "ok"


def test_the_same_move_in_other_words_is_the_same_move(browser: Browser) -> None:
    made = browser.new_game(fen="B:WKc8,Ke6,e5,f4,h4,b3,c3,d2:BKh1")
    socket, game = joined(browser, made)
    same = [one for one in game["now"]["legal"] if one["to"] == 9]
    for _ in range(2):
        assert socket.say("move", ply=0, move=same[0]["move"])["type"] == "ok"
    assert socket.say("move", ply=0, move=same[1]["move"])["code"] == "old-ply"
    socket, _ = joined(browser, browser.new_game())
    assert [socket.say("move", ply=0, move=text)["type"] for text in ("a3-a4", "a3a4", "a3 a4")] == ["ok"] * 3


def test_a_draw_is_offered_and_taken(browser: Browser, other: Browser) -> None:
    _, white, black = two_players(browser, other)
    assert white.say("draw", ply=0)["type"] == "ok"
    while (now := black.next("now")["now"])["offers"]["draw"] != "W":
        pass
    assert white.say("draw", ply=0)["type"] == "ok"  # once more is no agreement
    assert black.say("draw", ply=0)["type"] == "ok"
    while (now := white.next("now")["now"])["ending"] is None:
        pass
    assert now["ending"]["kind"] == "agreement"
    assert now["ending"]["winner"] is None
    assert white.say("move", ply=0, move="a3-a4")["code"] == "over"


def test_an_offer_is_declined_and_lapses(browser: Browser, other: Browser) -> None:
    made, white, black = two_players(browser, other)
    assert black.say("decline")["code"] == "nothing-asked"
    white.say("draw", ply=0)
    assert black.say("decline")["type"] == "ok"
    white.say("draw", ply=0)
    white.say("move", ply=0, move="a3-a4")
    assert joined(browser, made)[1]["now"]["offers"] == {"draw": None, "back": None}


def test_a_move_is_taken_back_where_the_opponent_agrees(browser: Browser, other: Browser) -> None:
    _, white, black = two_players(browser, other)
    assert white.say("back", ply=0)["code"] == "nothing-asked"
    white.say("move", ply=0, move="a3-a4")
    white.say("back", ply=1)
    assert black.say("back", ply=1)["type"] == "ok"
    assert black.next("game")["now"]["ply"] == 0
    assert white.next("game")["moves"] == []


def test_a_move_against_the_engine_goes_back_with_its_answer(browser: Browser) -> None:
    socket, _ = joined(browser, browser.new_game(black=ENGINE))
    socket.say("move", ply=0, move="a3-a4")
    socket.next("played"), socket.next("played")
    assert socket.say("back", ply=2)["type"] == "ok"
    assert socket.next("game")["now"]["ply"] == 0


def test_giving_up_ends_the_game(browser: Browser, other: Browser) -> None:
    _, white, black = two_players(browser, other)
    assert black.say("resign")["type"] == "ok"
    while (now := white.next("now")["now"])["ending"] is None:
        pass
    assert (now["ending"]["winner"], now["ending"]["result"], now["legal"]) == ("W", "1-0", [])


def test_an_irregular_move_is_only_explained_where_nothing_else_is_wanted(browser: Browser) -> None:
    socket, _ = joined(browser, browser.new_game())
    assert socket.say("move", ply=0, move="a3-a5")["type"] == "ok"
    wrong = socket.next("wrong")
    assert (wrong["move"], wrong["article"]) == ("a3-a5", "5.4.2")
    assert socket.say("move", ply=0, move="hello")["code"] == "illegal"


def test_an_irregular_move_is_noted_and_put_right(browser: Browser) -> None:
    socket, _ = joined(browser, browser.new_game(irregular="rectify"))
    socket.say("move", ply=0, move="a3-a5")
    assert [one["article"] for one in socket.next("now")["now"]["incidents"]] == ["5.4.2"]


@pytest.mark.parametrize("stand", [True, False])
def test_the_opponent_chooses_whether_an_irregular_move_stands(browser: Browser, other: Browser, stand: bool) -> None:
    made, white, black = two_players(browser, other, irregular="ask")
    white.say("move", ply=0, move="a3-a5")
    while (question := black.next("now")["now"]["question"]) is None:
        pass
    assert question["side"] == "B"
    assert white.say("settle", stand=True)["code"] == "not-yours"
    assert white.say("move", ply=0, move="a3-a4")["code"] == "not-your-turn"
    assert black.say("settle", stand=stand)["type"] == "ok"
    game = joined(browser, made)[1]
    assert [move["text"] for move in game["moves"]] == (["a3-a5"] if stand else [])
    assert game["now"]["side"] == ("B" if stand else "W")


def test_clocks_wait_for_both_and_a_flag_falls_while_its_owner_is_away(browser: Browser, other: Browser) -> None:
    made = browser.new_game(black=LINK, time="1+0")
    white, game = joined(browser, made)
    assert game["now"]["clocks"] == {"W": 1.0, "B": 1.0}
    assert not game["now"]["running"]
    time.sleep(0.3)
    address, _, key = made["links"]["B"].partition("#")
    other.ask("POST", f"{address}/claim", {"key": key})
    black, game = joined(other, made)
    assert game["now"]["running"]
    assert game["now"]["clocks"]["W"] > 0.9
    white.close()
    while (now := black.next("now")["now"])["ending"] is None:
        pass
    assert (now["ending"]["winner"], now["ending"]["kind"]) == ("B", "time")


def test_an_ambiguous_capture_is_named_with_its_routes(browser: Browser) -> None:
    made = browser.new_game(fen="B:WKc8,Ke6,e5,f4,h4,b3,c3,d2:BKh1")
    socket, game = joined(browser, made)
    answer = socket.say("move", ply=0, move="h1xb2")
    assert answer["code"] == "ambiguous"
    same = [one for one in game["now"]["legal"] if one["to"] == 9]
    assert len(same) == 4
    assert socket.say("move", ply=0, move=same[0]["move"])["type"] == "ok"
    played = socket.next("played")["move"]
    assert sorted(played["captured"]) == sorted(same[0]["captured"])


def test_a_position_set_up_can_hold_twenty_four_kings(browser: Browser) -> None:
    kings = ",".join(f"K{file}{rank}" for rank in (1, 2, 3) for file in "abcdefgh")
    theirs = ",".join(f"K{file}{rank}" for rank in (6, 7, 8) for file in "abcdefgh")
    made = browser.new_game("croda", fen=f"W:W{kings}:B{theirs}")
    assert joined(browser, made)[1]["now"]["legal"]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"variant": "chess"}, "bad-position"),
        ({"fen": "hello"}, "bad-position"),
        ({"fen": "W:W" + ",".join(f"Ka{n}" for n in range(1, 9)) * 3}, "bad-position"),
        ({"time": "soon"}, "bad-message"),
        ({"time": "0"}, "bad-message"),
        ({"white": "me"}, "bad-message"),
        ({"white": {"kind": "cat"}}, "bad-message"),
        ({"white": {"kind": "engine", "level": 21}}, "bad-message"),
        ({"white": {"kind": "here", "name": "x" * 41}}, "bad-message"),
        ({"irregular": "shoot"}, "bad-message"),
    ],
)
def test_a_game_that_cannot_be_is_refused(browser: Browser, fields: dict[str, Any], code: str) -> None:
    here = {"kind": "here"}
    status, answer = browser.ask("POST", "/api/games", {"variant": "turkish", "white": here, "black": here} | fields)
    assert (status, answer["error"]["code"]) == (400, code)
    assert "\n" not in answer["error"]["text"]


def test_names_are_cleaned_and_shown(browser: Browser) -> None:
    made = browser.new_game(white={"kind": "here", "name": "<script>\u202e\x00x"})
    socket, game = joined(browser, made)
    assert game["players"]["W"]["name"] == "<script>x"
    socket.say("name", name="Ayşe")
    assert socket.next("players")["players"]["W"]["name"] == "Ayşe"
    status, text = browser.ask("GET", f"{made['address']}/pdn")
    assert status == 200
    assert '[White "Ayşe"]' in text.decode()


def test_an_unknown_game_is_said_to_be_none(browser: Browser) -> None:
    socket = browser.connect("/g/nothing")
    assert socket.next("error")["code"] == "no-game"
    assert browser.ask("GET", "/g/nothing/pdn")[0] == 404
    assert browser.ask("POST", "/g/nothing/claim", {"key": "A" * 22})[0] == 404


def test_two_engines_play_each_other_while_people_look_on(browser: Browser) -> None:
    made = browser.new_game(white=ENGINE, black=ENGINE)
    assert made["seats"] == []
    socket, _ = joined(browser, made)
    plies = [socket.next("played")["move"]["ply"] for _ in range(3)]
    assert plies == list(range(plies[0], plies[0] + 3))
