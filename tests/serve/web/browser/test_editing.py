"""The board editor in a browser: typed, clicked, shared, from a run and to a run."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import pytest

TEXT = "hand: As Kd 10h 10c 9h 8c 7d 2s; jokers: Ride the Bus (mult 12), Misprint"


@pytest.fixture
def board(page: Any, url: str) -> Any:
    page.goto(f"{url}/board?p={quote(TEXT)}&cards=2,3")
    score(page).get_by_text("Pair").first.wait_for()
    return page


def score(page: Any) -> Any:
    return page.get_by_role("region", name="Score", exact=True)


def text(page: Any) -> str:
    return str(page.get_by_label("The position").input_value())


def test_an_example_stands_there_and_typing_changes_the_board(page: Any, url: str) -> None:
    page.goto(f"{url}/board")
    page.get_by_role("region", name="Hand").get_by_role("button").nth(7).wait_for()
    page.get_by_label("The position").fill("hand: Ah Kh; jokers: Baron")
    page.get_by_role("region", name="Hand").get_by_role("button").nth(1).wait_for()
    page.get_by_role("listitem", name="Baron").wait_for()
    page.wait_for_url("**/board?p=hand%3A+Ah+Kh*")


def test_cards_are_scored_at_once_with_their_distribution(board: Any) -> None:
    score(board).get_by_role("img", name=re.compile("^By chance at most")).wait_for()
    board.keyboard.press("b")
    score(board).get_by_text("No other play is expected to score more.").wait_for()
    board.keyboard.press("Escape")
    score(board).get_by_text("Choose cards").wait_for()


def test_widgets_write_the_position(board: Any) -> None:
    bus = board.get_by_role("listitem", name="Ride the Bus")
    bus.get_by_label("mult").fill("30")
    bus.get_by_label("mult").press("Enter")
    board.get_by_role("button", name=re.compile(r"Ride the Bus, \+30 Mult")).wait_for()
    bus.get_by_label("Ride the Bus: edition").select_option("polychrome")
    bus.get_by_label("Ride the Bus: muted").check()
    board.get_by_label("Add a joker").fill("Baron")
    board.get_by_label("Add a joker").press("Enter")
    board.get_by_role("listitem", name="Baron").wait_for()
    board.get_by_role("button", name="Remove Misprint").click()
    board.get_by_role("listitem", name="Misprint").wait_for(state="detached")
    board.get_by_role("combobox", name="Blind").select_option("The Psychic")
    board.get_by_text("Only hands of 5 cards score.").wait_for()
    assert "jokers: Ride the Bus (mult 30, polychrome, muted), Baron; blind: The Psychic" in text(board)
    board.reload()
    board.get_by_text("Only hands of 5 cards score.").wait_for()
    assert "Ride the Bus (mult 30, polychrome, muted), Baron" in text(board)


def test_a_card_is_added_and_jokers_are_moved_by_keys(board: Any) -> None:
    board.get_by_text("Add a card").click()
    board.get_by_role("button", name="Add 5d").click()
    board.get_by_role("listitem", name="5d").wait_for()
    jokers = board.get_by_role("region", name=re.compile("^Jokers"))
    jokers.get_by_role("button").first.focus()
    board.keyboard.press("Shift+ArrowRight")
    board.wait_for_url("**jokers%3A+Misprint%2C+Ride+the+Bus*")


def test_the_address_is_shared(board: Any, context: Any) -> None:
    other = context.new_page()
    other.goto(board.url)
    score(other).get_by_text("Pair").first.wait_for()
    assert text(other) == text(board)


def test_advice_and_a_game_from_the_position(board: Any) -> None:
    board.get_by_role("button", name="Advice").click()
    board.get_by_role("region", name="Adviser").get_by_role("listitem").first.wait_for()
    board.get_by_role("button", name="Play it").click()
    board.wait_for_url("**/play/anew-*")
    board.get_by_role("button", name=re.compile(r"Ride the Bus, \+12 Mult")).wait_for()
    board.get_by_role("button", name="On the board").click()
    board.wait_for_url("**/board?p=*")
    board.get_by_role("listitem", name="Ride the Bus").wait_for()
    board.go_back()
    board.wait_for_url("**/play/anew-*")


def test_a_mistake_is_shown_where_it_stands(board: Any, watch: Any) -> None:
    watch.allowed = ("400",)
    board.get_by_label("The position").fill("hand: As; jokers: Barron")
    board.get_by_role("alert").get_by_text("Did you mean Baron?").wait_for()
    board.get_by_role("button", name="Show where").click()
    chosen = "field => field.value.slice(field.selectionStart, field.selectionEnd)"
    assert board.get_by_label("The position").evaluate(chosen) == "Barron"


def test_it_fits_a_small_screen(board: Any) -> None:
    board.set_viewport_size({"width": 380, "height": 760})
    assert board.evaluate("document.documentElement.scrollWidth") <= 380
