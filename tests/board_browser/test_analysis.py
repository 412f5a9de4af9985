"""The page of an analysis in a real browser: a game brought in, walked through, searched, added to and judged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from board_browser.visiting import Visitor

LESSON = (Path(__file__).parents[1] / "data" / "pdn" / "lesson.pdn").read_text(encoding="utf-8")


def analysed(visit: Callable[..., Visitor], text: str) -> Visitor:
    visitor = visit()
    visitor.open("/a")
    visitor.page.locator("form textarea").fill(text)
    visitor.page.locator("form button.main").click()
    visitor.page.locator(".walk").wait_for()
    return visitor


def test_a_game_is_walked_through_by_keys_and_taps(visit: Callable[..., Visitor]) -> None:
    page = analysed(visit, LESSON).page
    page.locator(".tree button").nth(4).wait_for()
    page.keyboard.press("ArrowRight")
    page.locator(".tree button[data-here]", has_text="28-22").wait_for()
    page.keyboard.press("End")
    page.locator(".tree button[data-here]", has_text="44x33").wait_for()
    page.locator(".tree button").nth(1).click()
    page.locator(".tree button[data-here]", has_text="17x28").wait_for()


def test_the_engine_shows_lines_and_a_move_of_one_goes_into_the_tree(visit: Callable[..., Visitor]) -> None:
    page = analysed(visit, "W:W28,32:B12,19").page
    page.get_by_role("button", name="Engine", exact=True).click()
    page.locator(".lines li").first.wait_for()
    first = page.locator(".lines li button").first
    move = first.inner_text()
    first.click()
    page.locator(".tree button[data-here]", has_text=move).wait_for()


def test_moves_on_the_board_make_variations(visit: Callable[..., Visitor]) -> None:
    visitor = analysed(visit, "")
    visitor.tap("32", "28")
    visitor.page.locator(".tree button[data-here]", has_text="32-28").wait_for()
    visitor.page.keyboard.press("Home")
    visitor.tap("31", "27")
    visitor.page.locator(".variation button[data-here]", has_text="31-27").wait_for()


def test_a_game_is_judged_and_its_course_drawn(visit: Callable[..., Visitor]) -> None:
    page = analysed(visit, LESSON).page
    page.get_by_role("button", name="Annotate game").click()
    page.locator(".course polyline").wait_for(timeout=60_000)
    page.locator(".tree .comment").first.wait_for()


def test_a_position_that_is_none_is_refused_in_a_line(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open("/a")
    visitor.page.locator("form textarea").fill("W:W99:B1")
    visitor.page.locator("form button.main").click()
    visitor.page.locator(".toast").wait_for()
