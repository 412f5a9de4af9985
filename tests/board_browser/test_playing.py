"""People and engines play in real browsers, others look on and suggest."""

from __future__ import annotations

from collections.abc import Callable

from board_browser.visiting import Visitor, waited_for

Visit = Callable[..., Visitor]


def test_somebody_new_plays_with_three_clicks(visit: Visit) -> None:
    visitor = visit().open()
    visitor.page.get_by_role("button", name="Play", exact=True).click()
    visitor.sees("Your move")
    visitor.tap("c3", "c4")
    visitor.sees("Your move")
    waited_for(lambda: len(visitor.moves) == 2, lambda: str(visitor.moves), visitor)
    assert visitor.moves[0] == "c3-c4"
    assert "White: c3 to c4. The computer thinks" in visitor.spoken


def test_two_play_by_a_link_and_a_third_watches_and_suggests(visit: Visit) -> None:
    white, black, third = visit(), visit(), visit()
    white.open()
    white.page.get_by_text("Somebody by link").click()
    white.page.get_by_role("button", name="Play", exact=True).click()
    link = white.page.get_by_label("Send this link to whoever plays Black").input_value()
    black.page.goto(link)
    black.sees("White to move")
    assert "#" not in black.page.url
    assert black.page.evaluate("() => document.cookie") == ""
    white.sees("Your move")

    address = black.page.url.removeprefix(black.origin)
    third.enter(address)
    third.sees("White to move. Tap a move to suggest it")
    third.tap("d3", "d4")
    third.sees("You suggest d3-d4", ".status")
    for one in (white, black, third):
        one.sees("1", ".arrow-suggestion .arrow-label")
    white.page.get_by_role("button", name="Mute onlookers").click()
    white.page.locator('[aria-pressed="true"]').wait_for()

    white.tap("a3", "a4")
    for one in (white, black, third):
        one.has_moves("a3-a4")
        waited_for(lambda one=one: one.page.locator(".arrow").count() == 0, lambda: "an old arrow", one)
    black.sees("Your move")
    assert "White: a3 to a4. Your move" in black.spoken
    third.tap("h6", "h5")
    black.sees("1", ".arrow-suggestion .arrow-label")
    assert white.page.locator(".arrow").count() == 0, "he has muted those who look on"
    black.tap("h6", "h5")
    white.has_moves("a3-a4", "h6-h5")


def test_who_reads_an_earlier_move_stays_there(visit: Visit) -> None:
    player, reader = visit(), visit()
    made = player.make()
    reader.enter(made["address"])
    player.tap("a3", "a4", "h6", "h5")
    reader.has_moves("a3-a4", "h6-h5")
    reader.page.get_by_role("button", name="One move back").click()
    here = reader.page.locator('.moves [aria-current="step"]')
    assert here.inner_text() == "a3-a4"
    player.tap("b3", "b4")
    reader.has_moves("a3-a4", "h6-h5", "b3-b4")
    assert here.inner_text() == "a3-a4"
    assert reader.label("h6") == "black man"
    assert "White: b3 to b4." in reader.spoken[-1], "what is played is read to him all the same"
    reader.page.get_by_role("button", name="Back to the game").click()
    assert here.inner_text() == "b3-b4"
    assert reader.label("b4") == "white man"


def test_offers_take_back_talk_and_the_end(visit: Visit) -> None:
    white, black = visit(), visit()
    made = white.make(black={"kind": "link", "name": "<b>B</b>"})
    black.page.goto(white.origin + made["links"]["B"])
    black.sees("White to move")
    assert black.page.locator(".who").nth(1).inner_text() == "<b>B</b>"
    white.tap("a3", "a4")
    black.sees("Your move")
    white.page.get_by_role("button", name="Take back").click()
    white.sees("You have asked to take a move back")
    black.sees("White asks to take a move back")
    black.page.get_by_role("button", name="Agree").click()
    white.has_moves()
    black.has_moves()
    assert "A move was taken back." in black.spoken
    white.page.get_by_role("button", name="Draw").click()
    white.page.get_by_role("dialog").get_by_role("button", name="Draw").click()
    black.sees("White offers a draw")
    black.page.get_by_role("button", name="Decline").click()
    white.sees("Your move")
    for text in ("good luck", "good luck"):
        black.page.get_by_text("Talk", exact=True).click()
        black.page.get_by_label("Say something").fill(text)
        black.page.get_by_label("Say something").press("Enter")
        waited_for(lambda: black.page.get_by_label("Say something").input_value() == "", lambda: "not sent", black)
        black.page.get_by_text("Talk", exact=True).click()
    said = "<b>B</b>: good luck"
    waited_for(lambda: white.spoken.count(said) == 2, lambda: f"{white.spoken}: the same twice is read twice", white)
    white.page.get_by_role("button", name="Give up").click()
    white.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    for one in (white, black):
        one.sees("Black wins. White has given up")


def test_a_move_against_the_rules_is_explained_or_judged(visit: Visit) -> None:
    visitor = visit()
    visitor.make()
    visitor.tap("a3", "a5")
    visitor.sees("a3", ".toast")
    assert visitor.moves == []
    visitor.tap("a2")  # stands still: those that can move are shown
    visitor.sees("This piece has no move", ".toast:last-child")
    assert visitor.page.locator(".can-move").count() == 8

    white, black = visit(), visit()
    made = white.make(black={"kind": "link", "name": ""}, irregular="ask")
    black.page.goto(white.origin + made["links"]["B"])
    black.sees("White to move")
    white.tap("a3", "a5")
    white.page.get_by_role("dialog").get_by_role("button", name="Play it").click()
    black.sees("a3-a5 is against the rules")
    black.page.get_by_role("button", name="Let it stand").click()
    white.sees("Black to move")
    assert white.label("a5") == "white man"


def test_taps_before_ones_turn_are_forgiven(visit: Visit) -> None:
    white, black = visit(), visit()
    made = white.make(black={"kind": "link", "name": ""})
    black.page.goto(white.origin + made["links"]["B"])
    black.sees("White to move")
    black.tap("b6")
    assert black.label("b6") == "black man, chosen"
    white.tap("a3", "a4")
    black.sees("Your move")
    assert black.label("b5") == "can be reached", "the piece that he took too early is still chosen"
    black.tap("b5")
    white.has_moves("a3-a4", "b6-b5")


def test_clocks_run_and_a_flag_ends_the_game(visit: Visit) -> None:
    visitor = visit()
    visitor.make(time="3")
    visitor.tap("a3", "a4")
    visitor.sees(r"[12]\.\d", ".player.turn .clock")
    visitor.sees("White wins. Black is out of time")


def test_the_engine_answers_an_offer_and_plays_once_more(visit: Visit) -> None:
    visitor = visit()
    visitor.make(black={"kind": "engine", "level": 0})
    visitor.page.get_by_role("button", name="Draw").click()
    visitor.page.get_by_role("dialog").get_by_role("button", name="Draw").click()
    visitor.sees("The computer does not agree to a draw", ".toast")
    visitor.page.get_by_role("button", name="Give up").click()
    visitor.page.get_by_role("dialog").get_by_role("button", name="Go on playing").click()
    visitor.sees("Your move")
    visitor.page.get_by_role("button", name="Give up").click()
    visitor.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    visitor.sees("0-1. Black wins. White has given up")
    before = visitor.page.url
    visitor.page.get_by_role("button", name="Once more").click()
    visitor.sees("Black", '.player:has-text("you") .who')
    assert visitor.page.url != before
    visitor.sees("Your move")
    assert len(visitor.moves) == 1, "the engine has the white pieces now"
    assert visitor.page.locator("[role=gridcell]").first.get_attribute("aria-label") == "h1", "Black is at the bottom"


def test_a_game_is_found_on_the_first_page_and_watched(visit: Visit) -> None:
    player, other = visit(), visit().open()
    made = player.make(white={"kind": "here", "name": "Ayşe <i>"}, black={"kind": "here", "name": "Müge"})
    player.tap("a3", "a4")
    player.has_moves("a3-a4")
    entry = other.page.locator(f'.entry[href="{made["address"]}"]')
    entry.wait_for()
    assert all(name in entry.inner_text() for name in ("Ayşe <i>", "Müge"))
    entry.click()
    other.sees("Black to move. Tap a move to suggest it")
    other.page.go_back()
    entry.wait_for()
    player.sees("0 people look on", ".foot")
    player.open()
    player.page.get_by_role("heading", name="Your games").wait_for()


def test_a_wrong_link_and_a_wrong_position_are_said(visit: Visit) -> None:
    player, stranger = visit(), visit()
    made = player.make(black={"kind": "link", "name": ""})
    stranger.page.goto(f"{player.origin}{made['address']}#{'x' * 22}")
    stranger.sees("This link holds no seat of this game", ".toast")
    stranger.sees("Tap a move to suggest it")
    stranger.open().page.locator(".new details summary").click()
    stranger.page.get_by_label("Position (FEN)").fill("W:Wz9:B")
    stranger.page.get_by_role("button", name="Play", exact=True).click()
    stranger.page.locator(".toast.bad").wait_for()
    assert stranger.page.url == stranger.origin + "/"
